// The launches that a profile stands for: identical ones at even distances, or merged ones.
#pragma once

#include <algorithm>
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

/// A profile's facts for its launches one by one, without the list of them.
LaunchProfile for_single_launches(const LaunchProfile& first);

/// Times, cycles, counters and the number of a launch of a merged profile.
void set_to_merged(const LaunchProfile& first, const MergedLaunch& one, LaunchProfile& launch);

/// Calls visit(const LaunchProfile&) for each launch that a profile stands for, in their order.
template <class Visit>
void for_each_launch_of(const LaunchProfile& first, Visit visit) {
  if (first.repeats.count <= 1 && first.merged.launches.empty()) {
    visit(first);
    return;
  }
  LaunchProfile launch = for_single_launches(first);
  for (const MergedLaunch& one : first.merged.launches) {
    set_to_merged(first, one, launch);
    visit(std::as_const(launch));
  }
  for (std::uint64_t i = 0; first.merged.launches.empty() && i < first.repeats.count; ++i) {
    set_to_repeat(first, i, launch);
    visit(std::as_const(launch));
  }
}

/// The same for several profiles.
template <class Visit>
void for_each_launch(const std::vector<LaunchProfile>& profiles, Visit visit) {
  for (const LaunchProfile& first : profiles) for_each_launch_of(first, visit);
}

/// Calls visit(cycles, nanoseconds, launches) for all launches of a profile, those of one length
/// at once.
template <class Visit>
void for_each_length(const LaunchProfile& first, Visit visit) {
  const auto length = [](const auto& one) {
    return one.end_ns - std::min(one.begin_ns, one.end_ns);
  };
  for (const MergedLaunch& one : first.merged.launches) {
    visit(one.cycles, length(one), std::uint64_t{1});
  }
  if (first.merged.launches.empty()) visit(first.cycles, length(first), first.repeats.count);
}

}  // namespace wavetank::profile
