// CDNA2's f16 and bf16 (number/fused_dot.hpp, pairwise_dot_add): products, pairs, pairs of pairs,
// C; each rounded to f32, denormals taken and given as zero.
#include <hwy/highway.h>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/tile.hpp"
#include "number/types.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// An f16 as f32, a denormal as +0.
inline std::uint32_t widen_f16(std::uint32_t bits) {
  const std::uint32_t field = bits >> 10 & 31;
  const std::uint32_t sign = (bits & 0x8000) << 16;
  const std::uint32_t exponent = field == 31 ? 255 : field + 112;
  return field == 0 ? 0 : sign | exponent << 23 | (bits & 0x3ff) << 13;
}

/// A bf16 as f32, a denormal as +0.
inline std::uint32_t widen_bf16(std::uint32_t bits) {
  return (bits & 0x7f80) == 0 ? 0 : bits << 16;
}

void widen(const std::uint32_t* registers, unsigned per_lane, MatrixElement element,
           Elements<float>& to) {
  const auto put = [&](std::uint32_t bits, unsigned place) {
    std::memcpy(to.at + place, &bits, 4);
  };
  if (element == MatrixElement::kF16) {
    for_each_element(registers, per_lane, 16,
                     [&](std::uint32_t bits, unsigned place) { put(widen_f16(bits), place); });
  } else {
    for_each_element(registers, per_lane, 16,
                     [&](std::uint32_t bits, unsigned place) { put(widen_bf16(bits), place); });
  }
}

/// Zero of its sign for a denormal.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V flush(D d, V value) {
  const hn::RebindToUnsigned<D> du;
  const auto least = hn::BitCast(d, hn::Set(du, number::Format<number::f32>::kHidden));
  const V sign = hn::And(value, hn::BitCast(d, hn::Set(du, 0x80000000u)));
  return hn::IfThenElse(hn::Lt(hn::Abs(value), least), sign, value);
}

/// The flushed sum of kCount products from column k of A on.
template <unsigned kCount, MatrixShape kShape, class D>
HWY_INLINE hn::Vec<D> tree(D d, const RowPlaces<kShape>& at, const float* a, const float* b,
                           unsigned k) {
  if constexpr (kCount == 1) {
    const auto product = hn::Mul(hn::Set(d, a[at.a(k)]), hn::LoadU(d, b + at.b(k)));
    return flush(d, hn::Add(product, hn::Zero(d)));  // a product of -0 becomes +0
  } else {
    constexpr unsigned kHalf = kCount / 2;
    return flush(d, hn::Add(tree<kHalf>(d, at, a, b, k), tree<kHalf>(d, at, a, b, k + kHalf)));
  }
}

template <MatrixShape kShape>
const Op* run_pairwise(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op};
  const hn::CappedTag<float, kStrip<kShape>> f;
  const hn::RebindToUnsigned<decltype(f)> u;
  const auto nan = hn::BitCast(f, hn::Set(u, number::Format<number::f32>::kDefaultNan));
  const auto least = hn::BitCast(f, hn::Set(u, number::Format<number::f32>::kHidden));
  alignas(64) float d[kShape.c_dwords() * 64];
  alignas(64) std::uint32_t copy[4 * 64];
  Elements<float> a, b;
  widen(in.source(0), kShape.a_per_lane(), kShape.a, a);
  widen(swizzled_b<kShape>(in, copy), kShape.b_per_lane(), kShape.b, b);
  load_c<kShape>(in, d);
  for_each_row<kShape>(in, d, [&](const RowPlaces<kShape>& at, float* row) {
    for (unsigned j = 0; j < kShape.n; j += hn::Lanes(f)) {
      auto sum = hn::LoadU(f, row + j);
      sum = hn::IfThenElse(hn::Lt(hn::Abs(sum), least), hn::Zero(f), sum);
      for (unsigned k = 0; k < kShape.k; k += kShape.group) {
        sum = flush(f, hn::Add(sum, tree<kShape.group>(f, at, a.at, b.at + j, k)));
      }
      hn::StoreU(hn::IfThenElse(hn::IsNaN(sum), nan, sum), f, row + j);
    }
  });
  store_d<kShape>(in, d);
  return op + op->dwords;
}

}  // namespace

void append_matrix_pairwise(Entries& entries) {
  append_matrix_rows(entries, []<MatrixShape kShape>() -> Handler {
    if constexpr (kShape.rule != isa::MatrixRule::kPairwise) {
      return nullptr;
    } else {
      return &run_pairwise<kernel_shape(kShape)>;
    }
  });
}

}  // namespace wavetank::execute::WAVETANK_HOST
