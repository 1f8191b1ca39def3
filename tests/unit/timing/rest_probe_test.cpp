// What a sampled launch's other workgroups issue: counted in some of them, each of the others run
// once, in the order of the grid.
#include "timing/dispatch/rest_probe.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

namespace wavetank::timing {
namespace {

/// Waves of so many instructions, of which the middle one is a barrier.
class CountedWave final : public machine::SteppedWave {
 public:
  /// `may_end`, if there is one, says whether the last instruction is more than another look.
  explicit CountedWave(unsigned instructions, const std::function<bool()>& may_end = {})
      : instructions_(instructions), may_end_(may_end) {}
  Result<const machine::StepFacts*> next() override { return &facts_; }
  Result<void> step(machine::Step& step) override {
    step.ended = step.at_barrier = step.slept = false;
    EXPECT_FALSE(waits_);
    if (done_ + 1 == instructions_ && may_end_ && !may_end_()) return {};
    ++done_;
    step.at_barrier = waits_ = done_ == instructions_ / 2;
    step.ended = done_ == instructions_;
    return {};
  }
  unsigned work_items() const override { return 64; }
  void pass_barrier() override { waits_ = false; }

 private:
  machine::StepFacts facts_;
  unsigned instructions_, done_ = 0;
  std::function<bool()> may_end_;
  bool waits_ = false;
};

class CountedGroup final : public machine::SteppedGroup {
 public:
  explicit CountedGroup(unsigned instructions, const std::function<bool()>& may_end)
      : waves_{CountedWave(instructions, may_end), CountedWave(instructions, may_end)} {}
  unsigned waves() const override { return 2; }
  machine::SteppedWave& wave(unsigned index) override { return waves_[index]; }
  void begin() override {}

 private:
  std::vector<CountedWave> waves_;
};

class CountedGrid final : public machine::GridSource {
 public:
  explicit CountedGrid(std::uint64_t groups, std::function<unsigned(std::uint64_t)> instructions)
      : groups_(groups), instructions_(std::move(instructions)) {}
  std::uint64_t workgroups() const override { return groups_; }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override {
    EXPECT_EQ(workgroup, next_++);
    group_ = std::make_unique<CountedGroup>(instructions_(workgroup) / 2, may_end);
    return group_.get();
  }
  void finish(machine::SteppedGroup*) override { ++counted; }
  Result<void> run_functionally(std::uint64_t first, std::uint64_t last) override {
    EXPECT_EQ(first, next_);
    next_ = last;
    return {};
  }
  void with_helpers(const std::function<void()>&, const std::function<void()>& lead) override {
    lead();
  }
  void serve_host() override {}

  std::uint64_t next() const { return next_; }
  unsigned counted = 0;
  std::function<bool()> may_end;  ///< what its workgroups wait for

 private:
  const std::uint64_t groups_;
  std::function<unsigned(std::uint64_t)> instructions_;
  std::uint64_t next_ = 0;
  std::unique_ptr<CountedGroup> group_;
};

constexpr std::uint64_t kGridGroups = 10000;
constexpr double kSeen = 100;

RestProbe::Finding finding_of(CountedGrid& grid) {
  RestProbe probe(grid, {}, kSeen);
  EXPECT_TRUE(probe.run(0, grid.workgroups()).has_value());
  EXPECT_EQ(grid.next(), grid.workgroups()) << "each workgroup runs";
  return probe.finding();
}

TEST(RestProbeTest, WorkgroupsThatAreAllAlikeChangeNothing) {
  CountedGrid grid(kGridGroups, [](std::uint64_t) { return 100u; });
  const auto found = finding_of(grid);
  EXPECT_EQ(found.ratio, 1);
  EXPECT_EQ(found.error_percent, 0);
  EXPECT_EQ(grid.counted, 128u);
}

TEST(RestProbeTest, WorkgroupsThatDoMoreAreToldByWhatTheyIssue) {
  CountedGrid grid(kGridGroups, [](std::uint64_t group) { return group < 5000 ? 100u : 300u; });
  const auto found = finding_of(grid);
  EXPECT_DOUBLE_EQ(found.ratio, 2);
  EXPECT_NEAR(found.error_percent, 100 * 0.5 / std::sqrt(127), 0.1);
}

TEST(RestProbeTest, AFewWorkgroupsAtABorderAreNoReason) {
  CountedGrid grid(kGridGroups, [](std::uint64_t group) { return group % 100 == 0 ? 20u : 100u; });
  EXPECT_EQ(finding_of(grid).ratio, 1);
}

TEST(RestProbeTest, OfLongWorkgroupsFewAreCounted) {
  CountedGrid grid(kGridGroups, [](std::uint64_t) { return 100u; });
  RestProbe probe(grid, {}, 1e6);
  EXPECT_TRUE(probe.run(0, kGridGroups).has_value());
  EXPECT_EQ(grid.counted, 16u);
}

TEST(RestProbeTest, AWorkgroupThatWaitsForLaterOnesGetsThem) {
  CountedGrid grid(kGridGroups, [](std::uint64_t) { return 100u; });
  grid.may_end = [&grid] { return grid.next() == kGridGroups; };
  EXPECT_EQ(finding_of(grid).ratio, 1) << "one was counted: nothing is known of the others";
  EXPECT_EQ(grid.counted, 1u);
}

TEST(RestProbeTest, AFewWorkgroupsAreRunWithoutCounting) {
  CountedGrid grid(100, [](std::uint64_t) { return 300u; });
  EXPECT_EQ(finding_of(grid).ratio, 1);
  EXPECT_EQ(grid.counted, 0u);
}

}  // namespace
}  // namespace wavetank::timing
