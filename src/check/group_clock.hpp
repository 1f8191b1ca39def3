// When the waves of a workgroup did what, as far as others can tell.
#pragma once

#include <array>
#include <cstdint>

#include "check/record.hpp"

namespace wavetank::check {

inline constexpr unsigned kMostWaves = 16;  ///< of a workgroup: 1024 work-items

/// A wave's time passes when it arrives at a barrier or publishes what it did. An access of another
/// wave of the workgroup is ordered before all that happens now if a barrier lies between.
class GroupClock {
 public:
  void begin(std::uint32_t actor, unsigned waves) {
    actor_ = actor;
    waves_ = waves;
    is_over_ = false;
    time_.fill(1);
    passed_.fill(1);
  }
  std::uint32_t actor() const { return actor_; }
  unsigned waves() const { return waves_; }
  std::uint32_t time(unsigned wave) const { return time_[wave]; }
  void pass_barrier() {
    for (unsigned i = 0; i < waves_; ++i) passed_[i] = advance(i);
  }
  /// Ends a stretch of a wave's accesses and gives the time of the next.
  std::uint32_t advance(unsigned wave) {
    is_over_ = is_over_ || time_[wave] == Record::kMostTime;
    if (!is_over_) ++time_[wave];
    return time_[wave];
  }
  /// True if a record has no room for the time of one of the waves: nothing can be told any more.
  bool is_over() const { return is_over_; }
  /// For each wave the time of its last barrier.
  const std::array<std::uint32_t, kMostWaves>& passed() const { return passed_; }
  /// True if a barrier lies between an access of this workgroup and now.
  bool is_past(const Record& record) const { return record.time() < passed_[record.wave()]; }

 private:
  std::uint32_t actor_ = 0;
  unsigned waves_ = 0;
  bool is_over_ = false;
  std::array<std::uint32_t, kMostWaves> time_ = {}, passed_ = {};
};

}  // namespace wavetank::check
