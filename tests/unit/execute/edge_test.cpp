// What a listener is told of the edges before an instruction.
#include <gtest/gtest.h>

#include <vector>

#include "execute/edge.hpp"
#include "execute/program.hpp"
#include "machine/listener.hpp"

namespace wavetank::execute {
namespace {

using machine::EdgeKind;
using machine::StepFacts;
using machine::Stop;
using machine::Wave;

class Told final : public machine::Listener {
 public:
  void on_group(machine::Workgroup&, std::uint64_t, std::span<Wave>) override {}
  void on_instruction(Wave&, const StepFacts& facts, const machine::Step&) override {
    rows.push_back(facts.row);
  }
  void on_barrier(machine::Workgroup&, std::span<const Wave>) override {}
  void on_global_barrier(machine::Workgroup&) override {}
  std::vector<const isa::Row*> rows;
};

const Op* go_on(Wave&, const Op* op) { return op + 1; }

/// What a wave at an edge does on a device: the rows told until the op itself runs, with where it
/// stopped.
struct Passed {
  Passed(EdgeKind kind, const isa::Target& target) {
    const EdgeStop edge({kind}, go_on, 0, target);
    machine::Environment environment;
    environment.listener = &told;
    Wave wave;
    wave.environment = &environment;
    const Op op[2] = {};
    while (edge.run(wave, op) == nullptr) stops.push_back(wave.stop);
  }
  Told told;
  std::vector<Stop> stops;
};

// Each part of an edge is one instruction: facts of rows that two have would tell of both, and the
// order of the tables would say which comes first.

TEST(Edge, AFenceIsAWriteBackAWaitAndAnInvalidationOnEveryTarget) {
  for (const isa::Target& target : isa::targets()) {
    const Passed passed(EdgeKind::kFence, target);
    ASSERT_EQ(passed.told.rows.size(), 3u) << target.name;
    EXPECT_TRUE(passed.told.rows[0]->memory.writes_back_l2) << target.name;
    EXPECT_EQ(passed.told.rows[1]->pause, isa::Pause::kWait) << target.name;
    EXPECT_TRUE(passed.told.rows[2]->memory.invalidates_l1) << target.name;
    EXPECT_TRUE(passed.stops.empty()) << target.name;
  }
}

TEST(Edge, ABarrierIsOneInstructionThatStopsTheWaveOnce) {
  for (const isa::Target& target : isa::targets()) {
    const Passed passed(EdgeKind::kBarrier, target);
    ASSERT_EQ(passed.told.rows.size(), 1u) << target.name;
    EXPECT_EQ(passed.told.rows[0]->pause, isa::Pause::kBarrier) << target.name;
    EXPECT_EQ(passed.stops, std::vector{Stop::kBarrier}) << target.name;
  }
}

TEST(Edge, ABarrierOfTheGridIsAFenceABarrierAMeetingAndAWait) {
  for (const isa::Target& target : isa::targets()) {
    const Passed passed(EdgeKind::kGridBarrier, target);
    ASSERT_EQ(passed.told.rows.size(), 6u) << target.name;
    EXPECT_EQ(passed.told.rows[3]->pause, isa::Pause::kBarrier) << target.name;
    EXPECT_EQ(passed.told.rows[4]->memory.special, isa::MemorySpecial::kGwsBarrier) << target.name;
    EXPECT_EQ(passed.told.rows[5], passed.told.rows[1]) << target.name;
    EXPECT_EQ(passed.stops, (std::vector{Stop::kBarrier, Stop::kGwsBarrier, Stop::kBarrier}));
  }
}

}  // namespace
}  // namespace wavetank::execute
