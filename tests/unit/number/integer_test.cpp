#include "number/integer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "number/cube.hpp"
#include "number/dot.hpp"
#include "number/sad.hpp"
#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

constexpr std::uint32_t kPatterns[] = {0,          1,          2,          0x7f,       0x80,
                                       0xff,       0x7fff,     0x8000,     0xffff,     0x7fffff,
                                       0x800000,   0xffffff,   0x1000000,  0x7fffffff, 0x80000000,
                                       0xffffffff, 0x12345678, 0x89abcdef, 0xdeadbeef, 0x55aa55aa};

template <class Check>
void for_each_pair(Check check) {
  for (const std::uint32_t a : kPatterns) {
    for (const std::uint32_t b : kPatterns) check(a, b);
  }
}

TEST(Multiply, HighProductsAreThoseOfWideArithmetic) {
  for_each_pair([](std::uint32_t a, std::uint32_t b) {
    const u128 product = static_cast<u128>(a) * b;
    EXPECT_EQ(mul_hi_u32(a, b), static_cast<std::uint32_t>(product >> 32));
    const std::int64_t signed_product =
        std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b);
    EXPECT_EQ(mul_hi_i32(static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)),
              signed_product >> 32);
  });
}

TEST(Saturate, SumsStopAtBothEndsOfTheType) {
  EXPECT_EQ(add_saturate<std::uint32_t>(0xfffffffe, 1), 0xffffffffu);
  EXPECT_EQ(add_saturate<std::uint32_t>(0xfffffffe, 2), 0xffffffffu);
  EXPECT_EQ(sub_saturate<std::uint16_t>(3, 3), 0);
  EXPECT_EQ(sub_saturate<std::uint16_t>(3, 4), 0);
  EXPECT_EQ(add_saturate<std::int32_t>(0x7fffffff, 1), 0x7fffffff);
  EXPECT_EQ(sub_saturate<std::int32_t>(-0x7fffffff, 1), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(sub_saturate<std::int32_t>(-0x7fffffff, 2), std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(add_saturate<std::int16_t>(-32768, -1), -32768);
  EXPECT_EQ(mad_saturate<std::uint16_t>(255, 257, 0), 65535);
  EXPECT_EQ(mad_saturate<std::uint16_t>(255, 257, 1), 65535);
  EXPECT_EQ(mad_saturate<std::int16_t>(-256, 128, -1), -32768);
}

TEST(BitField, ExtractsFollowTheirFiveBitFields) {
  EXPECT_EQ(bfe_u32(0xdeadbeef, 8, 8), 0xbeu);
  EXPECT_EQ(bfe_u32(0xdeadbeef, 40, 40), 0xbeu);  // only five bits count
  EXPECT_EQ(bfe_u32(0xdeadbeef, 0, 32), 0u);      // width 32 is 0
  EXPECT_EQ(bfe_u32(0xdeadbeef, 0, 31), 0x5eadbeefu);
  EXPECT_EQ(bfe_i32(static_cast<std::int32_t>(0xdeadbeef), 8, 8), -66);
  EXPECT_EQ(bfe_i32(0x00000700, 8, 4), 7);
  EXPECT_EQ(bfe_i32(static_cast<std::int32_t>(0x80000000), 31, 8), -1);  // sign copies come in
  EXPECT_EQ(bfe_i32(-1, 3, 0), 0);
}

TEST(BitSearch, CountsAndPositionsAreThoseOfABitByBitSearch) {
  for (const std::uint32_t a : kPatterns) {
    std::uint32_t high = ~0u, low = ~0u, sign = ~0u, reversed = 0;
    for (unsigned i = 0; i < 32; ++i) {
      if (high == ~0u && (a >> (31 - i) & 1) != 0) high = i;
      if (low == ~0u && (a >> i & 1) != 0) low = i;
      if (sign == ~0u && (a >> (31 - i) & 1) != (a >> 31)) sign = i;
      reversed |= (a >> i & 1) << (31 - i);
    }
    EXPECT_EQ(ffbh_u32(a), high);
    EXPECT_EQ(ffbl_b32(a), low);
    EXPECT_EQ(ffbh_i32(static_cast<std::int32_t>(a)), sign);
    EXPECT_EQ(bitreverse(a), reversed);
    EXPECT_EQ(bitreverse(bitreverse(std::uint64_t{a} << 17)), std::uint64_t{a} << 17);
  }
  EXPECT_EQ(bitreverse(std::uint64_t{1}), std::uint64_t{1} << 63);
}

TEST(Bytes, AlignAndPermutePickFromThePairWithTheSecondOperandLow) {
  EXPECT_EQ(alignbit_b32(0x12345678, 0x9abcdef0, 0), 0x9abcdef0u);
  EXPECT_EQ(alignbit_b32(0x12345678, 0x9abcdef0, 4), 0x89abcdefu);
  EXPECT_EQ(alignbit_b32(0x12345678, 0x9abcdef0, 36), 0x89abcdefu);
  EXPECT_EQ(perm_b32(0x77665544, 0x33221100, 0x07050300), 0x77553300u);
  EXPECT_EQ(perm_b32(0x80665544, 0x33228100, 0x08090a0b), 0xff0000ffu);
  EXPECT_EQ(perm_b32(0x77665544, 0x33221100, 0x0c0dff04), 0x00ffff44u);
}

TEST(Bytes, LerpAveragesAndRoundsByTheLowBitOfEachByte) {
  EXPECT_EQ(lerp_u8(0xff010203, 0xff020405, 0x00000001), 0xff010304u);
  EXPECT_EQ(lerp_u8(0xff010203, 0xff020405, 0x01010101), 0xff020304u);
  EXPECT_EQ(lerp_u8(0x000000ff, 0x000000fe, 0x000000fe), 0x000000feu);
}

TEST(Median, TheMiddleOfThreeIntegersInAnyOrderAndSignedness) {
  for (const auto& order : {std::array{-1, 0, 1}, std::array{0, 1, -1}, std::array{1, -1, 0},
                            std::array{-1, 1, 0}, std::array{0, -1, 1}, std::array{1, 0, -1}}) {
    EXPECT_EQ(med3_integer(order[0], order[1], order[2]), 0);
    EXPECT_EQ(med3_integer<std::uint32_t>(order[0], order[1], order[2]), 1u);
  }
  EXPECT_EQ(med3_integer<std::int16_t>(5, 5, -5), 5);
}

TEST(WideMad, TheCarryIsBit64OfTheSum) {
  constexpr std::uint32_t kMost = ~0u;
  const auto no_carry = mad_wide_saturate(kMost, kMost, std::uint64_t{0x1fffffffe});
  EXPECT_EQ(no_carry.value, ~std::uint64_t{0});
  EXPECT_FALSE(no_carry.carry);
  const auto carry = mad_wide_saturate(kMost, kMost, std::uint64_t{0x1ffffffff});
  EXPECT_EQ(carry.value, ~std::uint64_t{0});
  EXPECT_TRUE(carry.carry);
  EXPECT_EQ(mad_wide_saturate(-3, 5, std::int64_t{10}).value, -5);
  EXPECT_TRUE(mad_wide_saturate(-3, 5, std::int64_t{10}).carry);
  EXPECT_FALSE(mad_wide_saturate(-3, 5, std::int64_t{15}).carry);
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(mad_wide_saturate(-3, 5, kLeast).value, kLeast);
  EXPECT_TRUE(mad_wide_saturate(-3, 5, kLeast).carry);
}

TEST(Sad, SumsOfByteAndHalfDifferences) {
  EXPECT_EQ(sad_u8(0x01ff0080, 0x0200ff7f, 10), 10u + 1 + 255 + 255 + 1);
  EXPECT_EQ(sad_hi_u8(0x01ff0080, 0x0200ff7f, 10), (512u << 16) + 10);
  EXPECT_EQ(sad_u16(0x00018000, 0x00047fff, 2), 2u + 3 + 1);
  EXPECT_EQ(sad_u32(1, 5, 0xffffffff), 3u);
  EXPECT_EQ(msad_u8(0x01ff0080, 0x0200ff7f, 10), 10u + 1 + 255 + 1);  // the 0x00 is left out
}

TEST(Sad, QuadFormsSlideAWindowOfFourBytes) {
  const std::uint64_t a = 0x0706050403020100;
  const std::uint32_t b = 0x03020100;
  EXPECT_EQ(qsad_pk_u16_u8(a, b, 0), 0x000c'0008'0004'0000u);
  EXPECT_EQ(qsad_pk_u16_u8(a, b, 0xffff'0000'0000'ffffu), 0x000b'0008'0004'ffffu);
  EXPECT_EQ(mqsad_pk_u16_u8(a, b, 0), 0x0009'0006'0003'0000u);
  const std::array<std::uint32_t, 4> expected{1, 0x10003, 6, 8};
  EXPECT_EQ(mqsad_u32_u8(a, b, {1, 0x10000, 0, 0xffffffff}), expected);
}

TEST(Dot, IntegerProductsSumExactlyAndWrapOrSaturate) {
  EXPECT_EQ(dot2_i32_i16(0x7fff8000, 0x7fff8000, 0, false), 0x7fff0001);
  EXPECT_EQ(dot2_i32_i16(0x80008000, 0x80008000, 0, false),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(dot2_i32_i16(0x80008000, 0x80008000, 0, true), 0x7fffffff);
  EXPECT_EQ(dot2_u32_u16(0xffffffff, 0xffffffff, 0, false), 0xfffc0002u);
  EXPECT_EQ(dot2_u32_u16(0xffffffff, 0xffffffff, 0, true), 0xffffffffu);
  EXPECT_EQ(dot4_i32_i8(0x80ff017f, 0x80ff017f, -1, false), 16384 + 1 + 1 + 16129 - 1);
  EXPECT_EQ(dot4_u32_u8(0x80ff017f, 0x80ff017f, 1, false), 16384u + 65025 + 1 + 16129 + 1);
  EXPECT_EQ(dot4_i32_i8(0x80808080, 0x7f7f7f7f, std::numeric_limits<std::int32_t>::min(), true),
            std::numeric_limits<std::int32_t>::min());
  EXPECT_EQ(dot8_i32_i4(0x8f176543, 0x8f176543, 0, false), 64 + 1 + 1 + 49 + 36 + 25 + 16 + 9);
  EXPECT_EQ(dot8_u32_u4(0xffffffff, 0xffffffff, 7, false), 8u * 225 + 7);
}

TEST(Dot, HalvesMultiplyExactlyAndAddInOrderWithFlushedSingles) {
  const std::uint32_t one_two = 0x40003c00, three_four = 0x44004200;  // (1, 2) . (3, 4)
  EXPECT_EQ(dot2_f32_f16(one_two, three_four, f32{0x3f000000}, {}).bits, 0x41380000u);
  // c is 2^24: adding 1 and then 1 is lost twice, adding 2 would not be.
  EXPECT_EQ(dot2_f32_f16(0x3c003c00, 0x3c003c00, f32{0x4b800000}, {}).bits, 0x4b800000u);
  EXPECT_EQ(dot2_f32_f16(0, 0, f32{0x007fffff}, {}).bits, 0u);
  EXPECT_EQ(dot2_f32_f16(0x00010000, 0x00010000, f32{0}, {}).bits, 0x27800000u);  // 2^-48
}

TEST(Cube, EveryAxisHasItsFaceAndCoordinates) {
  const auto n = [](double v) { return test::from_exact_double<f32>(v); };
  const auto check = [&](double x, double y, double z, double id, double sc, double tc, double ma) {
    EXPECT_EQ(cubeid(n(x), n(y), n(z), {}), n(id)) << x << ' ' << y << ' ' << z;
    EXPECT_EQ(cubesc(n(x), n(y), n(z), {}), n(sc)) << x << ' ' << y << ' ' << z;
    EXPECT_EQ(cubetc(n(x), n(y), n(z), {}), n(tc)) << x << ' ' << y << ' ' << z;
    EXPECT_EQ(cubema(n(x), n(y), n(z), {}), n(ma)) << x << ' ' << y << ' ' << z;
  };
  check(3, 2, 1, 0, -1, -2, 6);
  check(-3, 2, 1, 1, 1, -2, -6);
  check(1, 3, 2, 2, 1, 2, 6);
  check(1, -3, 2, 3, 1, -2, -6);
  check(1, 2, 3, 4, 1, -2, 6);
  check(1, 2, -3, 5, -1, -2, -6);
  check(2, 2, 1, 2, 2, 1, 4);      // a tie of x and y takes y
  check(2, 1, -2, 5, -2, -1, -4);  // a tie with z takes z
}

}  // namespace
}  // namespace wavetank::number
