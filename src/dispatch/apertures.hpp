// Where kernels find LDS and scratch among 64-bit addresses.
#pragma once

#include <cstdint>

namespace wavetank::dispatch {

/// 64-bit addresses where FLAT instructions find LDS and scratch (abi: apertures). They lie beyond
/// any 47-bit host address, so no host pointer collides with them.
inline constexpr std::uint64_t kSharedAperture = 0x0001'0000'0000'0000;
inline constexpr std::uint64_t kPrivateAperture = 0x0002'0000'0000'0000;

}  // namespace wavetank::dispatch
