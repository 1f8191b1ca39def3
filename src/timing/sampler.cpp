#include "timing/sampler.hpp"

#include <algorithm>
#include <numeric>

namespace wavetank::timing {
namespace {

/// Launches up to this size are simulated whole: a few seconds of host time.
constexpr double kExactInstructions = 3e6;
/// Beyond this, what has been seen must do.
constexpr std::uint64_t kMostInstructions = 12'000'000;
/// Rates of consecutive intervals that differ by less count as steady.
constexpr double kSteadySpread = 0.02;

}  // namespace

void Sampler::start_launch(std::uint64_t groups, std::uint64_t resident, std::uint64_t l2_bytes,
                           bool may_sample) {
  *this = Sampler();
  groups_ = groups;
  resident_ = std::max<std::uint64_t>(resident, 1);
  l2_bytes_ = l2_bytes;
  may_sample_ = may_sample && groups > 6 * resident_;
  interval_groups_ = std::max<std::uint64_t>(resident_, 64);
}

bool Sampler::is_steady() {
  const double total = std::accumulate(durations_.begin(), durations_.end(), 0.0);
  const auto [least, most] = std::minmax_element(durations_.begin(), durations_.end());
  const double mean = total / kIntervals;
  uncertainty_percent_ = mean > 0 ? 50.0 * (*most - *least) / mean : 0;
  cycles_per_group_ = mean / static_cast<double>(interval_groups_);
  return mean > 0 && *most - *least < kSteadySpread * mean;
}

bool Sampler::group_ended(std::uint64_t time, std::uint64_t instructions, double l2_fill_bytes) {
  ++ended_;
  if (!may_sample_ || decided_) return decided_;
  if (ended_ % interval_groups_ != 0) return false;
  time = std::max(time, interval_begin_);  // CUs report in their order, not in that of time
  durations_[intervals_ % kIntervals] = static_cast<double>(time - interval_begin_);
  interval_begin_ = time;
  ++intervals_;
  if (intervals_ < kIntervals + 2) return false;
  const double share = static_cast<double>(ended_) / static_cast<double>(groups_);
  if (static_cast<double>(instructions) / share < kExactInstructions) return false;
  if (ended_ + 2 * resident_ > groups_) return false;
  // Until the L2 has been filled once, nothing dirty leaves it.
  const bool fills_l2 = l2_fill_bytes / share > static_cast<double>(l2_bytes_);
  const bool warm = !fills_l2 || l2_fill_bytes > 1.5 * static_cast<double>(l2_bytes_);
  const bool steady = is_steady();
  decided_ = (steady && warm) || instructions > kMostInstructions;
  return decided_;
}

}  // namespace wavetank::timing
