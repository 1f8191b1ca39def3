#include "dispatch/stepped_standstill.hpp"

#include <algorithm>

#include "dispatch/wave_numbers.hpp"

namespace wavetank::dispatch {

void SteppedStandstill::remember(const Waves& waves) {
  windows_ = looks_ = 0;
  for (const machine::Wave* wave : waves)
    seen_.push_back({wave, scalar_number(*wave), vector_number(*wave), false});
}

void SteppedStandstill::look() {
  for (Seen& seen : seen_) {
    seen.again = seen.again || (scalar_number(*seen.wave) == seen.scalar_number &&
                                vector_number(*seen.wave) == seen.vector_number);
  }
  told_ = std::ranges::all_of(seen_, &Seen::again);
  if (++looks_ == kLooks) seen_.clear();
}

}  // namespace wavetank::dispatch
