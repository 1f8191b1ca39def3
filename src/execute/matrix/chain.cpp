// f32 and f64: D[i][j] = fma(a[k-1], b[k-1], ... fma(a[0], b[0], C[i][j])), each rounded. C, D and
// a row of B go from registers into host vectors and back; factors of A are broadcast from memory.
#include <hwy/highway.h>

#include <cmath>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/operands.hpp"
#include "number/types.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// a * b + c rounded once, on hosts without FMA too.
template <class D, class V>
HWY_INLINE V fused(D d, V a, V b, V c) {
#if HWY_TARGET <= HWY_AVX2
  return hn::MulAdd(a, b, c);
#else
  alignas(64) hn::TFromD<D> x[16], y[16], z[16];
  hn::Store(a, d, x), hn::Store(b, d, y), hn::Store(c, d, z);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(d, z);
#endif
}

/// As many consecutive lanes of a register as a host vector has dwords. Elements of f64 lie in two
/// registers and so in two vectors: of each four lanes the first and the last two.
template <class T>
struct Lanes {
  using D = hn::ScalableTag<T>;
  using Dwords = hn::ScalableTag<std::uint32_t>;
  using V = hn::Vec<D>;
  static constexpr unsigned kCount = hn::MaxLanes(Dwords());
  static constexpr unsigned kVectors = sizeof(T) / 4;
  V v[kVectors];

  static HWY_INLINE Lanes load(const std::uint32_t* from) {
    const D d;
    const Dwords dwords;
    const auto low = hn::LoadU(dwords, from);
    if constexpr (kVectors == 1) {
      return {{hn::BitCast(d, low)}};
    } else {
      const auto high = hn::LoadU(dwords, from + 64);
      return {{hn::BitCast(d, hn::InterleaveLower(dwords, low, high)),
               hn::BitCast(d, hn::InterleaveUpper(dwords, low, high))}};
    }
  }
  HWY_INLINE void store(std::uint32_t* to) const {
    const Dwords dwords;
    const auto first = hn::BitCast(dwords, v[0]);
    if constexpr (kVectors == 1) {
      hn::StoreU(first, dwords, to);
    } else {
      // One shuffle of two operands each, where the host has it.
      const auto second = hn::BitCast(dwords, v[1]);
      const auto even = hn::InterleaveLower(dwords, first, second);
      const auto odd = hn::InterleaveUpper(dwords, first, second);
      hn::StoreU(hn::InterleaveLower(dwords, even, odd), dwords, to);
      hn::StoreU(hn::InterleaveUpper(dwords, even, odd), dwords, to + 64);
    }
  }
  /// Adds a * b.
  HWY_INLINE void add(V a, const Lanes& b) {
    for (unsigned i = 0; i < kVectors; ++i) v[i] = fused(D(), a, b.v[i], v[i]);
  }
};

template <MatrixShape kShape>
using Number = std::conditional_t<kShape.c == MatrixElement::kF64, double, float>;

/// Elements of A as numbers that can be broadcast.
template <MatrixShape kShape>
const Number<kShape>* factors_of_a(const std::uint32_t* a, Number<kShape>* copy) {
  if constexpr (kShape.c == MatrixElement::kF64) {
    const hn::ScalableTag<std::uint32_t> d;
    auto* halves = reinterpret_cast<std::uint32_t*>(copy);
    for (unsigned lane = 0; lane < 64; lane += hn::Lanes(d)) {
      hn::StoreInterleaved2(hn::LoadU(d, a + lane), hn::LoadU(d, a + 64 + lane), d,
                            halves + 2 * lane);
    }
    return copy;
  } else {
    return reinterpret_cast<const float*>(a);
  }
}

/// Rows of at least 16 columns.
template <MatrixShape kShape>
HWY_INLINE bool multiply_rows(const Operands& o) {
  using T = Number<kShape>;
  using L = Lanes<T>;
  constexpr unsigned kPieces = kShape.n / L::kCount, kK = kShape.k;
  static_assert(kShape.a_per_lane() == 1 && kShape.b_per_lane() == 1);
  alignas(64) T copy[64];
  const T* a = factors_of_a<kShape>(o.a, copy);
  NanWatch<typename L::D> watch;
  constexpr unsigned kBand = 4, kRowStep = sizeof(T) == 8 ? kShape.n : 64;
  for (unsigned block = 0; block < kShape.blocks; ++block) {
    L b[kK][kPieces];
    for (unsigned k = 0; k < kK; ++k) {
      for (unsigned piece = 0; piece < kPieces; ++piece) {
        b[k][piece] = L::load(o.b + (k * kShape.blocks + block) * kShape.n + piece * L::kCount);
      }
    }
#if HWY_TARGET <= HWY_AVX3
    // Makes addresses constants, which are fewer operations of the host's decoders; they do not
    // bound shorter vectors.
#pragma GCC unroll 8
#endif
    for (unsigned band = 0; band < kShape.m; band += kBand) {
      const unsigned first_row = row_of_d<kShape>(band, block);
      L above{};
      for (unsigned i = 0; i < kBand; ++i) {
        L sum[kPieces];
        const unsigned row = first_row + i * kRowStep;
        for (unsigned piece = 0; piece < kPieces; ++piece) {
          sum[piece] = L::load(o.c + row + piece * L::kCount);
        }
        for (unsigned k = 0; k < kK; ++k) {
          const T factor = a[(k * kShape.blocks + block) * kShape.m + band + i];
          for (unsigned piece = 0; piece < kPieces; ++piece) {
            sum[piece].add(hn::Set(typename L::D(), factor), b[k][piece]);
          }
        }
        for (unsigned piece = 0; piece < kPieces; ++piece) {
          sum[piece].store(o.d + row + piece * L::kCount);
        }
        if constexpr (kPieces == 1 && L::kVectors == 1) {
          if (i % 2 == 1) watch.see(i, above.v[0], sum[0].v[0]);
          above = sum[0];
        } else if constexpr (kPieces == 1) {
          watch.see(i, sum[0].v[0], sum[0].v[1]);
        } else {
          for (unsigned piece = 0; piece < kPieces; piece += 2) {
            for (unsigned half = 0; half < L::kVectors; ++half) {
              watch.see(i + half, sum[piece].v[half], sum[piece + 1].v[half]);
            }
          }
        }
      }
    }
  }
  return watch.seen();
}

/// Row kRow of each 4x4 block in a host vector, times what meets it in B: rows of A and of B are
/// groups of four lanes, and so is the row of D.
template <MatrixShape kShape, unsigned kRow, class L, unsigned kK>
HWY_INLINE void multiply_row_of_blocks(const Operands& o, const L (&a)[kK], const L (&b)[kK],
                                       unsigned lane, NanWatch<typename L::D>& watch) {
  constexpr unsigned kInVector = 4 / L::kVectors;  // elements of a group
  const unsigned at = row_of_d<kShape>(kRow, 0) + lane;
  L sum = L::load(o.c + at);
  for (unsigned k = 0; k < kK; ++k) {
    sum.add(hn::Broadcast<kRow % kInVector>(a[k].v[kRow / kInVector]), b[k]);
  }
  sum.store(o.d + at);
  watch.see(kRow, sum.v[0], sum.v[L::kVectors - 1]);
}

/// Blocks of 4x4.
template <MatrixShape kShape>
HWY_INLINE bool multiply_blocks(const Operands& o) {
  using L = Lanes<Number<kShape>>;
  constexpr unsigned kGroup = kShape.blocks * 4;
  NanWatch<typename L::D> watch;
  for (unsigned lane = 0; lane < kGroup; lane += L::kCount) {
    L a[kShape.k], b[kShape.k];
    for (unsigned k = 0; k < kShape.k; ++k) {
      a[k] = L::load(o.a + k * kGroup + lane);
      b[k] = L::load(o.b + k * kGroup + lane);
    }
    multiply_row_of_blocks<kShape, 0>(o, a, b, lane, watch);
    multiply_row_of_blocks<kShape, 1>(o, a, b, lane, watch);
    multiply_row_of_blocks<kShape, 2>(o, a, b, lane, watch);
    multiply_row_of_blocks<kShape, 3>(o, a, b, lane, watch);
  }
  return watch.seen();
}

template <MatrixShape kShape>
const Op* run_chain(machine::Wave& wave, const Op* op) {
  OperandCopies<kShape> copies;
  const Operands o = operands<kShape>({wave, op}, copies);
  bool nan;
  if constexpr (kShape.n == 4) {
    nan = multiply_blocks<kShape>(o);
  } else {
    nan = multiply_rows<kShape>(o);
  }
  if (HWY_UNLIKELY(nan)) make_nans_default<kShape>(o.d);
  return op + op->dwords;
}

}  // namespace

void append_matrix_chains(Entries& entries) {
  append_matrix_rows<isa::MatrixRule::kFmaChain>(
      entries, []<MatrixShape kShape>() -> Handler { return &run_chain<kShape>; });
}

}  // namespace wavetank::execute::WAVETANK_HOST
