// Identical launches at even distances, kept as one profile.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// False for what no run gives: no launch, or times beyond 64 bits.
bool are_possible(const Repeats& repeats);

/// Adds a launch of the same kind to `first`, the profile of those before it; false if it does not
/// lie at their distance, or on another stream. `dispatch_id` and `begin_ns` are the new launch's.
bool add_repeat(LaunchProfile& first, std::uint64_t stream_id, std::uint64_t dispatch_id,
                double begin_ns);

/// The times and the number of the launch that comes `index` after the first.
void set_to_repeat(const LaunchProfile& first, std::uint64_t index, LaunchProfile& launch);

/// Calls visit(const LaunchProfile&) for each launch that the profiles stand for, in their order.
template <class Visit>
void for_each_launch(const std::vector<LaunchProfile>& profiles, Visit visit) {
  for (const LaunchProfile& first : profiles) {
    if (first.repeats.count <= 1) {
      visit(first);
      continue;
    }
    LaunchProfile launch = first;
    for (std::uint64_t i = 0; i < first.repeats.count; ++i) {
      set_to_repeat(first, i, launch);
      visit(std::as_const(launch));
    }
  }
}

}  // namespace wavetank::profile
