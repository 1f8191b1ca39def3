// Conversions of 8 and 16 bits, every operand, as the virtual device runs them, lane by lane and as
// launches do: against arithmetic on exact doubles and against MPFR. Prints the lines of
// docs/numbers.md and fails if a result is wrong.
#include <cstring>
#include <functional>
#include <vector>

#include "numbers/lane_runner.hpp"
#include "numbers/measure.hpp"
#include "unit/number/mpfr_oracle.hpp"

namespace wavetank::numbers {
namespace {

using number::f16;
using number::f32;
using number::Float;
using number::Round;
using number::test::exact_double;
using number::test::Random;

/// Runs tuples of operands in batches of 64 and compares with the expected results.
class Check {
 public:
  Check(const char* name, std::uint64_t mask) : name_(name), mask_(mask), runner_(name) {}
  Check(const Check&) = delete;
  Check& operator=(const Check&) = delete;
  ~Check() = default;

  void set_mode(std::uint32_t bits) {
    flush();
    runner_.set_mode(bits);
    mode_ = bits;
  }
  void add(std::uint64_t expected, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    operands_[0][count_] = a;
    operands_[1][count_] = b;
    operands_[2][count_] = c;
    expected_[count_] = expected & mask_;
    if (++count_ == 64) flush();
  }
  /// Prints the row; false if a result was wrong.
  bool finish(const char* what, const char* source) {
    flush();
    std::printf("| %s | %s%s | %s | %s |%s\n", name_, with_commas(inputs_).c_str(), what,
                wrong_ == 0 ? "exact" : with_commas(wrong_).c_str(), source,
                wrong_ == 0 ? "" : " WRONG");
    std::fflush(stdout);
    return wrong_ == 0;
  }

 private:
  void flush() {
    if (count_ == 0) return;
    for (unsigned i = 0; i < 3; ++i) {
      if (i < runner_.operand_count()) runner_.set(i, operands_[i]);
    }
    compare(runner_.exact());
    // Launches use the other handler for the default rounding only.
    if (mode_ == LaneRunner::kDefaultMode) compare(runner_.fast());
    inputs_ += count_;
    count_ = 0;
  }
  void compare(const Lanes& results) {
    for (unsigned lane = 0; lane < count_; ++lane) check(lane, results[lane] & mask_);
  }
  void check(unsigned lane, std::uint64_t result) {
    if (result == expected_[lane]) return;
    if (++wrong_ > 3) return;
    std::printf("%s(%llx, %llx, %llx) gives %llx, not %llx\n", name_,
                static_cast<unsigned long long>(operands_[0][lane]),
                static_cast<unsigned long long>(operands_[1][lane]),
                static_cast<unsigned long long>(operands_[2][lane]),
                static_cast<unsigned long long>(result),
                static_cast<unsigned long long>(expected_[lane]));
  }

  const char* name_;
  std::uint64_t mask_;
  LaneRunner runner_;
  Lanes operands_[3] = {};
  Lanes expected_ = {};
  unsigned count_ = 0;
  std::uint32_t mode_ = LaneRunner::kDefaultMode;
  std::uint64_t inputs_ = 0, wrong_ = 0;
};

constexpr std::uint64_t k16 = 0xffff, k32 = 0xffffffff, kAll = ~std::uint64_t{0};

f32 single(std::uint64_t bits) { return {static_cast<std::uint32_t>(bits)}; }
f16 half(std::uint64_t bits) { return {static_cast<std::uint16_t>(bits)}; }
bool is_nan(f32 a) { return (a.bits & 0x7fffffff) > 0x7f800000; }
bool is_nan(f16 a) { return (a.bits & 0x7fff) > 0x7c00; }
std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

/// MODE with a rounding for every format.
std::uint32_t mode_of(Round round) {
  const auto code = static_cast<std::uint32_t>(round);
  return LaneRunner::kDefaultMode | code | code << 2;
}
constexpr Round kRounds[] = {Round::kNearestEven, Round::kUp, Round::kDown, Round::kZero};

/// Every f32 whose upper half is any pattern and whose lower half is one that f16 can have, or near a
/// tie of f16, bf16 and the 8-bit formats.
std::vector<std::uint32_t> singles() {
  std::vector<std::uint32_t> values;
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (std::uint32_t low : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x2000u, 0x4000u, 0x6000u, 0x7fffu,
                              0x8000u, 0x8001u, 0xa000u, 0xc000u, 0xe000u, 0xffffu}) {
      values.push_back(high << 16 | low);
    }
  }
  return values;
}

// ---- 8-bit floats of gfx942: E4M3 with bias 8, E5M2 with bias 16, 0x80 the only NaN ------------

struct Narrow {
  int mantissa_bits, bias;
};
constexpr Narrow kFp8{3, 8}, kBf8{2, 16};

double narrow_value(unsigned code, Narrow format) {
  if (code == 0x80) return std::nan("");
  const int field = static_cast<int>(code & 0x7f) >> format.mantissa_bits;
  const int fraction = static_cast<int>(code) & ((1 << format.mantissa_bits) - 1);
  const int significand = field == 0 ? fraction : fraction + (1 << format.mantissa_bits);
  const double size =
      std::ldexp(significand, (field == 0 ? 1 : field) - format.bias - format.mantissa_bits);
  return (code & 0x80) != 0 ? -size : size;
}

/// The code of x: its magnitude in steps of the format at x, rounded by `round`.
unsigned narrow_code(f32 a, Narrow format, const std::function<double(double)>& round) {
  if (is_nan(a) || (a.bits & 0x7fffffff) == 0x7f800000) return 0x80;
  const double x = exact_double(a), size = std::fabs(x);
  const int least = 1 - format.bias;
  const int exponent = size == 0 ? least : std::max(std::ilogb(size), least);
  const double step = std::ldexp(1.0, exponent - format.mantissa_bits);
  const double rounded = round(size / step) * step;
  if (rounded > narrow_value(0x7f, format)) return 0x80;
  for (unsigned code = 0; code < 0x80; ++code) {
    if (narrow_value(code, format) == rounded) return code | (x < 0 && code != 0 ? 0x80u : 0);
  }
  return 0x100;  // no code has this value: the steps above are wrong
}

bool widen_narrow(const char* name, const char* packed, Narrow format) {
  Check one(name, k32), two(packed, kAll);
  const auto expected = [&](unsigned code) {
    return code == 0x80 ? 0x7fc00000u : bits_of(static_cast<float>(narrow_value(code, format)));
  };
  for (unsigned code = 0; code < 256; ++code) one.add(expected(code), code | 0xabcdef00u);
  for (unsigned pair = 0; pair < 0x10000; ++pair) {
    two.add(expected(pair & 255) | std::uint64_t{expected(pair >> 8)} << 32, pair | 0x7e570000u);
  }
  const bool first = one.finish(" codes", "all");
  return two.finish(" pairs of codes", "all") && first;
}

bool narrow_nearest(const char* name, Narrow format) {
  Check check(name, k16);
  const auto nearest = [](double steps) { return std::nearbyint(steps); };
  const std::vector<std::uint32_t> values = singles();
  std::uint32_t last = 0;
  unsigned last_code = 0;
  for (const std::uint32_t bits : values) {
    const unsigned code = narrow_code(single(bits), format, nearest);
    check.add(code | last_code << 8, bits, last);
    last = bits;
    last_code = code;
  }
  return check.finish(" singles: all upper halves, ties and their neighbours", "nearest-even");
}

bool narrow_stochastic(const char* name, Narrow format) {
  Check check(name, 0xff);
  Random random(3);
  const int dropped = 23 - format.mantissa_bits;
  for (std::uint32_t high = 0; high < 0x10000; ++high) {
    for (unsigned i = 0; i < 12; ++i) {
      const std::uint32_t bits = high << 16 | (i == 0 ? 0 : random.next() & 0xffff);
      const auto drawn = static_cast<std::uint32_t>(random.next());
      const std::uint32_t seed = i == 1 ? 0 : i == 2 ? 0xffffffff : drawn;
      // The seed's top bits are added below the last kept bit, and the sum is cut.
      const auto round = [&](double steps) {
        const double scale = std::ldexp(1.0, dropped);
        return std::floor((std::floor(steps * scale) + (seed >> (32 - dropped))) / scale);
      };
      check.add(narrow_code(single(bits), format, round), bits, seed);
    }
  }
  return check.finish(" singles and seeds", "stochastic");
}

// ---- f16 ---------------------------------------------------------------------------------------

bool half_to_single() {
  Check check("v_cvt_f32_f16", k32);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const f16 a = half(bits);
    const std::uint64_t nan = (bits & 0x8000u) << 16 | 0x7fc00000u | (bits & 0x3ffu) << 13;
    check.add(is_nan(a) ? nan : bits_of(static_cast<float>(exact_double(a))), bits);
  }
  return check.finish(" halves", "all");
}

bool single_to_half() {
  Check check("v_cvt_f16_f32", k16);
  for (const Round round : kRounds) {
    check.set_mode(mode_of(round));
    for (const std::uint32_t bits : singles()) {
      const f32 a = single(bits);
      const std::uint64_t nan = (bits >> 16 & 0x8000) | 0x7e00 | (bits >> 13 & 0x3ff);
      check.add(is_nan(a) ? nan : number::test::reference_convert<f16>(a, round).bits, bits);
    }
  }
  return check.finish(" singles in four roundings", "MPFR");
}

bool singles_to_halves_toward_zero() {
  Check check("v_cvt_pkrtz_f16_f32", k32);
  std::uint32_t last = 0, last_expected = 0;
  for (const std::uint32_t bits : singles()) {
    if (is_nan(single(bits))) continue;
    const std::uint32_t expected =
        number::test::reference_convert<f16>(single(bits), Round::kZero).bits;
    check.add(expected | last_expected << 16, bits, last);
    last = bits;
    last_expected = expected;
  }
  return check.finish(" pairs of singles", "MPFR, towards zero");
}

bool integer_to_half(const char* name, bool is_signed) {
  Check check(name, k16);
  for (const Round round : kRounds) {
    check.set_mode(mode_of(round));
    for (int i = 0; i < 0x10000; ++i) {
      const long value = is_signed ? static_cast<std::int16_t>(i) : i;
      const f16 expected = number::test::rounded<f16>(
          round, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set_si(r, value, m); });
      check.add(expected.bits, static_cast<std::uint64_t>(i));
    }
  }
  return check.finish(" integers in four roundings", "MPFR");
}

/// Halves to integers: `round` of the number times `scale`, held to [low, high]; NaN is 0.
bool half_to_integer(const char* name, double scale, double low, double high,
                     double (*round)(double)) {
  Check check(name, k16);
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    double value = is_nan(half(bits)) ? 0 : exact_double(half(bits)) * scale;
    value = round(std::min(std::max(value, low), high));
    check.add(static_cast<std::uint64_t>(static_cast<std::int64_t>(value)), bits);
  }
  return check.finish(" halves", "all");
}

template <Float T>
bool pack_normalized(const char* name, double scale, double low) {
  Check check(name, k32);
  std::vector<std::uint64_t> operands;
  if constexpr (sizeof(T) == 2) {
    for (unsigned bits = 0; bits < 0x10000; ++bits) operands.push_back(bits);
  } else {
    for (const std::uint32_t bits : singles()) operands.push_back(bits);
  }
  std::uint64_t last = 0, last_expected = 0;
  for (const std::uint64_t bits : operands) {
    const T a{static_cast<decltype(T::bits)>(bits)};
    const double value = is_nan(a) ? 0 : exact_double(a) * scale;
    const double held = std::min(std::max(value, low), scale);
    const auto whole = static_cast<std::int64_t>(std::nearbyint(held));
    const std::uint64_t expected = static_cast<std::uint64_t>(whole) & 0xffff;
    check.add(expected | last_expected << 16, bits, last);
    last = bits;
    last_expected = expected;
  }
  return check.finish(sizeof(T) == 2 ? " pairs: all halves" : " pairs of singles", "nearest-even");
}

// ---- bytes, nibbles, bits 31:16 -----------------------------------------------------------------

bool byte_to_single() {
  static const char* const kNames[] = {"v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2",
                                       "v_cvt_f32_ubyte3"};
  bool right = true;
  for (unsigned index = 0; index < 4; ++index) {
    Check check(kNames[index], k32);
    for (unsigned byte = 0; byte < 256; ++byte) {
      for (const std::uint32_t rest : {0u, 0xffffffffu, 0x5aa55aa5u}) {
        const std::uint32_t operand = (rest & ~(0xffu << (8 * index))) | byte << (8 * index);
        check.add(bits_of(static_cast<float>(byte)), operand);
      }
    }
    right &= check.finish(" words: all bytes", "all");
  }
  return right;
}

bool single_to_byte() {
  Check check("v_cvt_pk_u8_f32", k32);
  for (const Round round : kRounds) {
    check.set_mode(mode_of(round));
    for (const std::uint32_t bits : singles()) {
      const f32 a = single(bits);
      double value = is_nan(a) ? 0 : std::min(std::max(exact_double(a), 0.0), 255.0);
      value = round == Round::kUp     ? std::ceil(value)
              : round == Round::kNearestEven ? std::nearbyint(value)
                                             : std::floor(value);
      const unsigned index = bits >> 3 & 3, shift = 8 * index;
      const std::uint32_t base = 0xdeadbeef ^ bits;
      const std::uint32_t byte = static_cast<std::uint32_t>(value) << shift;
      check.add((base & ~(0xffu << shift)) | byte, bits, index, base);
    }
  }
  return check.finish(" singles in four roundings", "MODE");
}

bool nibble_to_single() {
  Check check("v_cvt_off_f32_i4", k32);
  for (unsigned i = 0; i < 0x10000; ++i) {
    const int nibble = static_cast<int>(i & 15);
    check.add(bits_of(static_cast<float>(nibble < 8 ? nibble : nibble - 16) / 16), i);
  }
  return check.finish(" words", "all nibbles");
}

bool saturate_bytes() {
  Check check("v_sat_pk_u8_i16", k16);
  const auto byte = [](std::uint32_t bits) {
    const int value = static_cast<std::int16_t>(bits);
    return static_cast<std::uint32_t>(value < 0 ? 0 : value > 255 ? 255 : value);
  };
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    const std::uint32_t other = i * 40503u & 0xffff;
    check.add(byte(i) | byte(other) << 8, i | other << 16);
  }
  return check.finish(" pairs: all halves", "all");
}

bool all_conversions() {
  const auto truncate = [](double x) { return std::trunc(x); };
  const auto nearest = [](double x) { return std::nearbyint(x); };
  bool right = widen_narrow("v_cvt_f32_fp8", "v_cvt_pk_f32_fp8", kFp8);
  right &= widen_narrow("v_cvt_f32_bf8", "v_cvt_pk_f32_bf8", kBf8);
  right &= narrow_nearest("v_cvt_pk_fp8_f32", kFp8);
  right &= narrow_nearest("v_cvt_pk_bf8_f32", kBf8);
  right &= narrow_stochastic("v_cvt_sr_fp8_f32", kFp8);
  right &= narrow_stochastic("v_cvt_sr_bf8_f32", kBf8);
  right &= half_to_single();
  right &= single_to_half();
  right &= singles_to_halves_toward_zero();
  right &= integer_to_half("v_cvt_f16_i16", true);
  right &= integer_to_half("v_cvt_f16_u16", false);
  right &= half_to_integer("v_cvt_i16_f16", 1, -32768, 32767, truncate);
  right &= half_to_integer("v_cvt_u16_f16", 1, 0, 65535, truncate);
  right &= half_to_integer("v_cvt_norm_i16_f16", 32767, -32767, 32767, nearest);
  right &= half_to_integer("v_cvt_norm_u16_f16", 65535, 0, 65535, nearest);
  right &= pack_normalized<f16>("v_cvt_pknorm_i16_f16", 32767, -32767);
  right &= pack_normalized<f16>("v_cvt_pknorm_u16_f16", 65535, 0);
  right &= pack_normalized<f32>("v_cvt_pknorm_i16_f32", 32767, -32767);
  right &= pack_normalized<f32>("v_cvt_pknorm_u16_f32", 65535, 0);
  right &= byte_to_single();
  right &= single_to_byte();
  right &= nibble_to_single();
  right &= saturate_bytes();
  return right;
}

}  // namespace
}  // namespace wavetank::numbers

int main() {
  const bool right = wavetank::numbers::all_conversions();
  std::puts(right ? "PASS" : "FAIL: a wrong result");
  return right ? 0 : 1;
}
