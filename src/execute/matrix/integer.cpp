// Signed bytes: D[i][j] = C[i][j] + sum of products, modulo 2^32.
#include <hwy/highway.h>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/tile.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <unsigned kWidth>
const Op* run_integer(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op, isa::catalogue()[op->row].matrix};
  const hn::CappedTag<std::int32_t, kWidth> d32;
  alignas(64) std::int32_t d[32 * 64];
  alignas(64) std::uint32_t copy[4 * 64];
  Elements<std::int32_t> a, b;
  const auto widen = [](Elements<std::int32_t>& to) {
    return [&to](std::uint32_t bits, unsigned place) {
      to.at[place] = static_cast<std::int8_t>(bits);
    };
  };
  for_each_element(in.source(0), in.shape.a_per_lane(), 8, widen(a));
  for_each_element(swizzled_b(in, copy), in.shape.b_per_lane(), 8, widen(b));
  load_c(in, d);
  for_each_row(in, d, [&](const RowPlaces& at, std::int32_t* row) {
    for (unsigned j = 0; j < in.shape.n; j += hn::Lanes(d32)) {
      auto sum = hn::LoadU(d32, row + j);
      for (unsigned k = 0; k < in.shape.stored_k(); ++k) {
        const auto factor = hn::Set(d32, a.at[at.a[k]]);
        sum = hn::Add(sum, hn::Mul(factor, hn::LoadU(d32, b.at + at.b[k] + j)));
      }
      hn::StoreU(sum, d32, row + j);
    }
  });
  store_d(in, d);
  return op + op->dwords;
}

}  // namespace

Handler integer_handler(const isa::MatrixShape& shape) {
  return shape.n == 4 ? &run_integer<4> : &run_integer<16>;
}

}  // namespace wavetank::execute::WAVETANK_HOST
