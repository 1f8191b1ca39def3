// A wave under the cycle model's control: executed when the model says so, or before, where nobody
// can tell. That rests on this:
// - What runs ahead reads and changes registers of its wave only (StepTable::straight_from).
//   Memory, LDS, messages and clocks are used when the model comes to them. It may be compiled
//   (execute::Compiled::kStretches).
// - Registers have a load's result as soon as it is executed, which is when it issues; waits only
//   pass time. So what uses the result may run before the model has let the wave wait for it.
// - EXEC is the same before all that runs ahead: what changes it is the last.
// - So is what goes on in another program, as a change of MODE does.
// - What runs ahead behind a branch is another stretch, which the model comes to by the branch.
// - What stops its wave has done nothing yet. It is executed again when the model comes to it.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "base/error.hpp"
#include "dispatch/grid_plan.hpp"
#include "dispatch/resident_group.hpp"
#include "dispatch/step_table.hpp"
#include "execute/program.hpp"
#include "machine/step.hpp"

namespace wavetank::dispatch {

/// What the clock of the step shows that this host thread executes.
const machine::StepClock& step_clock();

/// One wave of a resident group. What telling of an instruction that was executed ahead looks at is
/// one line of the host's caches.
class alignas(64) SteppedWaveOnGroup final : public machine::SteppedWave {
 public:
  void attach(StepTable& table, const GridPlan& plan, ResidentGroup& group, machine::Wave& wave) {
    table_ = &table;
    plan_ = &plan;
    group_ = &group;
    wave_ = &wave;
  }
  /// The group has started: the wave is at its first instruction.
  void start();

  Result<const machine::StepFacts*> next() override;
  void prefetch() const override;
  Result<void> step(machine::Step& step) override;
  unsigned work_items() const override {
    return static_cast<unsigned>(std::popcount(wave_->exec()));
  }
  void pass_barrier() override { wave_->stop = machine::Stop::kRunning; }

 private:
  void go_to(const execute::Op* op);
  void come_to(std::uint64_t address);
  /// Goes on at `next` behind the instruction that was shown last; true if that is not the
  /// following one.
  bool passes_on(const machine::StepFacts& facts, const execute::Op* next);
  /// Executes the instructions that are the wave's own affair at once, branches among them, while
  /// its registers are in the host's caches. They are shown to the model one by one when it comes
  /// to them.
  void run_ahead();
  /// Executes a stretch of them that ends before a branch. Gives what is behind it.
  const execute::Op* run_stretch(const execute::Op* op, unsigned& executed);
  /// Tells of the last instruction of a stretch that was executed ahead.
  void show_last(machine::Step& step);
  Result<void> stopped(machine::Step& step);

  StepTable* table_ = nullptr;
  machine::Wave* wave_ = nullptr;
  const std::uint32_t* addresses_ =
      nullptr;  ///< registers that the next access reads, if it is one
  // Looked at when the model has come to where the wave is.
  const execute::Program* program_ = nullptr;
  const GridPlan* plan_ = nullptr;
  ResidentGroup* group_ = nullptr;
  /// Instructions executed ahead that a branch leads to, in the order in which the model will come
  /// to them.
  struct Stretch {
    std::uint64_t address = 0;
    unsigned count = 0;
  };
  /// As many turns of a small loop; twice as many gain little more (docs/performance.md).
  static constexpr unsigned kMostStretches = 8;
  std::array<Stretch, kMostStretches> stretches_ = {};
  unsigned next_stretch_ = 0, stretch_count_ = 0;
};

}  // namespace wavetank::dispatch
