#include "check/lds_check.hpp"

namespace wavetank::check {

void LdsCheck::begin(std::uint32_t lds_bytes, unsigned access_bytes, unsigned waves) {
  cells_.begin(lds_bytes, access_bytes);
  use_.begin(lds_bytes, waves);
  pass_barrier();
}

void LdsCheck::pass_barrier() {
  cells_.pass_barrier();
  use_.pass_barrier();
  log_.clear();
  needs_cells_ = false;
  ++interval_;
  if (!patterns_.has_room()) patterns_.clear();
}

const LdsPattern* LdsCheck::known(const LdsAccess& now) {
  if (needs_cells_) return nullptr;
  LdsPattern* const known = patterns_.find(now);
  if (known == nullptr) return nullptr;
  return known->interval == interval_ || !meets(*known) ? known : nullptr;
}

/// Notes that a wave does this; true if it meets another wave, from when on cells are needed.
bool LdsCheck::meets(LdsPattern& pattern) {
  if (use_.meets(pattern.kind, pattern.wave, pattern.dwords())) {
    fill_cells();
    needs_cells_ = true;
    return true;
  }
  pattern.interval = interval_;
  log_.push_back(patterns_.index_of(pattern));
  return false;
}

/// Lets the cells remember what the waves did without meeting each other.
void LdsCheck::fill_cells() {
  cells_.make_cells();
  for (const std::uint32_t index : log_) {
    const LdsPattern& pattern = patterns_[index];
    meet_cells(*pattern.facts, pattern.kind, pattern.wave, pattern.ranges, [](const auto&...) {});
  }
  log_.clear();
}

void LdsCheck::collect_words(const std::vector<LaneRange>& ranges) {
  std::uint64_t begin = ~std::uint64_t{0}, end = 0;
  for (const LaneRange& range : ranges) {
    begin = std::min(begin, range.begin);
    end = std::max(end, range.end);
  }
  constexpr std::uint64_t kWordBytes = 64 * 4;
  first_word_ = begin / kWordBytes;
  words_.assign((end + kWordBytes - 1) / kWordBytes - first_word_, 0);
  for (const LaneRange& range : ranges) {
    std::uint64_t dword = range.begin / 4 - 64 * first_word_;
    const std::uint64_t dword_end = (range.end + 3) / 4 - 64 * first_word_;
    while (dword < dword_end) {
      const std::uint64_t count = std::min(dword_end - dword, 64 - dword % 64);
      words_[dword / 64] |= ~std::uint64_t{0} >> (64 - count) << dword % 64;
      dword += count;
    }
  }
}

bool LdsCheck::meets_somebody(const LdsAccess& now, const std::vector<LaneRange>& ranges,
                              bool in_bounds) {
  if (ranges.empty()) return false;
  collect_words(ranges);
  if (covers(now, {first_word_, words_})) return false;
  if (!patterns_.has_room()) {
    fill_cells();
    patterns_.clear();
  }
  LdsPattern& pattern = patterns_.add(now, in_bounds);
  pattern.first_word = first_word_;
  pattern.words = words_;
  pattern.ranges = ranges;
  return meets(pattern);
}

}  // namespace wavetank::check
