// The ways of a cache's sets: where a tag may be, and in which order the ways were used. One set is
// a line or a few of the host's caches, which hold little of a large cache: what a look-up touches
// besides is the line that it finds. A set bears a stamp that says of which time it is, so that a
// cache is emptied without a look at its sets.
#pragma once

#include <emmintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/zeroed_array.hpp"

namespace wavetank::timing {

class Ways {
 public:
  static constexpr std::uint32_t kMost = 256;

  /// `ways` is at most kMost.
  Ways(std::uint32_t ways, std::uint32_t sets)
      : ways_(ways),
        padded_((ways + kBlock - 1) / kBlock * kBlock),
        lines_of_set_((stamp_at() + sizeof(Stamp) + sizeof(HostLine) - 1) / sizeof(HostLine)),
        memory_(std::size_t{lines_of_set_} * sets) {}

  /// When a set was emptied last, and when its lines heard of a launch: counts from 1 on. No device
  /// lives for as many launches as there are numbers.
  struct Stamp {
    std::uint32_t emptied = 0, launched = 0;
    bool operator==(const Stamp&) const = default;
  };
  /// All sets are empty from now on.
  void forget() {
    if (++now_.emptied != 0) return;
    memory_.clear();
    now_.emptied = 1;
  }
  /// A launch starts.
  void start_launch() { ++now_.launched; }
  /// True if nothing has happened since the set was renewed.
  bool is_current(std::size_t set) const { return stamp_of(set) == now_; }
  /// True if nothing is in the set, whatever its bytes say.
  bool is_empty(std::size_t set) const { return stamp_of(set).emptied != now_.emptied; }
  /// The set is of now. If it is empty all its ways are as if never used: the first is the oldest.
  void renew(std::size_t set) {
    if (is_empty(set)) {
      std::memset(bytes_of(set), 0, ways_);
      const Ring ring = ring_of(set);
      for (std::uint32_t way = 0; way < ways_; ++way) {
        ring.older[way] = static_cast<std::uint8_t>((way + ways_ - 1) % ways_);
        ring.younger[way] = static_cast<std::uint8_t>((way + 1) % ways_);
      }
      *ring.youngest = static_cast<std::uint8_t>(ways_ - 1);
    }
    std::memcpy(bytes_of(set) + stamp_at(), &now_, sizeof now_);
  }

  // What follows is for sets that were renewed since they were emptied.

  /// Calls visit(way) for the ways whose sign is that of the tag, until it gives true.
  template <class Visit>
  void for_same_sign(std::size_t set, std::uint64_t tag, Visit visit) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(sign_of(tag)));
    const std::uint8_t* const signs = bytes_of(set);
    for (std::uint32_t block = 0; block < ways_; block += kBlock) {
      const __m128i some = _mm_load_si128(reinterpret_cast<const __m128i*>(signs + block));
      auto same = static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(some, wanted)));
      for (; same != 0; same &= same - 1) {
        const std::uint32_t way = block + static_cast<std::uint32_t>(std::countr_zero(same));
        if (way < ways_ && visit(way)) return;
      }
    }
  }
  void sign(std::size_t set, std::uint32_t way, std::uint64_t tag) {
    bytes_of(set)[way] = sign_of(tag);
  }
  /// The way is the youngest from now on.
  void use(std::size_t set, std::uint32_t way) {
    const Ring ring = ring_of(set);
    const std::uint8_t front = *ring.youngest;
    if (way == front) return;
    if (way != ring.younger[front]) ring.move(way, front);
    *ring.youngest = static_cast<std::uint8_t>(way);
  }
  /// So many other ways are older than this one from now on, which are no more than there were.
  void grow_old(std::size_t set, std::uint32_t way, std::uint32_t older) {
    if (older == ways_ - 1) return;
    const Ring ring = ring_of(set);
    if (way == *ring.youngest) *ring.youngest = ring.older[way];
    // Behind the oldest in the ring is the youngest.
    std::uint8_t before = *ring.youngest;
    for (; older != 0; --older) {
      before = ring.younger[before];
      if (before == way) before = ring.younger[before];
    }
    if (ring.younger[before] != way) ring.move(way, before);
  }
  /// The way that was not used for longest.
  std::uint32_t oldest(std::size_t set) const {
    const std::uint8_t* const bytes = bytes_of(set);
    return bytes[2 * padded_ + bytes[3 * padded_]];
  }
  /// Lets the host bring what all this reads first.
  void prefetch(std::size_t set) const { __builtin_prefetch(bytes_of(set)); }

 private:
  /// Ways that are compared at a time.
  static constexpr std::uint32_t kBlock = 16;
  struct alignas(64) HostLine {
    std::uint8_t bytes[64];
  };
  /// The ways in the order of their uses; behind the oldest one comes the youngest.
  struct Ring {
    std::uint8_t* older;    ///< for each way the next older one; for the oldest the youngest
    std::uint8_t* younger;  ///< the other way round
    std::uint8_t* youngest;
    /// Takes a way out, and puts it where it is younger than `before` and older than what was.
    void move(std::uint32_t way, std::uint8_t before) const {
      younger[older[way]] = younger[way];
      older[younger[way]] = older[way];
      const std::uint8_t behind = younger[before];
      const auto moved = static_cast<std::uint8_t>(way);
      younger[before] = moved;
      older[way] = before;
      younger[way] = behind;
      older[behind] = moved;
    }
  };

  /// A byte by which most tags differ.
  static std::uint8_t sign_of(std::uint64_t tag) {
    return static_cast<std::uint8_t>(tag * 0x9e3779b97f4a7c15 >> 56);
  }
  std::size_t stamp_at() const { return 3 * padded_ + 1; }
  Stamp stamp_of(std::size_t set) const {
    Stamp stamp;
    std::memcpy(&stamp, bytes_of(set) + stamp_at(), sizeof stamp);
    return stamp;
  }
  // Of a set: signs, next older and next younger ways, one byte for each way, the youngest, and the
  // stamp.
  const std::uint8_t* bytes_of(std::size_t set) const { return memory_[set * lines_of_set_].bytes; }
  std::uint8_t* bytes_of(std::size_t set) { return memory_[set * lines_of_set_].bytes; }
  Ring ring_of(std::size_t set) {
    std::uint8_t* const bytes = bytes_of(set);
    return {bytes + padded_, bytes + 2 * padded_, bytes + 3 * padded_};
  }

  std::uint32_t ways_, padded_;
  std::uint32_t lines_of_set_;  ///< of the host
  ZeroedArray<HostLine> memory_;
  Stamp now_{1, 1};
};

}  // namespace wavetank::timing
