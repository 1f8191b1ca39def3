// CDNA3's f16, bf16, xf32 and 8-bit floats (number/fused_dot.hpp, fused_dot_add), a strip of
// columns at a time. Products are integers with 24 fraction bits; C and the last sum are doubles,
// in which every value here is exact. Infinities, NaNs and products near 2^128 go element by
// element through fused_dot_add.
#include <hwy/highway.h>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/tile.hpp"
#include "isa/catalogue.hpp"
#include "number/fused_dot.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
using number::FactorFormat;
using number::MatrixFactor;

/// What Factors::significand holds of an infinity or a NaN.
constexpr std::int32_t kInfinite = -1, kNan = -2;

/// Elements of A or B taken apart: significand with 10 fraction bits, exponent, and 0 or -1.
struct Factors {
  Elements<std::int32_t> significand, exponent, sign;
  std::int32_t largest_exponent = 2 * number::kZeroExponent;
  bool special = false;

  MatrixFactor factor(unsigned place) const {
    const std::int32_t bits = significand.at[place];
    const auto kind = bits == kNan        ? MatrixFactor::Kind::kNan
                      : bits == kInfinite ? MatrixFactor::Kind::kInfinite
                                          : MatrixFactor::Kind::kFinite;
    return {static_cast<std::uint32_t>(bits), exponent.at[place], sign.at[place] != 0, kind};
  }
};

template <const FactorFormat& kFormat, unsigned kBits>
void take_apart(const std::uint32_t* registers, unsigned per_lane, Factors& to) {
  constexpr auto kMantissa = static_cast<unsigned>(kFormat.mantissa_bits);
  constexpr std::int32_t kTopField = (1 << kFormat.exponent_bits) - 1;
  std::int32_t largest = to.largest_exponent;
  std::uint32_t special = 0;
  for_each_element(registers, per_lane, kBits, [&](std::uint32_t bits, unsigned place) {
    const std::uint32_t value = bits >> kFormat.dropped_bits;
    const auto field = static_cast<std::int32_t>(value >> kMantissa & kTopField);
    const std::uint32_t fraction = value & ((1u << kMantissa) - 1);
    const std::uint32_t whole = fraction | static_cast<std::uint32_t>(field != 0) << kMantissa;
    const std::int32_t exponent = (field == 0 ? 1 : field) - kFormat.bias;
    const auto significand =
        static_cast<std::int32_t>(whole << (number::kFactorFractionBits - kFormat.mantissa_bits));
    const bool infinite = kFormat.ieee && field == kTopField;
    const bool nan = kFormat.ieee ? infinite && fraction != 0 : value == 0x80;
    to.significand.at[place] = nan ? kNan : infinite ? kInfinite : significand;
    to.exponent.at[place] = whole == 0 ? number::kZeroExponent : exponent;
    to.sign.at[place] = -static_cast<std::int32_t>(
        value >> (kFormat.mantissa_bits + kFormat.exponent_bits) & 1);
    special |= static_cast<std::uint32_t>(infinite) | static_cast<std::uint32_t>(nan);
    largest = std::max(largest, exponent);
  });
  to.special = special != 0;
  to.largest_exponent = largest;
}

void take_apart(const std::uint32_t* registers, unsigned per_lane, MatrixElement element,
                Factors& to) {
  switch (element) {
    case MatrixElement::kF16: return take_apart<number::kFactorF16, 16>(registers, per_lane, to);
    case MatrixElement::kBf16: return take_apart<number::kFactorBf16, 16>(registers, per_lane, to);
    case MatrixElement::kXf32: return take_apart<number::kFactorXf32, 32>(registers, per_lane, to);
    case MatrixElement::kFp8: return take_apart<number::kFactorFp8, 8>(registers, per_lane, to);
    default: return take_apart<number::kFactorBf8, 8>(registers, per_lane, to);
  }
}

/// The running instruction, its factors, and whether all must go element by element.
struct Product {
  Factors a, b;
  bool slow = false;
};

/// Sums of products (24 fraction bits) and their exponents, of a strip of columns.
template <unsigned kWidth>
struct alignas(64) Sums {
  std::int32_t sum[kWidth], exponent[kWidth];
};

/// The product of numbers below 2^15: a multiplication of 16-bit halves, the upper ones zero.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V multiply_short(D d, V a, V b) {
#if HWY_ARCH_X86
  const hn::Repartition<std::int16_t, D> halves;
  V rest = hn::Zero(d);
  return hn::ReorderWidenMulAccumulate(d, hn::BitCast(halves, a), hn::BitCast(halves, b),
                                       hn::Zero(d), rest);
#else
  return hn::Mul(a, b);
#endif
}

/// Sums of every kStep-th of kGroup products, cut to the largest exponent.
template <unsigned kGroup, unsigned kStep, class D, class V = hn::Vec<D>>
HWY_INLINE void align_products(D d, const Product& p, const std::uint16_t* a_at,
                               const std::uint16_t* b_at, unsigned column, V& sum, V& top) {
  const hn::RebindToUnsigned<D> u;
  constexpr unsigned kCount = kGroup / kStep;
  V exponents[kCount];
  top = hn::Set(d, 2 * number::kZeroExponent);
  for (unsigned i = 0; i < kCount; ++i) {
    const V b = hn::LoadU(d, p.b.exponent.at + b_at[i * kStep] + column);
    exponents[i] = hn::Add(hn::Set(d, p.a.exponent.at[a_at[i * kStep]]), b);
    top = hn::Max(top, exponents[i]);
  }
  sum = hn::Zero(d);
  for (unsigned i = 0; i < kCount; ++i) {
    const unsigned a = a_at[i * kStep], b = b_at[i * kStep] + column;
    const V product = multiply_short(d, hn::Set(d, p.a.significand.at[a] << 4),
                                     hn::LoadU(d, p.b.significand.at + b));
    const V shift = hn::Min(hn::Sub(top, exponents[i]), hn::Set(d, 31));
    const V part = hn::BitCast(d, hn::Shr(hn::BitCast(u, product), hn::BitCast(u, shift)));
    const V sign = hn::Xor(hn::Set(d, p.a.sign.at[a]), hn::LoadU(d, p.b.sign.at + b));
    sum = hn::Add(sum, hn::Sub(hn::Xor(part, sign), sign));
  }
}

/// value >> count, rounding down, also for counts of 32 and more.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V shift_down(D d, V value, V count) {
  return hn::Shr(value, hn::Min(count, hn::Set(d, 31)));
}

template <unsigned kGroup, bool kEvenOdd, class D, class V = hn::Vec<D>>
HWY_INLINE void sum_group(D d, const Product& p, const std::uint16_t* a_at,
                          const std::uint16_t* b_at, unsigned column, V& sum, V& top) {
  if constexpr (!kEvenOdd) {
    align_products<kGroup, 1>(d, p, a_at, b_at, column, sum, top);
  } else {
    V even, even_top, odd, odd_top;
    align_products<kGroup, 2>(d, p, a_at, b_at, column, even, even_top);
    align_products<kGroup, 2>(d, p, a_at + 1, b_at + 1, column, odd, odd_top);
    top = hn::Max(even_top, odd_top);
    sum = hn::Add(shift_down(d, even, hn::Sub(top, even_top)),
                  shift_down(d, odd, hn::Sub(top, odd_top)));
  }
}

/// 2^exponent for exponents of normal doubles.
template <class D, class V64>
HWY_INLINE hn::Vec<D> power_of_two(D d, V64 exponent) {
  const hn::RebindToSigned<D> i64;
  return hn::BitCast(d, hn::ShiftLeft<52>(hn::Add(exponent, hn::Set(i64, 1023))));
}

/// Adds C to the sums of a strip: number::detail::add_c in doubles.
template <unsigned kWidth, bool kFarCIsZero>
HWY_INLINE void add_c(const Sums<kWidth>& sums, float* c) {
  const hn::CappedTag<double, kWidth> d;
  const hn::RebindToSigned<decltype(d)> i64;
  const hn::Rebind<std::int32_t, decltype(d)> i32;
  const hn::Rebind<float, decltype(d)> f32;
  for (unsigned j = 0; j < kWidth; j += hn::Lanes(d)) {
    const auto bits = hn::BitCast(i32, hn::LoadU(f32, c + j));
    const auto field = hn::And(hn::ShiftRight<23>(bits), hn::Set(i32, 255));
    const auto hidden = hn::IfThenElseZero(hn::Gt(field, hn::Zero(i32)), hn::Set(i32, 1 << 23));
    const auto magnitude = hn::Or(hn::And(bits, hn::Set(i32, (1 << 23) - 1)), hidden);
    const auto sign = hn::ShiftRight<31>(bits);
    const auto c_significand = hn::Sub(hn::Xor(magnitude, sign), sign);
    const auto c_exponent = hn::Sub(hn::Max(field, hn::Set(i32, 1)), hn::Set(i32, 127));
    const auto exponent = hn::LoadU(i32, sums.exponent + j);
    const auto top = hn::Max(exponent, c_exponent);
    // Products keep 31 fraction bits, C 24; both are counted in units of the 31st.
    const auto product_scale = hn::Add(hn::Sub(exponent, top), hn::Set(i32, 7));
    const auto c_shift = hn::Sub(top, c_exponent);
    const auto c_scale = hn::Sub(hn::Set(i32, 1), c_shift);
    const auto products =
        hn::Floor(hn::Mul(hn::PromoteTo(d, hn::LoadU(i32, sums.sum + j)),
                          power_of_two(d, hn::PromoteTo(i64, product_scale))));
    auto addend = hn::Floor(hn::Mul(hn::PromoteTo(d, c_significand),
                                    power_of_two(d, hn::PromoteTo(i64, c_scale))));
    if constexpr (kFarCIsZero) {
      const auto shift = hn::PromoteTo(d, c_shift);
      addend = hn::IfThenElseZero(hn::Le(shift, hn::Set(d, 25.0)), addend);
    }
    const auto total = hn::Add(products, hn::Mul(addend, hn::Set(d, 128.0)));
    const auto unit = power_of_two(d, hn::PromoteTo(i64, hn::Sub(top, hn::Set(i32, 31))));
    hn::StoreU(hn::DemoteTo(f32, hn::Mul(total, unit)), f32, c + j);
  }
}

template <unsigned kWidth>
HWY_INLINE bool has_special(const float* c) {
  std::uint32_t found = 0;
  for (unsigned j = 0; j < kWidth; ++j) {
    std::uint32_t bits;
    std::memcpy(&bits, c + j, 4);
    found |= static_cast<std::uint32_t>((bits & 0x7f800000) == 0x7f800000);
  }
  return found != 0;
}

/// One group of one strip, element by element.
template <unsigned kWidth, unsigned kGroup, bool kEvenOdd>
HWY_NOINLINE void add_group_slowly(const Product& p, const std::uint16_t* a_at,
                                   const std::uint16_t* b_at, unsigned column, float* c) {
  MatrixFactor a[kGroup], b[kGroup];
  for (unsigned j = 0; j < kWidth; ++j) {
    for (unsigned k = 0; k < kGroup; ++k) {
      a[k] = p.a.factor(a_at[k]);
      b[k] = p.b.factor(b_at[k] + column + j);
    }
    number::f32 sum;
    std::memcpy(&sum.bits, c + j, 4);
    sum = number::fused_dot_add(a, b, kGroup, sum, kEvenOdd);
    std::memcpy(c + j, &sum.bits, 4);
  }
}

template <unsigned kWidth, unsigned kGroup, bool kEvenOdd>
HWY_INLINE void add_group(const Product& p, const std::uint16_t* a_at, const std::uint16_t* b_at,
                          unsigned column, float* c) {
  if (HWY_UNLIKELY(p.slow || has_special<kWidth>(c))) {
    return add_group_slowly<kWidth, kGroup, kEvenOdd>(p, a_at, b_at, column, c);
  }
  const hn::CappedTag<std::int32_t, kWidth> d;
  Sums<kWidth> sums;
  for (unsigned j = 0; j < kWidth; j += hn::Lanes(d)) {
    hn::Vec<decltype(d)> sum, top;
    sum_group<kGroup, kEvenOdd>(d, p, a_at, b_at, column + j, sum, top);
    hn::Store(sum, d, sums.sum + j);
    hn::Store(top, d, sums.exponent + j);
  }
  add_c<kWidth, kEvenOdd>(sums, c);
}

template <unsigned kWidth, unsigned kGroup, bool kEvenOdd>
const Op* run_fused(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op, isa::catalogue()[op->row].matrix};
  alignas(64) float d[32 * 64];
  alignas(64) std::uint32_t copy[4 * 64];
  Product p;
  take_apart(in.source(0), in.shape.a_per_lane(), in.shape.a, p.a);
  take_apart(swizzled_b(in, copy), in.shape.b_per_lane(), in.shape.b, p.b);
  // Products below 2^128 for certain: both significands are below 2.
  p.slow = p.a.special || p.b.special || p.a.largest_exponent + p.b.largest_exponent > 125;
  load_c(in, d);
  for_each_row(in, d, [&](const RowPlaces& at, float* row) {
    for (unsigned column = 0; column < in.shape.n; column += kWidth) {
      for (unsigned k = 0; k < in.shape.stored_k(); k += kGroup) {
        add_group<kWidth, kGroup, kEvenOdd>(p, at.a + k, at.b + k, column, row + column);
      }
    }
  });
  store_d(in, d);
  return op + op->dwords;
}

}  // namespace

Handler fused_handler(const isa::MatrixShape& shape) {
  if (shape.rule == isa::MatrixRule::kFusedDotEvenOdd) return &run_fused<16, 16, true>;
  if (shape.n == 4) return &run_fused<4, 4, false>;
  return shape.group == 4 ? &run_fused<16, 4, false> : &run_fused<16, 8, false>;
}

}  // namespace wavetank::execute::WAVETANK_HOST
