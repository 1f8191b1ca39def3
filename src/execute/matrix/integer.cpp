// Signed bytes: D[i][j] = C[i][j] + sum of products, modulo 2^32.
#include <hwy/highway.h>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/tile.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <MatrixShape kShape>
const Op* run_integer(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op};
  const hn::CappedTag<std::int32_t, kStrip<kShape>> d32;
  alignas(64) std::int32_t d[kShape.c_dwords() * 64];
  alignas(64) std::uint32_t copy[4 * 64];
  Elements<std::int32_t> a, b;
  const auto widen = [](Elements<std::int32_t>& to) {
    return [&to](std::uint32_t bits, unsigned place) {
      to.at[place] = static_cast<std::int8_t>(bits);
    };
  };
  for_each_element(in.source(0), kShape.a_per_lane(), 8, widen(a));
  for_each_element(swizzled_b<kShape>(in, copy), kShape.b_per_lane(), 8, widen(b));
  load_c<kShape>(in, d);
  for_each_row<kShape>(in, d, [&](const RowPlaces<kShape>& at, std::int32_t* row) {
    for (unsigned j = 0; j < kShape.n; j += hn::Lanes(d32)) {
      auto sum = hn::LoadU(d32, row + j);
      for (unsigned k = 0; k < kShape.stored_k(); ++k) {
        const auto factor = hn::Set(d32, a.at[at.a(k)]);
        sum = hn::Add(sum, hn::Mul(factor, hn::LoadU(d32, b.at + at.b(k) + j)));
      }
      hn::StoreU(sum, d32, row + j);
    }
  });
  store_d<kShape>(in, d);
  return op + op->dwords;
}

}  // namespace

void append_matrix_integer(Entries& entries) {
  append_matrix_rows<isa::MatrixRule::kInteger>(
      entries, []<MatrixShape kShape>() -> Handler { return &run_integer<kShape>; });
}

}  // namespace wavetank::execute::WAVETANK_HOST
