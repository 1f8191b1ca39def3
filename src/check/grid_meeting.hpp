// What the waves that meet at ds_gws_barrier learn of each other.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "check/wave_order.hpp"

namespace wavetank::check {

/// The meetings of a launch's workgroups. Who arrives hands on what it has complete; who goes on
/// learns what all handed on.
class GridMeetings {
 public:
  /// A wave arrives, of a workgroup that has been at so many meetings.
  void arrive(std::uint64_t meetings, const WaveOrder& wave) {
    std::shared_ptr<Release>& release = releases_[meetings];
    if (release == nullptr) release = std::make_shared<Release>();
    wave.add_complete(*release);
  }
  /// What all of a meeting's waves handed on, after the last has arrived.
  std::shared_ptr<const Release> met(std::uint64_t meetings) {
    // Nobody is at an earlier one any more than at the one before this.
    if (meetings >= 2) releases_.erase(meetings - 2);
    return releases_[meetings];
  }

 private:
  std::map<std::uint64_t, std::shared_ptr<Release>> releases_;  ///< by number of the meeting
};

}  // namespace wavetank::check
