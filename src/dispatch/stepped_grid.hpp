// A launch under the cycle model's control: the same waves as in a functional run, executed one
// instruction at a time.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "dispatch/grid_run.hpp"
#include "execute/program.hpp"
#include "machine/step.hpp"

namespace wavetank::dispatch {

class SteppedWaveOnGroup;
class SteppedResident;

/// The facts of a launch's instructions, made when an instruction is first seen.
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
  Result<Section*> section_of(const execute::Program& program, std::uint64_t address);
  Result<const machine::StepFacts*> add(const execute::ProgramSpec& spec, Section& section,
                                        std::uint64_t address);

  const std::uint64_t first_code_;  ///< address of the kernel's code
  encoding::Decoder decoder_;
  std::vector<std::unique_ptr<Section>> sections_;  ///< the last one found is first
  std::vector<std::unique_ptr<machine::StepFacts>> seen_;
};

/// Gives the cycle model its workgroups. Not for use by several threads.
class SteppedGrid final : public machine::GridSource {
 public:
  /// Runs a part of the grid functionally on all host threads.
  using RunPart = std::function<Result<void>(std::uint64_t first, std::uint64_t last)>;

  SteppedGrid(const GridPlan& plan, machine::Environment& environment, RunPart run_part);
  ~SteppedGrid() override;

  std::uint64_t workgroups() const override { return plan_.groups.count(); }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override;
  void finish(machine::SteppedGroup* group) override;
  Result<void> run_functionally(std::uint64_t first, std::uint64_t last) override;
  machine::StepClock& clock() override { return clock_; }
  void serve_host() override;

  const StepTable& table() const { return table_; }

 private:
  friend class SteppedWaveOnGroup;

  /// s_memtime and s_memrealtime of stepped waves.
  struct ModelClock final : machine::Clock {
    explicit ModelClock(const machine::StepClock& source) : source_(source) {}
    std::uint64_t cycles() override { return source_.cycles; }
    std::uint64_t reference() override { return source_.reference_ticks; }
    const machine::StepClock& source_;
  };

  const GridPlan& plan_;
  machine::Environment& environment_;
  RunPart run_part_;
  StepTable table_;
  machine::StepClock clock_;
  ModelClock model_clock_{clock_};
  std::vector<std::unique_ptr<SteppedResident>> all_;
  std::vector<SteppedResident*> idle_;
};

}  // namespace wavetank::dispatch
