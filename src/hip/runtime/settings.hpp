// What the environment asks of the runtime.
//
//   WAVETANK_DEVICE=mi210[,mi300x,my.toml]   the virtual devices, in order of their ordinals
//   WAVETANK_THREADS=N                       worker threads of each device (0: one per host core)
//   WAVETANK_CONTINUE=1                      go on after an unsupported instruction: the launch
//                                            fails with hipErrorLaunchFailure, the program lives
//   HSA_XNACK=1                              devices reach pageable host memory
//   HIP_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES   ordinals to keep, as in ROCm
//   HIP_LAUNCH_BLOCKING=1                    every launch waits for its end
//   HIP_HOST_COHERENT=1                      pinned memory is fine-grained whatever its flags
//   WAVETANK_TIMED=1                         launches go through the cycle model; device times are
//   its WAVETANK_PROFILE=FILE                    each timed launch is appended to this file
//   WAVETANK_CHECK=FILE                      launches are checked; findings go to this file
//   WAVETANK_EXACT=1                         every workgroup of a timed launch is simulated
//   WAVETANK_EVERY_LAUNCH=1                  so is every one of identical launches
//   WAVETANK_CLOCKS=sustained                launches are timed at the device's sustained clock
//   WAVETANK_TRACE=KERNEL:CU                 issues of one CU are kept for kernels of that name
//   WAVETANK_WHAT_IF=CHANGE,...              launches are timed again with these changes; "list":
//                                            with those of the list, one by one; "numbers": with
//                                            10 % more of each number that their time rests on
//   its WAVETANK_WHAT_IF_KERNEL=KERNEL           of kernels of that name only
//   its WAVETANK_WHAT_IF_TOP=N                   of so many kernels, those that take longest
#pragma once

#include <string>
#include <vector>

namespace wavetank::hip {

/// Which launches are timed again with changes when the program ends.
struct WhatIfSettings {
  std::vector<std::string> changes;  ///< as profile::parse_change() takes them; empty: none
  bool whole_list = false;           ///< those of profile::change_rows() that can matter
  bool numbers = false;              ///< 10 % more of what timing::numbers_of_waiting() names
  std::string kernel;                ///< part of the demangled name; empty: all
  unsigned top = 3;                  ///< kernels, by the time that they take in the run
  bool wanted() const { return whole_list || numbers || !changes.empty(); }
};

/// How launches are timed.
struct TimingSettings {
  bool timed = false;
  std::string profile_path;
  bool exact = false;
  bool every_launch = false;
  bool sustained_clock = false;
  std::string trace_kernel;  ///< part of the demangled name; empty: no trace
  unsigned trace_cu = 0;
  WhatIfSettings what_if;
};

struct Settings {
  std::vector<std::string> devices;  ///< empty: choose by the program's code objects
  std::vector<int> visible_devices;  ///< empty: all
  bool visible_devices_given = false;
  unsigned worker_threads = 0;
  bool continue_after_unsupported = false;
  bool xnack = false;
  bool launch_blocking = false;
  bool host_coherent = false;
  TimingSettings timing;
  std::string check_path;  ///< empty: launches are not checked
};

/// Reads the environment.
Settings read_settings();

}  // namespace wavetank::hip
