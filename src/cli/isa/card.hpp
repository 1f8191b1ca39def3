// Everything that is known of one instruction, as sections of short tables: what `wavetank isa`
// prints, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/isa/card_section.hpp"
#include "cli/isa/instruction.hpp"
#include "cli/isa/timing.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "isa/row.hpp"

namespace wavetank::cli {

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
