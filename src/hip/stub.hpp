// What the generated stubs of unimplemented functions call.
#pragma once

#include <atomic>

namespace wavetank::hip {

/// Whether a stub has named itself.
struct StubState {
  std::atomic<bool> named{false};
};

/// Names the function on stderr, once, and gives hipErrorNotSupported, which also becomes the
/// thread's last error.
int not_supported(const char* function, StubState& state);

/// What a generated stub gives.
struct NotSupported {
  const char* function;
  StubState& state;

  operator int() const { return not_supported(function, state); }
};

}  // namespace wavetank::hip
