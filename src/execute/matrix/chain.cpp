// f32 and f64: D[i][j] = fma(a[k-1], b[k-1], ... fma(a[0], b[0], C[i][j])), each rounded.
#include <hwy/highway.h>

#include <cmath>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/tile.hpp"
#include "number/types.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// a * b + c rounded once, on hosts without FMA too.
template <class D, class V>
HWY_INLINE V fused(D d, V a, V b, V c) {
#if HWY_NATIVE_FMA
  return hn::MulAdd(a, b, c);
#else
  alignas(64) hn::TFromD<D> x[16], y[16], z[16];
  hn::Store(a, d, x), hn::Store(b, d, y), hn::Store(c, d, z);
  for (std::size_t i = 0; i < hn::Lanes(d); ++i) z[i] = std::fma(x[i], y[i], z[i]);
  return hn::Load(d, z);
#endif
}

template <MatrixShape kShape, class T>
HWY_INLINE void chain_row(const RowPlaces<kShape>& at, const T* a, const T* b, T* row) {
  const hn::CappedTag<T, kStrip<kShape>> d;
  using Number = std::conditional_t<sizeof(T) == 4, number::f32, number::f64>;
  const hn::RebindToUnsigned<decltype(d)> u;
  const auto nan = hn::BitCast(d, hn::Set(u, number::Format<Number>::kDefaultNan));
  for (unsigned j = 0; j < kShape.n; j += hn::Lanes(d)) {
    auto sum = hn::LoadU(d, row + j);
    for (unsigned k = 0; k < kShape.k; ++k) {
      sum = fused(d, hn::Set(d, a[at.a(k)]), hn::LoadU(d, b + at.b(k) + j), sum);
    }
    hn::StoreU(hn::IfThenElse(hn::IsNaN(sum), nan, sum), d, row + j);
  }
}

template <MatrixShape kShape>
const Op* run_f32(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op};
  alignas(64) float d[kShape.c_dwords() * 64];
  alignas(64) std::uint32_t copy[4 * 64];
  alignas(64) float a[kShape.a_dwords() * 64], b[kShape.b_dwords() * 64];
  std::memcpy(a, in.source(0), sizeof a);
  std::memcpy(b, swizzled_b<kShape>(in, copy), sizeof b);
  load_c<kShape>(in, d);
  for_each_row<kShape>(in, d, [&](const RowPlaces<kShape>& at, float* row) {
    chain_row(at, a, b, row);
  });
  store_d<kShape>(in, d);
  return op + op->dwords;
}

/// Register pairs as f64, negated by flipping signs.
void load_pairs(const std::uint32_t* registers, unsigned count, bool negate, double* to) {
  const std::uint64_t sign = std::uint64_t{negate} << 63;
  for (unsigned element = 0; element < count; ++element) {
    const std::uint32_t* low = registers + element * 128;
    for (unsigned lane = 0; lane < 64; ++lane) {
      const std::uint64_t bits = (low[lane] | std::uint64_t{low[64 + lane]} << 32) ^ sign;
      std::memcpy(to + element * 64 + lane, &bits, 8);
    }
  }
}

void store_pairs(const double* from, unsigned count, std::uint32_t* registers) {
  for (unsigned element = 0; element < count; ++element) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      std::uint64_t bits;
      std::memcpy(&bits, from + element * 64 + lane, 8);
      registers[element * 128 + lane] = static_cast<std::uint32_t>(bits);
      registers[element * 128 + 64 + lane] = static_cast<std::uint32_t>(bits >> 32);
    }
  }
}

template <MatrixShape kShape>
const Op* run_f64(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op};
  const unsigned negate = kShape.negates ? in.blgp() : 0;
  constexpr unsigned kCount = kShape.c_dwords() / 2;
  alignas(64) double a[64], b[64], d[kCount * 64];
  load_pairs(in.source(0), 1, (negate & 1) != 0, a);
  load_pairs(in.source(1), 1, (negate & 2) != 0, b);
  if (op->kind[2] == Source::kVector) {
    load_pairs(in.source(2), kCount, (negate & 4) != 0, d);
  } else {
    const std::uint64_t bits = op->constant[2] ^ std::uint64_t{(negate & 4) != 0} << 63;
    double value;
    std::memcpy(&value, &bits, 8);
    std::fill_n(d, kCount * 64, value);
  }
  for_each_row<kShape>(in, d, [&](const RowPlaces<kShape>& at, double* row) {
    chain_row(at, a, b, row);
  });
  store_pairs(d, kCount, in.registers(op->dst));
  return op + op->dwords;
}

}  // namespace

void append_matrix_chains(Entries& entries) {
  append_matrix_rows(entries, []<MatrixShape kShape>() -> Handler {
    if constexpr (kShape.rule != isa::MatrixRule::kFmaChain) {
      return nullptr;
    } else if constexpr (kShape.c == MatrixElement::kF64) {
      return &run_f64<kernel_shape(kShape)>;
    } else {
      return &run_f32<kernel_shape(kShape)>;
    }
  });
}

}  // namespace wavetank::execute::WAVETANK_HOST
