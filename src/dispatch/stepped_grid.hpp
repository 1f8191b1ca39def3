// A launch under the cycle model's control: the same waves as in a functional run, executed one
// instruction at a time.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "dispatch/grid_plan.hpp"
#include "dispatch/group_arena.hpp"
#include "dispatch/step_table.hpp"
#include "dispatch/stepped_standstill.hpp"
#include "dispatch/worker_pool.hpp"
#include "machine/step.hpp"

namespace wavetank::dispatch {

class SteppedResident;

/// Gives the cycle model its workgroups.
class SteppedGrid final : public machine::GridSource {
 public:
  /// Runs a part of the grid functionally on all host threads.
  using RunPart = std::function<Result<void>(std::uint64_t first, std::uint64_t last)>;

  /// Its groups are in `arena`, of which nothing else is in use.
  SteppedGrid(const GridPlan& plan, machine::Environment& environment, WorkerPool& pool,
              GroupArena& arena, RunPart run_part, TellStandstill tell_standstill = {});
  ~SteppedGrid() override;

  std::uint64_t workgroups() const override { return plan_.groups.count(); }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override;
  void finish(machine::SteppedGroup* group) override;
  Result<void> run_functionally(std::uint64_t first, std::uint64_t last) override;
  void with_helpers(const std::function<void()>& help, const std::function<void()>& lead) override;
  void serve_host() override;
  void window_passed() override;

  StepTable& table() { return table_; }
  const StepTable& table() const { return table_; }

 private:
  void tell_standstill() const;
  /// s_memtime and s_memrealtime of the wave that this host thread steps.
  struct ModelClock final : machine::Clock {
    std::uint64_t cycles() override;
    std::uint64_t reference() override;
  };

  const GridPlan& plan_;
  machine::Environment& environment_;
  RunPart run_part_;
  TellStandstill tell_standstill_;
  SteppedStandstill standstill_;
  std::uint32_t changes_ = 0;  ///< groups that began or ended
  std::uint32_t windows_ = 0;  ///< of the model that passed
  StepTable table_;
  WorkerPool& pool_;
  GroupArena& arena_;
  ModelClock model_clock_;
  std::vector<std::unique_ptr<SteppedResident>> all_;
  std::vector<SteppedResident*> idle_;
};

}  // namespace wavetank::dispatch
