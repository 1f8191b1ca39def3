// Launches that share a profile because there are too many to keep each in full: their sum, their
// average, and the counters of each as what differs from the first one's.
#pragma once

#include <optional>

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// Adds a launch to the sum of others of the same kernel and shape. Cycles, counters, traffic and
/// what instructions did are sums; shares of time are means, weighted by cycles.
void add_to_sum(LaunchProfile& sum, const LaunchProfile& launch);

/// The average of the `merged.timed` launches of a sum; whole numbers are rounded.
LaunchProfile average_of(LaunchProfile sum);

/// Where counters differ from a reference: place 2n is the sum of its n-th counter, 2n + 1 the
/// largest instance, which is expected to keep its share of the sum. Nothing if other things are
/// counted, or by other numbers of instances.
std::optional<CounterChanges> changes_from(const Counters& reference, const Counters& counters);

/// The counters that differ so from the reference. Places beyond it are passed over.
Counters changed(const Counters& reference, const CounterChanges& changes);

/// Takes the counters of all launches that a profile stands for away.
void drop_counters(LaunchProfile& profile);

}  // namespace wavetank::profile
