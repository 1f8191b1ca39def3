// An instruction by its name, with what it is on each target.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::cli {

/// A row of an instruction, and the targets that it stands for.
struct InstructionVersion {
  const isa::Row* row = nullptr;
  std::vector<const isa::Target*> targets;
  /// "gfx90a gfx942".
  std::string names() const;
};

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

}  // namespace wavetank::cli
