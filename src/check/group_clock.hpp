// When the waves of a workgroup did what, as far as others can tell.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "check/record.hpp"

namespace wavetank::check {

inline constexpr unsigned kMostWaves = 16;  ///< of a workgroup: 1024 work-items

/// For each wave of a workgroup a time of its clock: what it did before is meant.
using Times = std::array<std::uint32_t, kMostWaves>;

/// Makes each time the later of the two.
inline void join(Times& times, const Times& others) {
  for (unsigned i = 0; i < kMostWaves; ++i) times[i] = std::max(times[i], others[i]);
}

/// A wave's time passes when it arrives at a barrier or publishes what it did. An access of another
/// wave of the workgroup is ordered before what a wave does now if a barrier lies between, or if
/// the wave learnt of it by a word (group_order.hpp).
class GroupClock {
 public:
  void begin(std::uint32_t actor, unsigned waves) {
    actor_ = actor;
    waves_ = waves;
    is_over_ = false;
    time_.fill(1);
    for (unsigned i = 0; i < waves; ++i) known_[i].fill(1);
  }
  std::uint32_t actor() const { return actor_; }
  unsigned waves() const { return waves_; }
  std::uint32_t time(unsigned wave) const { return time_[wave]; }
  void pass_barrier() {
    for (unsigned i = 0; i < waves_; ++i) known_[0][i] = advance(i);
    for (unsigned i = 1; i < waves_; ++i) known_[i] = known_[0];
  }
  /// Ends a stretch of a wave's accesses and gives the time of the next.
  std::uint32_t advance(unsigned wave) {
    is_over_ = is_over_ || time_[wave] == Record::kMostTime;
    if (!is_over_) ++time_[wave];
    return time_[wave];
  }
  /// True if a record has no room for the time of one of the waves: nothing can be told any more.
  bool is_over() const { return is_over_; }
  /// How far each wave had come, as far as this one knows.
  const Times& known(unsigned wave) const { return known_[wave]; }
  void learn(unsigned wave, const Times& times) { join(known_[wave], times); }
  /// True if a wave knows of an access of this workgroup.
  bool is_past(const Record& record, unsigned wave) const {
    return record.time() < known_[wave][record.wave()];
  }

 private:
  std::uint32_t actor_ = 0;
  unsigned waves_ = 0;
  bool is_over_ = false;
  Times time_ = {};
  std::array<Times, kMostWaves> known_ = {};  ///< of each wave
};

}  // namespace wavetank::check
