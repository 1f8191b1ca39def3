// Results that are used too early, in straight code as a wave runs it and over all paths of a flow.
#include <gtest/gtest.h>

#include <deque>
#include <string_view>
#include <vector>

#include "assembly.hpp"
#include "check/waits/pending_results.hpp"
#include "check/waits/recent_steps.hpp"
#include "check/waits/suspects.hpp"
#include "small_flow.hpp"

namespace wavetank::check {
namespace {

using machine::FlowStep;
using timing::testing::assembled;
using timing::testing::spec_of;

/// The number of the instruction whose result the last one uses before it is there; -1: none.
int early(const Texts& texts, std::string_view device = "mi210") {
  std::deque<machine::StepFacts> steps;
  PendingResults pending;
  for (const std::string_view text : texts) {
    const machine::StepFacts& facts = steps.emplace_back(assembled(text, spec_of(device)));
    const machine::StepFacts* const first = pending.find(facts);
    if (first != nullptr) {
      for (int i = 0;; ++i) {
        if (&steps[i] == first) return i;
      }
    }
    pending.issue(facts, false);
  }
  return -1;
}

TEST(PendingResults, ALoadIsThereAfterItsWait) {
  EXPECT_EQ(early({"global_load_dword v1, v0, s[0:1]", "v_add_f32 v2, v1, v1"}), 0);
  EXPECT_EQ(
      early({"global_load_dword v1, v0, s[0:1]", "s_waitcnt vmcnt(0)", "v_add_f32 v2, v1, v1"}),
      -1);
  EXPECT_EQ(
      early({"global_load_dword v1, v0, s[0:1]", "s_waitcnt lgkmcnt(0)", "v_add_f32 v2, v1, v1"}),
      0);
}

TEST(PendingResults, ARegisterThatALoadWritesIsNotOverwritten) {
  EXPECT_EQ(early({"global_load_dword v1, v0, s[0:1]", "v_mov_b32 v1, v0"}), 0);
}

TEST(PendingResults, LoadsArriveInTheirOrder) {
  EXPECT_EQ(early({"global_load_dword v1, v0, s[0:1]", "global_load_dword v2, v0, s[0:1]",
                   "s_waitcnt vmcnt(1)", "v_mov_b32 v3, v1"}),
            -1);
  EXPECT_EQ(early({"global_load_dword v1, v0, s[0:1]", "global_load_dword v2, v0, s[0:1]",
                   "s_waitcnt vmcnt(1)", "v_mov_b32 v3, v2"}),
            1);
  EXPECT_EQ(early({"global_load_dword v1, v0, s[0:1]", "global_load_dword v1, v0, s[0:1]"}), -1)
      << "the later one arrives later";
}

TEST(PendingResults, StoresAreCountedLikeLoads) {
  EXPECT_EQ(early({"global_load_dword v1, v0, s[0:1]", "global_store_dword v0, v8, s[0:1]",
                   "s_waitcnt vmcnt(1)", "v_mov_b32 v3, v1"}),
            -1);
}

TEST(PendingResults, ScalarLoadsArriveInAnyOrder) {
  EXPECT_EQ(early({"s_load_dword s2, s[0:1], 0x0", "s_load_dword s3, s[0:1], 0x0",
                   "s_waitcnt lgkmcnt(1)", "s_mov_b32 s4, s2"}),
            0);
  EXPECT_EQ(early({"s_load_dword s2, s[0:1], 0x0", "s_load_dword s3, s[0:1], 0x0",
                   "s_waitcnt lgkmcnt(0)", "s_mov_b32 s4, s2"}),
            -1);
}

TEST(PendingResults, LdsBesideScalarLoadsIsInNoOrder) {
  EXPECT_EQ(early({"ds_read_b32 v1, v0", "ds_read_b32 v2, v0", "s_waitcnt lgkmcnt(1)",
                   "v_mov_b32 v3, v1"}),
            -1);
  EXPECT_EQ(early({"ds_read_b32 v1, v0", "s_load_dword s2, s[0:1], 0x0", "s_waitcnt lgkmcnt(1)",
                   "v_mov_b32 v3, v1"}),
            0);
}

TEST(RecentSteps, EveryInstructionIsAWaitStateAndNopsAreSeveral) {
  const auto lack = [](const Texts& texts) {
    const timing::TimingSpec& spec = spec_of("mi210");
    std::deque<machine::StepFacts> steps;
    RecentSteps recent;
    TooClose close;
    for (const std::string_view text : texts) {
      close = recent.find(steps.emplace_back(assembled(text, spec)), spec.wait_states);
      recent.issue(steps.back());
    }
    return close.first == nullptr ? 0 : close.wanted - close.found;
  };
  constexpr std::string_view kWrites = "v_mov_b32 v1, v0";
  constexpr std::string_view kReads = "v_mov_b32_dpp v2, v1 row_shl:1";
  EXPECT_EQ(lack({kWrites, kReads}), 2);
  EXPECT_EQ(lack({kWrites, "s_mov_b32 s0, 0", kReads}), 1);
  EXPECT_EQ(lack({kWrites, "s_mov_b32 s0, 0", "s_mov_b32 s0, 0", kReads}), 0);
  EXPECT_EQ(lack({kWrites, "s_nop 0", kReads}), 1);
  EXPECT_EQ(lack({kWrites, "s_nop 1", kReads}), 0);
}

TEST(RecentSteps, AStoreThatIsDoneNeedsItsDataNoLonger) {
  const timing::TimingSpec& spec = spec_of("mi300x");
  const machine::StepFacts store = assembled("global_store_dwordx4 v0, v[4:7], s[0:1]", spec);
  const machine::StepFacts wait = assembled("s_waitcnt vmcnt(0)", spec);
  const machine::StepFacts user = assembled("v_mov_b32 v7, v0", spec);
  RecentSteps recent;
  recent.issue(store);
  EXPECT_EQ(recent.find(user, spec.wait_states).first, &store);
  recent.issue(wait);
  EXPECT_EQ(recent.find(user, spec.wait_states).first, nullptr);
}

TEST(RecentSteps, ScratchHasOneSgprAsItsBase) {
  const auto keeps_back = [](std::string_view writer) {
    const timing::TimingSpec& spec = spec_of("mi300x");
    const machine::StepFacts writes = assembled(writer, spec);
    RecentSteps recent;
    recent.issue(writes);
    const machine::StepFacts user = assembled("scratch_load_dword v2, off, s33 offset:36", spec);
    return recent.find(user, spec.wait_states).first == &writes;
  };
  EXPECT_TRUE(keeps_back("v_readlane_b32 s33, v40, 2"));
  EXPECT_FALSE(keeps_back("v_readlane_b32 s34, v40, 2"));
}

TEST(RecentSteps, AMatrixInstructionKeepsTheNextOneBack) {
  const timing::TimingSpec& spec = spec_of("mi210");
  const machine::StepFacts writes = assembled("v_mov_b32 v3, v0", spec);
  const machine::StepFacts other =
      assembled("v_mfma_f32_16x16x4f32 v[8:11], v0, v1, v[8:11]", spec);
  const machine::StepFacts user =
      assembled("v_mfma_f32_16x16x4f32 v[12:15], v2, v3, v[12:15]", spec);
  RecentSteps recent;
  recent.issue(writes);
  EXPECT_EQ(recent.find(user, spec.wait_states).first, &writes);
  recent.issue(other);
  EXPECT_EQ(recent.find(user, spec.wait_states).first, nullptr);
}

bool is_suspect(const machine::Flow& flow) {
  return find_early_use(flow, spec_of("mi210").wait_states).has_value();
}

TEST(Suspects, StraightCodeIsWhatAWaveRuns) {
  EXPECT_TRUE(is_suspect(flow_of({"global_load_dword v1, v0, s[0:1]", "v_mov_b32 v3, v1"})));
  EXPECT_FALSE(is_suspect(
      flow_of({"global_load_dword v1, v0, s[0:1]", "s_waitcnt vmcnt(0)", "v_mov_b32 v3, v1"})));
  EXPECT_TRUE(is_suspect(flow_of({"v_mov_b32 v1, v0", "v_mov_b32_dpp v2, v1 row_shl:1"})));
  EXPECT_FALSE(
      is_suspect(flow_of({"v_mov_b32 v1, v0", "s_nop 1", "v_mov_b32_dpp v2, v1 row_shl:1"})));
}

TEST(Suspects, APathAroundTheWaitIsEnough) {
  machine::Flow flow = flow_of(
      {"global_load_dword v1, v0, s[0:1]", "s_nop 0", "s_waitcnt vmcnt(0)", "v_mov_b32 v3, v1"});
  EXPECT_FALSE(is_suspect(flow));
  flow[1].target = 3;
  EXPECT_TRUE(is_suspect(flow));
}

TEST(Suspects, ALoopUsesWhatItsLastRoundLoaded) {
  machine::Flow flow =
      flow_of({"v_mov_b32 v3, v1", "global_load_dword v1, v0, s[0:1]", "s_nop 0", "s_nop 0"});
  EXPECT_FALSE(is_suspect(flow));
  flow[2].target = 0;
  EXPECT_TRUE(is_suspect(flow));
}

TEST(Suspects, WhoCallsFindsEverythingWaitedFor) {
  machine::Flow flow = flow_of({"global_load_dword v1, v0, s[0:1]", "s_nop 0", "v_mov_b32 v3, v1"});
  EXPECT_TRUE(is_suspect(flow));
  flow[1].leaves = true;
  EXPECT_FALSE(is_suspect(flow));
}

}  // namespace
}  // namespace wavetank::check
