#include "hip/stub.hpp"

#include <cstdio>

#include "hip/api/entry.hpp"

namespace wavetank::hip {

int not_supported(const char* function, StubState& state) {
  if (!state.named.exchange(true)) {
    std::fprintf(stderr, "wavetank: %s is not supported; it returns hipErrorNotSupported\n",
                 function);
  }
  return static_cast<int>(api::remember(abi::Status::kNotSupported));
}

}  // namespace wavetank::hip
