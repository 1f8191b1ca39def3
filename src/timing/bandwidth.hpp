// A resource that passes so many units in a cycle, to whoever asks. Requests need not come in the
// order of their times: each takes the first room at or after its own time. That lets the model
// follow one memory instruction through the whole machine at once, without an event for each hop.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/zeroed_array.hpp"

namespace wavetank::timing {

class Bandwidth {
 public:
  /// `windows` (a power of two) of 2^`window_shift` cycles are remembered; a request may lie that
  /// far before or behind the latest one.
  explicit Bandwidth(double units_per_cycle, unsigned window_shift = 5, unsigned windows = 1024);
  /// Cycles that one with the usual windows remembers.
  static constexpr std::uint64_t kReachCycles = std::uint64_t{1024} << 5;

  /// Begins anew at time 0, with nothing passed.
  void start_launch() {
    first_ = latest_ + 1;
    passed_ = 0;
    full_ = full_end_ = 0;
  }
  /// Passes `units` at or after `time`. Gives the cycle in which the last of them has passed.
  std::uint64_t reserve(std::uint64_t time, double units) {
    const std::uint64_t number = number_of(time);
    Window& slot = window(number);
    if (slot.lap != lap_of(number) || slot.used + units > capacity_) return search(time, units);
    passed_ += units;
    slot.used += units;
    return std::max(time, end_of(number, slot));
  }
  /// Units passed since the beginning.
  double passed() const { return passed_; }
  double units_per_cycle() const { return rate_; }
  /// Cycles that what has passed takes.
  double busy_cycles() const { return passed_ / rate_; }

 private:
  /// Of the windows of time that fall on its place the one of this lap: laps are counted through
  /// all launches, and no device lives for 2^32 of them.
  struct Window {
    std::uint32_t lap;
    std::uint32_t full;  ///< if it has no room: so many behind it have none either
    double used;
  };

  std::uint64_t number_of(std::uint64_t time) const { return first_ + (time >> window_shift_); }
  /// reserve() where the window of `time` has no room.
  std::uint64_t search(std::uint64_t time, double units);
  std::uint32_t lap_of(std::uint64_t number) const {
    return static_cast<std::uint32_t>(number >> lap_shift_);
  }
  /// When a window's units have passed, in its order and evenly spread: rounded up to a whole
  /// cycle.
  std::uint64_t end_of(std::uint64_t number, const Window& slot) const {
    return ((number - first_) << window_shift_) +
           static_cast<std::uint64_t>(slot.used * cycles_per_unit_ + 0.999);
  }
  Window& window(std::uint64_t number) {
    Window& slot = windows_[number & (windows_.size() - 1)];
    // A slot that stands for a later time stays: what is asked of it now waits until then.
    if (const std::uint32_t lap = lap_of(number); slot.lap < lap) {
      slot = {lap, 0, 0};
      latest_ = std::max(latest_, number);
    }
    return slot;
  }
  /// The window that the slot of `number` stands for.
  std::uint64_t number_in(std::uint64_t number, const Window& slot) const {
    return number + (std::uint64_t{slot.lap - lap_of(number)} << lap_shift_);
  }
  std::uint64_t first_with_room(std::uint64_t number);
  void note_full(std::uint64_t number) {
    if (number != full_end_) full_ = number;
    full_end_ = number + 1;
  }

  double rate_, cycles_per_unit_, capacity_;
  unsigned window_shift_, lap_shift_;
  ZeroedArray<Window> windows_;
  /// The window of time 0: those of earlier launches lie before it, as does the lap of fresh slots.
  std::uint64_t first_ = windows_.size();
  std::uint64_t latest_ = first_ - 1;  ///< window that was asked for
  double passed_ = 0;
  /// Windows [full_, full_end_) have no room: what many ask for is full from now on, for long.
  std::uint64_t full_ = 0, full_end_ = 0;
};

}  // namespace wavetank::timing
