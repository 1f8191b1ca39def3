// How unevenly channels work at a time: lanes that march through memory together may want one
// channel after the other, which shows in no sum over the launch.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace wavetank::timing {

class ChannelMoments {
 public:
  /// Cycles between two looks: long enough that a random spread of requests looks even (some
  /// hundred requests of a channel), short enough for a column of a matrix.
  static constexpr std::uint64_t kLookCycles = 4096;

  void start_launch() { *this = {}; }
  /// True if it is time to look again.
  bool is_due(std::uint64_t time) const { return time >= last_ + kLookCycles; }
  /// `given`: cycles of work that each channel was given since the launch started. What a channel
  /// cannot have done since the last look is left for the next one.
  void look(std::uint64_t time, std::span<const double> given) {
    if (time <= last_) return;
    channels_.resize(std::max(channels_.size(), given.size()));
    const auto passed = static_cast<double>(time - last_);
    double most = 0;
    for (std::size_t i = 0; i < given.size(); ++i) {
      Channel& channel = channels_[i];
      channel.waiting += given[i] - channel.given;
      channel.given = given[i];
      const double done = std::min(channel.waiting, passed);
      channel.waiting -= done;
      most = std::max(most, done);
    }
    busiest_cycles_ += most;
    last_ = time;
  }
  /// Cycles that the busiest channel of each moment worked.
  double busiest_cycles() const { return busiest_cycles_; }

 private:
  struct Channel {
    double given = 0, waiting = 0;
  };
  std::vector<Channel> channels_;
  std::uint64_t last_ = 0;
  double busiest_cycles_ = 0;
};

}  // namespace wavetank::timing
