#include <gtest/gtest.h>

#include "code_object/target_id.hpp"

namespace wavetank::code_object {
namespace {

TargetId id(std::string_view text) {
  auto parsed = parse_target_id(text);
  EXPECT_TRUE(parsed.has_value()) << text;
  return parsed.value_or(TargetId{});
}

TEST(TargetId, ReadsProcessorAndFeatures) {
  EXPECT_EQ(id("gfx90a"), (TargetId{"gfx90a", Feature::kAny, Feature::kAny}));
  EXPECT_EQ(id("gfx90a:xnack-"), (TargetId{"gfx90a", Feature::kAny, Feature::kOff}));
  EXPECT_EQ(id("gfx90a:sramecc+:xnack-"), (TargetId{"gfx90a", Feature::kOn, Feature::kOff}));
  EXPECT_EQ(id("gfx90a:xnack+:sramecc-"), (TargetId{"gfx90a", Feature::kOff, Feature::kOn}));
}

TEST(TargetId, ReadsEverySpellingOfTheTriple) {
  const TargetId expected{"gfx942", Feature::kAny, Feature::kOn};
  EXPECT_EQ(id("amdgcn-amd-amdhsa--gfx942:xnack+"), expected);
  EXPECT_EQ(id("hipv4-amdgcn-amd-amdhsa--gfx942:xnack+"), expected);
  EXPECT_EQ(id("hip-amdgcn-amd-amdhsa--gfx942:xnack+"), expected);
  EXPECT_EQ(id("hip-amdgcn-amd-amdhsa-gfx942:xnack+"), expected);
  EXPECT_EQ(id("hipv4-amdgcn-amd-amdhsa-unknown-gfx942:xnack+"), expected);
  EXPECT_EQ(id("hipv4-amdgcn-amd-amdhsa--gfx9-4-generic").processor, "gfx9-4-generic");
}

TEST(TargetId, WritesFeaturesInCanonicalOrder) {
  for (const auto* text :
       {"gfx90a", "gfx90a:xnack+", "gfx90a:sramecc-", "gfx942:sramecc+:xnack-"}) {
    EXPECT_EQ(id(text).to_text(), text);
  }
  EXPECT_EQ(id("gfx90a:xnack-:sramecc+").to_text(), "gfx90a:sramecc+:xnack-");
}

TEST(TargetId, RefusesWhatIsNoTargetId) {
  for (const auto* text :
       {"", "gfx", "sm_90", "gfx90a:", "gfx90a:xnack", "gfx90a:xnack+:xnack+", "gfx90a:wave64+",
        "gfx90a:+", "GFX90A", "gfx90a xnack+", "hip-spirv64-amd-amdhsa--amdgcnspirv",
        "host-x86_64-unknown-linux--"}) {
    const auto parsed = parse_target_id(text);
    ASSERT_FALSE(parsed.has_value()) << text;
    EXPECT_EQ(parsed.error().code, ErrorCode::kBadBundle);
  }
  EXPECT_TRUE(parse_target_id("gfx" + std::string(61, '1')).has_value());
  EXPECT_FALSE(parse_target_id("gfx" + std::string(62, '1')).has_value());
}

TEST(TargetId, RunsWhereEveryNamedFeatureIsEqual) {
  const TargetId device = id("gfx90a:sramecc+:xnack-");
  for (const auto* text :
       {"gfx90a", "gfx90a:xnack-", "gfx90a:sramecc+", "gfx90a:sramecc+:xnack-"}) {
    EXPECT_TRUE(id(text).runs_on(device)) << text;
  }
  for (const auto* text :
       {"gfx942", "gfx90a:xnack+", "gfx90a:sramecc-", "gfx90a:sramecc+:xnack+"}) {
    EXPECT_FALSE(id(text).runs_on(device)) << text;
  }
  EXPECT_FALSE(TargetId{}.runs_on(TargetId{}));
}

}  // namespace
}  // namespace wavetank::code_object
