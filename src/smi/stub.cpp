#include "smi/stub.hpp"

#include <cstdio>

#include "smi/abi/types.hpp"

namespace wavetank::smi {

NotSupported::operator int() const {
  if (!state.named.exchange(true)) {
    std::fprintf(stderr, "wavetank: %s is not supported; it returns RSMI_STATUS_NOT_SUPPORTED\n",
                 function);
  }
  return static_cast<int>(abi::Status::kNotSupported);
}

}  // namespace wavetank::smi
