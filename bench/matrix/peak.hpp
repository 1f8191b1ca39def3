// What the host's vector unit can do at most: the measure for matrix instructions.
#pragma once

namespace wavetank::bench {

/// Operations per second of one core.
struct HostPeak {
  double f32 = 0, f64 = 0;   ///< independent FMAs in registers, two operations each
  double bytes_through = 0;  ///< bytes per second that are loaded from and stored to the L1 cache
};

/// Measures with vectors as wide as execute::handlers() uses: WAVETANK_HOST_SIMD chooses. Without
/// FMA (sse4) a multiplication and an addition stand for one.
HostPeak measure_peak();

}  // namespace wavetank::bench
