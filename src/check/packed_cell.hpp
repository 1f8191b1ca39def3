// A cell in 16 bytes: what most cells have to remember fits into two words.
#pragma once

#include <array>
#include <cstdint>

#include "check/record.hpp"

namespace wavetank::check {

/// What packed records count from, and what they need not remember.
struct CellBase {
  /// The first workgroup of the present launch: what earlier ones did is ordered before all of it.
  std::uint32_t first_actor = 0;
  std::uint32_t first_site = 0;
};

/// What a word of a packed cell holds, in its upper two bits, and where its record's parts lie.
namespace packed_bits {
enum Sort : std::uint64_t { kValue, kWrite, kAtomic, kRead };
inline constexpr unsigned kSiteBits = 14, kTimeBits = 13, kWaveBits = 4, kActorBits = 24;
inline constexpr unsigned kSiteAt = kLaneBits, kTimeAt = kSiteAt + kSiteBits,
                          kWaveAt = kTimeAt + kTimeBits, kActorAt = kWaveAt + kWaveBits,
                          kMeetsStoresAt = kActorAt + kActorBits, kSortAt = 62;
static_assert(kMeetsStoresAt < kSortAt);

constexpr std::uint64_t mask(unsigned at, unsigned bits) {
  return ((std::uint64_t{1} << bits) - 1) << at;
}
/// Which wave of which workgroup.
inline constexpr std::uint64_t kActorAndWave = mask(kWaveAt, kWaveBits + kActorBits);
inline constexpr std::uint64_t kSortAndSite = mask(kSortAt, 2) | mask(kSiteAt, kSiteBits);
}  // namespace packed_bits

/// A plain access that meets many cells, packed once.
struct PackedAccess {
  std::uint64_t word = 0;  ///< without its lane; 0: it does not fit, or is no plain one
  bool is_write = false;
  bool is_ordered = false;  ///< other workgroups' accesses may be ordered before it

  static PackedAccess of(const Record& record, AccessKind kind, bool is_ordered,
                         const CellBase& base);
  /// True if this is all that has to be remembered of a piece of memory of which one plain access
  /// was, packed (0: none): the same wave loaded it, or stored what it stores again.
  bool replaces(std::uint64_t remembered) const {
    if (word == 0) return false;
    if (remembered == 0) return true;
    const bool same_wave = ((remembered ^ word) & packed_bits::kActorAndWave) == 0;
    return same_wave && (is_write || remembered >> packed_bits::kSortAt == packed_bits::kRead);
  }
};

/// Two accesses, or one, or a store and its value.
class PackedCell {
 public:
  PackedCell() = default;
  /// One plain access, packed, and its value if it is a store.
  PackedCell(std::uint64_t access, std::uint32_t value) : words_{access, value} {}

  /// Does what meet() would do where that is little: remembers a first access, or one in place of
  /// the same wave's before, or drops a load of what two other workgroups have loaded. False if it
  /// is not so simple.
  bool take(const PackedAccess& now, unsigned lane, std::uint32_t value) {
    if (now.word == 0) return false;
    if (words_[1] >> packed_bits::kSortAt == packed_bits::kValue && now.replaces(words_[0])) {
      words_ = {now.word | lane, now.is_write ? value : 0};
      return true;
    }
    return !now.is_write && !now.is_ordered && is_loaded_by_others(now);
  }
  /// Takes a cell in; false if there is no room: for three accesses, for a store's value beside
  /// another access, or for a large number.
  bool pack(const Cell& cell, const CellBase& base);
  Cell unpack(const CellBase& base) const;

 private:
  bool is_loaded_by_others(const PackedAccess& now) const;
  std::array<std::uint64_t, 2> words_ = {};
};

}  // namespace wavetank::check
