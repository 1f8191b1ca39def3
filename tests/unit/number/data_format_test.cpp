// Components of buffer and image formats against their definitions (Vulkan specification,
// "Conversion from Normalized Fixed-Point to Floating-Point" and "Fixed-Point Data Conversions").
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "number/data_format.hpp"

namespace wavetank::number {
namespace {

float as_float(std::uint32_t bits) { return std::bit_cast<float>(bits); }
std::uint32_t as_bits(float value) { return std::bit_cast<std::uint32_t>(value); }

TEST(DataFormat, NormalisedValuesAreQuotientsAndComeBack) {
  for (const unsigned bits : {2u, 8u, 10u, 16u}) {
    const std::uint32_t most = (1u << bits) - 1, half = 1u << (bits - 1);
    for (std::uint32_t raw = 0; raw <= most; ++raw) {
      const std::uint32_t unorm = load_component(raw, bits, NumberFormat::kUnorm, 0);
      EXPECT_EQ(as_float(unorm), static_cast<float>(double(raw) / most));
      EXPECT_EQ(store_component(unorm, bits, NumberFormat::kUnorm, 0), raw);
      const auto value = static_cast<std::int32_t>(raw) - (raw >= half ? int(most) + 1 : 0);
      const std::uint32_t snorm = load_component(raw, bits, NumberFormat::kSnorm, 0);
      EXPECT_EQ(as_float(snorm), std::max(-1.0f, static_cast<float>(double(value) / (half - 1))));
      if (raw != half) {
        EXPECT_EQ(store_component(snorm, bits, NumberFormat::kSnorm, 0), raw);
      }
    }
  }
}

TEST(DataFormat, StoresTakeTheNearestValueInRange) {
  const auto unorm8 = [](float v) { return store_component(as_bits(v), 8, NumberFormat::kUnorm, 0); };
  EXPECT_EQ(unorm8(2.0f), 255u);
  EXPECT_EQ(unorm8(-1.0f), 0u);
  EXPECT_EQ(unorm8(std::nanf("")), 0u);
  EXPECT_EQ(unorm8(0.5f), 128u) << "127.5 is halfway: the even one";
  EXPECT_EQ(store_component(300, 8, NumberFormat::kUint, 0), 255u);
  EXPECT_EQ(store_component(255, 8, NumberFormat::kUint, 0), 255u);
  EXPECT_EQ(store_component(static_cast<std::uint32_t>(-129), 8, NumberFormat::kSint, 0), 0x80u);
  EXPECT_EQ(store_component(static_cast<std::uint32_t>(-128), 8, NumberFormat::kSint, 0), 0x80u);
  EXPECT_EQ(store_component(128, 8, NumberFormat::kSint, 0), 0x7fu);
  EXPECT_EQ(store_component(as_bits(3.9f), 8, NumberFormat::kUscaled, 0), 3u);
  EXPECT_EQ(store_component(as_bits(-3.9f), 8, NumberFormat::kSscaled, 0), 0xfdu);
}

TEST(DataFormat, IntegersExtendByTheirSign) {
  EXPECT_EQ(load_component(0x80, 8, NumberFormat::kUint, 0), 0x80u);
  EXPECT_EQ(load_component(0x80, 8, NumberFormat::kSint, 0), 0xffffff80u);
  EXPECT_EQ(load_component(0x80000000u, 32, NumberFormat::kSint, 0), 0x80000000u);
  EXPECT_EQ(as_float(load_component(0x80, 8, NumberFormat::kSscaled, 0)), -128.0f);
  EXPECT_EQ(as_float(load_component(0xffffffffu, 32, NumberFormat::kUscaled, 0)), 4294967296.0f);
}

TEST(DataFormat, SmallFloatsHaveFiveBitsOfExponentAndNoSign) {
  EXPECT_EQ(as_float(load_component(0x3c0, 11, NumberFormat::kFloat, 0)), 1.0f);
  EXPECT_EQ(as_float(load_component(0x1e0, 10, NumberFormat::kFloat, 0)), 1.0f);
  EXPECT_EQ(as_float(load_component(1, 11, NumberFormat::kFloat, 0)), std::ldexp(1.0f, -20));
  EXPECT_EQ(store_component(as_bits(1.0f), 11, NumberFormat::kFloat, 0), 0x3c0u);
  EXPECT_EQ(store_component(as_bits(-1.0f), 11, NumberFormat::kFloat, 0), 0u);
  EXPECT_EQ(store_component(as_bits(1.99f), 10, NumberFormat::kFloat, 0), 0x1ffu) << "towards zero";
  for (std::uint32_t raw = 0; raw < 0x7c0; ++raw) {
    const std::uint32_t wide = load_component(raw, 11, NumberFormat::kFloat, 0);
    EXPECT_EQ(store_component(wide, 11, NumberFormat::kFloat, 0), raw);
  }
}

TEST(DataFormat, SrgbBendsAllButTheFourth) {
  EXPECT_EQ(as_float(load_component(255, 8, NumberFormat::kSrgb, 0)), 1.0f);
  EXPECT_NEAR(as_float(load_component(188, 8, NumberFormat::kSrgb, 1)), 0.5029, 1e-4);
  EXPECT_EQ(as_float(load_component(51, 8, NumberFormat::kSrgb, 3)), 0.2f);
  for (std::uint32_t raw = 0; raw < 256; ++raw) {
    const std::uint32_t linear = load_component(raw, 8, NumberFormat::kSrgb, 2);
    EXPECT_EQ(store_component(linear, 8, NumberFormat::kSrgb, 2), raw);
  }
}

TEST(DataFormat, TexelsUnpackFromTheLowestBits) {
  const std::uint32_t word = 0xc0000000u | 0x3ffu << 20 | 0x155u << 10 | 0x2aau;
  std::array<std::byte, 16> texel = {};
  std::memcpy(texel.data(), &word, 4);
  EXPECT_EQ(unpack_texel(texel.data(), data_format(9)),
            (std::array<std::uint32_t, 4>{0x2aa, 0x155, 0x3ff, 3}));
  for (unsigned number = 1; number <= 14; ++number) {
    const DataFormat format = data_format(number);
    for (unsigned i = 0; i < 16; ++i) texel[i] = std::byte(17 * i + 5);
    std::array<std::byte, 16> again = {};
    pack_texel(unpack_texel(texel.data(), format), format, again.data());
    EXPECT_TRUE(std::equal(texel.begin(), texel.begin() + format.bytes, again.begin())) << number;
  }
  EXPECT_EQ(data_format(0).bytes, 0u);
  EXPECT_EQ(data_format(15).bytes, 0u);
}

TEST(DataFormat, HalvesOfSignedIntegersKeepTheirSignOnTheWayBack) {
  EXPECT_EQ(half_of(0xffff'fffeu, NumberFormat::kSint), 0xfffeu);
  EXPECT_EQ(from_half(0xfffe, NumberFormat::kSint), 0xffff'fffeu);
  EXPECT_EQ(from_half(0x7fff, NumberFormat::kSint), 0x7fffu);
  EXPECT_EQ(from_half(0xfffe, NumberFormat::kUint), 0xfffeu);
  EXPECT_EQ(half_of(as_bits(1.5f), NumberFormat::kUnorm), 0x3e00u);
  EXPECT_EQ(from_half(0x3e00, NumberFormat::kFloat), as_bits(1.5f));
}

TEST(DataFormat, SelectsChooseZeroOneOrAComponent) {
  const std::array<std::uint32_t, 4> values = {10, 11, 12, 13};
  EXPECT_EQ(selected(values, 0, NumberFormat::kUint), 0u);
  EXPECT_EQ(selected(values, 1, NumberFormat::kUint), 1u);
  EXPECT_EQ(selected(values, 1, NumberFormat::kUnorm), as_bits(1.0f));
  EXPECT_EQ(selected(values, 7, NumberFormat::kUint), 13u);
}

}  // namespace
}  // namespace wavetank::number
