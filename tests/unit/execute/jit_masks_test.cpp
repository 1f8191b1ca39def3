// Scalar ops that copy and combine lane masks between comparisons and choices: they are of the same
// compiled run.
#include <gtest/gtest.h>

#include <random>
#include <string_view>
#include <vector>

#include "jit_ops.hpp"
#include "jit_sequence.hpp"
#include "value_grid.hpp"

namespace wavetank::execute::testing {
namespace {

/// What is read and written without being drawn, of scalar ops of 64 bits.
FactsOf facts_of(const std::vector<Op>& ops) {
  return [&ops](std::size_t slot) {
    const Op& op = ops[slot];
    machine::StepFacts facts;
    facts.row = &isa::catalogue()[op.row];
    for (unsigned i = 0; i < facts.row->source_count(); ++i) {
      if (op.kind[i] == Source::kScalar) facts.scalar_reads.add(op.src[i] / 4, 2);
    }
    if (isa::dwords_of(facts.row->result.type) == 2) facts.scalar_writes.add(op.dst / 4, 2);
    return facts;
  };
}

/// Draws ops that work on a few lane masks.
class MaskOps {
 public:
  explicit MaskOps(unsigned seed) : maker_(seed) {}

  std::vector<Op> draw(unsigned count) {
    std::vector<Op> ops;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned kind = maker_.pick(10);
      if (kind < 3)
        ops.push_back(comparison());
      else if (kind < 5)
        ops.push_back(choice());
      else if (kind < 8)
        ops.push_back(combination());
      else if (kind == 8)
        ops.push_back(of_scc());
      else
        ops.push_back(op_named(maker_, "v_mul_f32"));  // leaves NaNs to the handlers
    }
    return ops;
  }
  State state() {
    State state;
    maker_.fill(state, maker_.pick(2) == 0);
    for (unsigned sgpr = 20; sgpr < 28; ++sgpr) {
      state.wave.sgpr[sgpr] = maker_.pick(2) == 0 ? 0 : maker_.pick(~0u);
    }
    state.wave.scc = maker_.pick(2);
    return state;
  }

 private:
  std::uint32_t place() { return 4 * (maker_.pick(4) == 0 ? 106 : 20 + 2 * maker_.pick(4)); }
  Op comparison() {
    Op op = op_named(maker_, maker_.pick(2) == 0 ? "v_cmp_lt_f32" : "v_cmp_gt_u32");
    op.sdst = static_cast<std::uint8_t>(place() / 4);
    return op;
  }
  Op choice() {
    Op op = op_named(maker_, "v_cndmask_b32");
    op.src[2] = place();
    return op;
  }
  Op combination() {
    constexpr const char* kNames[] = {"s_and_b64",  "s_or_b64",   "s_xor_b64", "s_andn2_b64",
                                      "s_orn2_b64", "s_nand_b64", "s_nor_b64", "s_xnor_b64",
                                      "s_not_b64",  "s_mov_b64"};
    Op op = op_named(maker_, kNames[maker_.pick(10)]);
    op.dst = place();
    for (unsigned i = 0; i < 2; ++i) {
      op.kind[i] = maker_.pick(8) == 0 ? Source::kConstant : Source::kScalar;
      op.src[i] = maker_.pick(5) == 0 ? 4 * isa::operand::kExec : place();
      op.constant[i] = maker_.pick(3) == 0 ? 15 : std::uint64_t{0} - maker_.pick(2);
    }
    return op;
  }
  /// Asks for SCC, or gives it.
  Op of_scc() {
    Op op = op_named(maker_, maker_.pick(2) == 0 ? "s_cselect_b64" : "s_cmp_lt_u32");
    if (isa::dwords_of(row_of(op).result.type) == 2) op.dst = 4 * (30 + 2 * maker_.pick(4));
    return op;
  }
  OpMaker maker_;
};

TEST_F(JitSequence, MasksAreCombinedAsHandlersDo) {
  MaskOps drawn(11);
  for (unsigned trial = 0; trial < 3000 && !HasFailure(); ++trial) {
    const std::vector<Op> ops = drawn.draw(4 + trial % 13);
    const std::vector<State> starts{drawn.state(), drawn.state()};
    expect_same(ops, starts, {}, facts_of(ops));
  }
}

/// LLVM gives the masks of divisions that lie in each other SGPRs of their own, and copies them to
/// VCC for v_div_fmas.
const Code kMovedMask{
    0xd1e00002, 0x04060100,  // v_div_scale_f32 v2, s[0:1], v0, v0, v1
    0x7e064502,              // v_rcp_f32_e32 v3, v2
    0xd1e00204, 0x04060101,  // v_div_scale_f32 v4, s[2:3], v1, v0, v1
    0xd1cb0005, 0x23ca0702,  // v_fma_f32 v5, -v2, v3, 1.0
    0x76060705,              // v_fmac_f32_e32 v3, v5, v3
    0x0a0a0704,              // v_mul_f32_e32 v5, v4, v3
    0xd1cb0006, 0x24120b02,  // v_fma_f32 v6, -v2, v5, v4
    0x760a0706,              // v_fmac_f32_e32 v5, v6, v3
    0xd1cb0002, 0x24120b02,  // v_fma_f32 v2, -v2, v5, v4
    0xbeea0102,              // s_mov_b64 vcc, s[2:3]
    0xd1e20002, 0x04160702,  // v_div_fmas_f32 v2, v2, v3, v5
    0xd1de0002, 0x04060102,  // v_div_fixup_f32 v2, v2, v0, v1
    0xd0ca0002, 0x00020100,  // v_cmp_eq_u32_e64 s[2:3], v0, v0
};

TEST_F(JitSequence, ADivisionWhoseMaskIsMovedIsAQuotient) {
  BothWays division(joined(kMovedMask, kForget));
  std::mt19937_64 random(2);
  for (unsigned trial = 0; trial < 500 && !HasFailure(); ++trial) {
    division.expect_same([&](std::uint32_t* vgpr) {
      for (unsigned lane = 0; lane < 64; ++lane) {
        vgpr[lane] = any_of(random, 100, 50);
        vgpr[64 + lane] = lane % 7 == 0 ? 0 : any_of(random, 100, 50);
      }
    });
  }
  EXPECT_EQ(division.misses(), 0u) << "its steps would leave zeros to the handlers";
}

}  // namespace
}  // namespace wavetank::execute::testing
