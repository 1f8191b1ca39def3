// What the generated stubs of unimplemented functions call.
#pragma once

#include <atomic>
#include <string_view>

namespace wavetank::hip {

/// Whether a stub has named itself.
struct StubState {
  std::atomic<bool> named{false};
};

/// Why a function is refused (abi/refused.txt); empty for one that is not.
std::string_view refusal_reason(std::string_view function);

/// Names the function and the reason on stderr, once, and gives hipErrorNotSupported, which also
/// becomes the thread's last error.
int not_supported(const char* function, StubState& state);

/// What a generated stub gives.
struct NotSupported {
  const char* function;
  StubState& state;

  operator int() const { return not_supported(function, state); }
};

}  // namespace wavetank::hip
