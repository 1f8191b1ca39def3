// Which code stands at an address: what diagnostics and profiles say of an instruction.
#pragma once

#include <memory>
#include <string>

#include "code_object/loader.hpp"
#include "dispatch/grid_plan.hpp"

namespace wavetank::dispatch {

/// An instruction's place in a code object.
struct CodePlace {
  /// The kernel's own, or the one whose function it called; nullptr if it was unloaded meanwhile.
  std::shared_ptr<const code_object::LoadedCodeObject> object;
  std::uint64_t virtual_address = 0;  ///< in the code object
  std::string disassembly;            ///< "?" where no instruction is
  const isa::Row* row = nullptr;      ///< nullptr there
};

/// What stands at an address that a wave of this launch has come to.
CodePlace code_place(const GridPlan& plan, std::uint64_t address);

}  // namespace wavetank::dispatch
