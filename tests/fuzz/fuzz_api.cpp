// Any sequence of HIP calls, with live, stale, null and wild handles, addresses and sizes: each
// call must return. The engine is one that computes nothing (tests/unit/hip).
#include <cstdlib>

#include "api_session.hpp"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  setenv("WAVETANK_DEVICE", "mi210,mi300x", 1);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr int kMostCalls = 200;
  wavetank::fuzz::Session session(wavetank::fuzz::Input({data, size}));
  for (int call = 0; call < kMostCalls && !session.input.empty(); ++call) {
    wavetank::fuzz::call_something(session);
  }
  wavetank::fuzz::clean_up(session);
  return 0;
}
