// A wave under the cycle model's control may have executed more than it was asked for; what it
// tells must not show that.
#include <gtest/gtest.h>

#include "dispatch/stepped_grid.hpp"

namespace wavetank::dispatch {
namespace {

/// A launch of one wave of MI210 that runs these dwords, one instruction at a time.
class SteppedProgram {
 public:
  SteppedProgram(execute::Compiled compiled, std::vector<std::uint32_t> code)
      : code_(std::move(code)) {
    execute::ProgramSpec spec;
    spec.code = reinterpret_cast<const std::byte*>(code_.data());
    spec.code_bytes = code_.size() * 4;
    spec.entry = reinterpret_cast<std::uint64_t>(code_.data());
    spec.vgpr_count = 8;
    spec.accum_offset = 8;
    plan_.program = *execute::Program::translate(spec);
    plan_.entry = plan_.program->with_blocks(plan_.program->entry(), compiled, plan_.start_program);
    plan_.shape.accum_offset = 8;
    launch_.grid_work_items = launch_.workgroup_work_items = {64, 1, 1};
    plan_.launch = &launch_;
    plan_.end_group = 1;
    environment_.arena_size_bytes = ~std::uint64_t{0};  // all that the test has
    plan_.start = WaveStart({.descriptor = &descriptor_});
    grid_.emplace(plan_, environment_, pool_, arena_, nullptr);
    begin();
  }
  /// Another workgroup takes the place of the first.
  void restart() {
    grid_->finish(group_);
    begin();
  }
  machine::SteppedWave& wave() { return group_->wave(0); }
  /// Lets the wave do what comes next.
  machine::Step step() {
    machine::Step step;
    step.facts = *wave().next();
    EXPECT_TRUE(wave().step(step));
    return step;
  }

 private:
  void begin() {
    group_ = *grid_->start(0);
    group_->begin();
  }

  std::vector<std::uint32_t> code_;
  code_object::KernelDescriptor descriptor_;
  Launch launch_;
  GridPlan plan_;
  machine::Environment environment_;
  WorkerPool pool_{1};
  GroupArena arena_;
  std::optional<SteppedGrid> grid_;
  machine::SteppedGroup* group_ = nullptr;
};

/// By handlers, and by compiled code that executes several instructions at once.
class SteppedWave : public ::testing::TestWithParam<execute::Compiled> {};
INSTANTIATE_TEST_SUITE_P(Compiled, SteppedWave,
                         ::testing::Values(execute::Compiled::kNothing,
                                           execute::Compiled::kStretches),
                         [](const auto& info) {
                           const bool compiled = info.param == execute::Compiled::kStretches;
                           return std::string(compiled ? "Stretches" : "Handlers");
                         });

constexpr std::uint64_t kAllLanes = ~std::uint64_t{0};
constexpr std::uint32_t kNop = 0xbf800000, kEnd = 0xbf810000;
constexpr std::uint32_t kMove = 0x7e000285;     // v_mov_b32 v0, 5
constexpr std::uint32_t kOneLane = 0xbefe0181;  // s_mov_b64 exec, 1
constexpr std::uint32_t kSkipOne = 0xbf820001;  // s_branch over the next dword

/// s_mov_b32 of this register and literal.
std::vector<std::uint32_t> moved(unsigned sgpr, std::uint32_t value) {
  return {0xbe8000ff + (sgpr << 16), value};
}

/// The dwords of instructions, one behind the other.
std::vector<std::uint32_t> joined(std::initializer_list<std::vector<std::uint32_t>> parts) {
  std::vector<std::uint32_t> code;
  for (const auto& part : parts) code.insert(code.end(), part.begin(), part.end());
  return code;
}

TEST_P(SteppedWave, TellsEachInstructionWithItsExecInItsTurn) {
  SteppedProgram program(GetParam(), {kNop, kMove, kOneLane, kMove, kEnd});
  EXPECT_EQ(program.step().facts->row->name, "s_nop");
  EXPECT_EQ(program.step().exec, kAllLanes);
  EXPECT_EQ(program.step().exec, kAllLanes) << "EXEC before the instruction that changes it";
  const machine::Step last = program.step();
  EXPECT_EQ(last.facts->row->name, "v_mov_b32");
  EXPECT_EQ(last.exec, 1u);
  EXPECT_FALSE(last.ended);
  EXPECT_TRUE(program.step().ended);
}

TEST_P(SteppedWave, TellsOfABranchWhenItComesToIt) {
  SteppedProgram program(GetParam(), {kNop, kMove, kSkipOne, kMove, kEnd});
  EXPECT_FALSE(program.step().taken);
  EXPECT_FALSE(program.step().taken);
  EXPECT_TRUE(program.step().taken);
  EXPECT_TRUE(program.step().ended) << "the skipped instruction is not told of";
}

TEST_P(SteppedWave, TellsOfEachTurnOfALoopHoweverFarItHasRun) {
  constexpr unsigned kTurns = 20;                  // more than it runs ahead
  SteppedProgram program(GetParam(), {0xbe800080,  // s_mov_b32 s0, 0
                                      0x81008100,  // s_add_i32 s0, s0, 1
                                      kMove,
                                      0xbf049400,  // s_cmp_lt_i32 s0, 20
                                      0xbf85fffc,  // s_cbranch_scc1 to the addition
                                      kEnd});
  EXPECT_EQ(program.step().facts->row->name, "s_mov_b32");
  for (unsigned turn = 1; turn <= kTurns; ++turn) {
    for (const char* name : {"s_add_i32", "v_mov_b32", "s_cmp_lt_i32", "s_cbranch_scc1"}) {
      const machine::Step step = program.step();
      EXPECT_EQ(step.facts->row->name, name) << "turn " << turn;
      EXPECT_EQ(step.taken, step.facts->conditional_branch && turn < kTurns) << "turn " << turn;
    }
  }
  EXPECT_TRUE(program.step().ended);
}

TEST_P(SteppedWave, StopsAtAStoreBehindABranchUntilItsTurn) {
  std::uint32_t word = 0;
  const auto address = reinterpret_cast<std::uint64_t>(&word);
  SteppedProgram program(GetParam(), joined({
                                         moved(2, static_cast<std::uint32_t>(address)),
                                         moved(3, static_cast<std::uint32_t>(address >> 32)),
                                         {kSkipOne, kMove},
                                         moved(5, 3),
                                         {0xc0420141, 0},  // s_store_dword s5, s[2:3], 0x0
                                         {kEnd},
                                     }));
  for (unsigned i = 0; i < 4; ++i) program.step();
  EXPECT_EQ(word, 0u) << "the store's turn has not come";
  EXPECT_EQ(program.step().facts->row->name, "s_store_dword");
  EXPECT_EQ(word, 3u);
  EXPECT_TRUE(program.step().ended);
}

TEST_P(SteppedWave, LoadsWhatIsThereWhenItsTurnComesAndWhatFollowsHasIt) {
  std::uint32_t words[] = {1, 0};
  const auto address = reinterpret_cast<std::uint64_t>(words);
  SteppedProgram program(GetParam(), joined({
                                         moved(2, static_cast<std::uint32_t>(address)),
                                         moved(3, static_cast<std::uint32_t>(address >> 32)),
                                         {kMove},
                                         {0xc0020101, 0},  // s_load_dword s4, s[2:3], 0x0
                                         {0x81058104},     // s_add_i32 s5, s4, 1
                                         {0xc0420141, 4},  // s_store_dword s5, s[2:3], 0x4
                                         {kEnd},
                                     }));
  program.step();  // ... and the two behind it
  words[0] = 7;
  program.step();
  program.step();
  EXPECT_EQ(program.step().facts->row->name, "s_load_dword");
  words[0] = 9;
  EXPECT_EQ(program.step().facts->row->name, "s_add_i32");
  EXPECT_EQ(words[1], 0u) << "the store's turn has not come";
  program.step();
  EXPECT_EQ(words[1], 8u);
}

TEST_P(SteppedWave, GoesOnBehindAChangeOfModeInTheOtherProgram) {
  SteppedProgram program(GetParam(),
                         joined({{kNop, kMove},
                                 {0xba001801, 5},  // s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5
                                 {kMove, kEnd}}));
  for (const char* name : {"s_nop", "v_mov_b32", "s_setreg_imm32_b32", "v_mov_b32"}) {
    const machine::Step step = program.step();
    EXPECT_EQ(step.facts->row->name, name);
    EXPECT_FALSE(step.taken) << name;
  }
  EXPECT_TRUE(program.step().ended);
}

TEST_P(SteppedWave, TellsWhatStandsBeforeATrapAsIfThereWereNone) {
  SteppedProgram program(GetParam(), {kNop, kMove, 0xbf920002, kEnd});  // s_trap 2
  EXPECT_EQ(program.step().facts->row->name, "s_nop");
  EXPECT_EQ(program.step().facts->row->name, "v_mov_b32");
  EXPECT_EQ((*program.wave().next())->row->name, "s_trap");
}

TEST_P(SteppedWave, IsAtItsFirstInstructionAgainWhenItsStorageIsUsedAgain) {
  SteppedProgram program(GetParam(), {kNop, kMove, kMove, kEnd});
  program.step();
  EXPECT_EQ((*program.wave().next())->row->name, "v_mov_b32");
  program.restart();
  EXPECT_EQ((*program.wave().next())->row->name, "s_nop");
}

}  // namespace
}  // namespace wavetank::dispatch
