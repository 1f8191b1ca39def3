// Where edges may stand beside an instruction of a kernel (machine/edge.hpp).
#pragma once

#include <cstdint>

#include "dispatch/grid_plan.hpp"
#include "dispatch/listened_launch.hpp"

namespace wavetank::dispatch {

/// The places beside the instruction at an address; none if it is not in the kernel's own code.
EdgePlaces edge_places(const GridPlan& plan, std::uint64_t address);

}  // namespace wavetank::dispatch
