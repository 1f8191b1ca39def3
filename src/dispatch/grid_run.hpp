// One launch on its way through the worker threads.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/error.hpp"
#include "dispatch/grid_plan.hpp"
#include "dispatch/patience.hpp"
#include "dispatch/resident_group.hpp"
#include "dispatch/standstill.hpp"

namespace wavetank::dispatch {

/// Hands out workgroups in dispatch order (x fastest) and runs them on however many threads call
/// work(). The first failure ends the launch.
class GridRun {
 public:
  /// `workers` threads are to call work().
  GridRun(const GridPlan& plan, machine::Environment& environment, unsigned workers,
          TellStandstill tell_standstill = {});

  /// Runs workgroups until none is left. Called once by each worker.
  void work();
  /// The same, by the first worker: if groups are left at `late`, it calls for the others.
  void lead(std::chrono::steady_clock::time_point late, std::function<void()> call_helpers);
  /// The first failure, if any. After all workers returned.
  const std::optional<Error>& error() const { return error_; }

 private:
  struct CallForHelp {
    std::chrono::steady_clock::time_point late;
    std::function<void()> call;  ///< empty once it was called
  };
  struct Resident {
    std::unique_ptr<ResidentGroup> group;
    std::optional<std::uint64_t> gws_generation;  ///< set while it waits at the global barrier
    TimeSlice slice;
    std::uint64_t index = 0;  ///< in dispatch order
  };
  /// One worker's groups: those under way and storage for the next.
  struct Bench {
    Bench(bool cooperative, bool mixes) : patience(cooperative, mixes) {}
    std::vector<Resident> active;
    std::vector<std::unique_ptr<ResidentGroup>> idle;
    Patience patience;
    Standstill standstill;
    LongStandstill long_standstill;
    std::uint64_t next = 0, end = 0;  ///< groups that it took and has not started
    CallForHelp help = {};
  };

  void take_turns(Bench& bench);
  void call_if_late(Bench& bench);
  std::optional<std::uint64_t> next_index(Bench& bench);
  bool follow(Bench& bench);
  bool admit(Bench& bench);
  void take_round(Bench& bench);
  /// The worker's groups stand still: sleeps until others move, and tells once if that takes long.
  void stand_still(Bench& bench, std::uint32_t movement_before);
  /// After a round: tells other workers if groups got further, and sleeps if none can.
  void rest(Bench& bench, std::uint32_t movement_before);
  /// Runs one group for a time slice; kFinished if it is over, well or not.
  Progress take_turn(Resident& resident);
  bool wants_another(const Bench& bench) const;
  TimeSlice first_slice() const { return mixes_ ? TimeSlice::growing() : TimeSlice(); }
  void wait_at_gws(Resident& resident);
  void record_failure(const Resident& resident);

  static constexpr std::size_t kCacheLine = 64;

  const GridPlan& plan_;
  machine::Environment& environment_;
  const std::uint64_t share_;
  /// On a line of its own: every worker writes it, and reads those around it much more often.
  alignas(kCacheLine) std::atomic<std::uint64_t> next_group_;
  alignas(kCacheLine) std::atomic<std::uint64_t> resident_{0};
  std::atomic<bool> failed_{false};
  /// Whoever listens is to hear all workgroups before the first that fails, and of no other
  /// failure.
  const bool fails_in_order_;
  /// Whoever listens to one thread is to hear several workgroups take part in what all share.
  const bool mixes_;
  std::atomic<std::uint64_t> end_group_;  ///< the first that must not start
  std::atomic<std::uint64_t> gws_generation_{0};
  Movement movement_;
  const TellStandstill tell_standstill_;
  std::atomic<bool> told_standstill_{false};
  std::mutex mutex_;
  std::optional<Error> error_;
};

}  // namespace wavetank::dispatch
