// How launches and instructions are called in what a check reports.
#pragma once

#include "check/describe.hpp"
#include "dispatch/listened_launch.hpp"

namespace wavetank::hip {

check::LaunchWords words_of(const dispatch::ListenedLaunch& launch);
check::InstructionWords words_of(const dispatch::SteppedInstruction& instruction,
                                 const check::LaunchWords& launch,
                                 dispatch::EdgePlaces places = {});

}  // namespace wavetank::hip
