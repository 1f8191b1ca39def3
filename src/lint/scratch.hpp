// Accesses to a work-item's own memory.
#pragma once

#include <cstdint>
#include <optional>

#include "lint/rule.hpp"

namespace wavetank::lint {

/// A load or store of scratch.
struct ScratchAccess {
  bool stores = false;
  unsigned dwords = 0;  ///< 0: less than one
  /// Its place is the same whenever it is executed.
  bool fixed = false;
  /// The vector register that says where, numbered as in StepFacts; its value is no constant.
  std::optional<unsigned> index;
};

/// What an instruction does to scratch; nullopt if it surely does nothing, or is an atomic, or it
/// is not known whether it is to scratch.
std::optional<ScratchAccess> scratch_access(const Subject& subject, std::uint32_t step);

}  // namespace wavetank::lint
