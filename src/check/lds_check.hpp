// Races in a workgroup's LDS. As long as no two waves meet in a dword between two barriers, bits
// tell that; from the first meeting on, each access is compared with what was there before.
#pragma once

#include <cstdint>
#include <vector>

#include "check/lds_patterns.hpp"
#include "check/lds_shadow.hpp"
#include "check/lds_use.hpp"

namespace wavetank::check {

class LdsCheck {
 public:
  /// A workgroup begins; `access_bytes` is 1, 2 or 4: of the narrowest access in the code.
  void begin(std::uint32_t lds_bytes, unsigned access_bytes, unsigned waves);
  /// All accesses so far are in the past.
  void pass_barrier();

  /// The pattern of an access for which nothing more has to be done: it is as one before and meets
  /// nobody. Else nullptr.
  const LdsPattern* known(const LdsAccess& now);
  /// True if the wave has touched all these dwords, which are those of an access, in the same way
  /// since the last barrier, so that nothing more has to be done.
  bool covers(const LdsAccess& now, const DwordBits& dwords) const {
    // A dword that is known as touched may stand for another byte of it.
    return !needs_cells_ && cells_.cell_bytes() == 4 && use_.covers(now.kind, now.wave, dwords);
  }
  /// Looks at an access to `ranges`, which are all of it if it is `in_bounds`. Calls
  /// found(earlier record, its kind, range, byte, lane) for each cell that it races in.
  template <class Found>
  void access(const LdsAccess& now, const std::vector<LaneRange>& ranges, bool in_bounds,
              Found&& found) {
    if (!needs_cells_ && !meets_somebody(now, ranges, in_bounds)) return;
    meet_cells(now.facts, now.kind, now.wave, ranges, found);
  }
  unsigned cell_bytes() const { return cells_.cell_bytes(); }

 private:
  bool meets_somebody(const LdsAccess& now, const std::vector<LaneRange>& ranges, bool in_bounds);
  bool meets(LdsPattern& pattern);
  void collect_words(const std::vector<LaneRange>& ranges);
  void fill_cells();
  template <class Found>
  void meet_cells(const machine::StepFacts& facts, AccessKind kind, unsigned wave,
                  const std::vector<LaneRange>& ranges, Found&& found) {
    const unsigned cell_bytes = cells_.cell_bytes();
    for (const LaneRange& range : ranges) {
      for (std::uint64_t at = range.begin / cell_bytes * cell_bytes; at < range.end;
           at += cell_bytes) {
        const unsigned lane = range.lane_at(std::max(at, range.begin));
        const LdsRecord mine(cells_.barriers(), wave, facts.index, lane);
        meet_in_lds(cells_.cell(at), mine, kind, [&](const LdsRecord& earlier, AccessKind its) {
          found(earlier, its, range, at, lane);
        });
      }
    }
  }

  LdsUse use_;
  LdsShadow cells_;
  LdsPatterns patterns_;
  std::uint32_t interval_ = 0;
  bool needs_cells_ = false;        ///< waves met in this interval
  std::vector<std::uint32_t> log_;  ///< patterns of this interval that cells know nothing of
  std::size_t first_word_ = 0;
  std::vector<std::uint64_t> words_;  ///< of the present access
};

}  // namespace wavetank::check
