// Which launches of a kernel did the same.
#pragma once

#include <cstdint>

#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// A number for all that a launch did and how long what took. Left out are its times and ids, and
/// what says only which instance of a resource served it: the largest instance of a counter, the
/// busy share of a level's busiest resource, its channels and rows, which change with where a
/// launch finds the device. Launches of other results have another number, almost certainly.
std::uint64_t result_number(const LaunchProfile& launch);

}  // namespace wavetank::profile
