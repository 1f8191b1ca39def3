#include "profile/launch_repeats.hpp"

#include <algorithm>
#include <cmath>

#include "profile/merged_launches.hpp"

namespace wavetank::profile {
namespace {

double begin_ns_of(const Repeats& repeats, std::uint64_t index) {
  return repeats.first_ns + repeats.step_ns * static_cast<double>(index);
}

}  // namespace

bool are_possible(const Repeats& repeats) {
  constexpr double kMostNs = 1e18, kMostLaunches = 1e9;
  const auto count = static_cast<double>(repeats.count);
  return repeats.count >= 1 && count <= kMostLaunches && repeats.first_ns >= 0 &&
         repeats.step_ns >= 0 && repeats.first_ns + repeats.step_ns * count < kMostNs;
}

bool add_repeat(LaunchProfile& first, std::uint64_t stream_id, std::uint64_t dispatch_id,
                double begin_ns) {
  Repeats& repeats = first.repeats;
  if (stream_id != first.stream_id || dispatch_id <= first.dispatch_id ||
      begin_ns < repeats.first_ns) {
    return false;
  }
  if (repeats.count == 1) {
    repeats.dispatch_step = dispatch_id - first.dispatch_id;
    repeats.step_ns = begin_ns - repeats.first_ns;
  }
  const bool next = dispatch_id == first.dispatch_id + repeats.count * repeats.dispatch_step;
  // The sums of the model's clock are rounded: what shows are whole nanoseconds.
  if (!next || std::abs(begin_ns_of(repeats, repeats.count) - begin_ns) > 1) return false;
  ++repeats.count;
  return true;
}

void set_to_repeat(const LaunchProfile& first, std::uint64_t index, LaunchProfile& launch) {
  launch.dispatch_id = first.dispatch_id + index * first.repeats.dispatch_step;
  launch.begin_ns = static_cast<std::uint64_t>(begin_ns_of(first.repeats, index));
  launch.end_ns = launch.begin_ns + (first.end_ns - std::min(first.begin_ns, first.end_ns));
}

LaunchProfile for_single_launches(const LaunchProfile& first) {
  LaunchProfile launch = first;
  launch.merged.launches.clear();
  return launch;
}

void set_to_merged(const LaunchProfile& first, const MergedLaunch& one, LaunchProfile& launch) {
  launch.dispatch_id = one.dispatch_id;
  launch.stream_id = one.stream_id;
  launch.begin_ns = one.begin_ns;
  launch.end_ns = one.end_ns;
  launch.cycles = one.cycles;
  if (one.counters < first.merged.counters.size()) {
    launch.counters = changed(first.merged.reference, first.merged.counters[one.counters]);
  }
}

}  // namespace wavetank::profile
