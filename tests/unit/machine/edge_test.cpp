#include "machine/edge.hpp"

#include <gtest/gtest.h>

namespace wavetank::machine {
namespace {

TEST(Edge, IsReadAsItIsWritten) {
  const std::vector<Edge> edges = {{EdgeKind::kBarrier, 40, "_Z3sumPi"},
                                   {EdgeKind::kFence, 0, "sum.kd$1"},
                                   {EdgeKind::kAtomic, 64, "_Z3sumPi"},
                                   {EdgeKind::kGridBarrier, 1ull << 40, "k"}};
  const auto read = parse_edges(to_text(edges));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, edges);
  EXPECT_EQ(to_text({edges[0]}), "barrier@40@_Z3sumPi");
}

TEST(Edge, WhatIsNoneIsNamed) {
  for (const char* text : {"barrier", "barrier@40", "barrier@40@", "wall@40@k", "fence@0x40@k",
                           "fence@@k", "barrier@1@k,,x"}) {
    const auto read = parse_edges(text);
    EXPECT_FALSE(read) << text;
  }
  EXPECT_TRUE(parse_edges("")->empty());
}

}  // namespace
}  // namespace wavetank::machine
