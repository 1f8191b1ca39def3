// CDNA2's f16 and bf16 (number/fused_dot.hpp, pairwise_dot_add): products, pairs, pairs of pairs,
// C; each rounded to f32, denormals taken and given as zero. Products are exact in f32, so that an
// FMA rounds the sum of a pair as an addition would; where no sum can be denormal, none is looked
// at (docs/decisions/0035).
#include <hwy/highway.h>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/operands.hpp"
#include "number/types.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using F = hn::ScalableTag<float>;
using U = hn::ScalableTag<std::uint32_t>;
using V = hn::Vec<F>;
constexpr unsigned kLanes = hn::MaxLanes(F());

/// Elements of A or B as f32: element of the lane, then lane; denormals are +0.
template <unsigned kPerLane>
struct Widened {
  alignas(64) float at[kPerLane * 64];
  /// Exponent fields of f32 of the largest element and of the smallest that is not zero.
  std::uint32_t largest = 0, smallest = 0x1ff;
};

/// Elements in the upper halves of dwords as f32.
template <MatrixElement kElement>
HWY_INLINE hn::Vec<U> widen(hn::Vec<U> upper) {
  const U u;
  if constexpr (kElement == MatrixElement::kBf16) {
    const auto field = hn::And(upper, hn::Set(u, 0x7f800000));
    return hn::IfThenElseZero(hn::Ne(field, hn::Zero(u)), upper);
  } else {
    const auto field = hn::And(upper, hn::Set(u, 0x7c000000));
    const auto rebias = hn::Set(u, 112u << 23);
    const auto magnitude = hn::ShiftRight<3>(hn::And(upper, hn::Set(u, 0x7fff0000)));
    const auto special = hn::Eq(field, hn::Set(u, 0x7c000000));
    const auto more = hn::Add(magnitude, hn::IfThenElseZero(special, rebias));
    const auto sign = hn::And(upper, hn::Set(u, 0x80000000));
    return hn::IfThenElseZero(hn::Ne(field, hn::Zero(u)), hn::Or(hn::Add(more, rebias), sign));
  }
}

template <MatrixElement kElement, unsigned kPerLane>
HWY_INLINE void widen_all(const std::uint32_t* registers, Widened<kPerLane>& to) {
  const U u;
  auto largest = hn::Zero(u), smallest = hn::Set(u, ~0u);
  for (unsigned pair = 0; pair < kPerLane; pair += 2) {
    for (unsigned lane = 0; lane < 64; lane += kLanes) {
      const auto both = hn::LoadU(u, registers + pair * 32 + lane);
      const auto first = widen<kElement>(hn::ShiftLeft<16>(both));
      const auto second = widen<kElement>(hn::And(both, hn::Set(u, 0xffff0000)));
      hn::Store(hn::BitCast(F(), first), F(), to.at + pair * 64 + lane);
      hn::Store(hn::BitCast(F(), second), F(), to.at + pair * 64 + 64 + lane);
      if constexpr (kElement == MatrixElement::kBf16) {
        for (const auto bits : {first, second}) {
          const auto magnitude = hn::Add(bits, bits);
          largest = hn::Max(largest, magnitude);
          smallest = hn::Min(smallest, hn::Sub(magnitude, hn::Set(u, 1)));
        }
      }
    }
  }
  if constexpr (kElement == MatrixElement::kBf16) {
    to.largest = hn::GetLane(hn::MaxOfLanes(u, largest)) >> 24;
    to.smallest = hn::GetLane(hn::MinOfLanes(u, smallest)) >> 24;
  }
}

/// Whether no product reaches 2^127 and no sum but 0 lies below 2^-126: every product is a multiple
/// of 2^-102, so that a sum with C that loses its upper bits is one of 2^-126. In f16 always.
template <MatrixElement kElement, unsigned kPerLane>
HWY_INLINE bool stays_normal(const Widened<kPerLane>& a, const Widened<kPerLane>& b) {
  if constexpr (kElement == MatrixElement::kF16) return true;
  constexpr std::uint32_t kBias = 127, kFractionBits = 7;
  return a.largest + b.largest <= 2 * kBias + 125 &&
         a.smallest + b.smallest >= 2 * kBias + 2 * kFractionBits - 102;
}

/// a * b + c, of which the product is exact.
HWY_INLINE V multiply_add(V a, V b, V c) {
#if HWY_TARGET <= HWY_AVX2
  return hn::MulAdd(a, b, c);
#else
  return hn::Add(hn::Mul(a, b), c);
#endif
}

/// Zero of its sign for a denormal.
HWY_INLINE V flush(V value) {
  const F f;
  const auto least = hn::BitCast(f, hn::Set(U(), number::Format<number::f32>::kHidden));
  const V sign = hn::And(value, hn::BitCast(f, hn::Set(U(), 0x80000000u)));
  return hn::IfThenElse(hn::Lt(hn::Abs(value), least), sign, value);
}

/// The sum of kCount products: factors a[k] and b[k].
template <bool kStaysNormal, unsigned kCount>
HWY_INLINE V tree(const V* a, const V* b) {
  if constexpr (!kStaysNormal && kCount == 1) {
    return flush(hn::Add(hn::Mul(*a, *b), hn::Zero(F())));  // a product of -0 becomes +0
  } else if constexpr (kStaysNormal && kCount == 2) {
    return multiply_add(a[0], b[0], hn::Mul(a[1], b[1]));
  } else {
    constexpr unsigned kHalf = kCount / 2;
    const V sum =
        hn::Add(tree<kStaysNormal, kHalf>(a, b), tree<kStaysNormal, kHalf>(a + kHalf, b + kHalf));
    return kStaysNormal ? sum : flush(sum);
  }
}

/// C with +0 for denormals.
HWY_INLINE V load_c_flushed(const std::uint32_t* from) {
  const U u;
  const auto bits = hn::LoadU(u, from);
  const auto normal = hn::Ne(hn::And(bits, hn::Set(u, 0x7f800000)), hn::Zero(u));
  return hn::BitCast(F(), hn::IfThenElseZero(normal, bits));
}

/// Row kRowOfFour of a band of four, in the columns of `b`.
template <MatrixShape kShape, bool kStaysNormal, unsigned kRowOfFour, unsigned kK>
HWY_INLINE V multiply_row(const Operands& o, const float* a, unsigned a_lane, const V (&b)[kK],
                          unsigned band) {
  constexpr unsigned kGroup = kShape.group, kGroupLanes = kShape.blocks * kShape.m;
  const unsigned at = band + kRowOfFour * 64;
  V sum = load_c_flushed(o.c + at);
  for (unsigned first = 0; first < kK; first += kGroup) {
    V factors[kGroup];
    for (unsigned k = 0; k < kGroup; ++k) {
      const float* const lane = a + k * 64 + first / kGroup * kGroupLanes + a_lane;
      factors[k] = row_of_a<kShape, kRowOfFour>(F(), lane, 0);
    }
    sum = hn::Add(sum, tree<kStaysNormal, kGroup>(factors, b + first));
    if constexpr (!kStaysNormal) sum = flush(sum);
  }
  hn::StoreU(hn::BitCast(U(), sum), U(), o.d + at);
  return sum;
}

template <MatrixShape kShape, bool kStaysNormal, unsigned kK>
HWY_INLINE void multiply_band(const Operands& o, const float* a, unsigned a_lane, const V (&b)[kK],
                              unsigned band, NanWatch<F>& watch) {
  const V row0 = multiply_row<kShape, kStaysNormal, 0>(o, a, a_lane, b, band);
  const V row1 = multiply_row<kShape, kStaysNormal, 1>(o, a, a_lane, b, band);
  watch.see(0, row0, row1);
  const V row2 = multiply_row<kShape, kStaysNormal, 2>(o, a, a_lane, b, band);
  const V row3 = multiply_row<kShape, kStaysNormal, 3>(o, a, a_lane, b, band);
  watch.see(1, row2, row3);
}

/// All of D; whether a NaN is in it. Rows of D come in bands of four registers; blocks of 4x4 lie
/// side by side as one row.
template <MatrixShape kShape, bool kStaysNormal>
HWY_INLINE bool multiply(const Operands& o, const float* a, const float* b) {
  constexpr unsigned kGroup = kShape.group, kGroupLanes = kShape.blocks * kShape.n;
  NanWatch<F> watch;
  for (unsigned block = 0; block < kBlocks<kShape>; ++block) {
    for (unsigned column = 0; column < kColumns<kShape>; column += kLanes) {
      V factors[kShape.k];
      for (unsigned k = 0; k < kShape.k; ++k) {
        factors[k] = hn::LoadU(F(), b + k % kGroup * 64 + k / kGroup * kGroupLanes +
                                        block * kColumns<kShape> + column);
      }
      for (unsigned i = 0; i < kShape.m; i += 4) {
        const unsigned band = row_of_d<kShape>(i, block) + column;
        const unsigned a_lane = kShape.n == 4 ? column : block * kShape.m + i;
        multiply_band<kShape, kStaysNormal>(o, a, a_lane, factors, band, watch);
      }
    }
  }
  return watch.seen();
}

template <MatrixShape kShape>
const Op* run_pairwise(machine::Wave& wave, const Op* op) {
  static_assert(kShape.a_per_lane() == kShape.group && kShape.b_per_lane() == kShape.group);
  OperandCopies<kShape> copies;
  const Operands o = operands<kShape>({wave, op}, copies);
  Widened<kShape.group> a, b;
  widen_all<kShape.a>(o.a, a);
  widen_all<kShape.b>(o.b, b);
  const bool nan = stays_normal<kShape.a>(a, b) ? multiply<kShape, true>(o, a.at, b.at)
                                                : multiply<kShape, false>(o, a.at, b.at);
  if (HWY_UNLIKELY(nan)) make_nans_default<kShape>(o.d);
  return op + op->dwords;
}

}  // namespace

void append_matrix_pairwise(Entries& entries) {
  append_matrix_rows<isa::MatrixRule::kPairwise>(
      entries, []<MatrixShape kShape>() -> Handler { return &run_pairwise<kShape>; });
}

}  // namespace wavetank::execute::WAVETANK_HOST
