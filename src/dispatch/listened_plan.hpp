// A launch for its listener, from the plan that the engine runs.
#pragma once

#include <memory>

#include "dispatch/grid_plan.hpp"
#include "dispatch/listened_launch.hpp"

namespace wavetank::dispatch {

/// What a listener is told of a launch.
std::shared_ptr<const ListenedLaunch> listened_launch(const GridPlan& plan);

}  // namespace wavetank::dispatch
