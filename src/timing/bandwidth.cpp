#include "timing/bandwidth.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {

Bandwidth::Bandwidth(double units_per_cycle, unsigned window_shift, unsigned windows)
    : rate_(units_per_cycle),
      cycles_per_unit_(1 / units_per_cycle),
      capacity_(units_per_cycle * (1u << window_shift)),
      window_shift_(window_shift),
      lap_shift_(static_cast<unsigned>(std::bit_width(std::bit_ceil(windows)) - 1)),
      windows_(std::bit_ceil(windows)) {}

std::uint64_t Bandwidth::first_with_room(std::uint64_t number) {
  std::uint64_t found = number;
  while (true) {
    const Window& slot = window(found);
    found = number_in(found, slot);
    if (slot.used < capacity_) break;
    found += std::max<std::uint64_t>(slot.full, 1);
  }
  // Later searches jump over the full windows at once.
  Window& start = window(number);
  if (start.used >= capacity_) {
    const std::uint64_t full = found - number_in(number, start);
    start.full = std::max(start.full, static_cast<std::uint32_t>(full));
  }
  return found;
}

std::uint64_t Bandwidth::search(std::uint64_t time, double units) {
  passed_ += units;
  std::uint64_t number = number_of(time);
  std::uint64_t done = time;
  // As long as the window is remembered, so are those behind it.
  if (number - full_ < full_end_ - full_ && window(number).lap == lap_of(number)) {
    number = full_end_;
  }
  while (units > 0) {
    number = first_with_room(number);
    Window& slot = window(number);
    const double taken = std::min(units, capacity_ - slot.used);
    slot.used += taken;
    units -= taken;
    done = std::max(done, end_of(number, slot));
    if (units > 0) {
      note_full(number);
      ++number;
    }
  }
  // Room early in its window does not make a request faster than its own passage.
  return done;
}

}  // namespace wavetank::timing
