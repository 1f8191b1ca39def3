#include "base/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wavetank {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Text, WordsBetweenCommasLeaveOutEmptyOnes) {
  EXPECT_THAT(split_at_commas("mi210,,mine.toml,"), ElementsAre("mi210", "mine.toml"));
  EXPECT_THAT(split_at_commas(""), IsEmpty());
}

}  // namespace
}  // namespace wavetank
