#include "check/findings.hpp"

#include <algorithm>

namespace wavetank::check {
namespace {

auto place_of(const Finding& finding) {
  return std::tuple(finding.second.group, finding.first.group, finding.second.wave,
                    finding.first.wave, finding.address);
}

}  // namespace

ErrorCode code_of(Kind kind) {
  switch (kind) {
    case Kind::kDataRace: return ErrorCode::kDataRace;
    case Kind::kOutOfBounds: return ErrorCode::kOutOfBounds;
    case Kind::kUseAfterFree: return ErrorCode::kUseAfterFree;
    case Kind::kMissedBarrier:
    case Kind::kTwoBarriers: return ErrorCode::kMissedBarrier;
    case Kind::kMissingWait: return ErrorCode::kMissingWait;
    case Kind::kMissingWaitStates: return ErrorCode::kMissingWaitStates;
    case Kind::kMisaligned: return ErrorCode::kMisaligned;
    case Kind::kUndefined: return ErrorCode::kUndefinedData;
  }
  return ErrorCode::kInternal;
}

void Findings::add(const Finding& finding) {
  const Key key(finding.kind, std::min(finding.first.site, finding.second.site),
                std::max(finding.first.site, finding.second.site));
  const auto [at, is_new] = by_sites_.emplace(key, finding);
  if (is_new) return;
  Finding& known = at->second;
  const std::uint64_t count = known.count + finding.count;
  const bool is_worse = finding.level < known.level;
  const bool is_earlier = finding.level == known.level && place_of(finding) < place_of(known);
  if (is_worse || is_earlier) known = finding;
  known.count = count;
}

std::vector<Finding> Findings::sorted() const {
  std::vector<Finding> all;
  for (const auto& [key, finding] : by_sites_) all.push_back(finding);
  std::sort(all.begin(), all.end(), [](const Finding& a, const Finding& b) {
    return std::tuple(place_of(a), a.kind, a.first.site, a.second.site) <
           std::tuple(place_of(b), b.kind, b.first.site, b.second.site);
  });
  return all;
}

}  // namespace wavetank::check
