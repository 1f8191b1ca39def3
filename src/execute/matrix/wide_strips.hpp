// CDNA3's rule (number/fused_dot.hpp, fused_dot_add) for any exponents, a strip of columns at a
// time. A product of two elements is exact in f32; truncated to an integer with 24 fraction bits it
// is what the unit adds. The last sum is in doubles, where every value is exact. Infinities, NaNs,
// products near 2^128 or very far apart go element by element.
#pragma once

#include <hwy/highway.h>

#include "execute/matrix/factors.hpp"
#include "execute/matrix/tile.hpp"

namespace wavetank::execute::WAVETANK_HOST::wide {

namespace hn = hwy::HWY_NAMESPACE;
using number::MatrixFactor;

/// The factors of the running instruction.
struct Product {
  Factors a, b;
  std::int32_t largest_exponent = 0;  ///< of a product
  std::uint64_t special_rows = 0;     ///< rows of A, block after block, that go by element
  std::uint64_t special_columns = 0;  ///< columns of B
};

/// Rounds towards zero; values are within i32, which hn::ConvertTo would check.
template <class D, class V>
HWY_INLINE hn::Vec<D> truncate(D d, V value) {
#if HWY_ARCH_X86 && HWY_COMPILER_CLANG
  using Lanes = std::int32_t __attribute__((vector_size(sizeof(value.raw))));
  hn::Vec<D> result;
  const auto lanes = __builtin_convertvector(value.raw, Lanes);
  static_assert(sizeof(lanes) == sizeof(result));
  std::memcpy(&result, &lanes, sizeof(result));
  return result;
#else
  return hn::ConvertTo(d, value);
#endif
}

/// 2^exponent as f32 from its biased exponent.
template <class D, class V>
HWY_INLINE hn::Vec<D> power_from_field(D d, V field) {
  return hn::BitCast(d, hn::ShiftLeft<23>(field));
}

/// Sums of every kStep-th product of a group from column `first` of A on, cut to the largest
/// exponent.
template <unsigned kStep, MatrixShape kShape, class D, class V = hn::Vec<D>>
HWY_INLINE void align_products(D d, const Product& p, const RowPlaces<kShape>& at, unsigned first,
                               unsigned column, V& sum, V& top) {
  const hn::Rebind<float, D> f;
  top = hn::Set(d, 2 * number::kZeroExponent);
  for (unsigned k = first; k < first + kShape.group; k += kStep) {
    const V b = hn::LoadU(d, p.b.exponent.at + at.b(k) + column);
    top = hn::Max(top, hn::Add(hn::Set(d, p.a.exponent.at[at.a(k)]), b));
  }
  // 2^(24 - top), in units of the largest product; where it would overflow all products are zero.
  const V field = hn::Sub(hn::Set(d, 24 + 127 + p.largest_exponent), top);
  const auto scale = power_from_field(f, hn::Min(field, hn::Set(d, 253)));
  sum = hn::Zero(d);
  for (unsigned k = first; k < first + kShape.group; k += kStep) {
    const auto b = hn::LoadU(f, p.b.value.at + at.b(k) + column);
    const auto product = hn::Mul(hn::Set(f, p.a.value.at[at.a(k)]), b);
    sum = hn::Add(sum, truncate(d, hn::Mul(product, scale)));
  }
}

/// value >> count, rounding down, also for counts of 32 and more.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V shift_down(D d, V value, V count) {
  return hn::Shr(value, hn::Min(count, hn::Set(d, 31)));
}

template <MatrixShape kShape>
inline constexpr bool kEvenOdd = kShape.rule == isa::MatrixRule::kFusedDotEvenOdd;

template <MatrixShape kShape, class D, class V = hn::Vec<D>>
HWY_INLINE void sum_group(D d, const Product& p, const RowPlaces<kShape>& at, unsigned first,
                          unsigned column, V& sum, V& top) {
  if constexpr (!kEvenOdd<kShape>) {
    align_products<1>(d, p, at, first, column, sum, top);
  } else {
    V even, even_top, odd, odd_top;
    align_products<2>(d, p, at, first, column, even, even_top);
    align_products<2>(d, p, at, first + 1, column, odd, odd_top);
    top = hn::Max(even_top, odd_top);
    sum = hn::Add(shift_down(d, even, hn::Sub(top, even_top)),
                  shift_down(d, odd, hn::Sub(top, odd_top)));
  }
}

/// What add_c needs of a strip, as integers.
template <unsigned kWidth>
struct alignas(64) Addends {
  std::int32_t products[kWidth];        ///< 24 fraction bits of their own exponent
  std::int32_t products_power[kWidth];  ///< upper half of the double 2^(7 + exponent - top)
  std::int32_t c[kWidth];               ///< 24 fraction bits of top
  std::int32_t unit_power[kWidth];      ///< upper half of the double 2^(top - 31)
};

/// Aligns C and the products of `d`'s lanes to the larger exponent; false if a C is special.
template <bool kFarCIsZero, unsigned kWidth, class D, class V = hn::Vec<D>>
HWY_INLINE bool align_c(D d, V sum, V exponent, const float* c, unsigned at, Addends<kWidth>& to) {
  const hn::Rebind<float, D> f;
  const V bits = hn::BitCast(d, hn::LoadU(f, c + at));
  const V field = hn::And(hn::ShiftRight<23>(bits), hn::Set(d, 255));
  const V hidden = hn::IfThenElseZero(hn::Gt(field, hn::Zero(d)), hn::Set(d, 1 << 23));
  const V magnitude = hn::Or(hn::And(bits, hn::Set(d, (1 << 23) - 1)), hidden);
  const V sign = hn::ShiftRight<31>(bits);
  const V significand = hn::ShiftLeft<1>(hn::Sub(hn::Xor(magnitude, sign), sign));
  const V c_exponent = hn::Sub(hn::Max(field, hn::Set(d, 1)), hn::Set(d, 127));
  const V top = hn::Max(exponent, c_exponent);
  const V c_shift = hn::Sub(top, c_exponent);
  V c_part = shift_down(d, significand, c_shift);
  if constexpr (kFarCIsZero) {
    c_part = hn::IfThenElseZero(hn::Gt(hn::Set(d, 26), c_shift), c_part);
  }
  const V products_power = hn::Add(hn::Sub(exponent, top), hn::Set(d, 7 + 1023));
  hn::Store(sum, d, to.products + at);
  hn::Store(hn::ShiftLeft<20>(products_power), d, to.products_power + at);
  hn::Store(c_part, d, to.c + at);
  hn::Store(hn::ShiftLeft<20>(hn::Add(top, hn::Set(d, 1023 - 31))), d, to.unit_power + at);
  return hn::AllFalse(d, hn::Eq(field, hn::Set(d, 255)));
}

/// The doubles whose upper halves are given.
template <class D>
HWY_INLINE hn::Vec<D> power_from_half(D d, const std::int32_t* half) {
  const hn::RebindToUnsigned<D> u64;
  const hn::Rebind<std::uint32_t, D> u32;
  const auto bits = hn::LoadU(u32, reinterpret_cast<const std::uint32_t*>(half));
  return hn::BitCast(d, hn::ShiftLeft<32>(hn::PromoteTo(u64, bits)));
}

/// Products, cut to 31 fraction bits of top, plus C, rounded to nearest even.
template <unsigned kWidth>
HWY_INLINE void add_c(const Addends<kWidth>& from, float* c) {
  const hn::CappedTag<double, kWidth> d;
  const hn::Rebind<std::int32_t, decltype(d)> i32;
  const hn::Rebind<float, decltype(d)> f32;
  for (unsigned j = 0; j < kWidth; j += hn::Lanes(d)) {
    const auto products = hn::Mul(hn::PromoteTo(d, hn::Load(i32, from.products + j)),
                                  power_from_half(d, from.products_power + j));
    const auto addend = hn::PromoteTo(d, hn::Load(i32, from.c + j));
    const auto total = hn::Add(hn::Floor(products), hn::Mul(addend, hn::Set(d, 128.0)));
    const auto sum = hn::Mul(total, power_from_half(d, from.unit_power + j));
    hn::StoreU(hn::DemoteTo(f32, sum), f32, c + j);
  }
}

/// One group of D[i][column], element by element: the products of `a` and `b`, of which there are
/// `count`.
HWY_NOINLINE inline float add_elements(const MatrixFactor* a, const MatrixFactor* b, unsigned count,
                                       bool even_odd, float c) {
  number::f32 sum;
  std::memcpy(&sum.bits, &c, 4);
  sum = number::fused_dot_add(a, b, count, sum, even_odd);
  std::memcpy(&c, &sum.bits, 4);
  return c;
}

template <MatrixShape kShape>
HWY_INLINE float add_element(const Product& p, const RowPlaces<kShape>& at, unsigned first,
                             unsigned column, float c) {
  MatrixFactor a[kShape.group], b[kShape.group];
  for (unsigned k = 0; k < kShape.group; ++k) {
    a[k] = p.a.factor(at.a(first + k));
    b[k] = p.b.factor(at.b(first + k) + column);
  }
  return add_elements(a, b, kShape.group, kEvenOdd<kShape>, c);
}

inline bool is_special(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return (bits & 0x7f800000) == 0x7f800000;
}

/// Strips whose products are summed and whose C is still to be added: two loops of independent
/// steps keep the host busier than one with long chains.
template <unsigned kWidth>
struct Pending {
  static constexpr unsigned kMost = 16;
  Addends<kWidth> addends[kMost];
  float* c[kMost];
  unsigned count = 0;

  HWY_NOINLINE void flush() {
    for (unsigned i = 0; i < count; ++i) add_c(addends[i], c[i]);
    count = 0;
  }
};

template <MatrixShape kShape>
HWY_INLINE void add_group(const Product& p, const RowPlaces<kShape>& at, unsigned first,
                          unsigned column, float* c, Pending<kStrip<kShape>>& pending) {
  constexpr unsigned kWidth = kStrip<kShape>;
  const hn::CappedTag<std::int32_t, kWidth> d;
  if (pending.count == pending.kMost) pending.flush();
  Addends<kWidth>& addends = pending.addends[pending.count];
  bool plain = true;
  for (unsigned j = 0; j < kWidth; j += hn::Lanes(d)) {
    hn::Vec<decltype(d)> sum, exponent;
    sum_group(d, p, at, first, column + j, sum, exponent);
    plain &= align_c<kEvenOdd<kShape>>(d, sum, exponent, c, j, addends);
  }
  const bool row = (p.special_rows >> at.a_row & 1) != 0;
  const std::uint64_t columns = row ? ~std::uint64_t{0} : p.special_columns >> at.b_block >> column;
  constexpr std::uint64_t kStripMask = (std::uint64_t{1} << kWidth) - 1;
  if (HWY_LIKELY(plain && (columns & kStripMask) == 0)) {
    pending.c[pending.count++] = c;
    return;
  }
  float before[kWidth];
  std::memcpy(before, c, sizeof before);
  add_c(addends, c);
  for (unsigned j = 0; j < kWidth; ++j) {
    if ((columns >> j & 1) == 0 && !is_special(before[j])) continue;
    c[j] = add_element(p, at, first, column + j, before[j]);
  }
}

/// Whether strips cannot give exact results: products of 2^127 and more, or so far apart that the
/// smallest, divided by the largest, is no normal f32.
bool needs_elements(const Product& p) {
  const std::int32_t a_range = p.a.largest_exponent - p.a.smallest_exponent;
  const std::int32_t b_range = p.b.largest_exponent - p.b.smallest_exponent;
  return p.largest_exponent > 125 || std::max(a_range, 0) + std::max(b_range, 0) > 90;
}

/// Special lanes as rows of A or columns of B: lanes `period` apart hold other k of the same.
constexpr std::uint64_t fold_lanes(std::uint64_t lanes, unsigned period) {
  std::uint64_t folded = lanes;
  for (unsigned shift = period; shift < 64; shift += period) folded |= lanes >> shift;
  return folded;
}

template <MatrixShape kShape>
HWY_INLINE void prepare(const std::uint32_t* a, const std::uint32_t* b, Product& p) {
  take_apart(a, kShape.a_per_lane(), kShape.a, p.a);
  take_apart(b, kShape.b_per_lane(), kShape.b, p.b);
  p.largest_exponent = p.a.largest_exponent + p.b.largest_exponent;
  p.special_rows = needs_elements(p) ? ~std::uint64_t{0}
                                     : fold_lanes(p.a.special_lanes, kShape.m * kShape.blocks);
  p.special_columns = fold_lanes(p.b.special_lanes, kShape.n * kShape.blocks);
}

/// D = A * B + C, the whole instruction.
template <MatrixShape kShape>
HWY_NOINLINE void multiply(const MatrixOp& in) {
  alignas(64) float d[kShape.c_dwords() * 64];
  alignas(64) std::uint32_t copy[4 * 64];
  Product p;
  prepare<kShape>(in.source(0), swizzled_b<kShape>(in, copy), p);
  load_c<kShape>(in, d);
  // The groups of one sum wait for each other; so all rows take a group before the next.
  Pending<kStrip<kShape>> pending;
  for (unsigned k = 0; k < kShape.stored_k(); k += kShape.group) {
    for_each_row<kShape>(in, d, [&](const RowPlaces<kShape>& at, float* row) {
      for (unsigned column = 0; column < kShape.n; column += kStrip<kShape>) {
        add_group(p, at, k, column, row + column, pending);
      }
    });
    pending.flush();
  }
  store_d<kShape>(in, d);
}

}  // namespace wavetank::execute::WAVETANK_HOST::wide
