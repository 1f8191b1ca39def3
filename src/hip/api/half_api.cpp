// The conversions between half and single precision that compilers before LLVM 15 call on the host.
// A NaN becomes the quiet half of its sign, as in AMD's runtime (ROCm/clr, hip_platform.cpp).
#include <bit>
#include <cmath>
#include <cstdint>

#include "hip/api/entry.hpp"

WAVETANK_API float __gnu_h2f_ieee(std::uint16_t half) {
  return static_cast<float>(std::bit_cast<_Float16>(half));
}

WAVETANK_API std::uint16_t __gnu_f2h_ieee(float single) {
  if (std::isnan(single)) return std::signbit(single) ? 0xfe00 : 0x7e00;
  return std::bit_cast<std::uint16_t>(static_cast<_Float16>(single));
}
