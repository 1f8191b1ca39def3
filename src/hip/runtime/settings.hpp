// What the environment asks of the runtime.
//
//   WAVETANK_DEVICE=mi210[,mi300x,my.toml]   the virtual devices, in order of their ordinals
//   WAVETANK_THREADS=N                       worker threads of each device (0: one per host core)
//   WAVETANK_CONTINUE=1                      go on after an unsupported instruction: the launch
//                                            fails with hipErrorLaunchFailure, the program lives
//   HSA_XNACK=1                              devices reach pageable host memory
//   HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES   ordinals to keep, as in ROCm
//   HIP_LAUNCH_BLOCKING=1                    every launch waits for its end
#pragma once

#include <string>
#include <vector>

namespace wavetank::hip {

struct Settings {
  std::vector<std::string> devices;       ///< empty: choose by the program's code objects
  std::vector<int> visible_devices;       ///< empty: all
  bool visible_devices_given = false;
  unsigned worker_threads = 0;
  bool continue_after_unsupported = false;
  bool xnack = false;
  bool launch_blocking = false;
};

/// Reads the environment.
Settings read_settings();

}  // namespace wavetank::hip
