// CDNA3's f16, bf16, xf32 and 8-bit floats (number/fused_dot.hpp, fused_dot_add). What an
// instruction costs depends on its exponents (docs/decisions/0035):
// - A and B are integers of few bits, for a common unit of each: sums of 16-bit products are exact;
// - all are ordinary numbers: products are cut to the unit of their sum and added as integers;
// - the rest, and rows of a sparse A, go the way that serves any exponents.
#include <hwy/highway.h>

#include "execute/matrix/kernels.hpp"
#include "execute/matrix/numbers.hpp"
#include "execute/matrix/operands.hpp"
#include "execute/matrix/wide_strips.hpp"

namespace wavetank::execute::WAVETANK_HOST {
namespace {

using namespace lanes;

using wide::kEvenOdd;

/// Sixteen columns of four rows of D, which lie in four registers.
struct Tile {
  unsigned d;  ///< dwords from D's first register
  unsigned a;  ///< lane of the four rows of A, or with blocks of 4x4 of the first of 16
  unsigned b;  ///< lane of the first column of B
};
inline constexpr unsigned kTileColumns = 16;

/// Place in Numbers of the element of A or B that counts k columns (rows) from `lane`.
template <unsigned kPerLane, unsigned kGroupLanes>
constexpr unsigned place(unsigned k, unsigned lane) {
  return k % kPerLane * 64 + k / kPerLane * kGroupLanes + lane;
}
template <MatrixShape kShape>
constexpr unsigned place_in_a(unsigned k, unsigned lane) {
  return place<kShape.a_per_lane(), kShape.m * kShape.blocks>(k, lane);
}
template <MatrixShape kShape>
constexpr unsigned place_in_b(unsigned k, unsigned lane) {
  return place<kShape.b_per_lane(), kShape.n * kShape.blocks>(k, lane);
}

/// What the paths of one instruction share.
template <MatrixShape kShape>
struct Fused {
  Operands o;
  int top = 0;  ///< exponent of the largest possible product

  /// The rule for any exponents, prepared when a strip needs it first.
  wide::Product wide;
  bool wide_ready = false;

  /// One row of a tile by the way that serves any exponents.
  HWY_NOINLINE void multiply_any(const Tile& tile, unsigned row) {
    if (!wide_ready) wide::prepare<kShape>(o.a, o.b, wide);
    wide_ready = true;
    constexpr unsigned kWidth = kStrip<kShape>;
    wide::Pending<kWidth> pending;
    for (unsigned column = 0; column < kTileColumns; column += kWidth) {
      RowPlaces<kShape> at;
      at.a_row = tile.a + row + (kShape.n == 4 ? column : 0);
      at.b_block = tile.b + column;
      alignas(64) float sum[kWidth];
      std::memcpy(sum, o.c + tile.d + row * 64 + column, sizeof sum);
      for (unsigned k = 0; k < kShape.k; k += kShape.group) {
        wide::add_group(wide, at, k, 0, sum, pending);
        pending.flush();
      }
      std::memcpy(o.d + tile.d + row * 64 + column, sum, sizeof sum);
    }
  }
};

template <MatrixShape kShape>
inline constexpr unsigned kTiles =
    kBlocks<kShape> * (kColumns<kShape> / kTileColumns) * (kShape.m / 4);

/// Tiles whose columns meet the same of B follow each other.
template <MatrixShape kShape>
HWY_INLINE Tile tile_at(unsigned index) {
  constexpr unsigned kAbove = kShape.m / 4, kBeside = kColumns<kShape> / kTileColumns;
  const unsigned i = index % kAbove * 4, column = index / kAbove % kBeside * kTileColumns;
  const unsigned block = index / kAbove / kBeside;
  Tile tile;
  tile.d = row_of_d<kShape>(i, block) + column;
  tile.a = kShape.n == 4 ? column : block * kShape.m + i;
  tile.b = block * kColumns<kShape> + column;
  return tile;
}

// ---- Adding C ---------------------------------------------------------------------------------
// D = C and the sum of products, in units of 2^(top - 24), where C is cut downwards to that unit
// and the products to 2^(exponent of C - 31); then rounded to nearest even by the conversion to
// f32.

/// Beyond this magnitude C in units is too large for a sum in i32.
inline constexpr std::int32_t kMostC = 1 << 30;

/// Downwards to integers. With `kFarIsZero` what is 26 exponents or more below the products
/// vanishes instead.
template <bool kFarIsZero>
HWY_INLINE Integers cut_c(Floats value) {
  const F f;
  if constexpr (kFarIsZero) {
    const auto below = hn::Max(value, hn::Zero(f));
    value = hn::IfThenElse(hn::Lt(hn::Set(f, -0.5f), value), below, value);
  }
  return floor_to_integer(value);
}

/// Bounds of the counts of shifts: what i32 has, where the host's shifts need it.
HWY_INLINE Integers limit_count(Integers count) {
#if HWY_TARGET > HWY_AVX2
  return hn::Min(count, hn::Set(I(), 31));
#else
  return count;
#endif
}

/// Whether an infinity or a NaN came up: its exponent is all 1.
struct Specials {
  Integers largest_exponent = hn::Zero(I());
  HWY_INLINE bool any() const {
    return !hn::AllTrue(I(), hn::Lt(largest_exponent, hn::Set(I(), 255 << 23)));
  }
};

/// Adds products to any C that is finite; `up` has 2^(24 - top) as bits of f32. Where C is 2^6
/// times 2^top or more, the unit is as many times larger: C is between 2^29 and 2^30 of it.
/// Products keep two bits below, which are all that the rule has, and of those one that says
/// whether any was 1 ("odd rounding"): it decides like all bits, for the result has at least two
/// bits below its last one. 16 products of 8-bit floats stay 2^25 units away from such a C, others
/// 2^28.
template <bool kFarIsZero>
HWY_INLINE Floats add_products(Integers sum, Integers up, Floats c, Specials& specials) {
  const I i;
  const F f;
  const U u;
  const hn::Repartition<std::uint16_t, I> u16;
  const auto scaled = hn::BitCast(i, hn::Mul(c, hn::BitCast(f, up)));
  const auto exponent = hn::And(scaled, hn::Set(i, 255 << 23));
  specials.largest_exponent = hn::Max(specials.largest_exponent, exponent);
  // The upper half of a difference, or 0.
  const auto least = hn::BitCast(u16, hn::Set(i, (127 + 29) << 23));
  const auto more_bits = hn::BitCast(i, hn::SaturatedSub(hn::BitCast(u16, exponent), least));
  const auto more = limit_count(hn::ShiftRight<23>(more_bits));
  const auto addend = cut_c<kFarIsZero>(hn::BitCast(f, hn::Sub(scaled, more_bits)));
  const auto products = hn::Shr(sum, more);
  const auto last_two = hn::And(hn::ShiftLeft<2>(sum), hn::Shl(hn::Set(i, 3), more));
  auto one = hn::Set(u, 1);
#if HWY_TARGET <= HWY_AVX3
  asm("" : "+v"(one.raw));  // else the minimum becomes a mask and a way back from it
#endif
  const auto any = hn::Min(hn::BitCast(u, last_two), one);
  const auto odd = hn::Or(products, hn::BitCast(i, any));
  const auto unit = hn::Add(hn::Sub(hn::Set(i, 254 << 23), up), more_bits);
  return hn::Mul(hn::ConvertTo(f, hn::Add(odd, addend)), hn::BitCast(f, unit));
}

// ---- Integers of few bits --------------------------------------------------------------------

/// A and B as integers; a product of two and the sums of a group are integers too.
template <MatrixShape kShape>
struct Integral {
  FixedPoint<kShape.a_per_lane()> a;
  FixedPoint<kShape.b_per_lane()> b;
};

/// The sum of a group's products in units of 2^(top - 24).
template <MatrixShape kShape, unsigned kRow>
HWY_INLINE Integers sum_integers(const Integral<kShape>& numbers, const Tile& tile, unsigned column,
                                 unsigned first) {
  const I i;
  const hn::RepartitionToNarrow<I> narrow;
  Integers sum = hn::Zero(i);
  for (unsigned k = first; k < first + kShape.group; k += 2) {
    constexpr unsigned kPerLane = kShape.a_per_lane() / 2;
    const unsigned pair = k / 2;
    const auto* a = reinterpret_cast<const std::int32_t*>(numbers.a.at) +
                    place<kPerLane, kShape.m * kShape.blocks>(pair, tile.a);
    const auto* b = reinterpret_cast<const std::int32_t*>(numbers.b.at) +
                    place<kPerLane, kShape.n * kShape.blocks>(pair, tile.b + column);
    const auto factor = row_of_a<kShape, kRow>(i, a, column);
    Integers other = hn::Zero(i);
    sum = hn::ReorderWidenMulAccumulate(i, hn::BitCast(narrow, factor),
                                        hn::BitCast(narrow, hn::LoadU(i, b)), sum, other);
    sum = hn::Add(sum, other);
  }
  return sum;
}

/// One row of a tile if every C is a multiple of the unit, or so large that it is one.
template <MatrixShape kShape, unsigned kRow>
HWY_INLINE bool add_integral_row(const Fused<kShape>& fused, const Integral<kShape>& numbers,
                                 const Tile& tile) {
  const F f;
  const I i;
  const auto in_units = hn::Set(f, power_of_two(24 - fused.top));
  const auto up = hn::BitCast(i, in_units);
  constexpr unsigned kVectors = kTileColumns / kCount;
  Floats results[kVectors];
  Specials specials;
  for (unsigned v = 0; v < kVectors; ++v) {
    const unsigned at = tile.d + kRow * 64 + v * kCount;
    Floats c = hn::LoadU(f, reinterpret_cast<const float*>(fused.o.c) + at);
    for (unsigned k = 0; k < kShape.k; k += kShape.group) {
      if (k == 0) {
        const Floats scaled = hn::Mul(c, in_units);
        const auto whole = hn::Eq(hn::ConvertTo(f, truncate_to_integer(scaled)), scaled);
        const auto large = hn::Ge(hn::Abs(scaled), hn::Set(f, 0x1p24f));
        if (!hn::AllTrue(f, hn::Or(whole, large))) return false;
      }
      const Integers products = sum_integers<kShape, kRow>(numbers, tile, v * kCount, k);
      c = add_products<false>(products, up, c, specials);
    }
    results[v] = c;
  }
  if (specials.any()) return false;
  for (unsigned v = 0; v < kVectors; ++v) {
    const unsigned at = tile.d + kRow * 64 + v * kCount;
    hn::StoreU(results[v], f, reinterpret_cast<float*>(fused.o.d) + at);
  }
  return true;
}

/// What tells whether a tile is done: no bit of C below the unit, no C beyond kMostC.
struct Doubts {
  Words lost = hn::Zero(U());
  Integers beyond = hn::Zero(I());
};

/// Some columns of a row of a tile, which are right if no doubt arises.
template <MatrixShape kShape, unsigned kRow>
HWY_INLINE Floats add_near(const Operands& o, const Integral<kShape>& numbers, const Tile& tile,
                           unsigned column, Floats in_units, Floats unit, Doubts& doubts) {
  const F f;
  const U u;
  const unsigned at = tile.d + kRow * 64 + column;
  Floats sum = hn::Mul(hn::LoadU(f, reinterpret_cast<const float*>(o.c) + at), in_units);
  for (unsigned k = 0; k < kShape.k; k += kShape.group) {
    const Integers addend = truncate_to_integer(sum);
    if (k == 0) {
      const auto back = hn::BitCast(u, hn::ConvertTo(f, addend));
      doubts.lost = hn::Or(doubts.lost, hn::Xor(back, hn::BitCast(u, sum)));
    }
    // Negative where C leaves what a sum in i32 has room for; so do infinities and NaNs.
    doubts.beyond = hn::Or(doubts.beyond, hn::Add(addend, hn::Set(I(), kMostC)));
    const Integers products = sum_integers<kShape, kRow>(numbers, tile, column, k);
    sum = hn::ConvertTo(f, hn::Add(addend, products));
  }
  return hn::Mul(sum, unit);
}

/// A tile whose C are multiples of the unit and not far above it; false, and nothing written, if
/// there are others.
template <MatrixShape kShape>
HWY_INLINE bool multiply_near_tile(const Operands& o, const Integral<kShape>& numbers,
                                   const Tile& tile, Floats in_units, Floats unit) {
  constexpr unsigned kVectors = kTileColumns / kCount;
  Floats rows[4][kVectors];
  Doubts doubts;
  for (unsigned v = 0; v < kVectors; ++v) {
    const unsigned column = v * kCount;
    rows[0][v] = add_near<kShape, 0>(o, numbers, tile, column, in_units, unit, doubts);
    rows[1][v] = add_near<kShape, 1>(o, numbers, tile, column, in_units, unit, doubts);
    rows[2][v] = add_near<kShape, 2>(o, numbers, tile, column, in_units, unit, doubts);
    rows[3][v] = add_near<kShape, 3>(o, numbers, tile, column, in_units, unit, doubts);
  }
  const auto sign = hn::ShiftRight<31>(hn::BitCast(U(), doubts.beyond));
  if (HWY_UNLIKELY(!hn::AllTrue(U(), hn::Eq(hn::Or(doubts.lost, sign), hn::Zero(U()))))) {
    return false;
  }
  for (unsigned v = 0; v < kVectors; ++v) {
    for (unsigned row = 0; row < 4; ++row) {
      const unsigned at = tile.d + row * 64 + v * kCount;
      hn::StoreU(rows[row][v], F(), reinterpret_cast<float*>(o.d) + at);
    }
  }
  return true;
}

/// A tile of any C.
template <MatrixShape kShape>
HWY_NOINLINE void multiply_integral_tile(Fused<kShape>& fused, const Integral<kShape>& numbers,
                                         const Tile& tile) {
  const bool done[4] = {add_integral_row<kShape, 0>(fused, numbers, tile),
                        add_integral_row<kShape, 1>(fused, numbers, tile),
                        add_integral_row<kShape, 2>(fused, numbers, tile),
                        add_integral_row<kShape, 3>(fused, numbers, tile)};
  for (unsigned row = 0; row < 4; ++row) {
    if (!done[row]) fused.multiply_any(tile, row);
  }
}

/// Whether A and B have few enough bits: the product of two is below 2^26 units of 2^(top - 24), so
/// that the sum of 16 fits an i32 and the rule cuts none.
template <MatrixShape kShape>
HWY_INLINE bool make_integral(const Operands& o, Integral<kShape>& to) {
  constexpr int kBits = 14, kSpare = 2 * kBits - 24;
  if (!read_fixed_point<kShape.a>(o.a, to.a) || !read_fixed_point<kShape.b>(o.b, to.b)) {
    return false;
  }
  if (to.a.zeros + to.b.zeros < kSpare) return false;
  const int of_a = std::min(to.a.zeros, kSpare);
  drop_zeros(to.a, of_a);
  drop_zeros(to.b, kSpare - of_a);
  return true;
}

template <MatrixShape kShape>
HWY_INLINE bool multiply_integral(Fused<kShape>& fused) {
  Integral<kShape> numbers;
  if (!make_integral<kShape>(fused.o, numbers)) return false;
  fused.top = numbers.a.largest_exponent + numbers.b.largest_exponent;
  if (!is_ordinary(fused.top)) return false;
  const Operands o = fused.o;
  const auto in_units = hn::Set(F(), power_of_two(24 - fused.top));
  const auto unit = hn::Set(F(), power_of_two(fused.top - 24));
  unsigned index = 0;
  while (index < kTiles<kShape> &&
         multiply_near_tile(o, numbers, tile_at<kShape>(index), in_units, unit)) {
    ++index;
  }
  // Where one C is out of reach others are too.
  for (; index < kTiles<kShape>; ++index) {
    multiply_integral_tile(fused, numbers, tile_at<kShape>(index));
  }
  return true;
}

// ---- Products cut one by one -------------------------------------------------------------------

/// A and B as numbers with their exponents.
template <MatrixShape kShape>
struct Ordinary {
  const Numbers<kShape.a_per_lane()>& a;
  const Numbers<kShape.b_per_lane()>& b;
  RelativeExponents<kShape.a_per_lane()> a_exponents;
  RelativeExponents<kShape.b_per_lane()> b_exponents;
};

/// For each lane of four rows of 16 columns the byte of A's exponents that it takes: of four rows,
/// or with blocks of 4x4 of four rows of four blocks.
struct RowBytes {
  alignas(64) std::int8_t at[64];
};
constexpr RowBytes row_bytes(bool blocks) {
  RowBytes bytes{};
  for (unsigned lane = 0; lane < 64; ++lane) {
    const unsigned row = lane / 16, block = lane % 16 / 4;
    bytes.at[lane] = static_cast<std::int8_t>(blocks ? block * 4 + row : row);
  }
  return bytes;
}
inline constexpr RowBytes kRowBytes = row_bytes(false), kRowBytesOfBlocks = row_bytes(true);

/// The largest exponents of every kStep-th product of a group in a tile, relative to fused.top.
struct Tops {
  alignas(64) std::int8_t at[4 * kTileColumns];
};

template <MatrixShape kShape, unsigned kStep>
HWY_INLINE void find_tops(const Ordinary<kShape>& numbers, const Tile& tile, unsigned first,
                          Tops& tops) {
  const hn::ScalableTag<std::int8_t> d;
  const hn::Repartition<std::int32_t, decltype(d)> d32;
  const auto* bytes = kShape.n == 4 ? kRowBytesOfBlocks.at : kRowBytes.at;
  for (unsigned lane = 0; lane < sizeof tops.at; lane += hn::Lanes(d)) {
    const auto choice = hn::Load(d, bytes + lane);
    auto best = hn::Set(d, std::int8_t{-128});
#pragma GCC unroll 16
    for (unsigned k = first; k < first + kShape.group; k += kStep) {
      const std::int8_t* of_a = numbers.a_exponents.at + place_in_a<kShape>(k, tile.a);
      const auto b = hn::LoadDup128(d, numbers.b_exponents.at + place_in_b<kShape>(k, tile.b));
      hn::Vec<decltype(d)> a;
      if constexpr (kShape.n == 4) {
        a = hn::LoadDup128(d, of_a);
      } else {
        std::int32_t four;
        std::memcpy(&four, of_a, 4);
        a = hn::BitCast(d, hn::Set(d32, four));
      }
      best = hn::Max(best, hn::SaturatedAdd(hn::TableLookupBytes(a, choice), b));
    }
    hn::Store(best, d, tops.at + lane);
  }
}

/// Where all products are zero.
HWY_INLINE auto is_zero_top(Integers top) {
  return hn::Eq(top, hn::Set(I(), RelativeExponents<2>::kZero));
}

HWY_INLINE bool has_zeros(const Tops& tops) {
  const hn::ScalableTag<std::int8_t> d;
  auto least = hn::Load(d, tops.at);
  for (unsigned lane = hn::Lanes(d); lane < sizeof tops.at; lane += hn::Lanes(d)) {
    least = hn::Min(least, hn::Load(d, tops.at + lane));
  }
  return !hn::AllFalse(d, hn::Eq(least, hn::Set(d, std::int8_t{-128})));
}

/// Some columns of the sum of a group's products.
struct Sums {
  Integers sum;  ///< in units of 2^(top - 24)
  Integers top;  ///< relative to fused.top
  Integers up;   ///< 2^(24 - top) as bits of f32
};

/// Sums::up. `of_largest` is 24 less fused.top as an exponent field. Where all products are zero
/// any unit that is in range will do.
HWY_INLINE Integers up_of(Integers top, bool zeros, Integers of_largest) {
  if (HWY_UNLIKELY(zeros)) top = hn::IfThenZeroElse(is_zero_top(top), top);
  return hn::ShiftLeft<23>(hn::Sub(of_largest, top));
}

/// Every kStep-th product of a group, cut to 24 fraction bits of the largest.
template <MatrixShape kShape, unsigned kRow, unsigned kStep>
HWY_INLINE Sums sum_cut(const Ordinary<kShape>& numbers, const Tile& tile, unsigned column,
                        unsigned first, const Tops& tops, bool zeros, Integers up_of_largest) {
  const I i;
  const F f;
  const hn::Rebind<std::int8_t, I> bytes;
  Sums sums;
  sums.top = hn::PromoteTo(i, hn::LoadU(bytes, tops.at + kRow * kTileColumns + column));
  sums.up = up_of(sums.top, zeros, up_of_largest);
  const auto up = hn::BitCast(f, sums.up);
  sums.sum = hn::Zero(i);
  for (unsigned k = first; k < first + kShape.group; k += kStep) {
    const auto a = row_of_a<kShape, kRow>(f, numbers.a.at + place_in_a<kShape>(k, tile.a), column);
    const auto b = hn::LoadU(f, numbers.b.at + place_in_b<kShape>(k, tile.b) + column);
    sums.sum = hn::Add(sums.sum, truncate_to_integer(hn::Mul(hn::Mul(a, b), up)));
  }
  return sums;
}

template <MatrixShape kShape, unsigned kRow>
HWY_INLINE Sums sum_group(const Ordinary<kShape>& numbers, const Tile& tile, unsigned column,
                          unsigned first, const Tops (&tops)[2], bool zeros,
                          Integers up_of_largest) {
  const Sums even = sum_cut<kShape, kRow, kEvenOdd<kShape> ? 2 : 1>(numbers, tile, column, first,
                                                                    tops[0], zeros, up_of_largest);
  if constexpr (!kEvenOdd<kShape>) {
    return even;
  } else {
    const I i;
    const Sums odd =
        sum_cut<kShape, kRow, 2>(numbers, tile, column, first + 1, tops[1], zeros, up_of_largest);
    const auto most = hn::Set(i, 31);
    Sums sums;
    sums.top = hn::Max(even.top, odd.top);
    sums.sum = hn::Add(hn::Shr(even.sum, hn::Min(hn::Sub(sums.top, even.top), most)),
                       hn::Shr(odd.sum, hn::Min(hn::Sub(sums.top, odd.top), most)));
    sums.up = up_of(sums.top, zeros, up_of_largest);
    return sums;
  }
}

/// Adds a group to some columns of C in one row of a tile. Clears `done` where a C is so small that
/// exponents of zeros cut it.
template <MatrixShape kShape>
HWY_INLINE Floats add_sums(const Sums& sums, bool zeros, Floats c, Specials& specials, bool& done) {
  const F f;
  const auto sum = add_products<kEvenOdd<kShape>>(sums.sum, sums.up, c, specials);
  if (HWY_LIKELY(!zeros)) return sum;
  const auto all_zero = hn::RebindMask(f, is_zero_top(sums.top));
  const auto is_zero = hn::Eq(c, hn::Zero(f));
  const auto tiny = hn::AndNot(is_zero, hn::Lt(hn::Abs(c), hn::Set(f, 0x1p-60f)));
  done &= hn::AllFalse(f, hn::And(all_zero, tiny));
  return hn::IfThenElse(all_zero, hn::IfThenZeroElse(is_zero, c), sum);
}

/// One row of a tile; false, and nothing written, where that takes the way for any exponents.
template <MatrixShape kShape, unsigned kRow>
HWY_INLINE bool multiply_ordinary_row(const Operands& o, int top, const Ordinary<kShape>& numbers,
                                      const Tile& tile, const Tops (*tops)[2], const bool* zeros) {
  const F f;
  constexpr unsigned kVectors = kTileColumns / kCount;
  Floats results[kVectors];
  Specials specials;
  bool done = true;
  const auto up_of_largest = hn::Set(I(), 24 + 127 - top);
  for (unsigned v = 0; v < kVectors; ++v) {
    const unsigned at = tile.d + kRow * 64 + v * kCount;
    results[v] = hn::LoadU(f, reinterpret_cast<const float*>(o.c) + at);
    for (unsigned g = 0; g < kShape.k / kShape.group; ++g) {
      const Sums sums = sum_group<kShape, kRow>(numbers, tile, v * kCount, g * kShape.group,
                                                tops[g], zeros[g], up_of_largest);
      results[v] = add_sums<kShape>(sums, zeros[g], results[v], specials, done);
    }
  }
  if (HWY_UNLIKELY(!done || specials.any())) return false;
  for (unsigned v = 0; v < kVectors; ++v) {
    const unsigned at = tile.d + kRow * 64 + v * kCount;
    hn::StoreU(results[v], f, reinterpret_cast<float*>(o.d) + at);
  }
  return true;
}

template <MatrixShape kShape>
HWY_INLINE bool multiply_ordinary(Fused<kShape>& fused) {
  Numbers<kShape.a_per_lane()> a;
  Numbers<kShape.b_per_lane()> b;
  read_numbers<kShape.a>(fused.o.a, a);
  read_numbers<kShape.b>(fused.o.b, b);
  fused.top = a.largest_exponent + b.largest_exponent;
  if (!a.plain || !b.plain || !is_narrow(a, b)) return false;
  Ordinary<kShape> numbers{a, b, {}, {}};
  store_fields(a, numbers.a_exponents);
  store_fields(b, numbers.b_exponents);
  make_relative(a.largest_exponent, 1 - kFormatOf<kShape.a>.bias, numbers.a_exponents);
  make_relative(b.largest_exponent, 1 - kFormatOf<kShape.b>.bias, numbers.b_exponents);
  const Operands o = fused.o;
  const int top = fused.top;
  struct Left {
    std::uint8_t tile, row;
  };
  Left left[kTiles<kShape> * 4 + 1];
  unsigned left_count = 0;
  // Tops of all tiles first: the host overlaps steps that do not wait for each other.
  constexpr unsigned kGroups = kShape.k / kShape.group;
  Tops tops[kTiles<kShape>][kGroups][2];
  bool zeros[kTiles<kShape>][kGroups];
  for (unsigned index = 0; index < kTiles<kShape>; ++index) {
    const Tile tile = tile_at<kShape>(index);
    for (unsigned g = 0; g < kGroups; ++g) {
      constexpr unsigned kStep = kEvenOdd<kShape> ? 2 : 1;
      zeros[index][g] = false;
      for (unsigned part = 0; part < kStep; ++part) {
        Tops& of_part = tops[index][g][part];
        find_tops<kShape, kStep>(numbers, tile, g * kShape.group + part, of_part);
        zeros[index][g] |= has_zeros(of_part);
      }
    }
  }
  for (unsigned index = 0; index < kTiles<kShape>; ++index) {
    const Tile tile = tile_at<kShape>(index);
    const auto& tile_tops = tops[index];
    const bool* zero = zeros[index];
    const bool done[4] = {multiply_ordinary_row<kShape, 0>(o, top, numbers, tile, tile_tops, zero),
                          multiply_ordinary_row<kShape, 1>(o, top, numbers, tile, tile_tops, zero),
                          multiply_ordinary_row<kShape, 2>(o, top, numbers, tile, tile_tops, zero),
                          multiply_ordinary_row<kShape, 3>(o, top, numbers, tile, tile_tops, zero)};
    for (unsigned row = 0; row < 4; ++row) {
      left[left_count] = {static_cast<std::uint8_t>(index), static_cast<std::uint8_t>(row)};
      left_count += done[row] ? 0 : 1;
    }
  }
  for (unsigned at = 0; at < left_count; ++at) {
    fused.multiply_any(tile_at<kShape>(left[at].tile), left[at].row);
  }
  return true;
}

// ---- The instruction -------------------------------------------------------------------------

template <MatrixShape kShape>
const Op* run_fused(machine::Wave& wave, const Op* op) {
  const MatrixOp in{wave, op};
  if constexpr (kShape.sparse) {
    wide::multiply<kShape>(in);
  } else {
    OperandCopies<kShape> copies;
    Fused<kShape> fused;
    fused.o = operands<kShape>(in, copies);
    if (multiply_integral(fused) || multiply_ordinary(fused)) return op + op->dwords;
    wide::multiply<kShape>(in);
  }
  return op + op->dwords;
}

}  // namespace

void append_matrix_fused(Entries& entries) {
  constexpr auto kRun = []<MatrixShape kShape>() -> Handler { return &run_fused<kShape>; };
  append_matrix_rows<isa::MatrixRule::kFusedDot>(entries, kRun);
  append_matrix_rows<isa::MatrixRule::kFusedDotEvenOdd>(entries, kRun);
}

}  // namespace wavetank::execute::WAVETANK_HOST
