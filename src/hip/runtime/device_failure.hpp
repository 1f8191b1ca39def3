// What becomes of a kernel, copy or fill that fails, as near to ROCm as a process can see:
//
//   memory fault             "Memory access fault by GPU node-1 ..." and abort(), exit by SIGABRT
//   s_trap (abort, assert)   "... aborting with error : HSA_STATUS_ERROR_EXCEPTION" and abort()
//   deadlock                 the diagnostic and abort(); a real device would hang
//   unsupported, unknown     the diagnostic and exit status 3, before anything was written; with
//   instruction              WAVETANK_CONTINUE=1 the device's status becomes hipErrorLaunchFailure
#pragma once

#include "base/error.hpp"

namespace wavetank::hip {

class VirtualDevice;

/// Reports what failed on a device while it ran; returns only when the program may go on.
void report_device_failure(VirtualDevice& device, const Error& error);

/// Before the process ends: writes what the profile of a timed device still lacks.
void finish_profile(VirtualDevice& device);

/// The process is interrupted: the same for what is known so far. From any thread.
void interrupt_profile(VirtualDevice& device);

}  // namespace wavetank::hip
