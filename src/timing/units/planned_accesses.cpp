#include "timing/units/planned_accesses.hpp"

#include <bit>

namespace wavetank::timing {

std::uint64_t PlannedAccesses::Shape::hash() const {
  // Products of different odd numbers, so that lanes that change places give another sum. The lower
  // halves tell shapes apart as well, and the host multiplies several of them at a time.
  constexpr std::uint64_t kMix = 0x9e3779b97f4a7c15;
  constexpr std::uint64_t kLower = 0xffffffff;
  std::uint64_t sum = lanes ^ static_cast<std::uint64_t>(stride) ^ bytes << 8 ^ (write ? 1 : 0);
  for (std::uint64_t lane = 0; lane < 64; ++lane) {
    sum += (address[lane] & kLower) * ((kMix + 2 * lane) & kLower);
  }
  return sum * kMix >> 32;
}

void PlannedAccesses::plan(const machine::Step& step, std::uint32_t line_bytes, bool write,
                           AddressPlan& plan) {
  const std::uint64_t lanes = step.lanes & ~step.lds_lanes;
  if (lanes == 0) {
    plan_accesses(step, line_bytes, write, plan);
    return;
  }
  const std::uint64_t first = step.address[static_cast<unsigned>(std::countr_zero(lanes))];
  const std::uint64_t shift = first - first % kPeriodBytes;
  for (unsigned lane = 0; lane < 64; ++lane) {
    const std::uint64_t active = 0 - (lanes >> lane & 1);
    shape_.address[lane] = (step.address[lane] - shift) & active;
  }
  shape_.lanes = lanes;
  shape_.stride = step.access_stride;
  shape_.line_bytes = line_bytes;
  shape_.bytes = step.access_bytes;
  shape_.count = step.access_count;
  shape_.write = write;
  Known& known = known_[shape_.hash() % kRemembered];
  if (known.shape != shape_) {
    plan_accesses(step, line_bytes, write, known.plan);
    for (LineAccess& line : known.plan.lines) line.address -= shift;
    for (WriteRequest& request : known.plan.writes) request.address -= shift;
    known.shape = shape_;
  }
  plan = known.plan;
  for (LineAccess& line : plan.lines) line.address += shift;
  for (WriteRequest& request : plan.writes) request.address += shift;
}

}  // namespace wavetank::timing
