// A launch under the cycle model's control: the same waves as in a functional run, executed one
// instruction at a time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "dispatch/grid_run.hpp"
#include "dispatch/worker_pool.hpp"
#include "execute/program.hpp"
#include "machine/step.hpp"

namespace wavetank::dispatch {

class SteppedWaveOnGroup;
class SteppedResident;

/// The facts of a launch's instructions, made when an instruction is first seen. Safe from several
/// threads.
class StepTable {
 public:
  explicit StepTable(const execute::ProgramSpec& own);
  ~StepTable();
  StepTable(const StepTable&) = delete;
  StepTable& operator=(const StepTable&) = delete;

  /// The instruction at an address of a program. Errors: an address that holds no instruction.
  Result<const machine::StepFacts*> at(const execute::Program& program, std::uint64_t address);
  /// All instructions seen, by StepFacts::index.
  const std::vector<std::unique_ptr<machine::StepFacts>>& seen() const { return seen_; }
  std::uint64_t address_of(const machine::StepFacts& facts) const {
    return first_code_ + facts.offset_bytes;
  }

 private:
  struct Section;
  Section* find(std::uint64_t address) const;
  Result<Section*> section_of(const execute::Program& program, std::uint64_t address);
  Result<const machine::StepFacts*> add(const execute::Program& program, std::uint64_t address);

  const std::uint64_t first_code_;  ///< address of the kernel's code
  encoding::Decoder decoder_;
  std::mutex adding_;
  std::atomic<Section*> newest_{nullptr};  ///< of a list that only grows
  std::vector<std::unique_ptr<Section>> sections_;
  std::vector<std::unique_ptr<machine::StepFacts>> seen_;
};

/// Gives the cycle model its workgroups.
class SteppedGrid final : public machine::GridSource {
 public:
  /// Runs a part of the grid functionally on all host threads.
  using RunPart = std::function<Result<void>(std::uint64_t first, std::uint64_t last)>;

  SteppedGrid(const GridPlan& plan, machine::Environment& environment, WorkerPool& pool,
              RunPart run_part);
  ~SteppedGrid() override;

  std::uint64_t workgroups() const override { return plan_.groups.count(); }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override;
  void finish(machine::SteppedGroup* group) override;
  Result<void> run_functionally(std::uint64_t first, std::uint64_t last) override;
  void with_helpers(const std::function<void()>& help, const std::function<void()>& lead) override;
  void serve_host() override;

  const StepTable& table() const { return table_; }

 private:
  friend class SteppedWaveOnGroup;

  /// s_memtime and s_memrealtime of the wave that this host thread steps.
  struct ModelClock final : machine::Clock {
    std::uint64_t cycles() override;
    std::uint64_t reference() override;
  };

  const GridPlan& plan_;
  machine::Environment& environment_;
  RunPart run_part_;
  StepTable table_;
  WorkerPool& pool_;
  ModelClock model_clock_;
  std::vector<std::unique_ptr<SteppedResident>> all_;
  std::vector<SteppedResident*> idle_;
};

}  // namespace wavetank::dispatch
