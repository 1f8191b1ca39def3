// Cycles of the LDS's banks that are found again instead of counted anew.
#pragma once

#include <cstdint>

#include "timing/units/bank_cycles.hpp"
#include "timing/units/shape_memo.hpp"

namespace wavetank::timing {

class KnownBanks {
 public:
  /// As count_bank_cycles(). `lds` is the same in all calls.
  BankCycles count(const machine::Step& step, std::uint64_t lanes, const LdsSpec& lds);

 private:
  static constexpr std::uint64_t kPeriodBytes = 4 * kMostLdsBanks;
  static constexpr std::size_t kRemembered = 256;
  ShapeMemo<BankCycles> known_{kPeriodBytes, kRemembered};
};

}  // namespace wavetank::timing
