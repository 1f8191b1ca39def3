// Plans of the address unit that are found again instead of made anew.
#pragma once

#include <cstdint>

#include "machine/step.hpp"
#include "timing/units/address_unit.hpp"
#include "timing/units/shape_memo.hpp"

namespace wavetank::timing {

/// A plan whose addresses lie `shift` bytes behind those that it says. It holds until another is
/// asked for.
struct ShiftedPlan {
  const AddressPlan* plan = nullptr;
  std::uint64_t shift = 0;
};

class PlannedAccesses {
 public:
  /// As plan_accesses(). `line_bytes` is the same in all calls.
  ShiftedPlan plan(const machine::Step& step, std::uint32_t line_bytes, bool write);

 private:
  static constexpr std::uint64_t kPeriodBytes = 128;  ///< of banks and lines
  static constexpr std::size_t kRemembered = 64;
  ShapeMemo<AddressPlan> known_{kPeriodBytes, kRemembered};
  AddressPlan empty_;
};

}  // namespace wavetank::timing
