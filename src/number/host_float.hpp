// The host float unit's settings, which the fast paths rely on.
#pragma once

#include <cfenv>

namespace wavetank::number {

/// While it lives, the calling thread's float unit rounds to nearest-even, keeps denormals and
/// does not trap; then the settings that were found are back. Threads inherit these settings from
/// the thread that starts them, and a program built with -ffast-math flushes denormals from its
/// start, so every thread that executes instructions needs one.
class HostFloatDefaults {
 public:
  HostFloatDefaults() {
    std::fegetenv(&found_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~HostFloatDefaults() { std::fesetenv(&found_); }
  HostFloatDefaults(const HostFloatDefaults&) = delete;
  HostFloatDefaults& operator=(const HostFloatDefaults&) = delete;

 private:
  std::fenv_t found_;
};

}  // namespace wavetank::number
