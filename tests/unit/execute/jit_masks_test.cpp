// Scalar ops that copy and combine lane masks between comparisons and choices: they are of the same
// compiled run.
#include <gtest/gtest.h>

#include <cstddef>
#include <numeric>
#include <vector>

#include "jit_machine.hpp"
#include "jit_ops.hpp"
#include "jit_sequence.hpp"

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
      const unsigned kind = maker_.pick(11);
      if (kind < 3)
        ops.push_back(comparison());
      else if (kind < 5)
        ops.push_back(choice());
      else if (kind < 8)
        ops.push_back(combination());
      else if (kind == 8)
        ops.push_back(of_scc());
      else if (kind == 9)
        ops.push_back(shift_by_scc());
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
  /// A lane's op that asks for SCC.
  Op shift_by_scc() {
    Op op = op_named(maker_, "v_lshlrev_b32");
    op.kind[0] = Source::kScalar;
    op.src[0] = offsetof(machine::Wave, scc);
    return op;
  }
  OpMaker maker_;
};

TEST_F(JitSequence, MasksAreCombinedAsHandlersDo) {
  MaskOps drawn(11);
  for (unsigned trial = 0; trial < trials(600) && !HasFailure(); ++trial) {
    const std::vector<Op> ops = drawn.draw(4 + trial % 13);
    const std::vector<State> starts{drawn.state(), drawn.state()};
    expect_same(ops, starts, {}, facts_of(ops));
  }
}

TEST_F(JitSequence, WhatIsSavedOfExecInExecCounts) {
  OpMaker maker(9);
  Op op = op_named(maker, "s_and_saveexec_b64");
  op.dst = 4 * isa::operand::kExec;
  op.kind[0] = Source::kScalar;
  op.src[0] = 4 * 20;
  State state;
  state.wave.set_exec(0xff00ff);
  state.wave.set_scalar64(20, 0xff);
  expect_same({op, op_named(maker, "v_mul_f32"), op_named(maker, "v_mul_f32")}, state);
}

/// SCC, 0 before, where a wave ends whose code compares two equal numbers and goes on so.
std::uint32_t scc_behind(std::vector<Op> rest) {
  OpMaker maker(3);
  std::vector<Op> ops{op_named(maker, "s_cmp_eq_u32")};
  for (unsigned i = 0; i < 2; ++i) {
    ops[0].kind[i] = Source::kConstant;
    ops[0].constant[i] = 5;
  }
  ops.insert(ops.end(), rest.begin(), rest.end());
  ops.push_back(simple("s_endpgm"));
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  const FactsOf facts = facts_of(ops);
  const auto blocks = jit::Blocks::compile(ops, slots, {}, facts, Compiled::kChains);
  State state;
  run_to_stop(state.wave, ops);
  return state.wave.scc;
}

TEST_F(JitSequence, SccIsGivenWhereItMayBeRead) {
  OpMaker maker(5);
  Op word = op_named(maker, "v_mov_b32");
  word.kind[0] = Source::kScalar;
  word.src[0] = offsetof(machine::Wave, scc);
  Op status = op_named(maker, "s_getreg_b32");
  status.dst = 4 * 8;
  EXPECT_EQ(scc_behind({op_named(maker, "s_cselect_b64")}), 1u);
  EXPECT_EQ(scc_behind({word}), 1u);
  EXPECT_EQ(scc_behind({status}), 1u) << "STATUS has it";
  EXPECT_EQ(scc_behind({op_named(maker, "v_mul_f32")}), 0u) << "nobody reads it";
}

}  // namespace
}  // namespace wavetank::execute::testing
