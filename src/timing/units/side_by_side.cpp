#include "timing/units/side_by_side.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {

void lay_side_by_side(const machine::Step& step, const AddressPlan& plan, std::uint32_t line_bytes,
                      machine::Step& laid) {
  const std::uint64_t lanes = step.lanes & ~step.lds_lanes;
  const auto count = static_cast<unsigned>(std::popcount(lanes));
  laid.facts = step.facts;
  laid.lanes = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
  laid.lds_lanes = 0;
  laid.access_bytes = step.access_bytes * step.access_count;
  laid.access_count = 1;
  laid.access_stride = 0;
  const std::uint64_t bytes = std::max<std::uint64_t>(plan.bytes, 1);
  const std::uint64_t needed = (bytes + line_bytes - 1) / line_bytes;
  const std::uint64_t places = std::max<std::uint64_t>(plan.lines.size() / needed, 1);
  const std::uint64_t first = step.address[static_cast<unsigned>(std::countr_zero(lanes))];
  const std::uint64_t place = first % line_bytes / std::max(step.access_bytes, 1u) % places;
  const std::uint64_t begin = plan.lines[place * needed].address;
  for (unsigned lane = 0; lane < 64; ++lane) {
    laid.address.slot(lane) = begin + std::uint64_t{laid.access_bytes} * std::min(lane, count - 1);
  }
}

}  // namespace wavetank::timing
