// What one wave knows of other workgroups: how far each wave of them had come.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include "check/group_clock.hpp"
#include "check/record.hpp"

namespace wavetank::check {

class Knowledge {
 public:
  using Times = std::array<std::uint32_t, kMostWaves>;

  /// True if an access lies behind what is known.
  bool covers(const Record& record) const {
    const auto at = known_.find(record.actor);
    return at != known_.end() && record.time() < at->second[record.wave()];
  }
  /// Learns that the accesses of a wave before `time` are done.
  void learn(std::uint32_t actor, unsigned wave, std::uint32_t time) {
    std::uint32_t& known = known_[actor][wave];
    known = std::max(known, time);
  }
  void learn(std::uint32_t actor, const Times& times) {
    Times& known = known_[actor];
    for (unsigned i = 0; i < kMostWaves; ++i) known[i] = std::max(known[i], times[i]);
  }
  void learn(const Knowledge& other) {
    for (const auto& [actor, times] : other.known_) learn(actor, times);
  }
  /// What is known of one workgroup only.
  Knowledge of(std::uint32_t actor) const {
    Knowledge part;
    if (const auto at = known_.find(actor); at != known_.end()) part.known_.insert(*at);
    return part;
  }

 private:
  std::map<std::uint32_t, Times> known_;
};

}  // namespace wavetank::check
