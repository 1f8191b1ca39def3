// The words of HIP, CUDA and Vulkan.
#include "target/glossary.hpp"

#include <gtest/gtest.h>

namespace wavetank::target {
namespace {

TEST(Glossary, EachVocabularyHasItsWord) {
  EXPECT_EQ(word(Term::kWave, Vocabulary::kHip), "wave");
  EXPECT_EQ(word(Term::kWave, Vocabulary::kCuda), "warp");
  EXPECT_EQ(word(Term::kWave, Vocabulary::kVulkan), "subgroup");
  EXPECT_EQ(word(Term::kThread, Vocabulary::kVulkan), "invocation");
  EXPECT_EQ(word(Term::kWorkgroup, Vocabulary::kCuda), "thread block");
  EXPECT_EQ(word(Term::kLds, Vocabulary::kCuda), "shared memory");
  EXPECT_EQ(word(Term::kLds, Vocabulary::kVulkan), "workgroup memory");
}

TEST(Glossary, OneIsSingularAndAnyOtherCountPlural) {
  EXPECT_EQ(word(Term::kWave, Vocabulary::kCuda, 1), "warp");
  EXPECT_EQ(word(Term::kWave, Vocabulary::kCuda, 0), "warps");
  EXPECT_EQ(word(Term::kWave, Vocabulary::kCuda, 2), "warps");
  EXPECT_EQ(word(Term::kGrid, Vocabulary::kVulkan, 2), "dispatches");
  EXPECT_EQ(word(Term::kLds, Vocabulary::kHip, 2), "LDS");
}

TEST(Glossary, LinesStandInTheOrderOfTheirTerms) {
  for (std::size_t i = 0; i < kTermCount; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(glossary()[i].term), i);
  }
}

TEST(Glossary, KeysInATextAreReplaced) {
  EXPECT_EQ(in_terms("{waves} per {workgroup}", Vocabulary::kCuda), "warps per thread block");
  EXPECT_EQ(in_terms("{waves} per {workgroup}", Vocabulary::kHip), "waves per workgroup");
  EXPECT_EQ(in_terms("{Waves} in {lds}", Vocabulary::kVulkan), "Subgroups in workgroup memory");
  EXPECT_EQ(in_terms("no keys", Vocabulary::kCuda), "no keys");
  EXPECT_EQ(in_terms("", Vocabulary::kCuda), "");
}

TEST(Glossary, BracesAroundOtherWordsStay) {
  EXPECT_EQ(in_terms("{block} of {wave}", Vocabulary::kCuda), "{block} of warp");
  EXPECT_EQ(in_terms("{wave", Vocabulary::kCuda), "{wave");
  EXPECT_EQ(in_terms("{}{wave}", Vocabulary::kCuda), "{}warp");
  EXPECT_EQ(in_terms("{ {wave}", Vocabulary::kCuda), "{ warp");
}

TEST(Glossary, OnlyItsThreeVocabulariesHaveNames) {
  EXPECT_EQ(vocabulary_named("hip"), Vocabulary::kHip);
  EXPECT_EQ(vocabulary_named("cuda"), Vocabulary::kCuda);
  EXPECT_EQ(vocabulary_named("vulkan"), Vocabulary::kVulkan);
  EXPECT_EQ(vocabulary_named("CUDA"), std::nullopt);
  EXPECT_EQ(vocabulary_named(""), std::nullopt);
}

}  // namespace
}  // namespace wavetank::target
