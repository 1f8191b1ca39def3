// Everything that is known of one instruction, as sections of short tables: what `wavetank isa`
// prints, as text and as JSON.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "isa/row.hpp"

namespace wavetank::cli {

/// A part of a card.
struct CardSection {
  std::string title;
  std::vector<std::string> headings;           ///< of the columns; may be empty strings
  std::vector<std::vector<std::string>> rows;  ///< as many cells as headings
  std::vector<std::string> notes;              ///< lines below the table
};

/// One instruction on the targets that have it. A matrix instruction has another name on each.
struct InstructionPair {
  const isa::Row* on_gfx90a = nullptr;
  const isa::Row* on_gfx942 = nullptr;
  std::string name;  ///< as found, with a FLAT row's segment
  const isa::Row& any() const { return on_gfx942 != nullptr ? *on_gfx942 : *on_gfx90a; }
  /// The rows that differ, with the targets that each stands for.
  std::vector<std::pair<const isa::Row*, std::string>> versions() const;
};

/// A mnemonic in lower case, without _e32, _e64, _sdwa and _dpp.
std::string base_mnemonic(std::string_view mnemonic);

/// Finds a mnemonic, in any case, with or without _e32, _e64, _sdwa or _dpp.
std::optional<InstructionPair> find_instruction(std::string_view mnemonic);

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

/// Errors: kBadDevice if a built-in device cannot be read.
Result<Card> make_card(const InstructionPair& instruction);

std::string to_text(const Card& card, const Style& style);
Json to_json(const Card& card);

}  // namespace wavetank::cli
