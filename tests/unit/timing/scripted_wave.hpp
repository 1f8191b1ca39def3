// Waves that follow a script instead of code: each step has given facts and given addresses. With
// them a compute unit runs without a GPU program, and a test sees in which cycle each step issued.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "assembly.hpp"
#include "timing/memory/memory_system.hpp"
#include "timing/units/compute_unit.hpp"

namespace wavetank::timing::testing {

/// The byte address that a lane uses.
using LaneAddress = std::function<std::uint64_t(unsigned lane)>;

/// Fills what a step of these facts says of memory: all `lanes`, at `address(lane)`.
void fill_access(machine::Step& step, const machine::StepFacts& facts, const LaneAddress& address,
                 std::uint64_t lanes = ~std::uint64_t{0});

/// A program for one wave. Its instructions all lie in one line of the instruction cache unless
/// `at()` says otherwise, so that fetches do not disturb.
class Script {
 public:
  explicit Script(const TimingSpec& spec) : spec_(&spec) {}
  /// Appends an instruction, `times` over.
  Script& then(std::string_view text, unsigned times = 1);
  /// Appends a memory instruction whose lane i goes to `address(i)`.
  Script& access(std::string_view text, LaneAddress address,
                 std::uint64_t lanes = ~std::uint64_t{0});
  /// The FLAT access appended last goes to the LDS: its addresses are bytes there.
  Script& in_lds();
  /// Puts the instruction appended last at this byte of the code.
  Script& at(std::uint64_t offset_bytes);
  /// The instruction appended last is that of an earlier line: the next turn of a loop.
  Script& again(unsigned line);
  /// The branch appended last is taken.
  Script& taken();

  struct Line {
    machine::StepFacts facts;
    LaneAddress address;
    std::uint64_t lanes = ~std::uint64_t{0};
    bool taken = false;
    bool in_lds = false;
  };
  const std::vector<Line>& lines() const { return lines_; }

 private:
  const TimingSpec* spec_;
  std::vector<Line> lines_;
};

class ScriptedWave final : public machine::SteppedWave {
 public:
  /// The script must outlive the wave.
  explicit ScriptedWave(const Script& script) : script_(&script) {}
  Result<const machine::StepFacts*> next() override { return &script_->lines()[at_].facts; }
  Result<void> step(machine::Step& step) override;
  unsigned work_items() const override { return 64; }
  void pass_barrier() override {}

  /// The cycle in which each step issued.
  const std::vector<std::uint64_t>& issued() const { return issued_; }

 private:
  const Script* script_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> issued_;
};

class ScriptedGroup final : public machine::SteppedGroup {
 public:
  /// `on_begin` hears when the group begins.
  explicit ScriptedGroup(
      const std::vector<const Script*>& scripts, std::function<void()> on_begin = [] {});
  unsigned waves() const override { return static_cast<unsigned>(waves_.size()); }
  machine::SteppedWave& wave(unsigned index) override { return waves_[index]; }
  void begin() override { on_begin_(); }
  const ScriptedWave& scripted(unsigned index) const { return waves_[index]; }

 private:
  std::function<void()> on_begin_;
  std::vector<ScriptedWave> waves_;
};

/// One compute unit of a device, on which scripts run. The caches beyond it are small, so that a
/// test is quick.
class OneUnit {
 public:
  explicit OneUnit(const TimingSpec& spec);
  /// Runs one workgroup, wave i on SIMD i % 4 by the order of the scripts, all from one cycle on.
  /// A wave's last step must be s_endpgm.
  void run(const std::vector<const Script*>& scripts);
  /// The same with all scripts on SIMD 0.
  void run_on_one_simd(const std::vector<const Script*>& scripts);

  /// Cycle in which step `index` of script `script` issued, from the first issue of all.
  std::uint64_t issued(unsigned script, unsigned index) const;
  /// Cycles between two steps of a script.
  std::uint64_t between(unsigned script, unsigned first, unsigned second) const {
    return issued(script, second) - issued(script, first);
  }
  const ComputeUnit& unit() const { return unit_; }
  const CycleLedger& ledger() const { return worker_.ledger; }

  std::uint64_t ended_at() const { return ended_at_; }

 private:
  void run_windows(GroupContext& context);

  TimingSpec spec_;
  MemorySystem memory_;
  WindowCrew crew_;
  SharedCaches caches_;
  ComputeUnit unit_;
  UnitWorker worker_;
  std::unique_ptr<ScriptedGroup> group_;
  std::vector<unsigned> wave_of_script_;
  std::uint64_t ended_at_ = 0;
};

}  // namespace wavetank::timing::testing
