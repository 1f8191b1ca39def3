// Moves 64 lanes between memory and vector registers, once the addresses are known and allowed.
//
//   memory, lane after lane            registers, 64 lanes each
//   l0.x l0.y l1.x l1.y ...      <->   x: l0 l1 ... l63   y: l0 l1 ... l63
//
// A wave whose lanes lie side by side is one vector copy. Otherwise each strip of lanes (as many as
// a host vector holds) is a copy, a broadcast, or goes lane by lane through a linear buffer; hosts'
// gather instructions are no faster, and on some processors many times slower. Inactive lanes
// touch neither memory nor registers.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "execute/memory/address.hpp"
#include "execute/memory/whole.hpp"
#include "execute/op.hpp"

namespace wavetank::execute::WAVETANK_HOST {

namespace hn = hwy::HWY_NAMESPACE;
using machine::Wave;

/// What a load shorter than a register does with the rest of it.
enum class Extend : std::uint8_t { kZero, kSign, kSignLow, kZeroHigh, kSignHigh };

/// Lanes at base + lane * stride.
struct Affine {
  std::uint64_t base = 0;
  std::int64_t stride = 0;
  HWY_INLINE std::byte* at(unsigned lane) const {
    return reinterpret_cast<std::byte*>(base + static_cast<std::uint64_t>(stride) * lane);
  }
};

/// Lanes at any addresses; inactive lanes' entries are not read.
struct Scattered {
  const std::uint64_t* addresses;
  HWY_INLINE std::byte* at(unsigned lane) const {
    return reinterpret_cast<std::byte*>(addresses[lane]);
  }
};

/// Lanes at offsets into LDS, all of them inside it.
struct LdsPlaces {
  std::byte* lds;
  const std::uint32_t* offsets;
  HWY_INLINE std::byte* at(unsigned lane) const { return lds + offsets[lane]; }
};

inline constexpr std::uint64_t kAllLanes = ~std::uint64_t{0};
using Words = hn::ScalableTag<std::uint32_t>;
inline constexpr unsigned kStrip = static_cast<unsigned>(hn::MaxLanes(Words()));
inline constexpr std::uint32_t kWholeStrip = (1u << kStrip) - 1;
/// True where masked vector loads and stores leave the memory of inactive lanes alone.
inline constexpr bool kHasMaskedMemory = HWY_CAP_GE256 != 0;
/// True where masked vector stores also keep elements of 8 and 16 bytes whole: those of AVX2 go
/// dword by dword on AMD's processors, and readers saw halves.
inline constexpr bool kMaskedStoresAreWhole = HWY_TARGET <= HWY_AVX3;

HWY_INLINE hn::Mask<Words> strip_mask(std::uint64_t bits) {
  return hn::LoadMaskBits(Words(), reinterpret_cast<const std::uint8_t*>(&bits));
}
/// EXEC of the strip that starts at `lane`.
HWY_INLINE std::uint32_t strip_bits(std::uint64_t exec, unsigned lane) {
  return static_cast<std::uint32_t>(exec >> lane) & kWholeStrip;
}

/// The dwords of one element, loaded in one access where it has 1, 2, 4, 8 or 16 bytes.
template <unsigned kBytes>
HWY_INLINE void load_dwords(const std::byte* from, std::uint32_t* words) {
  if constexpr (kBytes == 8 || kBytes == 16) {
    const Whole<kBytes> value = load_whole<kBytes>(from);
    std::memcpy(words, &value, kBytes);
  } else {
    words[0] = 0;
    std::memcpy(words, from, kBytes);
  }
}

/// Dword `row` of a lane's element.
HWY_INLINE std::uint64_t dword_of(const std::uint32_t* rows, unsigned row, unsigned lane) {
  return rows[64 * row + lane];
}

/// Visits the lanes of a strip mask in ascending order.
template <class Visit>
HWY_INLINE void for_each_bit(std::uint32_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<unsigned>(__builtin_ctz(bits)));
}

/// Bit i of `bits`, kTimes times in a row.
template <unsigned kTimes>
HWY_INLINE std::uint64_t repeat_bits(std::uint32_t bits) {
  constexpr std::uint64_t kOnes = (std::uint64_t{1} << kTimes) - 1;
#if defined(__BMI2__)
  std::uint64_t first_of_each = 0;
  for (unsigned lane = 0; lane < kStrip; ++lane) first_of_each |= std::uint64_t{1} << lane * kTimes;
  return _pdep_u64(bits, first_of_each) * kOnes;
#else
  std::uint64_t result = 0;
  for (unsigned lane = 0; lane < kStrip; ++lane) {
    if ((bits >> lane) & 1) result |= kOnes << (lane * kTimes);
  }
  return result;
#endif
}

/// How the lanes of a strip lie.
enum class StripKind : std::uint8_t { kSideBySide, kSame, kOther };

/// Kind of the strip at `lane`, whose active lanes `bits` have the low address words `low`.
template <class Place>
HWY_INLINE StripKind strip_kind(const Place& place, const std::uint32_t* low, unsigned lane,
                                std::uint32_t bits, unsigned bytes) {
  const Words d;
  const auto first = static_cast<unsigned>(__builtin_ctz(bits));
  const unsigned last = 31 - static_cast<unsigned>(__builtin_clz(bits));
  const std::ptrdiff_t distance = place.at(lane + last) - place.at(lane + first);
  const auto from_first = hn::Sub(hn::LoadU(d, low + lane), hn::Set(d, low[lane + first]));
  auto expected = hn::Zero(d);
  StripKind kind = StripKind::kSame;
  if (distance != 0 || last == first) {
    // Low words alone would not tell a sum that wraps.
    if (distance != static_cast<std::ptrdiff_t>((last - first) * bytes)) return StripKind::kOther;
    const auto steps = hn::Mul(hn::Iota(d, 0), hn::Set(d, bytes));
    expected = hn::Sub(steps, hn::Set(d, first * bytes));
    kind = StripKind::kSideBySide;
  }
  const auto wrong = hn::IfThenElseZero(strip_mask(bits), hn::Xor(from_first, expected));
  return hn::AllTrue(d, hn::Eq(wrong, hn::Zero(d))) ? kind : StripKind::kOther;
}

/// Loads of kBytes per lane.
template <unsigned kBytes, Extend kExtend = Extend::kZero>
struct Load {
  static constexpr bool kWrite = false;
  static constexpr unsigned kElementBytes = kBytes;
  static constexpr unsigned kRows = (kBytes + 3) / 4;
  using Dword = Load<4>;

  static HWY_INLINE unsigned first_register(const MemoryOperands& memory) { return memory.result; }

  /// All lanes, side by side.
  static HWY_INLINE void copy(const std::byte* from, std::uint32_t* rows) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      unpack<false>(from + std::size_t{lane} * kBytes, rows + lane, kWholeStrip);
    }
  }

  /// Active lanes from one address.
  static HWY_NOINLINE void broadcast(const std::byte* from, std::uint32_t* rows,
                                     std::uint64_t exec) {
    std::uint32_t words[kRows];
    load_dwords<kBytes>(from, words);
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      broadcast_strip(words, rows + lane, strip_bits(exec, lane));
    }
  }

  /// Active lanes, side by side; `from` is lane 0's place.
  static HWY_INLINE void side_by_side(std::byte* from, std::uint32_t* rows, std::uint64_t exec) {
    if (HWY_LIKELY(exec == kAllLanes)) return copy(from, rows);
    masked(Affine{reinterpret_cast<std::uint64_t>(from), kBytes}, rows, exec);
  }

  /// Active lanes at place.at(lane). The strips' patterns show in `low`, the low words of the
  /// addresses, unless it is null.
  template <class Place>
  static HWY_NOINLINE void strips(Place place, const std::uint32_t* low, std::uint32_t* rows,
                                  std::uint64_t exec) {
    alignas(64) std::byte linear[kBytes <= 4 ? 4 : 64 * kBytes];
    std::uint64_t staged = 0;
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const std::uint32_t bits = strip_bits(exec, lane);
      if (bits == 0) continue;
      const StripKind kind =
          low == nullptr ? StripKind::kOther : strip_kind(place, low, lane, bits, kBytes);
      if (kind == StripKind::kOther) {
        low = nullptr;  // the other strips will hardly be more regular
        gather(place, lane, bits, rows, linear);
        staged |= std::uint64_t{bits} << lane;
      } else {
        strip(place, kind, rows, lane, bits);
      }
    }
    // Later than the scalar stores to `linear`, which a vector load soon after would wait for.
    for (unsigned lane = 0; kBytes > 4 && lane < 64; lane += kStrip) {
      const std::uint32_t bits = strip_bits(staged, lane);
      if (bits != 0) unpack<true>(linear + std::size_t{lane} * kBytes, rows + lane, bits);
    }
  }

  /// By the one-lane definition of the address.
  static HWY_NOINLINE void slow(Wave& wave, const Op* op, Segment segment, std::uint32_t* rows,
                                std::uint64_t exec) {
    alignas(64) std::byte linear[64 * kBytes + 64] = {};
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      read_lane(wave, op, segment, lane, linear + std::size_t{lane} * kBytes, kBytes);
    }
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      unpack<true>(linear + std::size_t{lane} * kBytes, rows + lane, strip_bits(exec, lane));
    }
  }

 private:
  static HWY_NOINLINE void masked(Affine place, std::uint32_t* rows, std::uint64_t exec) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const std::uint32_t bits = strip_bits(exec, lane);
      if (bits != 0) strip(place, StripKind::kSideBySide, rows, lane, bits);
    }
  }

  template <class Place>
  static HWY_INLINE void strip(const Place& place, StripKind kind, std::uint32_t* rows,
                               unsigned lane, std::uint32_t bits) {
    const auto first = static_cast<unsigned>(__builtin_ctz(bits));
    const std::byte* const at = place.at(lane + first);
    if (kind == StripKind::kSame) {
      std::uint32_t words[kRows];
      load_dwords<kBytes>(at, words);
      broadcast_strip(words, rows + lane, bits);
    } else if (kind == StripKind::kSideBySide && bits == kWholeStrip) {
      unpack<false>(at, rows + lane, bits);
    } else if (kHasMaskedMemory && kBytes >= 4) {
      masked_strip(at - std::size_t{first} * kBytes, rows + lane, bits);
    } else {
      alignas(64) std::byte linear[64 * kBytes];
      gather(place, lane, bits, rows, linear);
      if (kBytes > 4) unpack<true>(linear + std::size_t{lane} * kBytes, rows + lane, bits);
    }
  }

  /// The strip at `lane`, lane by lane: short elements to the register, long ones to `linear`.
  template <class Place>
  static HWY_INLINE void gather(const Place& place, unsigned lane, std::uint32_t bits,
                                std::uint32_t* rows, std::byte* linear) {
    const auto one = [&](unsigned l) {
      if constexpr (kBytes <= 4) {
        std::uint32_t value = 0;
        std::memcpy(&value, place.at(l), kBytes);
        rows[l] = extend(value);
      } else {
        copy_element<kBytes>(linear + std::size_t{l} * kBytes, place.at(l));
      }
    };
    if (bits == kWholeStrip) {
#pragma GCC unroll 16
      for (unsigned l = 0; l < kStrip; ++l) one(lane + l);
    } else {
      for_each_bit(bits, [&](unsigned l) { one(lane + l); });
    }
  }

  /// The register value of a short element that was loaded zero-extended.
  static HWY_INLINE std::uint32_t extend(std::uint32_t value) {
    constexpr unsigned kShift = 32 - 8 * (kBytes < 4 ? kBytes : 4);
    const auto top = static_cast<std::int32_t>(value << kShift);
    const auto wide = static_cast<std::uint32_t>(top >> kShift);
    switch (kExtend) {
      case Extend::kZero: return value;
      case Extend::kSign: return wide;
      case Extend::kSignLow: return wide & 0xffffu;
      case Extend::kZeroHigh: return value << 16;
      case Extend::kSignHigh: return wide << 16;
    }
  }
  /// The register value of short elements that were loaded zero-extended.
  static HWY_INLINE hn::Vec<Words> extend(hn::Vec<Words> value) {
    constexpr int kShift = 32 - 8 * (kBytes < 4 ? kBytes : 4);
    if constexpr (kExtend == Extend::kSign || kExtend == Extend::kSignLow ||
                  kExtend == Extend::kSignHigh) {
      const hn::RebindToSigned<Words> signed_words;
      const auto top = hn::BitCast(signed_words, hn::ShiftLeft<kShift>(value));
      value = hn::BitCast(Words(), hn::ShiftRight<kShift>(top));
    }
    if constexpr (kExtend == Extend::kSignLow) value = hn::And(value, hn::Set(Words(), 0xffffu));
    if constexpr (kExtend == Extend::kZeroHigh || kExtend == Extend::kSignHigh) {
      value = hn::ShiftLeft<16>(value);
    }
    return value;
  }

  template <bool kMasked>
  static HWY_INLINE void put(hn::Vec<Words> value, std::uint32_t* row, std::uint32_t bits) {
    if constexpr (kMasked) hn::BlendedStore(value, strip_mask(bits), Words(), row);
    else hn::StoreU(value, Words(), row);
  }

  /// One strip from consecutive elements in memory.
  template <bool kMasked>
  static HWY_INLINE void unpack(const std::byte* from, std::uint32_t* rows, std::uint32_t bits) {
    const Words d;
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
    hn::Vec<Words> a, b, c, e;
    if constexpr (kBytes == 1) {
      a = extend(hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, Words>(),
                                            reinterpret_cast<const std::uint8_t*>(from))));
    } else if constexpr (kBytes == 2) {
      a = extend(hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint16_t, Words>(),
                                            reinterpret_cast<const std::uint16_t*>(from))));
    } else if constexpr (kBytes == 4) {
      a = hn::LoadU(d, words);
    } else if constexpr (kBytes == 8) {
      const auto low = hn::LoadU(d, words), high = hn::LoadU(d, words + kStrip);
      a = hn::ConcatEven(d, high, low);
      b = hn::ConcatOdd(d, high, low);
    } else if constexpr (kBytes == 12) {
      hn::LoadInterleaved3(d, words, a, b, c);
    } else {
      hn::LoadInterleaved4(d, words, a, b, c, e);
    }
    put<kMasked>(a, rows, bits);
    if constexpr (kRows > 1) put<kMasked>(b, rows + 64, bits);
    if constexpr (kRows > 2) put<kMasked>(c, rows + 128, bits);
    if constexpr (kRows > 3) put<kMasked>(e, rows + 192, bits);
  }

  static HWY_INLINE void broadcast_strip(const std::uint32_t* words, std::uint32_t* rows,
                                         std::uint32_t bits) {
    for (unsigned row = 0; row < kRows; ++row) {
      auto value = hn::Set(Words(), words[row]);
      if constexpr (kBytes < 4) value = extend(value);
      put<true>(value, rows + 64 * row, bits);
    }
  }

  /// Side by side, some lanes inactive.
  static HWY_INLINE void masked_strip(const std::byte* from, std::uint32_t* rows,
                                      std::uint32_t bits) {
    const auto* words = reinterpret_cast<const std::uint32_t*>(from);
    if constexpr (kBytes == 4) {
      return put<true>(hn::MaskedLoad(strip_mask(bits), Words(), words), rows, bits);
    }
    const std::uint64_t active = repeat_bits<kRows>(bits);
    alignas(64) std::uint32_t linear[kStrip * kRows];
    for (unsigned row = 0; row < kRows; ++row) {
      const auto mask = strip_mask((active >> (row * kStrip)) & kWholeStrip);
      hn::Store(hn::MaskedLoad(mask, Words(), words + row * kStrip), Words(),
                linear + row * kStrip);
    }
    unpack<true>(reinterpret_cast<const std::byte*>(linear), rows, bits);
  }
};

/// Stores of kBytes per lane, from the low or (kHigh) the upper half of the register.
template <unsigned kBytes, bool kHigh = false>
struct Store {
  static constexpr bool kWrite = true;
  static constexpr unsigned kElementBytes = kBytes;
  static constexpr unsigned kRows = (kBytes + 3) / 4;
  using Dword = Store<4>;

  static HWY_INLINE unsigned first_register(const MemoryOperands& memory) { return memory.data; }

  /// All lanes, side by side.
  static HWY_INLINE void copy(std::byte* to, const std::uint32_t* rows) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      pack(rows + lane, to + std::size_t{lane} * kBytes);
    }
  }

  /// All lanes, side by side, past the host's caches: no line is read to be written. `to` is
  /// aligned to 64 bytes. Later stores of other threads are not ordered behind it.
  static HWY_INLINE void stream(std::byte* to, const std::uint32_t* rows) {
    alignas(64) std::uint32_t linear[kStrip * kRows];
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      pack(rows + lane, reinterpret_cast<std::byte*>(linear));
      auto* const words = reinterpret_cast<std::uint32_t*>(to + std::size_t{lane} * kBytes);
      for (unsigned i = 0; i < kStrip * kRows; i += kStrip) {
        hn::Stream(hn::Load(Words(), linear + i), Words(), words + i);
      }
    }
  }

  /// Active lanes to one address: the last one stays.
  static HWY_NOINLINE void broadcast(std::byte* to, const std::uint32_t* rows,
                                     std::uint64_t exec) {
    store_lane(to, rows, 63 - static_cast<unsigned>(__builtin_clzll(exec)));
  }

  /// Active lanes, side by side; `to` is lane 0's place.
  static HWY_INLINE void side_by_side(std::byte* to, const std::uint32_t* rows,
                                      std::uint64_t exec) {
    if (HWY_LIKELY(exec == kAllLanes)) return copy(to, rows);
    masked(Affine{reinterpret_cast<std::uint64_t>(to), kBytes}, rows, exec);
  }

  /// Active lanes to place.at(lane), in ascending order; see Load::strips.
  template <class Place>
  static HWY_NOINLINE void strips(Place place, const std::uint32_t* low, const std::uint32_t* rows,
                                  std::uint64_t exec) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const std::uint32_t bits = strip_bits(exec, lane);
      if (bits == 0) continue;
      const StripKind kind =
          low == nullptr ? StripKind::kOther : strip_kind(place, low, lane, bits, kBytes);
      if (kind == StripKind::kOther) low = nullptr;  // nor will the others be more regular
      strip(place, kind, rows, lane, bits);
    }
  }

  static HWY_NOINLINE void slow(Wave& wave, const Op* op, Segment segment,
                                const std::uint32_t* rows, std::uint64_t exec) {
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      std::byte element[16];
      store_lane(element, rows, lane);
      write_lane(wave, op, segment, lane, element, kBytes);
    }
  }

 private:
  static HWY_NOINLINE void masked(Affine place, const std::uint32_t* rows, std::uint64_t exec) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const std::uint32_t bits = strip_bits(exec, lane);
      if (bits != 0) strip(place, StripKind::kSideBySide, rows, lane, bits);
    }
  }

  template <class Place>
  static HWY_INLINE void strip(const Place& place, StripKind kind, const std::uint32_t* rows,
                               unsigned lane, std::uint32_t bits) {
    const auto first = static_cast<unsigned>(__builtin_ctz(bits));
    std::byte* const at = place.at(lane + first);
    if (kind == StripKind::kSideBySide && bits == kWholeStrip) {
      pack(rows + lane, at);
    } else if (kind == StripKind::kSideBySide &&
               (kBytes == 4 ? kHasMaskedMemory : kBytes > 4 && kMaskedStoresAreWhole)) {
      masked_strip(at - std::size_t{first} * kBytes, rows + lane, bits);
    } else {
      scatter(place, rows, lane, bits);
    }
  }

  /// The strip at `lane`, lane by lane.
  template <class Place>
  static HWY_INLINE void scatter(const Place& place, const std::uint32_t* rows, unsigned lane,
                                 std::uint32_t bits) {
    alignas(64) std::byte linear[kStrip * 16];
    if constexpr (kBytes > 4) pack(rows + lane, linear);
    const auto one = [&](unsigned l) {
      if constexpr (kBytes <= 4) store_lane(place.at(lane + l), rows, lane + l);
      else copy_element<kBytes>(place.at(lane + l), linear + std::size_t{l} * kBytes);
    };
    if (bits == kWholeStrip) {
#pragma GCC unroll 16
      for (unsigned l = 0; l < kStrip; ++l) one(l);
    } else {
      for_each_bit(bits, one);
    }
  }

  static HWY_INLINE void store_lane(std::byte* to, const std::uint32_t* rows, unsigned lane) {
    const auto pair = [&](unsigned row) {
      return dword_of(rows, row, lane) | dword_of(rows, row + 1, lane) << 32;
    };
    if constexpr (kBytes == 8) {
      store_whole(to, pair(0));
    } else if constexpr (kBytes == 16) {
      store_whole(to, Bytes16{pair(0), pair(2)});
    } else {
      std::uint32_t value[kRows];
      for (unsigned row = 0; row < kRows; ++row) value[row] = rows[64 * row + lane];
      if constexpr (kHigh) value[0] >>= 16;
      std::memcpy(to, value, kBytes);
    }
  }

  /// One strip to consecutive elements in memory.
  static HWY_INLINE void pack(const std::uint32_t* rows, std::byte* to) {
    const Words d;
    auto* words = reinterpret_cast<std::uint32_t*>(to);
    auto a = hn::LoadU(d, rows);
    if constexpr (kHigh) a = hn::ShiftRight<16>(a);
    if constexpr (kBytes == 1) {
      const hn::Rebind<std::uint8_t, Words> bytes;
      hn::StoreU(hn::TruncateTo(bytes, a), bytes, reinterpret_cast<std::uint8_t*>(to));
    } else if constexpr (kBytes == 2) {
      const hn::Rebind<std::uint16_t, Words> halves;
      hn::StoreU(hn::TruncateTo(halves, a), halves, reinterpret_cast<std::uint16_t*>(to));
    } else if constexpr (kBytes == 4) {
      hn::StoreU(a, d, words);
    } else if constexpr (kBytes == 8) {
      hn::StoreInterleaved2(a, hn::LoadU(d, rows + 64), d, words);
    } else if constexpr (kBytes == 12) {
      hn::StoreInterleaved3(a, hn::LoadU(d, rows + 64), hn::LoadU(d, rows + 128), d, words);
    } else {
      hn::StoreInterleaved4(a, hn::LoadU(d, rows + 64), hn::LoadU(d, rows + 128),
                            hn::LoadU(d, rows + 192), d, words);
    }
  }

  /// Side by side, some lanes inactive.
  static HWY_INLINE void masked_strip(std::byte* to, const std::uint32_t* rows,
                                      std::uint32_t bits) {
    auto* words = reinterpret_cast<std::uint32_t*>(to);
    if constexpr (kBytes == 4 && !kHigh) {
      return hn::BlendedStore(hn::LoadU(Words(), rows), strip_mask(bits), Words(), words);
    }
    const std::uint64_t active = repeat_bits<kRows>(bits);
    alignas(64) std::uint32_t linear[kStrip * kRows];
    pack(rows, reinterpret_cast<std::byte*>(linear));
    for (unsigned row = 0; row < kRows; ++row) {
      const auto mask = strip_mask((active >> (row * kStrip)) & kWholeStrip);
      hn::BlendedStore(hn::Load(Words(), linear + row * kStrip), mask, Words(),
                       words + row * kStrip);
    }
  }
};

}  // namespace wavetank::execute::WAVETANK_HOST
