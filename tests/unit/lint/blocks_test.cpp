// Blocks, loops and values of small kernels.
#include "lint/blocks.hpp"

#include <gtest/gtest.h>

#include "lint/numbering.hpp"
#include "small_kernel.hpp"

namespace wavetank::lint {
namespace {

using isa::Target;

/// A decoded kernel with all that is known of it.
struct Known {
  explicit Known(const Texts& texts, const Target& target = isa::kGfx942)
      : code(*decode_words(words_of(texts, target), 128, encoding::Decoder(target))),
        blocks(find_blocks(code)),
        values(Numbering::values_of(code, blocks, kernel_of(target).descriptor)) {}
  Code code;
  Blocks blocks;
  std::unique_ptr<Values> values;
};

TEST(Blocks, LoopsAreFoundWithTheirDepth) {
  const Known nest({"outer:", "s_nop 0", "inner:", "s_nop 1", "s_cbranch_scc1 inner",
                    "s_cbranch_scc0 outer", "s_endpgm"});
  ASSERT_EQ(nest.blocks.loops.size(), 2u);
  EXPECT_EQ(nest.blocks.depth_of(0), 1u);
  EXPECT_EQ(nest.blocks.depth_of(1), 2u);
  EXPECT_EQ(nest.blocks.depth_of(3), 1u);
  EXPECT_EQ(nest.blocks.depth_of(4), 0u);
  EXPECT_FALSE(nest.blocks.irreducible);
}

TEST(Blocks, ALoopThatIsEnteredInItsMiddleIsNone) {
  const Known odd({"s_cbranch_scc0 middle", "top:", "s_nop 0", "middle:", "s_nop 1",
                   "s_cbranch_scc1 top", "s_endpgm"});
  EXPECT_TRUE(odd.blocks.irreducible);
  EXPECT_TRUE(odd.blocks.loops.empty());
}

TEST(Blocks, WhatIsBeforeABranchDominatesWhatIsBehindIt) {
  const Known fork(
      {"s_cbranch_scc0 other", "s_nop 0", "s_branch end", "other:", "s_nop 1", "end:", "s_endpgm"});
  const auto block = [&](std::uint32_t step) { return fork.blocks.block_of[step]; };
  EXPECT_TRUE(fork.blocks.dominates(block(0), block(4)));
  EXPECT_FALSE(fork.blocks.dominates(block(1), block(4)));
  EXPECT_FALSE(fork.blocks.dominates(block(3), block(4)));
}

TEST(Values, TheSameSumHasTheSameNumber) {
  const Known sums({"v_add_u32_e32 v1, s0, v0", "v_add_u32_e32 v2, s0, v0",
                    "v_add_u32_e32 v3, s1, v0", "v_or_b32_e32 v4, v1, v2",
                    "v_or_b32_e32 v4, v1, v3", "s_endpgm"});
  EXPECT_EQ(sums.values->source(3, 0), sums.values->source(3, 1));
  EXPECT_NE(sums.values->source(4, 0), sums.values->source(4, 1));
}

TEST(Values, ACopyIsTheSameValue) {
  const Known copy({"v_mov_b32_e32 v1, v0", "v_or_b32_e32 v2, v0, v1", "s_endpgm"});
  EXPECT_EQ(copy.values->source(1, 0), copy.values->source(1, 1));
}

TEST(Values, WhatSomeLanesWroteIsNoValueOfAllOfThem) {
  const Texts texts = {"v_mov_b32_e32 v1, 0",
                       "s_and_saveexec_b64 s[2:3], vcc",
                       "v_mov_b32_e32 v1, 4",
                       "v_or_b32_e32 v2, v1, v1",
                       "s_or_b64 exec, exec, s[2:3]",
                       "v_or_b32_e32 v2, v1, v1",
                       "s_endpgm"};
  const Known masked(texts);
  EXPECT_EQ(masked.values->constant(*masked.values->source(3, 0)), 4u);
  EXPECT_FALSE(masked.values->constant(*masked.values->source(5, 0)));
  EXPECT_FALSE(masked.values->is_uniform(*masked.values->source(5, 0)));
}

TEST(Values, WhatAllLanesWroteIsAValueOfSomeOfThem) {
  const Known masked({"v_mov_b32_e32 v1, 4", "s_and_saveexec_b64 s[2:3], vcc",
                      "v_or_b32_e32 v2, v1, v1", "s_or_b64 exec, exec, s[2:3]",
                      "v_or_b32_e32 v2, v1, v1", "s_endpgm"});
  EXPECT_EQ(masked.values->constant(*masked.values->source(2, 0)), 4u);
  EXPECT_EQ(masked.values->constant(*masked.values->source(4, 0)), 4u) << "the same lanes again";
}

TEST(Values, ALoopChangesWhatItWrites) {
  const Known loop({"v_mov_b32_e32 v1, 0", "v_mov_b32_e32 v2, 0", "top:", "v_or_b32_e32 v3, v1, v2",
                    "v_add_u32_e32 v1, 4, v1", "s_cbranch_scc1 top", "s_endpgm"});
  EXPECT_FALSE(loop.values->constant(*loop.values->source(2, 0)));
  EXPECT_EQ(loop.values->constant(*loop.values->source(2, 1)), 0u);
}

TEST(Values, ArgumentsAreKnownByTheirPlace) {
  const Known load({"s_load_dwordx2 s[2:3], s[0:1], 0x8", "s_add_u32 s4, s2, s3", "s_endpgm"});
  EXPECT_EQ(load.values->argument(*load.values->source(1, 0)), 8u);
  EXPECT_EQ(load.values->argument(*load.values->source(1, 1)), 12u);
}

TEST(Values, ScalarsAreUniformAndWhatLanesMakeOfThemIs) {
  const Known made({"v_add_u32_e32 v1, s0, v0", "v_mov_b32_e32 v2, s0",
                    "v_lshlrev_b32_e32 v3, 2, v2", "v_or_b32_e32 v4, v1, v3", "s_endpgm"});
  EXPECT_FALSE(made.values->is_uniform(*made.values->source(3, 0)));
  EXPECT_TRUE(made.values->is_uniform(*made.values->source(3, 1)));
}

}  // namespace
}  // namespace wavetank::lint
