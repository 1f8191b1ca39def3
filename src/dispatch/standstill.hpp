// What a worker does while all of its workgroups wait: it looks on as long as they change, and
// sleeps when they do not. It never yields the core: Linux takes a yield for a whole time slice.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/futex.hpp"

namespace wavetank::machine {
struct Wave;
}

namespace wavetank::dispatch {

class ResidentGroup;

/// Told, once, of a launch that has stood still for long: a wave that goes round in a loop, and its
/// group.
using TellStandstill = std::function<void(const ResidentGroup&, const machine::Wave&)>;

/// What the workers of a launch tell each other: that groups of theirs got further.
class Movement {
 public:
  /// Changes with each tell(). Read before the groups look at memory.
  std::uint32_t count() const { return count_.load(); }
  /// Groups of the calling worker got further: others that sleep look again.
  void tell() {
    count_.fetch_add(1);
    if (sleepers_.load() != 0) futex_wake_all(count_);
  }
  /// Sleeps until somebody tells, but not if that happened since `seen`. The host and other
  /// launches tell nobody, hence the limit.
  void sleep(std::uint32_t seen) {
    sleepers_.fetch_add(1);
    futex_wait_for(count_, seen, kLongestSleep);
    sleepers_.fetch_sub(1);
  }

 private:
  /// Some times what it takes to sleep and wake, so that a core is mostly free meanwhile.
  static constexpr std::chrono::microseconds kLongestSleep{100};
  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

/// Tells for one worker whether its groups stand still. A kernel that sleeps between its steps
/// looks like one that waits for others, but its registers change.
class Standstill {
 public:
  enum class Judgement : std::uint8_t { kTooEarly, kMoved, kStill };

  /// A group did something.
  void end() {
    begun_ = false;
    part_ = whole_ = std::nullopt;
  }
  /// All groups only waited in their last turns. Both give numbers for registers of all waves, of
  /// which another one means that they changed since the last look: `part` for the few that most
  /// loops change, `whole` for all. That is asked for only where the part stays as it is.
  template <class Part, class Whole>
  Judgement judge(Part part, Whole whole) {
    const auto now = Clock::now();
    if (!begun_) {
      begun_ = true;
      next_look_ = now + kFirstLook;
    }
    if (now < next_look_) return Judgement::kTooEarly;
    const bool still = is_same(part_, part()) && is_same(whole_, whole());
    const auto end = Clock::now();
    next_look_ = end + kTurnsForLook * (end - now);
    return still ? Judgement::kStill : Judgement::kMoved;
  }

 private:
  using Clock = std::chrono::steady_clock;
  /// About twice what it takes to wake a thread: who waits for less does not sleep.
  static constexpr std::chrono::microseconds kFirstLook{20};
  /// Groups that do move lose a tenth of their time to looks.
  static constexpr int kTurnsForLook = 9;
  using Number = std::optional<std::uint64_t>;  ///< that the last look found, if it looked
  /// Notes what a look found; gives whether the last one found the same.
  static bool is_same(Number& last, std::uint64_t found) {
    return std::exchange(last, found) == found;
  }
  bool begun_ = false;
  Number part_, whole_;
  Clock::time_point next_look_;
};

/// Tells for one worker when its groups, and those of all others, have stood still for so long that
/// nobody may come for what they wait for.
class LongStandstill {
 public:
  using Clock = std::chrono::steady_clock;
  /// Who hands over work does so sooner.
  static constexpr std::chrono::seconds kLong{10};

  /// The worker's groups stand still at `now`, at this count of Movement.
  bool is_long(std::uint32_t movement, Clock::time_point now) {
    if (movement_ != movement) {
      movement_ = movement;
      since_ = now;
    }
    return now - since_ >= kLong;
  }

 private:
  std::optional<std::uint32_t> movement_;  ///< at the last call
  Clock::time_point since_;                ///< the first call with that
};

}  // namespace wavetank::dispatch
