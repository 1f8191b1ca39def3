// Memory of workgroups that are stepped.
#include "dispatch/group_arena.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace wavetank::dispatch {
namespace {

constexpr std::size_t kPiece = std::size_t{5} << 20;

TEST(GroupArena, PiecesAreZeroAndLieBesideEachOther) {
  GroupArena arena;
  std::vector<std::byte*> pieces;
  for (unsigned i = 0; i < 20; ++i) {
    std::byte* const piece = arena.take(kPiece + 1);
    ASSERT_NE(piece, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(piece) % 64, 0u);
    EXPECT_EQ(std::count(piece, piece + kPiece + 1, std::byte{0}), std::ptrdiff_t{kPiece + 1});
    std::memset(piece, 1, kPiece + 1);
    pieces.push_back(piece);
  }
  std::ranges::sort(pieces);
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    EXPECT_GE(pieces[i] - pieces[i - 1], std::ptrdiff_t{kPiece + 1});
  }
}

TEST(GroupArena, WhatALaunchHadTheNextOneHas) {
  GroupArena arena;
  std::byte* const first = arena.take(100);
  std::byte* const large = arena.take(std::size_t{40} << 20);
  first[3] = std::byte{7};
  arena.reuse();
  EXPECT_EQ(arena.take(100), first);
  EXPECT_EQ(first[3], std::byte{7});
  EXPECT_EQ(arena.take(std::size_t{40} << 20), large);
}

TEST(GroupArena, WhereThereIsNoMemoryItGivesNone) {
  GroupArena arena;
  EXPECT_EQ(arena.take(std::size_t{1} << 60), nullptr);
  EXPECT_NE(arena.take(64), nullptr) << "others are still to be had";
}

}  // namespace
}  // namespace wavetank::dispatch
