// Everything that is known of one instruction, as sections of short tables: what `wavetank isa`
// prints, as text and as JSON.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"
#include "target/device.hpp"

namespace wavetank::cli {

/// A part of a card.
struct CardSection {
  std::string title;
  std::vector<std::string> headings;           ///< of the columns; may be empty strings
  std::vector<std::vector<std::string>> rows;  ///< as many cells as headings
  std::vector<std::string> notes;              ///< lines below the table
};

/// A row of an instruction, and the targets that it stands for.
struct InstructionVersion {
  const isa::Row* row = nullptr;
  std::vector<const isa::Target*> targets;
  /// "gfx90a gfx942".
  std::string names() const;
};

/// The device that stands for a target. Errors: kBadDevice.
using DeviceOf = std::function<const Result<target::Device>&(const isa::Target& target)>;
/// The first built-in one, read once.
const Result<target::Device>& built_in_device_of(const isa::Target& target);

/// One instruction on all targets. A matrix instruction may have another name on each.
struct Instruction {
  /// The row on each target, oldest first; nullptr where there is none.
  std::vector<std::pair<const isa::Target*, const isa::Row*>> on;
  std::string name;  ///< as found, with a FLAT row's segment
  /// The newest row.
  const isa::Row& any() const;
  /// The rows that differ, oldest first.
  std::vector<InstructionVersion> versions() const;
};

/// What a row is on the targets that have it.
Instruction instruction_of(const isa::Row& row);

/// A mnemonic in lower case, without _e32, _e64, _sdwa and _dpp.
std::string base_mnemonic(std::string_view mnemonic);

/// Finds a mnemonic, in any case, with or without _e32, _e64, _sdwa or _dpp.
std::optional<Instruction> find_instruction(std::string_view mnemonic,
                                            std::span<const isa::Target> on = isa::targets());

/// The card of one instruction.
struct Card {
  std::string name;
  std::string encoding;  ///< "VOP2"
  std::string targets;   ///< "gfx90a gfx942", or the names where they differ
  std::vector<std::string> semantics;
  std::vector<CardSection> sections;
};

/// What an instruction computes, one statement each; empty where its summary has to do.
std::vector<std::string> formula_of(const isa::Row& row);

/// Errors: kBadDevice if a device cannot be read.
Result<Card> make_card(const Instruction& instruction,
                       const DeviceOf& device_of = built_in_device_of);

std::string to_text(const Card& card, const Style& style);
Json to_json(const Card& card);

}  // namespace wavetank::cli
