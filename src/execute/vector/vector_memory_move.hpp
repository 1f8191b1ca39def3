// Moves 64 lanes between memory and vector registers, once the addresses are known and allowed.
//
//   memory, lane after lane            registers, 64 lanes each
//   l0.x l0.y l1.x l1.y ...      <->   x: l0 l1 ... l63   y: l0 l1 ... l63
//
// Lanes at a constant stride of their own size are one vector copy; other patterns go lane by lane
// through a linear buffer. Inactive lanes touch neither memory nor registers.
#pragma once

#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "execute/memory/address.hpp"
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
/// True where masked vector loads and stores leave the memory of inactive lanes alone.
inline constexpr bool kHasMaskedMemory = HWY_CAP_GE256 != 0;

HWY_INLINE hn::Mask<Words> strip_mask(std::uint64_t bits) {
  return hn::LoadMaskBits(Words(), reinterpret_cast<const std::uint8_t*>(&bits));
}

/// Visits active lanes in ascending order.
template <class Visit>
HWY_INLINE void for_each_lane(std::uint64_t exec, Visit visit) {
  if (exec == kAllLanes) {
#pragma GCC unroll 4
    for (unsigned lane = 0; lane < 64; ++lane) visit(lane);
  } else {
    for (; exec != 0; exec &= exec - 1) {
      visit(static_cast<unsigned>(__builtin_ctzll(exec)));
    }
  }
}

/// Writes one strip of a register under EXEC.
template <bool kMasked>
HWY_INLINE void put_strip(hn::Vec<Words> value, std::uint32_t* row, std::uint64_t exec) {
  if constexpr (kMasked) hn::BlendedStore(value, strip_mask(exec), Words(), row);
  else hn::Store(value, Words(), row);
}

/// Loads of kBytes per lane.
template <unsigned kBytes, Extend kExtend = Extend::kZero>
struct Load {
  static constexpr bool kWrite = false;
  static constexpr unsigned kElementBytes = kBytes;
  static constexpr unsigned kRows = (kBytes + 3) / 4;
  using Dword = Load<4>;
  using Twice = Load<(kBytes <= 8 && kBytes >= 4 ? 2 * kBytes : kBytes)>;

  static HWY_INLINE unsigned first_register(const MemoryOperands& memory) { return memory.result; }

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

  /// From consecutive elements in memory.
  template <bool kMasked>
  static HWY_INLINE void unpack(const std::byte* from, std::uint32_t* rows, std::uint64_t exec) {
    const Words d;
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const auto* words = reinterpret_cast<const std::uint32_t*>(from + std::size_t{lane} * kBytes);
      hn::Vec<Words> a, b, c, e;
      if constexpr (kBytes == 1) {
        a = extend(hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, Words>(),
                                              reinterpret_cast<const std::uint8_t*>(words))));
      } else if constexpr (kBytes == 2) {
        a = extend(hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint16_t, Words>(),
                                              reinterpret_cast<const std::uint16_t*>(words))));
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
      const std::uint64_t mask = exec >> lane;
      put_strip<kMasked>(a, rows + lane, mask);
      if constexpr (kRows > 1) put_strip<kMasked>(b, rows + 64 + lane, mask);
      if constexpr (kRows > 2) put_strip<kMasked>(c, rows + 128 + lane, mask);
      if constexpr (kRows > 3) put_strip<kMasked>(e, rows + 192 + lane, mask);
    }
  }
  static HWY_INLINE void unpack(const std::byte* from, std::uint32_t* rows, std::uint64_t exec) {
    if (exec == kAllLanes) unpack<false>(from, rows, exec);
    else unpack<true>(from, rows, exec);
  }

  /// Lane by lane.
  template <class Place>
  static HWY_NOINLINE void gather(Place place, std::uint32_t* rows, std::uint64_t exec) {
    if constexpr (kBytes <= 4) {
      for_each_lane(exec, [&](unsigned lane) {
        std::uint32_t value = 0;
        std::memcpy(&value, place.at(lane), kBytes);
        rows[lane] = extend(value);
      });
    } else {
      alignas(64) std::byte linear[64 * kBytes];
      for_each_lane(exec, [&](unsigned lane) {
        std::memcpy(linear + std::size_t{lane} * kBytes, place.at(lane), kBytes);
      });
      unpack(linear, rows, exec);
    }
  }

  /// Every lane from one address.
  static HWY_NOINLINE void broadcast(const std::byte* from, std::uint32_t* rows,
                                     std::uint64_t exec) {
    std::uint32_t words[kRows] = {};
    std::memcpy(words, from, kBytes);
    if constexpr (kBytes < 4) words[0] = extend(words[0]);
    for (unsigned row = 0; row < kRows; ++row) {
      const auto value = hn::Set(Words(), words[row]);
      std::uint32_t* const to = rows + 64 * row;
      for (unsigned lane = 0; lane < 64; lane += kStrip) {
        if (exec == kAllLanes) put_strip<false>(value, to + lane, exec);
        else put_strip<true>(value, to + lane, exec >> lane);
      }
    }
  }

  static HWY_NOINLINE void masked_row(const std::byte* from, std::uint32_t* row,
                                      std::uint64_t exec) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      const auto mask = strip_mask(exec >> lane);
      const auto* words = reinterpret_cast<const std::uint32_t*>(from + std::size_t{lane} * 4);
      hn::BlendedStore(hn::MaskedLoad(mask, Words(), words), mask, Words(), row + lane);
    }
  }

  static HWY_INLINE void move(const Affine& place, std::uint32_t* rows, std::uint64_t exec) {
    if (place.stride == kBytes) {
      if (HWY_LIKELY(exec == kAllLanes)) return unpack<false>(place.at(0), rows, exec);
      if constexpr (kBytes == 4 && kHasMaskedMemory) return masked_row(place.at(0), rows, exec);
    } else if (place.stride == 0) {
      return broadcast(place.at(0), rows, exec);
    }
    gather(place, rows, exec);
  }
  template <class Place>
  static HWY_INLINE void move(const Place& place, std::uint32_t* rows, std::uint64_t exec) {
    gather(place, rows, exec);
  }

  /// One lane, from its bytes in `value` (dwords, zero-filled).
  static HWY_INLINE void set_lane(const std::uint32_t* value, std::uint32_t* rows, unsigned lane) {
    for (unsigned row = 0; row < kRows; ++row) {
      rows[64 * row + lane] = kBytes < 4 ? extend(value[0]) : value[row];
    }
  }
  /// By the one-lane definition of the address.
  static HWY_NOINLINE void slow(Wave& wave, const Op* op, Segment segment, std::uint32_t* rows,
                   std::uint64_t exec) {
    alignas(64) std::uint32_t values[64 * 4] = {};
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      read_lane(wave, op, segment, lane, values + 4 * lane, kBytes);
    }
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      set_lane(values + 4 * lane, rows, lane);
    }
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

  static HWY_INLINE void pack(const std::uint32_t* rows, std::byte* to) {
    const Words d;
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      auto* words = reinterpret_cast<std::uint32_t*>(to + std::size_t{lane} * kBytes);
      auto a = hn::Load(d, rows + lane);
      if constexpr (kHigh) a = hn::ShiftRight<16>(a);
      if constexpr (kBytes == 1) {
        hn::StoreU(hn::TruncateTo(hn::Rebind<std::uint8_t, Words>(), a),
                   hn::Rebind<std::uint8_t, Words>(), reinterpret_cast<std::uint8_t*>(words));
      } else if constexpr (kBytes == 2) {
        hn::StoreU(hn::TruncateTo(hn::Rebind<std::uint16_t, Words>(), a),
                   hn::Rebind<std::uint16_t, Words>(), reinterpret_cast<std::uint16_t*>(words));
      } else if constexpr (kBytes == 4) {
        hn::StoreU(a, d, words);
      } else if constexpr (kBytes == 8) {
        hn::StoreInterleaved2(a, hn::Load(d, rows + 64 + lane), d, words);
      } else if constexpr (kBytes == 12) {
        hn::StoreInterleaved3(a, hn::Load(d, rows + 64 + lane), hn::Load(d, rows + 128 + lane), d,
                              words);
      } else {
        hn::StoreInterleaved4(a, hn::Load(d, rows + 64 + lane), hn::Load(d, rows + 128 + lane),
                              hn::Load(d, rows + 192 + lane), d, words);
      }
    }
  }

  template <class Place>
  static HWY_NOINLINE void scatter(Place place, const std::uint32_t* rows, std::uint64_t exec) {
    if constexpr (kBytes <= 4) {
      for_each_lane(exec, [&](unsigned lane) {
        const std::uint32_t value = kHigh ? rows[lane] >> 16 : rows[lane];
        std::memcpy(place.at(lane), &value, kBytes);
      });
    } else {
      alignas(64) std::byte linear[64 * kBytes];
      pack(rows, linear);
      for_each_lane(exec, [&](unsigned lane) {
        std::memcpy(place.at(lane), linear + std::size_t{lane} * kBytes, kBytes);
      });
    }
  }

  static HWY_NOINLINE void masked_row(std::byte* to, const std::uint32_t* row,
                                      std::uint64_t exec) {
    for (unsigned lane = 0; lane < 64; lane += kStrip) {
      auto* words = reinterpret_cast<std::uint32_t*>(to + std::size_t{lane} * 4);
      hn::BlendedStore(hn::Load(Words(), row + lane), strip_mask(exec >> lane), Words(), words);
    }
  }

  static HWY_INLINE void move(const Affine& place, const std::uint32_t* rows, std::uint64_t exec) {
    if (place.stride == kBytes) {
      if (HWY_LIKELY(exec == kAllLanes)) return pack(rows, place.at(0));
      if constexpr (kBytes == 4 && kHasMaskedMemory) return masked_row(place.at(0), rows, exec);
    }
    scatter(place, rows, exec);
  }
  template <class Place>
  static HWY_INLINE void move(const Place& place, const std::uint32_t* rows, std::uint64_t exec) {
    scatter(place, rows, exec);
  }
  static HWY_NOINLINE void slow(Wave& wave, const Op* op, Segment segment, const std::uint32_t* rows,
                   std::uint64_t exec) {
    for (std::uint64_t left = exec; left != 0; left &= left - 1) {
      const auto lane = static_cast<unsigned>(__builtin_ctzll(left));
      std::uint32_t value[kRows];
      for (unsigned row = 0; row < kRows; ++row) value[row] = rows[64 * row + lane];
      if (kHigh) value[0] >>= 16;
      write_lane(wave, op, segment, lane, value, kBytes);
    }
  }
};

}  // namespace wavetank::execute::WAVETANK_HOST
