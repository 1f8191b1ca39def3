// Which registers are read behind a place in a program.
#include "execute/jit/liveness.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "isa/flow.hpp"
#include "jit_machine.hpp"

namespace wavetank::execute::testing {
namespace {

constexpr unsigned kExec = 126;

Op branch(const char* name, std::int64_t distance) {
  Op op = simple(name);
  op.branch = distance;
  return op;
}
Op compare(unsigned sgpr) {
  Op op = add(0, 2, 3, "v_cmp_lt_f32");
  op.sdst = sgpr;
  return op;
}
/// s_mov_b64 exec, and what is known of it.
Op mask_lanes() {
  Op op = simple("s_mov_b64");
  op.dst = 4 * kExec;
  return op;
}

/// What may be read before an op.
jit::Live live(const std::vector<Op>& ops, std::size_t slot,
               const std::vector<std::size_t>& leaders = {}) {
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  const FactsOf facts_of = [&](std::size_t at) {
    machine::StepFacts facts;
    facts.row = &isa::catalogue()[ops[at].row];
    facts.conditional_branch = isa::branches(*facts.row) && !facts.row->goes_on.never();
    if (facts.row->unit == isa::Unit::kSalu) facts.scalar_writes.add(ops[at].dst / 4, 2);
    return facts;
  };
  jit::OpTable table(ops);
  return jit::Liveness(table, slots, leaders, facts_of).before(slot);
}

TEST(Liveness, EndsWhereAnotherResultTakesTheRegister) {
  const std::vector<Op> ops{add(4, 2, 3), add(4, 5, 6), store(kA, 4), simple("s_endpgm")};
  EXPECT_FALSE(live(ops, 1).vectors.test(4));
  EXPECT_TRUE(live(ops, 2).vectors.test(4));
  EXPECT_FALSE(live(ops, 3).vectors.any()) << "the wave ends";
}

TEST(Liveness, GoesAroundLoops) {
  const std::vector<Op> ops{add(4, 2, 3), add(5, 5, 4), branch("s_cbranch_scc0", -3), store(kA, 5),
                            simple("s_endpgm")};
  const jit::Live at_branch = live(ops, 2, {0});
  EXPECT_FALSE(at_branch.vectors.test(4)) << "the next round computes it anew";
  EXPECT_TRUE(at_branch.vectors.test(5)) << "the next round adds to it";
  EXPECT_TRUE(at_branch.vectors.test(2)) << "and reads this";
}

TEST(Liveness, TakesEachWayOfABranch) {
  const std::vector<Op> ops{branch("s_cbranch_vccz", 1), store(kA, 4), store(kA, 5),
                            simple("s_endpgm")};
  EXPECT_TRUE(live(ops, 0, {2}).vectors.test(4));
  EXPECT_TRUE(live(ops, 0, {2}).vectors.test(5));
  EXPECT_TRUE(live(ops, 0, {2}).scalars.test(106)) << "the branch asks for VCC";
}

TEST(Liveness, OutlastsResultsInOtherLanes) {
  const std::vector<Op> ops{mask_lanes(), add(4, 5, 6), store(kA, 4), simple("s_endpgm")};
  EXPECT_TRUE(live(ops, 0).vectors.test(4)) << "lanes that the sum does not reach keep the value";
  EXPECT_FALSE(live(ops, 1).vectors.test(4));
}

TEST(Liveness, OfALaneMaskEndsWithTheNextOne) {
  const std::vector<Op> ops{compare(20), compare(20), branch("s_cbranch_vccz", 0),
                            simple("s_endpgm")};
  EXPECT_FALSE(live(ops, 1).scalars.test(20));
  const std::vector<Op> read{compare(106), branch("s_cbranch_vccz", 0), simple("s_endpgm")};
  EXPECT_TRUE(live(read, 1, {2}).scalars.test(107));
}

TEST(Liveness, IsThatOfAllRegistersWhereCodeIsNotKnown) {
  EXPECT_TRUE(live({add(4, 2, 3)}, 0).vectors.test(400)) << "behind the code";
  EXPECT_TRUE(live({branch("s_branch", 7), simple("s_endpgm")}, 0).vectors.all());
  EXPECT_TRUE(live({simple("s_setpc_b64"), simple("s_endpgm")}, 0).scalars.all());
}

}  // namespace
}  // namespace wavetank::execute::testing
