// How long a workgroup runs at a time, and when a worker takes on another one beside those it has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "dispatch/resident_group.hpp"
#include "execute/turns.hpp"

namespace wavetank::dispatch {

/// A workgroup's time slice in backward branches. One that only waits for others gives the thread
/// back after fewer and fewer polls.
class TimeSlice {
 public:
  TimeSlice() = default;
  /// The slices of a group that mixes with others: first one branch, then twice as many each time.
  static TimeSlice growing() {
    TimeSlice slice;
    slice.branches_ = 1;
    slice.most_ = 2;
    return slice;
  }
  std::int64_t branches() const { return branches_; }
  void after(Progress progress) {
    branches_ =
        progress == Progress::kWaiting ? std::max(branches_ / 4, execute::kPollCost) : most_;
    most_ = std::min(2 * most_, kFull);
  }

 private:
  /// About 0.1 ms, so that others lose little.
  static constexpr std::int64_t kFull = 4096;
  std::int64_t branches_ = kFull, most_ = kFull;
};

/// Decides for one worker when its workgroups need company: a long loop should finish with a warm
/// cache, but groups that wait need what another group does.
class Patience {
 public:
  /// `needs_all`: no group ends before all have started, as in a cooperative launch. `mixes`: a few
  /// are to run side by side, so that one alone does not do what all share (a queue of work).
  Patience(bool needs_all, bool mixes) : needs_all_(needs_all), mixes_(mixes) {}

  /// A group was started or is over: what others wait for may have come.
  void reset() {
    // A store behind those that went past the cache may wait for them (docs/performance.md).
    if ((turns_ | waiting_turns_) != 0) turns_ = waiting_turns_ = 0;
  }
  /// A group had a turn and is not over.
  void after(Progress progress) {
    ++turns_;
    waiting_turns_ = progress == Progress::kWaiting ? waiting_turns_ + 1 : 0;
  }
  /// True once each of `groups` has only waited since the others last did anything.
  bool all_wait(std::size_t groups) const { return waiting_turns_ >= groups; }
  bool wants_another(std::size_t groups) const {
    if (mixes_ && groups < kMixed) return turns_ >= groups;
    return all_wait(groups) || turns_ >= (needs_all_ ? groups : kTurns);
  }

 private:
  static constexpr std::size_t kTurns = 32, kMixed = 4;
  bool needs_all_, mixes_;
  std::size_t turns_ = 0, waiting_turns_ = 0;
};

}  // namespace wavetank::dispatch
