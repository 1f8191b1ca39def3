// What the generated stubs of functions without an answer call.
#pragma once

#include <atomic>

namespace wavetank::smi {

/// Whether a stub has named itself.
struct StubState {
  std::atomic<bool> named{false};
};

/// What a stub gives: it names its function on stderr, once, and is RSMI_STATUS_NOT_SUPPORTED.
struct NotSupported {
  const char* function;
  StubState& state;

  operator int() const;
};

}  // namespace wavetank::smi
