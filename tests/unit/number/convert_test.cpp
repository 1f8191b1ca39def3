#include "number/convert.hpp"

#include <gtest/gtest.h>

#include "number/pack.hpp"
#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::number {
namespace {

using test::exact_double;
using test::kRounds;

/// A NaN moved to another format as the header documents it, stated a second time.
template <Float To, Float From>
std::uint64_t moved_nan(From a) {
  const auto payload = static_cast<double>(a.bits & Format<From>::kMantissaMask);
  const int shift = Format<To>::kMantissaBits - Format<From>::kMantissaBits;
  const auto moved = static_cast<std::uint64_t>(std::ldexp(payload, shift));
  const bool negative = (a.bits & Format<From>::kSign) != 0;
  return Format<To>::kDefaultNan | moved | (negative ? Format<To>::kSign : 0);
}

template <Float To, Float From>
void expect_converted(From a, Round round) {
  const To expected = is_nan(a) ? from_bits<To>(moved_nan<To>(a))
                                : test::reference_convert<To>(a, round);
  ASSERT_EQ((convert<To>(a, {}, FloatMode{round}).bits), expected.bits) << std::hex << +a.bits;
  if constexpr (std::same_as<To, f16> && std::same_as<From, f32>) {
    ASSERT_EQ(f32_to_f16(a, {}, FloatMode{round}).bits, expected.bits) << std::hex << a.bits;
  }
  if constexpr (std::same_as<To, f32> && std::same_as<From, f16>) {
    ASSERT_EQ(f16_to_f32(a).bits, expected.bits) << std::hex << a.bits;
  }
}

TEST(Convert, EveryHalfAndBfloatWidensExactly) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    expect_converted<f32>(f16{static_cast<std::uint16_t>(bits)}, Round::kNearestEven);
    expect_converted<f64>(f16{static_cast<std::uint16_t>(bits)}, Round::kNearestEven);
    const bf16 wide{static_cast<std::uint16_t>(bits)};
    if (!is_nan(wide)) {
      ASSERT_EQ(exact_double(convert<f32>(wide, {}, {})), exact_double(wide));
    }
  }
}

TEST(Convert, SinglesNarrowAsMpfrRoundsThem) {
  for (const Round round : kRounds) {
    for (std::uint64_t bits = 0; bits < 0x100000000; bits += 9973) {
      const f32 a{static_cast<std::uint32_t>(bits)};
      expect_converted<f16>(a, round);
      expect_converted<bf16>(a, round);
    }
  }
}

TEST(Convert, EveryHalfsMidpointAndItsNeighboursNarrowAsMpfrRoundsThem) {
  for (const Round round : kRounds) {
    for (unsigned bits = 0; bits < 0x7c00; ++bits) {
      const f32 low = f16_to_f32(f16{static_cast<std::uint16_t>(bits)});
      const double step = exact_double(f16{static_cast<std::uint16_t>(bits + 1)});
      const double next = bits == 0x7bff ? 65536 : step;
      const f32 middle = test::from_exact_double<f32>((exact_double(low) + next) / 2);
      for (const std::uint32_t pattern : {middle.bits - 1, middle.bits, middle.bits + 1}) {
        expect_converted<f16>(f32{pattern}, round);
        expect_converted<f16>(f32{pattern | 0x80000000}, round);
      }
    }
  }
}

TEST(Convert, DoublesNarrowAsMpfrRoundsThem) {
  test::Random random(1);
  for (const Round round : kRounds) {
    for (const f64 a : test::value_grid<f64>(2000)) expect_converted<f32>(a, round);
    for (int i = 0; i < 60000; ++i) {
      const std::uint64_t exponent = 1023 - 160 + random.next() % 300;
      std::uint64_t bits = (random.next() >> 12) | (exponent << 52);
      if (i % 3 == 0) bits &= ~((std::uint64_t{1} << 28) - 1);  // ties
      expect_converted<f32>(f64{bits}, round);
      expect_converted<f16>(f64{bits}, round);
    }
  }
}

TEST(Convert, DenormalsAreFlushedAsEachSideSays) {
  FloatMode in, out;
  in.flush_input_denormals = true;
  out.flush_output_denormals = true;
  EXPECT_EQ(f32_to_f16(f32{0x33800000}, {}, {}).bits, 1u);
  EXPECT_EQ(f32_to_f16(f32{0xb3800000}, {}, out).bits, 0x8000u);
  EXPECT_EQ(convert<f64>(f32{1}, {}, {}).bits, 0x36a0000000000000u);
  EXPECT_EQ(convert<f64>(f32{0x80000001}, in, {}).bits, 0x8000000000000000u);
  EXPECT_EQ(f16_to_f32(f16{1}).bits, 0x33800000u);
}

/// The integer nearest to x in the direction, saturated: the documented rule in doubles.
double saturated(double x, double low, double high) {
  return std::isnan(x) ? 0 : (x < low ? low : (x > high ? high : x));
}

TEST(ConvertToInteger, EveryHalfTruncatesAndSaturates) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const f16 a{static_cast<std::uint16_t>(bits)};
    const double x = is_nan(a) ? NAN : exact_double(a);
    ASSERT_EQ(f16_to_i16(a), saturated(std::trunc(x), -32768, 32767));
    ASSERT_EQ(f16_to_u16(a), saturated(std::trunc(x), 0, 65535));
    ASSERT_EQ(to_i32(a), saturated(std::trunc(x), -2147483648.0, 2147483647.0));
  }
}

TEST(ConvertToInteger, SinglesAndDoublesTruncateAndSaturate) {
  const auto check = [](auto a) {
    const double x = is_nan(a) ? NAN : exact_double(a);
    ASSERT_EQ(to_i32(a), saturated(std::trunc(x), -2147483648.0, 2147483647.0)) << x;
    ASSERT_EQ(to_u32(a), saturated(std::trunc(x), 0, 4294967295.0)) << x;
  };
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 997) {
    check(f32{static_cast<std::uint32_t>(bits)});
  }
  for (const f64 a : test::value_grid<f64>(20000)) check(a);
  for (const double edge : {2147483647.0, 2147483648.0, 4294967295.0, 4294967296.0}) {
    for (const double offset : {-1.0, -0.5, -0.25, 0.0, 0.25, 0.5, 1.0}) {
      check(from_host(edge + offset));
      check(from_host(-edge - offset));
    }
  }
}

TEST(ConvertToInteger, FlrTakesTheFloorAndRpiTheFloorAfterAddingAHalfInF32) {
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 997) {
    const f32 a{static_cast<std::uint32_t>(bits)};
    const double x = is_nan(a) ? NAN : exact_double(a);
    ASSERT_EQ(f32_to_i32_flr(a, {}), saturated(std::floor(x), -2147483648.0, 2147483647.0));
    const double up = std::floor(static_cast<double>(static_cast<float>(x) + 0.5f));
    ASSERT_EQ(f32_to_i32_rpi(a, {}), saturated(up, -2147483648.0, 2147483647.0)) << x;
  }
  EXPECT_EQ(f32_to_i32_rpi(f32{0x3efffffe}, {}), 0);   // the sum rounds to just under 1
  EXPECT_EQ(f32_to_i32_rpi(f32{0x3effffff}, {}), 1);   // it rounds to 1
  EXPECT_EQ(f32_to_i32_rpi(f32{0x3f000000}, {}), 1);
  EXPECT_EQ(f32_to_i32_rpi(f32{0xbf000000}, {}), 0);   // -0.5 goes up
  EXPECT_EQ(f32_to_i32_rpi(f32{0xbfc00000}, {}), -1);  // -1.5
}

TEST(ConvertFromInteger, IntegersRoundAsMpfrRoundsThem) {
  static test::Real x;
  test::Random random(3);
  for (const Round round : kRounds) {
    for (int i = 0; i < 40000; ++i) {
      const auto bits = static_cast<std::uint32_t>(random.next() >> (random.next() % 32));
      const auto check = [&](auto result, double value) {
        mpfr_set_d(x.v, value, MPFR_RNDN);
        const auto expected = test::rounded<decltype(result)>(
            round, [](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, x.v, m); });
        ASSERT_EQ(result.bits, expected.bits) << value;
      };
      check(from_u32<f32>(bits, {round}), bits);
      check(from_i32<f32>(static_cast<std::int32_t>(bits), {round}), static_cast<int>(bits));
      check(from_u32<f64>(bits, {round}), bits);
      check(from_i32<f64>(static_cast<std::int32_t>(bits), {round}), static_cast<int>(bits));
      check(from_u32<f16>(bits & 0xffff, {round}), bits & 0xffff);
      check(from_i32<f16>(static_cast<std::int16_t>(bits), {round}),
            static_cast<std::int16_t>(bits));
    }
  }
}

TEST(ConvertFromInteger, SignedSixteenthsAreExact) {
  for (int nibble = -8; nibble < 8; ++nibble) {
    const auto bits = static_cast<std::uint32_t>(nibble);
    EXPECT_EQ(exact_double(off_f32_i4(bits & 15)), nibble / 16.0);
    EXPECT_EQ(exact_double(off_f32_i4(bits | 0x70)), nibble / 16.0);
  }
}

TEST(Pack, NormalizedIntegersAreTheNearestStepsAndSaturate) {
  const auto check = [](auto a) {
    const double x = is_nan(a) ? 0 : exact_double(a);
    const double clamped = x < -1 ? -1 : (x > 1 ? 1 : x);
    ASSERT_EQ(to_snorm16(a), std::nearbyint(clamped * 32767)) << x;
    ASSERT_EQ(to_unorm16(a), std::nearbyint((clamped < 0 ? 0 : clamped) * 65535)) << x;
  };
  for (unsigned bits = 0; bits < 0x10000; ++bits) check(f16{static_cast<std::uint16_t>(bits)});
  for (std::uint64_t bits = 0; bits < 0x100000000; bits += 9973) {
    check(f32{static_cast<std::uint32_t>(bits)});
  }
  EXPECT_EQ(cvt_pknorm_i16(f32{0xbf800000}, f32{0x3f800000}), 0x7fff8001u);
  EXPECT_EQ(cvt_pknorm_u16(f16{0x3c00}, f16{0xbc00}), 0x0000ffffu);
}

TEST(Pack, PkrtzTruncatesWhateverTheModeAndPutsTheFirstOperandLow) {
  const f32 above_one{0x3f801fff}, big{0x7f7fffff};
  EXPECT_EQ(cvt_pkrtz_f16_f32(above_one, big, {}, FloatMode{Round::kUp}), 0x7bff3c00u);
  EXPECT_EQ(pack_b32_f16(f16{0x1234}, f16{0xabcd}), 0xabcd1234u);
}

TEST(Pack, BytesSaturateRoundAndLandAtTheirIndex) {
  EXPECT_EQ(cvt_pk_u8_f32(f32{0x40200000}, 1, 0x11223344, {}), 0x11220244u);  // 2.5 to even
  EXPECT_EQ(cvt_pk_u8_f32(f32{0x40200000}, 5, 0x11223344, {Round::kUp}), 0x11220344u);
  EXPECT_EQ(cvt_pk_u8_f32(f32{0x43800000}, 3, 0, {}), 0xff000000u);
  EXPECT_EQ(cvt_pk_u8_f32(f32{0xc0000000}, 0, 0xffffffff, {}), 0xffffff00u);
  EXPECT_EQ(cvt_pk_u8_f32(f32{0x7fc00000}, 0, 0xffffffff, {}), 0xffffff00u);
}

TEST(Pack, IntegersSaturateToHalvesAndBytes) {
  EXPECT_EQ(cvt_pk_i16_i32(32768, -32769), 0x80007fffu);
  EXPECT_EQ(cvt_pk_i16_i32(32767, -32768), 0x80007fffu);
  EXPECT_EQ(cvt_pk_u16_u32(65536, 65535), 0xffffffffu);
  EXPECT_EQ(cvt_pk_u16_u32(7, 8), 0x00080007u);
  EXPECT_EQ(sat_pk_u8_i16(0x0100ffff), 0xff00u);
  EXPECT_EQ(sat_pk_u8_i16(0x00fe0001), 0xfe01u);
}

}  // namespace
}  // namespace wavetank::number
