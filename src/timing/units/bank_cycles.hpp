// For how long the banks of the LDS work for an access. Lanes go in groups that depend on its
// width; within a group each bank serves one dword address a cycle, and lanes that want the same
// dword share it.
#pragma once

#include <cstdint>

#include "machine/step.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// Cycles in which the banks work for an instruction.
struct BankCycles {
  std::uint32_t total = 0;         ///< SQ_LDS_IDX_ACTIVE
  std::uint32_t conflict = 0;      ///< of those, beyond one for each group: SQ_LDS_BANK_CONFLICT
  std::uint32_t same_address = 0;  ///< atomics to one address: SQ_LDS_ADDR_CONFLICT
  bool operator==(const BankCycles&) const = default;
  /// Lets the banks take so many times as long.
  void scale(double factor) {
    for (std::uint32_t* const cycles : {&total, &conflict}) {
      *cycles = static_cast<std::uint32_t>(*cycles * factor + 0.5);
    }
  }
};

/// Counts the bank cycles of a step whose addresses are bytes into LDS; `lanes` take part, but for
/// those that lie beyond it.
BankCycles count_bank_cycles(const machine::Step& step, std::uint64_t lanes, const LdsSpec& lds);

}  // namespace wavetank::timing
