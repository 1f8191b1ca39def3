#include "hip/abi/generation.hpp"

namespace wavetank::hip::abi {

// The headers that the tests compile against are those of ROCm 5.
const Generation generation{.major = 5, .runtime_version = 50221153};

}  // namespace wavetank::hip::abi
