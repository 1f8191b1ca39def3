// Whether a launch under the cycle model stands still. The model shows waves between its windows
// only, where one that waits for an answer looks like one that goes round in a loop. So a wave
// counts as going round that is found as it was more windows ago than any answer takes.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "dispatch/standstill.hpp"
#include "machine/wave.hpp"

namespace wavetank::dispatch {

class SteppedStandstill {
 public:
  using Clock = LongStandstill::Clock;
  using Waves = std::vector<const machine::Wave*>;

  /// Of the model, between two calls: looking at the host's clock in each cost a chase of one wave,
  /// whose windows are short, 3 %.
  static constexpr std::uint32_t kWindowsOfCall = 64;

  /// So many windows have passed. `changes` is how many workgroups have begun or ended,
  /// `all_waves()` gives the waves of those that run; it is asked only when there was no change for
  /// long. True, once, when each wave has been found as it was before.
  template <class AllWaves>
  bool windows_passed(std::uint32_t changes, Clock::time_point now, AllWaves all_waves) {
    if (told_) return false;
    if (!long_standstill_.is_long(changes, now)) {
      seen_.clear();
      return false;
    }
    if (seen_.empty()) {
      remember(all_waves());
      return false;
    }
    windows_ += kWindowsOfCall;
    if (windows_ < kLongestAnswer || now < next_look_) return false;
    const auto begin = Clock::now();
    look();
    next_look_ = now + kTimesOfLook * (Clock::now() - begin);
    return told_;
  }

 private:
  /// What a wave was when the look began, and whether it was found so again.
  struct Seen {
    const machine::Wave* wave;
    std::uint64_t scalar_number, vector_number;
    bool again;
  };
  /// In windows, each longer than 100 cycles, in which something happens: __threadfence, the
  /// longest answer to a wave that is alone, takes some 8000 cycles.
  static constexpr std::uint32_t kLongestAnswer = 512;
  /// A wave in a loop of a few loads is seen at each of them.
  static constexpr std::uint32_t kLooks = 64;
  /// Launches that do get further lose a tenth of their time to looks.
  static constexpr int kTimesOfLook = 10;

  void remember(const Waves& waves);
  void look();

  LongStandstill long_standstill_;
  std::vector<Seen> seen_;
  std::uint32_t windows_ = 0, looks_ = 0;
  Clock::time_point next_look_;
  bool told_ = false;
};

}  // namespace wavetank::dispatch
