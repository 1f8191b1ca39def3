#include "check/touched_ranges.hpp"

namespace wavetank::check {

std::size_t TouchedRanges::runs() const {
  std::size_t all = 0;
  for (const std::vector<Run>& runs : runs_) all += runs.size();
  return all;
}

/// Makes the last run, which is one range, part of the one before it where it goes on with that.
void TouchedRanges::fold_last(std::vector<Run>& runs) {
  if (runs.size() < 2) return;
  Run& before = runs[runs.size() - 2];
  const TouchedRange& last = runs.back().first;
  const bool is_alike = before.first.site == last.site &&
                        before.first.end - before.first.begin == last.end - last.begin;
  if (!is_alike) return;
  const std::uint64_t distance = last.begin - before.range(before.count - 1).begin;
  if (before.count > 1 && distance != before.stride) return;
  before.stride = distance;
  ++before.count;
  runs.pop_back();
}

void TouchedRanges::add(const TouchedRange& piece) {
  std::vector<Run>& runs = runs_[static_cast<std::size_t>(piece.kind)];
  if (!runs.empty()) {
    TouchedRange& last = runs.back().first;
    const bool may_join = last.site == piece.site || runs.size() >= kMostRuns;
    if (runs.back().count == 1 && last.end == piece.begin && may_join) {
      if (last.site != piece.site) last.site = 0;
      last.end = piece.end;
      return;
    }
    fold_last(runs);
  }
  runs.push_back({piece});
}

}  // namespace wavetank::check
