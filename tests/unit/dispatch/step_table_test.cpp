// Which instructions may be executed before the cycle model comes to them, and which may not.
#include <gtest/gtest.h>

#include "dispatch/step_table.hpp"

namespace wavetank::dispatch {
namespace {

constexpr std::uint32_t kMove = 0x7e000285, kEnd = 0xbf810000;

std::shared_ptr<execute::Program> translated(const std::vector<std::uint32_t>& code) {
  execute::ProgramSpec spec;
  spec.code = reinterpret_cast<const std::byte*>(code.data());
  spec.code_bytes = code.size() * 4;
  spec.entry = reinterpret_cast<std::uint64_t>(code.data());
  spec.vgpr_count = spec.accum_offset = 8;
  return *execute::Program::translate(spec);
}

/// Instructions from the first on that only concern their wave.
unsigned straight_from(const std::vector<std::uint32_t>& code) {
  const auto program = translated(code);
  StepTable table(program->spec());
  EXPECT_TRUE(table.at(*program, program->base()));
  return table.straight_from(*program, program->entry());
}

TEST(StepTable, CountsWhatOnlyUsesRegisters) {
  EXPECT_EQ(straight_from({kEnd}), 0u);
  EXPECT_EQ(straight_from({kMove, kEnd}), 1u);
  EXPECT_EQ(straight_from({0xbf8cc07f, kMove, kEnd}), 2u) << "s_waitcnt";
  EXPECT_EQ(straight_from({0xbe8200ff, 0x12345678, kMove, kEnd}), 2u) << "s_mov_b32 of a literal";
  EXPECT_EQ(straight_from({0xbf068704, 0x85078281, kEnd}), 2u) << "SCC: s_cmp_eq, s_cselect";
  EXPECT_EQ(straight_from({0x7db40100, kEnd}), 1u) << "v_cmpx_eq_u32";
  EXPECT_EQ(straight_from({0xb886f801, kEnd}), 1u) << "s_getreg_b32 of MODE";
}

TEST(StepTable, KnowsWhatFollowsTheFirstOfThem) {
  const std::vector<std::uint32_t> code{kMove, 0xbe8200ff, 0x12345678, kMove, kEnd};
  const auto program = translated(code);
  StepTable table(program->spec());
  ASSERT_TRUE(table.at(*program, program->base()));
  const execute::Op* const first = program->entry();
  EXPECT_EQ(table.straight_from(*program, first + 3), 1u);
  EXPECT_EQ(table.straight_from(*program, first), 3u) << "up to what is known already";
  EXPECT_EQ(table.straight_from(*program, first + 1), 2u);
  EXPECT_EQ(table.straight_from(*program, first + 4), 0u);
}

TEST(StepTable, EndsAtMemoryAndLds) {
  EXPECT_EQ(straight_from({kMove, 0xc0020101, 0, kMove, kEnd}), 1u) << "s_load_dword";
  EXPECT_EQ(straight_from({kMove, 0xdc700000, 2, kMove, kEnd}), 1u) << "flat_store_dword";
  EXPECT_EQ(straight_from({kMove, 0xd86c0000, 1, kMove, kEnd}), 1u) << "ds_read_b32";
}

TEST(StepTable, EndsAtWhatOthersDecide) {
  EXPECT_EQ(straight_from({kMove, 0xc0900100, 0, kMove, kEnd}), 1u) << "s_memtime";
  EXPECT_EQ(straight_from({kMove, 0xbf8a0000, kMove, kEnd}), 1u) << "s_barrier";
  EXPECT_EQ(straight_from({kMove, 0xbf8e0001, kMove, kEnd}), 1u) << "s_sleep";
}

TEST(StepTable, EndsWhereAWaveMayGoElsewhere) {
  EXPECT_EQ(straight_from({kMove, 0xbf820001, kMove, kMove, kEnd}), 1u) << "s_branch";
  EXPECT_EQ(straight_from({kMove, 0xbf850001, kMove, kMove, kEnd}), 1u) << "s_cbranch_scc1";
  EXPECT_EQ(straight_from({kMove, 0xbe801d02, kMove, kEnd}), 1u) << "s_setpc_b64";
}

}  // namespace
}  // namespace wavetank::dispatch
