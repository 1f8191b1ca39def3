// A, B, C and D of a running matrix instruction as registers that can be read while D is written,
// and NaNs of results.
#pragma once

#include <hwy/highway.h>

#include <type_traits>

#include "execute/matrix/tile.hpp"
#include "number/types.hpp"

namespace wavetank::execute::WAVETANK_HOST {

/// Registers that have to be copied first.
template <MatrixShape kShape>
struct OperandCopies {
  alignas(64) std::uint32_t a[kShape.a_dwords() * 64];
  alignas(64) std::uint32_t b[kShape.b_dwords() * 64];
  alignas(64) std::uint32_t c[kShape.c_dwords() * 64];
};

/// Where the kernels read and write: element of the lane times 64, plus lane (f64: low halves, then
/// 64 dwords further high halves). Blocks of A are chosen and lanes of B exchanged already.
struct Operands {
  const std::uint32_t* a;
  const std::uint32_t* b;
  const std::uint32_t* c;
  std::uint32_t* d;
};

namespace detail {

template <MatrixShape kShape>
const std::uint32_t* choose_blocks(const MatrixOp& in, std::uint32_t* copy) {
  const std::uint32_t* a = in.source(0);
  if (kShape.blocks == 1 || kShape.sparse || in.cbsz() == 0) return a;
  constexpr unsigned kGroup = kShape.m * kShape.blocks;
  for (unsigned at = 0; at < kShape.a_dwords() * 64; ++at) {
    const unsigned block = at % kGroup / kShape.m;
    const unsigned from = isa::broadcast_block(block, in.cbsz(), in.abid());
    copy[at] = a[at + from * kShape.m - block * kShape.m];
  }
  return copy;
}

/// Whether D does not overlap a source.
inline bool is_apart(const std::uint32_t* source, unsigned dwords, const std::uint32_t* d,
                     unsigned d_dwords) {
  return source + dwords * 64 <= d || d + d_dwords * 64 <= source;
}

/// The registers themselves if D does not overlap them, else a copy.
inline const std::uint32_t* keep(const std::uint32_t* source, unsigned dwords,
                                 const std::uint32_t* d, unsigned d_dwords, std::uint32_t* copy) {
  if (is_apart(source, dwords, d, d_dwords) || source == copy) return source;
  std::memcpy(copy, source, dwords * 256);
  return copy;
}

/// Pairs of registers with the sign of the upper half flipped.
inline const std::uint32_t* negate(const std::uint32_t* source, unsigned dwords,
                                   std::uint32_t* copy) {
  for (unsigned at = 0; at < dwords * 64; ++at) {
    copy[at] = source[at] ^ (at / 64 % 2 != 0 ? 0x80000000u : 0);
  }
  return copy;
}

/// Every C as the constant: f64 in two halves.
template <MatrixShape kShape>
void fill_c(std::uint64_t constant, std::uint32_t* c) {
  constexpr unsigned kHalves = isa::bits_of(kShape.c) / 32;
  for (unsigned dword = 0; dword < kShape.c_dwords(); ++dword) {
    std::fill_n(c + dword * 64, 64, static_cast<std::uint32_t>(constant >> dword % kHalves * 32));
  }
}

/// Any operands, of which some have to be copied.
template <MatrixShape kShape>
HWY_NOINLINE Operands copy_operands(const MatrixOp& in, OperandCopies<kShape>& copies) {
  constexpr unsigned kA = kShape.a_dwords(), kB = kShape.b_dwords(), kC = kShape.c_dwords();
  static_assert(kA <= 4 && kB <= 4);
  Operands o;
  o.d = in.registers(in.op->dst);
  o.a = keep(choose_blocks<kShape>(in, copies.a), kA, o.d, kC, copies.a);
  const std::uint32_t* b = in.source(1);
  if (kShape.swizzles_b && in.blgp() != 0) b = swizzled_b<kShape>(in, copies.b);
  o.b = keep(b, kB, o.d, kC, copies.b);
  if (in.op->kind[2] != Source::kVector) {
    fill_c<kShape>(in.op->constant[2], copies.c);
    o.c = copies.c;
  } else {
    o.c = in.source(2) == o.d ? o.d : keep(in.source(2), kC, o.d, kC, copies.c);
  }
  if (kShape.negates && in.blgp() != 0) {
    if ((in.blgp() & 1) != 0) o.a = negate(o.a, kA, copies.a);
    if ((in.blgp() & 2) != 0) o.b = negate(o.b, kB, copies.b);
    if ((in.blgp() & 4) != 0) o.c = negate(o.c, kC, copies.c);
  }
  return o;
}

}  // namespace detail

/// The operands of a row whose A is not sparse: nearly always registers that do not overlap D, or
/// are D.
template <MatrixShape kShape>
HWY_INLINE Operands operands(const MatrixOp& in, OperandCopies<kShape>& copies) {
  static_assert(!kShape.sparse);
  constexpr unsigned kA = kShape.a_dwords(), kB = kShape.b_dwords(), kC = kShape.c_dwords();
  const Operands o{in.source(0), in.source(1), in.source(2), in.registers(in.op->dst)};
  const bool direct = in.op->kind[2] == Source::kVector && (in.cbsz() | in.blgp()) == 0 &&
                      detail::is_apart(o.a, kA, o.d, kC) && detail::is_apart(o.b, kB, o.d, kC) &&
                      (o.c == o.d || detail::is_apart(o.c, kC, o.d, kC));
  return HWY_LIKELY(direct) ? o : detail::copy_operands<kShape>(in, copies);
}

/// Dwords from D's first register to the row of D at `i`, which counts the rows of all blocks.
template <MatrixShape kShape>
constexpr unsigned row_of_d(unsigned i, unsigned block) {
  const isa::MatrixPlace place = isa::output_place(kShape, i, 0, block);
  return place.element * isa::bits_of(kShape.c) / 32 * 64 + place.lane;
}

/// Columns of D that lie side by side: a row, or the rows of all blocks of 4x4.
template <MatrixShape kShape>
inline constexpr unsigned kColumns = kShape.n == 4 ? kShape.blocks * 4 : kShape.n;
template <MatrixShape kShape>
inline constexpr unsigned kBlocks = kShape.n == 4 ? 1 : kShape.blocks;

/// Row kRow of four in A, one element for each lane of D from the column `lane` on.
template <MatrixShape kShape, unsigned kRow, class D, class T>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<D> row_of_a(D d, const T* a, unsigned lane) {
  namespace hn = hwy::HWY_NAMESPACE;
  if constexpr (kShape.n == 4) return hn::Broadcast<kRow>(hn::LoadU(d, a + lane));
  return hn::Set(d, a[kRow]);
}

/// Whether a result was a NaN: half a comparison for each vector where the host can. Comparisons of
/// one `chain` wait for each other.
template <class D>
class NanWatch {
  using V = hwy::HWY_NAMESPACE::Vec<D>;

 public:
#if HWY_TARGET <= HWY_AVX3
  static_assert(sizeof(V) == 64);
  HWY_INLINE void see(unsigned chain, V x, V y) {
    Ordered& ordered = ordered_[chain % kChains];
    if constexpr (sizeof(hwy::HWY_NAMESPACE::TFromD<D>) == 4) {
      ordered = _mm512_mask_cmp_ps_mask(ordered, x.raw, y.raw, _CMP_ORD_Q);
    } else {
      ordered = _mm512_mask_cmp_pd_mask(ordered, x.raw, y.raw, _CMP_ORD_Q);
    }
  }
  HWY_INLINE bool seen() const {
    return (ordered_[0] & ordered_[1] & ordered_[2] & ordered_[3]) != kAll;
  }

 private:
  using Ordered =
      std::conditional_t<sizeof(hwy::HWY_NAMESPACE::TFromD<D>) == 4, __mmask16, __mmask8>;
  static constexpr unsigned kChains = 4;
  static constexpr Ordered kAll = static_cast<Ordered>(-1);
  Ordered ordered_[kChains] = {kAll, kAll, kAll, kAll};
#else
  HWY_INLINE void see(unsigned chain, V x, V y) {
    namespace hn = hwy::HWY_NAMESPACE;
    V& nan = nan_[chain % kChains];
    nan = hn::Or(nan, hn::VecFromMask(D(), hn::Or(hn::IsNaN(x), hn::IsNaN(y))));
  }
  HWY_INLINE bool seen() const {
    namespace hn = hwy::HWY_NAMESPACE;
    return !hn::AllFalse(D(), hn::MaskFromVec(hn::Or(nan_[0], nan_[1])));
  }

 private:
  static constexpr unsigned kChains = 2;
  V nan_[kChains] = {hwy::HWY_NAMESPACE::Zero(D()), hwy::HWY_NAMESPACE::Zero(D())};
#endif
};

/// Makes every NaN of D the default NaN.
template <MatrixShape kShape>
HWY_NOINLINE void make_nans_default(std::uint32_t* d) {
  constexpr unsigned kDwords = kShape.c_dwords();
  if constexpr (kShape.c == MatrixElement::kF64) {
    for (unsigned at = 0; at < kDwords * 64; ++at) {
      if (at / 64 % 2 != 0) continue;
      const number::f64 value{d[at] | std::uint64_t{d[at + 64]} << 32};
      if (!number::is_nan(value)) continue;
      d[at] = static_cast<std::uint32_t>(number::Format<number::f64>::kDefaultNan);
      d[at + 64] = static_cast<std::uint32_t>(number::Format<number::f64>::kDefaultNan >> 32);
    }
  } else {
    for (unsigned at = 0; at < kDwords * 64; ++at) {
      if (number::is_nan(number::f32{d[at]})) d[at] = number::Format<number::f32>::kDefaultNan;
    }
  }
}

}  // namespace wavetank::execute::WAVETANK_HOST
