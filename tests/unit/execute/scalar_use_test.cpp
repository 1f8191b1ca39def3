// Dwords that a scalar load brings for a round length only, as listeners of a launch are told.
#include "execute/scalar_use.hpp"

#include <gtest/gtest.h>

#include "translated_code.hpp"

namespace wavetank::execute {
namespace {

// Encodings by llvm-mc-19 for gfx90a.
const Code kEnd{0xbf810000};
/// s_load_dwordx8 s[0:7], s[8:9], 0x0
const Code kLoad{0xc00e0004, 0x00000000};
/// v_mov_b32 v0, s6; v_mov_b32 v0, s7; s_mov_b32 s7, 0; s_setpc_b64 s[30:31]
const Code kReadSeventh{0x7e000206}, kReadLast{0x7e000207}, kWriteLast{0xbe870080},
    kReturn{0xbe801d1e};
/// s_movrels_b32 s12, s0
const Code kReadByM0{0xbe8c2a00};

unsigned unread(const std::vector<Code>& code) {
  return Translated(code, true).facts(0).unread_dwords;
}

TEST(ScalarUse, WhatNothingReadsIsThereForTheLengthOnly) {
  EXPECT_EQ(unread({kLoad, kReadSeventh, kEnd}), 1u);
  EXPECT_EQ(unread({kLoad, kReadSeventh, kReadLast, kEnd}), 0u);
  EXPECT_EQ(unread({kLoad, kEnd}), 8u);
}

TEST(ScalarUse, WhatIsWrittenAgainIsNotReadBehindThat) {
  EXPECT_EQ(unread({kLoad, kReadSeventh, kWriteLast, kReadLast, kEnd}), 1u);
}

TEST(ScalarUse, ABranchMayLeadToAReader) {
  EXPECT_EQ(unread({kLoad, kReadSeventh, branch(2), kWriteLast, kEnd, kReadLast, kEnd}), 0u);
}

TEST(ScalarUse, WhereM0ChoosesARegisterAnyMayBeRead) {
  EXPECT_EQ(unread({kLoad, kReadByM0, kEnd}), 0u);
}

TEST(ScalarUse, CodeThatIsNotKnownMayReadAnything) {
  EXPECT_EQ(unread({kLoad, kReadSeventh, kReturn}), 0u);
}

}  // namespace
}  // namespace wavetank::execute
