// Which dwords of a workgroup's LDS were touched since its last barrier, a bit for each: enough to
// see that no two waves met.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "check/group_clock.hpp"
#include "check/record.hpp"

namespace wavetank::check {

/// Dwords from 64 * first on, a bit for each.
struct DwordBits {
  std::size_t first = 0;
  std::span<const std::uint64_t> bits;
};

class LdsUse {
 public:
  /// A workgroup begins, with nothing touched.
  void begin(std::uint32_t lds_bytes, unsigned waves) {
    const std::size_t words = (lds_bytes + 255) / 256;
    if (words != words_ || waves > waves_) {
      words_ = words;
      waves_ = waves;
      maps_.assign((kSorts * waves + 2 * kSorts) * words, 0);
      used_.fill(0);
    }
    pass_barrier();
  }
  /// Forgets everything.
  void pass_barrier();

  /// True if another wave touched one of the dwords, and this access or that one writes; atomics
  /// may meet atomics. After the first such meeting nothing more can be told until pass_barrier().
  bool meets(AccessKind kind, unsigned wave, const DwordBits& dwords);
  /// True if the wave has touched all of the dwords in this way before.
  bool covers(AccessKind kind, unsigned wave, const DwordBits& dwords) const;

 private:
  enum Sort : unsigned { kRead, kWrite, kAtomic };
  static constexpr unsigned kSorts = 3;
  static Sort sort_of(AccessKind kind) {
    return kind == AccessKind::kAtomic ? kAtomic : writes(kind) ? kWrite : kRead;
  }
  std::uint64_t* own(Sort sort, unsigned wave) { return &maps_[(kSorts * wave + sort) * words_]; }
  const std::uint64_t* own(Sort sort, unsigned wave) const {
    return &maps_[(kSorts * wave + sort) * words_];
  }
  /// Touched by any wave, and by several.
  std::uint64_t* any(Sort sort) { return &maps_[(kSorts * waves_ + sort) * words_]; }
  std::uint64_t* several(Sort sort) { return &maps_[(kSorts * (waves_ + 1) + sort) * words_]; }

  std::size_t words_ = 0;
  unsigned waves_ = 0;
  std::vector<std::uint64_t> maps_;
  std::size_t begin_ = ~std::size_t{0}, end_ = 0;   ///< words that are not 0
  std::array<std::uint8_t, kMostWaves> used_ = {};  ///< a bit for each sort of which there was one
};

}  // namespace wavetank::check
