// What findings gain, and in which order they stand.
#include <gmock/gmock.h>

#include "profile/change.hpp"
#include "unit/profile/finding_samples.hpp"

namespace wavetank::profile {
namespace {

/// A launch of 28900 cycles with a division, stores that leave gaps, and answers.
Verdict timed_again(std::vector<WhatIf> answers) {
  LaunchProfile launch = vector_copy();
  launch.instructions = line_of("v_rcp_iflag_f32", 6);
  for (std::size_t i = 0; i < launch.instructions.size(); ++i) {
    launch.instructions[i].offset = 4 * i;
  }
  launch.instructions.push_back(access("global_store_dword", 124, 62, 2));
  launch.what_if = std::move(answers);
  return judge(launch, *target::load_device(launch.device));
}

TEST(Advice, TheLargestGainStandsFirstAndLessThanThreePercentIsNone) {
  Verdict v = timed_again(
      {{"coalescing=perfect", 26010, ""}, {"code=0-18", 14450, ""}, {"launch=free", 28100, ""}});
  ASSERT_EQ(v.findings.size(), 2u);
  EXPECT_EQ(v.findings[0].id, "division");
  EXPECT_DOUBLE_EQ(*v.findings[0].gain_percent, 50);
  EXPECT_EQ(v.findings[1].id, "strided-fields");
  EXPECT_NEAR(*v.findings[1].gain_percent, 10, 1e-9);
  v = timed_again({{"coalescing=perfect", 28032, ""}, {"code=0-18", 28034, ""}});
  ASSERT_EQ(v.findings.size(), 1u);
  EXPECT_EQ(v.findings[0].id, "strided-fields") << "3.003 %, the other 2.997 %";
}

TEST(Advice, WhatHasNoAnswerAmongAllIsNoneAndALaunchWithoutAnswersKeepsItsFindings) {
  const WhatIf astray = {"coalescing=perfect", 0, "went astray"};
  EXPECT_TRUE(timed_again({astray, {"all", 1, ""}}).findings.empty());
  EXPECT_FALSE(timed_again({}).findings.empty());
}

TEST(Advice, ASmallGridsGainIsThePartOfTheCusThatIdle) {
  LaunchProfile launch = vector_copy();
  launch.grid_work_items = {256 * 26, 1, 1};
  launch.units.clear();
  launch.levels.clear();
  launch.what_if = {{"launch=free", launch.cycles, ""}, {"all", launch.cycles, ""}};
  const Verdict v = judge(launch, *target::load_device(launch.device));
  ASSERT_EQ(v.findings.size(), 1u);
  EXPECT_TRUE(v.findings[0].is_estimated);
  EXPECT_NEAR(*v.findings[0].gain_percent, 75 * (28900.0 - 2800) / 28900, 1e-9);
  launch.units = {{"VALU", 60}};
  const Verdict busy = judge(launch, *target::load_device(launch.device));
  EXPECT_NEAR(*busy.findings[0].gain_percent, 100 * (28900.0 - 2800) / 28900 - 60, 1e-9)
      << "the VALUs have no less to do";
}

TEST(Advice, WhatACauseIsAPartOfIsTheChangeOfSomeRule) {
  for (const FindingRule& rule : finding_rules()) {
    const bool is_known = std::ranges::any_of(finding_rules(), [&](const FindingRule& other) {
      return other.change == rule.part_of && &other != &rule;
    });
    EXPECT_TRUE(rule.part_of.empty() || is_known) << rule.id << ": " << rule.part_of;
  }
}

TEST(Advice, ACauseThatIsMostOfAWiderOneAtItsPlaceStandsBeforeIt) {
  LaunchProfile launch = vector_copy();
  launch.instructions = {access("global_load_dword", 128, 64, 2)};
  launch.instructions[0].translation_misses = 64000;
  launch.units = {{std::string(kTranslation), 90}};
  launch.counters["TCP_UTCL1_TRANSLATION_MISS"] = {.sum = 64000, .max = 1000, .instances = 104};
  launch.counters["SQ_BUSY_CU_CYCLES"] = {104 * 28900 / 4, 0, 8};
  const auto first_of = [&](std::uint64_t with_lanes_together, std::uint64_t with_translations) {
    launch.what_if = {{"coalescing=perfect", with_lanes_together, ""},
                      {"translation=free", with_translations, ""}};
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    return verdict.findings.empty() ? "" : verdict.findings[0].id;
  };
  EXPECT_EQ(first_of(8900, 18890), "translation") << "half of what both gain";
  EXPECT_EQ(first_of(8900, 18910), "uncoalesced");
}

TEST(Changes, OfTheLdsMatterToWhomeverGetsThere) {
  const auto matters = [](const LaunchProfile& launch) {
    return find_change("lds.bandwidth")->matters(launch);
  };
  LaunchProfile launch = vector_copy();
  EXPECT_FALSE(matters(launch));
  launch.levels[0].bytes_read = 4;
  EXPECT_TRUE(matters(launch)) << "by FLAT accesses";
  launch = vector_copy();
  launch.instructions = {vector("ds_bpermute_b32", 7, 1)};
  EXPECT_TRUE(matters(launch)) << "without a byte of it";
}

}  // namespace
}  // namespace wavetank::profile
