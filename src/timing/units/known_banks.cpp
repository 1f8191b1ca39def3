#include "timing/units/known_banks.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {
namespace {

/// True if all that the lanes access begins within so many bytes.
bool lies_within(const machine::Step& step, std::uint64_t lanes, std::uint64_t bytes) {
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  const auto take = [&](unsigned lane) {
    least = std::min(least, step.address[lane]);
    most = std::max(most, step.address[lane]);
  };
  if (const machine::LaneRows* const rows = step.address.rows()) {
    // No lane lies farther out than the corners, whether those take part or not.
    const unsigned row = 1u << rows->row_shift;
    for (const unsigned corner : {0u, row - 1, 64 - row, 63u}) take(corner);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) take(static_cast<unsigned>(std::countr_zero(lanes)));
  }
  // The first access of each lane lies at its address, the others on one side of it.
  const auto farthest = static_cast<std::uint64_t>(step.access_stride * (step.access_count - 1));
  return most < bytes && least + farthest < bytes && most + farthest < bytes;
}

}  // namespace

BankCycles KnownBanks::count(const machine::Step& step, std::uint64_t lanes, const LdsSpec& lds) {
  // No bank works for what lies beyond the LDS, so that it matters where that is.
  const bool repeats = lanes != 0 && step.access_count != 0 && kPeriodBytes % (4 * lds.banks) == 0;
  if (!repeats || !lies_within(step, lanes, lds.bytes)) return count_bank_cycles(step, lanes, lds);
  const auto action = static_cast<std::uint32_t>(step.facts->row->memory.action);
  const auto known = known_.find(step, ShapeKind::of(step, lanes, action));
  if (known.is_new) *known.value = count_bank_cycles(step, lanes, lds);
  return *known.value;
}

}  // namespace wavetank::timing
