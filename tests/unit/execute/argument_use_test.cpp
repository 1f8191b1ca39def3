// Bits of a kernel's arguments that its code takes in.
#include <gtest/gtest.h>

#include "translated_code.hpp"

namespace wavetank::execute {
namespace {

// Encodings by llvm-mc-19 for gfx90a. The arguments are at s[8:9].
const Code kEnd{0xbf810000};
/// s_load_dword s0, s[8:9], 0x4; s_load_dwordx2 s[0:1], s[8:9], 0x8; s_load_dword s0, s[8:9], s3
const Code kLoad{0xc0020004, 0x00000004}, kLoadTwo{0xc0060004, 0x00000008},
    kLoadIndexed{0xc0000004, 0x00000003};
/// s_bitcmp1_b32 s0, 9; s_and_b32 s2, s0, 0xff00; s_bfe_u32 s2, s0, 0x80010; s_lshr_b32 s2, s0, 24
const Code kTestBit{0xbf0d8900}, kAnd{0x8602ff00, 0x0000ff00}, kField{0x9282ff00, 0x00080010},
    kShift{0x8f029800};
/// s_sext_i32_i8 s2, s0; s_sext_i32_i16 s2, s0
const Code kExtendByte{0xbe821600}, kExtendHalf{0xbe821700};
/// s_and_b32 s2, s0, s3; v_mov_b32 v0, s0; v_mov_b32 v0, s1; s_mov_b32 s0, 0
const Code kAndRegister{0x86020300}, kReadAll{0x7e000200}, kReadSecond{0x7e000201},
    kWrite{0xbe800080};
/// v_lshrrev_b16_e64 v1, 8, s0; v_add_u16 v1, s0, v0; v_add_u16_sdwa v1, s0, v0 src0_sel:WORD_1
const Code kShiftHalf{0xd12b0001, 0x00000088}, kAddHalf{0x4c020000},
    kAddUpperHalf{0x4c0200f9, 0x06850600};
/// s_mov_b64 s[10:11], s[8:9]; s_load_dword s0, s[10:11], 0x0; v_mov_b32 v0, s8
const Code kMoveAddress{0xbe8a0108}, kLoadByCopy{0xc0020005, 0x00000000}, kTakeAddress{0x7e000208};
/// s_movrels_b32 s2, s4
const Code kReadByM0{0xbe822a04};
/// s_load_dwordx4 s[8:11], s[8:9], 0x0; v_mov_b32 v0, s11; s_setpc_b64 s[30:31]
const Code kLoadOver{0xc00a0204, 0x00000000}, kReadLast{0x7e00020b}, kReturn{0xbe801d1e};

using Bits = std::vector<std::uint8_t>;

/// Of eight bytes of arguments.
Bits used(const std::vector<Code>& code) {
  return Translated(code).program().used_argument_bits(8, 8);
}

const Bits kAll(8, 0xff);

TEST(ArgumentUse, BytesThatNothingLoadsAreNotUsed) {
  EXPECT_EQ(used({kEnd}), Bits(8, 0));
  EXPECT_EQ(used({kLoad, kReadAll, kEnd}), (Bits{0, 0, 0, 0, 255, 255, 255, 255}));
}

TEST(ArgumentUse, WhatIsLoadedAndNotReadIsNotUsed) {
  EXPECT_EQ(used({kLoad, kEnd}), Bits(8, 0));
  EXPECT_EQ(used({kLoad, kWrite, kReadAll, kEnd}), Bits(8, 0));
}

TEST(ArgumentUse, BitsThatAnInstructionLeavesOutAreNotUsed) {
  EXPECT_EQ(used({kLoad, kTestBit, kEnd}), (Bits{0, 0, 0, 0, 0, 2, 0, 0}));
  EXPECT_EQ(used({kLoad, kAnd, kEnd}), (Bits{0, 0, 0, 0, 0, 255, 0, 0}));
  EXPECT_EQ(used({kLoad, kField, kEnd}), (Bits{0, 0, 0, 0, 0, 0, 255, 0}));
  EXPECT_EQ(used({kLoad, kShift, kEnd}), (Bits{0, 0, 0, 0, 0, 0, 0, 255}));
  EXPECT_EQ(used({kLoad, kShiftHalf, kEnd}), (Bits{0, 0, 0, 0, 0, 255, 0, 0}));
  EXPECT_EQ(used({kLoad, kExtendByte, kEnd}), (Bits{0, 0, 0, 0, 255, 0, 0, 0}));
  EXPECT_EQ(used({kLoad, kExtendHalf, kEnd}), (Bits{0, 0, 0, 0, 255, 255, 0, 0}));
  EXPECT_EQ(used({kLoad, kAddHalf, kEnd}), (Bits{0, 0, 0, 0, 255, 255, 0, 0}));
}

TEST(ArgumentUse, ReadersAddUp) {
  EXPECT_EQ(used({kLoad, kTestBit, kShift, kEnd}), (Bits{0, 0, 0, 0, 0, 2, 0, 255}));
  EXPECT_EQ(used({kLoad, branch(2), kTestBit, kEnd, kShift, kEnd}),
            (Bits{0, 0, 0, 0, 0, 2, 0, 255}));
}

TEST(ArgumentUse, AnInstructionWhoseBitsAreNotKnownTakesAll) {
  const Bits second{0, 0, 0, 0, 255, 255, 255, 255};
  EXPECT_EQ(used({kLoad, kAndRegister, kEnd}), second);
  EXPECT_EQ(used({kLoad, kAddUpperHalf, kEnd}), second);
  EXPECT_EQ(used({kLoad, kReadByM0, kWrite, kEnd}), kAll) << "M0 may choose any register";
}

TEST(ArgumentUse, BytesBehindTheArgumentsAreNobodys) {
  EXPECT_EQ(used({kLoadTwo, kReadAll, kReadSecond, kEnd}), Bits(8, 0));
}

TEST(ArgumentUse, TheAddressIsFollowedThroughMovesAndUntilItIsOverwritten) {
  EXPECT_EQ(used({kMoveAddress, kLoadByCopy, kReadAll, kEnd}),
            (Bits{255, 255, 255, 255, 0, 0, 0, 0}));
  EXPECT_EQ(used({kLoadOver, kTakeAddress, kEnd}), (Bits{255, 255, 255, 255, 0, 0, 0, 0}));
  EXPECT_EQ(used({kLoadOver, kReadLast, kEnd}), Bits(8, 0)) << "the fourth dword is no argument";
}

TEST(ArgumentUse, WhereTheAddressGoesElsewhereAllIsUsed) {
  EXPECT_EQ(used({kTakeAddress, kEnd}), kAll);
  EXPECT_EQ(used({kLoadIndexed, kEnd}), kAll);
  EXPECT_EQ(used({kLoad, kReturn}), kAll);
}

}  // namespace
}  // namespace wavetank::execute
