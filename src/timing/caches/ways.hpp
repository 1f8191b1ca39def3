// The ways of a cache's sets: where a tag may be, and in which order the ways were used. One set is
// a line or a few of the host's caches, which hold little of a large cache: what a look-up touches
// besides is the line that it finds.
#pragma once

#include <emmintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace wavetank::timing {

class Ways {
 public:
  Ways(std::uint32_t ways, std::uint32_t sets)
      : ways_(ways),
        padded_((ways + kBlock - 1) / kBlock * kBlock),
        lines_of_set_((padded_ * 3 + sizeof(HostLine) - 1) / sizeof(HostLine)),
        memory_(std::size_t{lines_of_set_} * sets) {
    forget();
  }

  /// All ways are as if never used: the first one of each set is the oldest.
  void forget() {
    for (std::uint32_t way = 0; way < padded_; ++way) {
      set_age(0, way, way < ways_ ? static_cast<std::int16_t>(ways_ - 1 - way) : kNoWay);
    }
    for (std::size_t line = lines_of_set_; line < memory_.size(); ++line) {
      memory_[line] = memory_[line - lines_of_set_];
    }
  }
  /// Calls visit(way) for the ways whose sign is that of the tag, until it gives true.
  template <class Visit>
  void for_same_sign(std::size_t set, std::uint64_t tag, Visit visit) const {
    const __m128i wanted = _mm_set1_epi8(static_cast<char>(sign_of(tag)));
    for (std::uint32_t block = 0; block < ways_; block += kBlock) {
      auto same = static_cast<unsigned>(
          _mm_movemask_epi8(_mm_cmpeq_epi8(load(signs(set) + block), wanted)));
      for (; same != 0; same &= same - 1) {
        const std::uint32_t way = block + static_cast<std::uint32_t>(std::countr_zero(same));
        if (way < ways_ && visit(way)) return;
      }
    }
  }
  void sign(std::size_t set, std::uint32_t way, std::uint64_t tag) {
    signs(set)[way] = sign_of(tag);
  }
  /// The way is the youngest from now on.
  void use(std::size_t set, std::uint32_t way) {
    const std::int16_t age = age_of(set, way);
    if (age == 0) return;
    const __m128i limit = _mm_set1_epi16(age);
    for (std::uint32_t block = 0; block < padded_; block += kBlock / 2) {
      std::byte* const place = ages(set) + 2 * block;
      const __m128i old = load(place);
      store(place, _mm_sub_epi16(old, _mm_cmplt_epi16(old, limit)));
    }
    set_age(set, way, 0);
  }
  /// The way has `younger` ways before it from now on, which are no fewer than there were.
  void grow_old(std::size_t set, std::uint32_t way, std::uint32_t younger) {
    const std::int16_t from = age_of(set, way);
    const auto to = static_cast<std::int16_t>(younger);
    for (std::uint32_t other = 0; other < ways_; ++other) {
      const std::int16_t age = age_of(set, other);
      if (age > from && age <= to) set_age(set, other, static_cast<std::int16_t>(age - 1));
    }
    set_age(set, way, to);
  }
  /// The way that was not used for longest.
  std::uint32_t oldest(std::size_t set) const {
    const __m128i wanted = _mm_set1_epi16(static_cast<std::int16_t>(ways_ - 1));
    for (std::uint32_t block = 0;; block += kBlock) {
      const std::byte* const place = ages(set) + 2 * block;
      const __m128i same = _mm_packs_epi16(_mm_cmpeq_epi16(load(place), wanted),
                                           _mm_cmpeq_epi16(load(place + kBlock), wanted));
      const auto found = static_cast<unsigned>(_mm_movemask_epi8(same));
      if (found != 0) return block + static_cast<std::uint32_t>(std::countr_zero(found));
    }
  }
  /// Lets the host bring what all this reads first.
  void prefetch(std::size_t set) const { __builtin_prefetch(signs(set)); }

 private:
  /// Ways that are compared at a time.
  static constexpr std::uint32_t kBlock = 16;
  static constexpr std::int16_t kNoWay = 0x7fff;
  struct alignas(64) HostLine {
    std::byte bytes[64] = {};
  };

  /// A byte by which most tags differ.
  static std::byte sign_of(std::uint64_t tag) {
    return static_cast<std::byte>(tag * 0x9e3779b97f4a7c15 >> 56);
  }
  static __m128i load(const std::byte* place) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(place));
  }
  static void store(std::byte* place, __m128i value) {
    _mm_store_si128(reinterpret_cast<__m128i*>(place), value);
  }
  // Of a set: the signs, one byte each, and then the ages, two bytes each: how many ways were used
  // since.
  const std::byte* signs(std::size_t set) const { return memory_[set * lines_of_set_].bytes; }
  std::byte* signs(std::size_t set) { return memory_[set * lines_of_set_].bytes; }
  const std::byte* ages(std::size_t set) const { return signs(set) + padded_; }
  std::byte* ages(std::size_t set) { return signs(set) + padded_; }
  std::int16_t age_of(std::size_t set, std::uint32_t way) const {
    std::int16_t age;
    std::memcpy(&age, ages(set) + 2 * way, sizeof age);
    return age;
  }
  void set_age(std::size_t set, std::uint32_t way, std::int16_t age) {
    std::memcpy(ages(set) + 2 * way, &age, sizeof age);
  }

  std::uint32_t ways_, padded_;
  std::uint32_t lines_of_set_;  ///< of the host
  std::vector<HostLine> memory_;
};

}  // namespace wavetank::timing
