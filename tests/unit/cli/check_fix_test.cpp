#include "cli/check/fix.hpp"

#include <gtest/gtest.h>

#include "unit/cli/checked_run.hpp"

namespace wavetank::cli {
namespace {

using check::AccessKind;
using check::Edge;
using check::EdgeKind;
using machine::to_text;

/// A run with one race of which a store in line 12 and a load in line 17 are.
CheckedRun one_race(bool in_one_group) {
  CheckedRun run = two_findings();
  run.findings.pop_back();
  check::Diagnosis& race = run.findings[0].diagnosis;
  race.kernel_symbol = "_Z1kv";
  race.in_one_group = in_one_group;
  race.spots[0].access = AccessKind::kWrite;
  race.spots[0].before = {8, 4};
  race.spots[0].after = {16, 32};
  race.spots[1].before = {48, 44};
  race.spots[1].after = {56};
  return run;
}

std::vector<std::string> edges_of(const CheckedRun& run) {
  std::vector<std::string> all;
  for (const Candidate& one : candidates(run.findings[0].diagnosis, run)) {
    all.push_back(to_text(one.change.edges));
  }
  return all;
}

TEST(Candidates, InAWorkgroupABarrierBehindTheFirstComesFirst) {
  const CheckedRun run = one_race(true);
  const auto all = edges_of(run);
  ASSERT_GE(all.size(), 5u);
  EXPECT_EQ(all[0], "barrier@16@_Z1kv");
  EXPECT_EQ(all[1], "barrier@48@_Z1kv");
  EXPECT_EQ(all[2], "barrier@32@_Z1kv") << "outside of the branch";
  EXPECT_EQ(all[3], "barrier@44@_Z1kv");
  EXPECT_EQ(all[4], "barrier@16@_Z1kv,barrier@56@_Z1kv") << "round a loop";
  EXPECT_EQ(candidates(run.findings[0].diagnosis, run)[0].words,
            "__syncthreads() after race.hip:12");
}

TEST(Candidates, BetweenWorkgroupsFencesComeFirst) {
  const auto all = edges_of(one_race(false));
  ASSERT_GE(all.size(), 3u);
  EXPECT_EQ(all[0], "fence@16@_Z1kv");
  EXPECT_EQ(all[1], "fence@48@_Z1kv");
  EXPECT_EQ(all[2], "fence@16@_Z1kv,fence@48@_Z1kv");
  EXPECT_EQ(all.back().substr(0, 12), "grid_barrier");
}

TEST(Candidates, APlainLoadBesideAnAtomicMayBecomeOne) {
  CheckedRun run = one_race(false);
  run.findings[0].diagnosis.spots[0].access = AccessKind::kAtomic;
  EXPECT_EQ(edges_of(run)[0], "atomic@48@_Z1kv");
  run.findings[0].diagnosis.spots[1].access = AccessKind::kWrite;
  EXPECT_EQ(edges_of(run)[0], "fence@16@_Z1kv") << "a store beside a count is a mistake anyhow";
}

TEST(Candidates, ALoadAndAStoreOfOneLineMayBecomeOneAtomic) {
  CheckedRun run = one_race(true);
  run.findings[0].diagnosis.spots[1].source.line = 12;
  EXPECT_EQ(edges_of(run)[0], "atomic@8@_Z1kv,atomic@48@_Z1kv");
}

TEST(Candidates, ThereIsNoneForOtherFindingsOrForeignCode) {
  CheckedRun run = one_race(true);
  run.findings[0].diagnosis.code = ErrorCode::kOutOfBounds;
  EXPECT_TRUE(edges_of(run).empty());
  run = one_race(true);
  for (check::Spot& spot : run.findings[0].diagnosis.spots) spot.before = spot.after = {};
  EXPECT_TRUE(edges_of(run).empty());
}

/// What a run with edges gives: nothing if they are `cure`, else what `otherwise` is.
RunChanged cured_by(const std::string& cure, const CheckedRun& otherwise) {
  return [=](const check::Change& change) -> Result<CheckedRun> {
    CheckedRun run = otherwise;
    if (to_text(change.edges) == cure) run.findings.clear();
    return run;
  };
}

TEST(Candidates, OperationsWaitForEachOther) {
  CheckedRun run = one_race(false);
  check::Diagnosis& diagnosis = run.findings[0].diagnosis;
  diagnosis.code = ErrorCode::kUnorderedOperations;
  EXPECT_TRUE(candidates(diagnosis, run).empty()) << "nodes of one graph";
  diagnosis.remedy = {{"app + 0x10", "app + 0x20"}, "stream 3 waiting"};
  const std::vector<Candidate> all = candidates(diagnosis, run);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].change.orders, std::vector{diagnosis.remedy.order});
  EXPECT_TRUE(all[0].change.edges.empty());
  EXPECT_EQ(all[1].change.orders.back().first, "app + 0x20") << "round a loop";
}

TEST(FindFixes, TellsTheFirstChangeThatLeavesNoError) {
  CheckedRun run = one_race(true);
  ASSERT_TRUE(find_fixes(run, cured_by("barrier@32@_Z1kv", run)));
  EXPECT_EQ(
      run.findings[0].help,
      "verified: with __syncthreads() after race.hip:12, outside of its branch the program has "
      "no error");
  ASSERT_TRUE(run.findings[0].fix);
  EXPECT_EQ(run.findings[0].fix->errors_left, 0u);
}

TEST(FindFixes, ClaimsNothingThatNoRunHasShown) {
  CheckedRun run = one_race(true);
  ASSERT_TRUE(find_fixes(run, cured_by("none", run)));
  EXPECT_FALSE(run.findings[0].fix);
  EXPECT_EQ(run.findings[0].help.substr(0, 47), "no single barrier, fence or atomic orders these");
}

TEST(FindFixes, AChangeThatBringsAnotherFindingIsNone) {
  CheckedRun run = one_race(true);
  CheckedRun missed = run;
  missed.findings[0].diagnosis.code = ErrorCode::kMissedBarrier;
  missed.findings[0].diagnosis.level = check::Level::kNote;
  ASSERT_TRUE(find_fixes(run, cured_by("none", missed)));
  EXPECT_FALSE(run.findings[0].fix);
}

TEST(FindFixes, AProgramThatDoesSomethingElseProvesNothing) {
  const CheckedRun race = one_race(true);
  for (const int difference : {0, 1, 2}) {
    CheckedRun run = race, other = race;
    other.findings.clear();
    if (difference == 0) other.exit_status = 1;
    if (difference == 1) other.launches["right(int*)"] = 3;
    if (difference == 2) other.ended = false;
    ASSERT_TRUE(find_fixes(run, cured_by("none", other)));
    EXPECT_FALSE(run.findings[0].fix) << difference;
  }
}

TEST(FindFixes, AChangeThatHelpedOnceIsRunOnce) {
  CheckedRun run = one_race(true);
  run.findings.push_back(run.findings[0]);
  run.findings[1].diagnosis.spots[1].source.line = 18;
  unsigned runs = 0;
  const RunChanged again = [&](const check::Change&) -> Result<CheckedRun> {
    ++runs;
    CheckedRun right = run;
    right.findings.clear();
    return right;
  };
  ASSERT_TRUE(find_fixes(run, again));
  EXPECT_EQ(runs, 1u);
  EXPECT_EQ(run.findings[0].help, run.findings[1].help);
}

TEST(FindFixes, ARaceBesideOthersIsSaidToLeaveThem) {
  CheckedRun run = one_race(true);
  run.findings.push_back(run.findings[0]);
  run.findings[1].diagnosis.code = ErrorCode::kOutOfBounds;
  CheckedRun rest = run;
  rest.findings.erase(rest.findings.begin());
  ASSERT_TRUE(find_fixes(run, cured_by("none", rest)));
  EXPECT_EQ(
      run.findings[0].help,
      "verified: with __syncthreads() after race.hip:12 this race is gone; 1 other error left");
  EXPECT_EQ(run.findings[1].help, "") << "only races have such fixes";
}

TEST(FindFixes, WhatIsSuppressedIsLeftAlone) {
  CheckedRun run = one_race(true);
  run.findings[0].suppressed = Suppression{"race.hip:12", ""};
  ASSERT_TRUE(find_fixes(run, cured_by("barrier@16@_Z1kv", run)));
  EXPECT_EQ(run.findings[0].help, "");
}

}  // namespace
}  // namespace wavetank::cli
