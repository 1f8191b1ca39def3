// One launch on the model, from its first workgroup to its last.
//
//   time passes in windows of a few cycles. In each one
//     the CUs run by themselves, on all host threads      ComputeUnit::run
//     those that stopped before an instruction that meets others go on, one after the other
//     the memory system answers what they asked           MemorySystem::serve
//     their waves learn it                                ComputeUnit::settle, go_on
//     the dispatcher fills what became free               Dispatcher
//     the workgroups that it handed out begin             ComputeUnit::begin_next
//
// No step depends on which thread did what before, so neither do the cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "timing/dispatch/dispatcher.hpp"
#include "timing/dispatch/rest_probe.hpp"
#include "timing/dispatch/sampler.hpp"
#include "timing/memory/memory_counts.hpp"
#include "timing/memory/memory_system.hpp"
#include "timing/units/compute_unit.hpp"
#include "timing/window_crew.hpp"

namespace wavetank::timing {

/// CUs that share caches, and run on one thread within a window.
struct UnitCluster {
  std::uint32_t index = 0;
  std::unique_ptr<SharedCaches> caches;
  std::vector<ComputeUnit*> units;
};

/// The parts of a device that a launch runs on.
struct DeviceParts {
  const TimingSpec& spec;
  std::deque<ComputeUnit>& units;
  std::vector<UnitCluster>& clusters;
  MemorySystem& memory;
  Dispatcher& dispatcher;
  Sampler& sampler;
};

class LaunchRun {
 public:
  /// `rest_ratio` as in LaunchSetup.
  LaunchRun(const DeviceParts& parts, machine::GridSource& source, double rest_ratio);

  /// Runs all workgroups, or as many as the sampler wants, to their ends. Errors: what the program
  /// does wrong, kDeadlock.
  Result<void> run();
  /// How many times as many instructions as those that were simulated the other workgroups issue.
  double rest_ratio() const { return rest_ratio_; }
  /// When the last wave, and what it left in memory, was done.
  std::uint64_t end_cycle() const { return end_cycle_; }
  /// How much larger the launch is than what was simulated: its instructions, by those that were.
  double scale() const;
  /// What the memory system did, or will have done when the rest has run, too.
  MemoryCounts memory_counts() const;
  /// Where the waves' cycles went.
  CycleLedger ledger() const;

 private:
  struct Event {
    UnitEvent what;
    std::uint32_t cu, number;
  };
  struct Waiting {
    std::uint32_t cu;
    unsigned simd, slot;
  };

  Result<void> run_windows();
  /// All waves have ended.
  void end();
  /// Runs what the sampler left out.
  Result<void> run_rest();
  /// Runs all CUs that have something to do until `end`.
  Result<void> run_units(std::uint64_t end);
  /// Answers what the CUs asked in the last window, and lets the device follow what they did.
  Result<void> exchange();
  Result<void> take_events();
  Result<void> room_at(std::uint32_t cu, std::uint64_t time);
  void group_ended(GroupContext& group, std::uint64_t time);
  /// Begins the workgroups that the dispatcher has handed out since the last time.
  Result<void> begin_groups();
  Result<void> open_global_barrier();
  /// Finds for which clusters is_wanted(cluster) holds.
  template <class IsWanted>
  void find_wanted(IsWanted is_wanted);
  /// Does `work(cluster)` for all clusters that `wanted_` names, on several threads if they are
  /// many.
  void for_wanted(const std::function<void(UnitCluster&, UnitWorker&)>& work);
  /// The first error of the clusters, in their order.
  Result<void> first_error();
  std::uint64_t next_event() const;
  bool asked() const;
  /// Instructions that waves have issued, and that those of the rest will.
  std::uint64_t instructions() const;
  double unseen_instructions() const;
  /// When a launch that ends at `end` would have ended if it had issued instructions as fast in its
  /// tail as before.
  std::uint64_t evenly_ended(std::uint64_t end) const;

  DeviceParts parts_;
  machine::GridSource& source_;
  WindowCrew crew_;
  std::vector<std::unique_ptr<UnitWorker>> workers_;  ///< of the crew; made at first need
  UnitWorker& worker(std::uint32_t index);
  const std::uint64_t window_cycles_;
  std::vector<MemoryPort*> ports_;
  std::vector<std::uint32_t> wanted_;    ///< clusters that have work ...
  std::vector<std::uint8_t> is_wanted_;  ///< ... and for each whether it has
  std::vector<Result<void>> outcomes_;   ///< of the clusters
  std::vector<Event> events_;
  std::vector<Waiting> at_global_barrier_;
  std::uint64_t global_barrier_time_ = 0;
  std::uint64_t begun_ = 0;  ///< workgroups
  std::uint64_t instructions_before_tail_ = 0;
  SteadyMemory steady_;
  std::uint64_t end_cycle_ = 0;
  double rest_ratio_;
};

}  // namespace wavetank::timing
