// What follows from a device's numbers: peak rates, peak bandwidths, and where they meet.
#pragma once

#include <string_view>
#include <vector>

#include "target/device.hpp"

namespace wavetank::target {

/// Peak rate of one kind of arithmetic on the whole device.
struct PeakRate {
  std::string_view key;       ///< "vector_f64", as in rate.vector_f64
  std::string_view name;      ///< "FP64 vector"
  double flop_per_second = 0; ///< for integers: operations; FMA counts as two
  Evidence evidence = Evidence::kAssumed;
};

/// Peak bandwidth of one level of memory, all of its instances together, reads.
struct PeakBandwidth {
  std::string_view key;   ///< "lds", "l1", "l2", "mall" or "hbm"
  std::string_view name;  ///< "Infinity Cache"
  double bytes_per_second = 0;
  Evidence evidence = Evidence::kAssumed;
};

/// The rates that the description has, vector before matrix, wide before narrow.
std::vector<PeakRate> peak_rates(const Device& device);

/// The levels that the description has, memory first, LDS last.
std::vector<PeakBandwidth> peak_bandwidths(const Device& device);

/// FLOP per byte at which a kernel turns from bound by `level` to bound by `rate`.
double ridge_point(const PeakRate& rate, const PeakBandwidth& level);

/// The less certain of two kinds of evidence; a result is as good as the worst number in it.
Evidence weaker(Evidence a, Evidence b);

}  // namespace wavetank::target
