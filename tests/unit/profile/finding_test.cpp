// Rules that read how the lanes of accesses lie, and what they load.
#include <gmock/gmock.h>

#include "profile/launch_overhead.hpp"
#include "unit/profile/finding_samples.hpp"

namespace wavetank::profile {
namespace {

using testing::HasSubstr;

TEST(Finding, LanesThatShareALineOf128BytesWithGapsReadFieldsAndOthersWalkRows) {
  EXPECT_TRUE(found("strided-fields", {access("global_load_dword", 124, 62, 2)}));
  EXPECT_FALSE(found("uncoalesced", {access("global_load_dword", 124, 62, 2)}));
  EXPECT_TRUE(found("uncoalesced", {access("global_load_dword", 128, 64, 2)}));
  EXPECT_FALSE(found("strided-fields", {access("global_load_dword", 128, 64, 2)}));
}

TEST(Finding, AnAccessIsNamedByItsArrayAndItsStride) {
  const auto finding = found("uncoalesced", {access("global_load_dword", 8192, 64, 4)});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->text,
            "uncoalesced loads of in: 64 cache lines for each wave where 4 would do, "
            "stride 8192 bytes");
  EXPECT_EQ(finding->place, "kernel.hip:7");
  ASSERT_NE(finding->rule, nullptr);
  EXPECT_THAT(finding->rule->remedy, HasSubstr("neighbouring"));
}

TEST(Finding, RowsOfFourBytesAreNarrowAndRowsOfSixteenAreNot) {
  EXPECT_TRUE(found("narrow-accesses", {access("global_load_dword", 4, 4, 4)}));
  EXPECT_FALSE(found("narrow-accesses", {access("global_load_dwordx4", 16, 16, 16)}));
  EXPECT_FALSE(found("narrow-accesses", {access("global_atomic_add", 4, 4, 4)}));
}

TEST(Finding, ARowThatTouchesALineMoreIsMisaligned) {
  EXPECT_TRUE(found("misaligned", {access("global_load_dword", 4, 5, 4)}));
  EXPECT_FALSE(found("misaligned", {access("global_load_dword", 4, 4, 4)}));
  EXPECT_FALSE(found("uncoalesced", {access("global_load_dword", 4, 5, 4)}));
}

TEST(Finding, ARowOfBytesIsMisalignedThoughItTouchesTwiceTheLines) {
  EXPECT_TRUE(found("misaligned", {access("global_load_ubyte", 1, 2, 1)}));
  EXPECT_FALSE(found("uncoalesced", {access("global_load_ubyte", 1, 2, 1)}));
}

TEST(Finding, OneAddressForAllLanesIsUniform) {
  EXPECT_TRUE(found("uniform-loads", {access("global_load_dword", 0, 1, 1)}));
  EXPECT_FALSE(found("uniform-loads", {access("global_load_dword", 4, 4, 4)}));
  EXPECT_FALSE(found("uniform-loads", {access("global_store_dword", 0, 1, 1)}));
}

TEST(Finding, WhatTheLaunchBeforeHadIsForOneKernel) {
  InstructionProfile load = access("global_load_dword", 4, 4, 4);
  load.access = "a[i]";
  InstructionProfile other = access("global_store_dword", 4, 4, 4);
  other.line = 8;
  load.known_before = load.hits;
  other.hits = 3 * load.hits;
  other.lines_touched = 3 * load.lines_touched;
  const auto finding = found("fusion", {load, other});
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->text,
            "25 % of the cache lines that it touches are of elements that the same work-items had "
            "in the launch before: loads of a[i] in in");
  EXPECT_EQ(finding->place, "kernel.hip:7");
  const double running = running_share(vector_copy());
  EXPECT_NEAR(*finding->gain_percent, 50 * (1 - 0.75 * running), 1e-9) << "one of two stays";
  load.known_before = 0.99 * load.hits;
  EXPECT_FALSE(found("fusion", {load, other}));
}

TEST(Finding, FusionSavesMemoryTrafficAndALaunchButNoOtherWork) {
  const auto gain = [](const char* unit, double busy) {
    LaunchProfile launch = vector_copy();
    InstructionProfile load = access("global_load_dword", 4, 4, 4);
    load.known_before = load.hits;
    launch.instructions = {load};
    launch.units = {{unit, busy}};
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    const auto fusion = std::ranges::find(verdict.findings, "fusion", &Finding::id);
    return *fusion->gain_percent;
  };
  for (const char* const unit : {"VALU", "MFMA", "scalar", "LDS", "LDS bus", "branch"}) {
    EXPECT_NEAR(gain(unit, 80), 10, 1e-9) << unit << ": half of what it leaves";
  }
  for (const std::string_view unit :
       {std::string_view("vector memory"), kTranslation, kFabric, kDispatcher}) {
    EXPECT_NEAR(gain(unit.data(), 80), 50, 1e-9) << unit << ": of memory, or of the launch";
  }
}

TEST(Finding, DiesFetchTheSameMemoryWhereLoadsTakeTwiceTheirArray) {
  LaunchProfile launch = vector_copy();
  launch.device = "mi300x";
  launch.levels.push_back({.name = std::string(kMallLevel), .requests = 1e6, .hits = 1e6});
  const auto is_found = [&](std::uint64_t array_bytes) {
    InstructionProfile load = access("global_load_dword", 4, 2, 2);
    load.array_bytes = array_bytes;
    launch.instructions = {load, load};
    const Verdict verdict = judge(launch, *target::load_device(launch.device));
    return std::ranges::any_of(verdict.findings,
                               [](const Finding& finding) { return finding.id == "die-order"; });
  };
  constexpr std::uint64_t kLoaded = 2 * 1000 * 2 * 128;  // loads, waves, lines, bytes
  EXPECT_TRUE(is_found(kLoaded / 2));
  EXPECT_FALSE(is_found(kLoaded / 2 + 1));
  EXPECT_FALSE(is_found(0)) << "not known";
}

TEST(Finding, AnAccessIsNamedAsItsLineHasItAndByTheArrayBehindIt) {
  InstructionProfile load = access("global_load_dword", 8192, 64, 4);
  load.access = "row[k * 32]";
  EXPECT_THAT(found("uncoalesced", {load})->text, HasSubstr("loads of row[k * 32] in in: 64"));
  load.array = "row";
  EXPECT_THAT(found("uncoalesced", {load})->text, HasSubstr("loads of row[k * 32]: 64"));
}

}  // namespace
}  // namespace wavetank::profile
