#include "timing/dispatch/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace wavetank::timing {
namespace {

/// Launches up to this size are simulated whole: a few seconds of host time.
constexpr double kExactInstructions = 3e6;
/// Of larger ones so many are simulated: waves that began together fall out of step slowly.
constexpr std::uint64_t kFewestInstructions = 1'500'000;
/// Beyond this, what has been seen must do.
constexpr std::uint64_t kMostInstructions = 10'000'000;
/// A rate known this well is steady.
constexpr double kSteadyError = 0.005;
/// The share of what the L2 gives that may still come to it for the first time.
constexpr double kColdShare = 0.02;

}  // namespace

void Sampler::start_launch(std::uint64_t groups, std::uint64_t resident, std::uint64_t l2_bytes,
                           bool may_sample, std::uint64_t wanted) {
  *this = Sampler();
  groups_ = groups;
  resident_ = std::max<std::uint64_t>(resident, 1);
  l2_bytes_ = l2_bytes;
  may_sample_ = may_sample && groups > 6 * resident_;
  interval_groups_ = std::max<std::uint64_t>(resident_, 64);
  if (wanted == 0) return;
  may_sample_ = wanted < groups;
  ends_at_ = wanted - std::min(resident_, wanted / 2);
  interval_groups_ = std::max<std::uint64_t>(ends_at_ / (2 * kFewestIntervals), 1);
}

bool Sampler::is_steady() {
  // The first half is warm-up. Its last quarter must not differ from the others by more than the
  // intervals scatter.
  const std::size_t count = durations_.size() / 2;
  const auto first = durations_.end() - static_cast<std::ptrdiff_t>(count);
  const auto mean_of = [](auto begin, auto end) {
    return std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin);
  };
  const double mean = mean_of(first, durations_.end());
  double squares = 0;
  for (auto one = first; one != durations_.end(); ++one) squares += (*one - mean) * (*one - mean);
  const auto n = static_cast<double>(count);
  const double error = std::sqrt(squares / (n - 1) / n);
  cycles_per_group_ = mean / static_cast<double>(interval_groups_);
  const auto half = instructions_.end() - static_cast<std::ptrdiff_t>(count);
  instructions_per_group_ =
      mean_of(half, instructions_.end()) / static_cast<double>(interval_groups_);
  uncertainty_percent_ = 100 * error / mean;
  const auto middle = first + static_cast<std::ptrdiff_t>(count / 2);
  const double drift = std::abs(mean_of(first, middle) - mean_of(middle, durations_.end()));
  return error < kSteadyError * mean && drift < 2 * kSteadyError * mean;
}

void Sampler::rest_is(double ratio, double error_percent) {
  cycles_per_group_ *= ratio;
  instructions_per_group_ *= ratio;
  uncertainty_percent_ = std::hypot(uncertainty_percent_, error_percent);
}

bool Sampler::ends_interval(std::uint64_t instructions) {
  ++ended_;
  instructions_of_ended_ += instructions;
  return may_sample_ && !decided_ && ended_ % interval_groups_ == 0;
}

bool Sampler::is_warm(const Seen& seen) const {
  const auto l2_bytes = static_cast<double>(l2_bytes_);
  const std::size_t half = seen_.size() / 2;
  const Seen& middle = seen_[seen_.size() - 1 - half];
  const double missed = seen.l2_missed_bytes - middle.l2_missed_bytes;
  const double filled = missed + seen.l2_written_bytes - middle.l2_written_bytes;
  const double halves = static_cast<double>(groups_) / static_cast<double>(half * interval_groups_);
  // Until the L2 has been filled once, nothing dirty leaves it: that must lie in the first half.
  if (filled * halves > l2_bytes) {
    return seen.l2_missed_bytes + seen.l2_written_bytes > 3 * l2_bytes;
  }
  // What it holds all of comes to it once only.
  return missed <= kColdShare * (seen.l2_read_bytes - middle.l2_read_bytes);
}

bool Sampler::interval_ended(const Seen& seen) {
  // CUs report in their order, not in that of time.
  const std::uint64_t time = std::max(seen.time, interval_begin_);
  durations_.push_back(static_cast<double>(time - interval_begin_));
  interval_begin_ = time;
  instructions_.push_back(static_cast<double>(std::exchange(instructions_of_ended_, 0)));
  seen_.push_back(seen);
  if (durations_.size() < kFewestIntervals) return false;
  if (ends_at_ != 0) {
    is_steady();
    return decided_ = ended_ >= ends_at_;
  }
  const double share = static_cast<double>(ended_) / static_cast<double>(groups_);
  if (static_cast<double>(seen.instructions) / share < kExactInstructions) return false;
  if (ended_ + 2 * resident_ > groups_ || seen.instructions < kFewestInstructions) return false;
  decided_ = (is_steady() && is_warm(seen)) || seen.instructions > kMostInstructions;
  return decided_;
}

}  // namespace wavetank::timing
