#include "check/operation_history.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

namespace wavetank::check {

/// Takes [begin, end) out; the first piece behind it.
OperationHistory::Pieces::iterator OperationHistory::cut(Pieces& pieces, std::uint64_t begin,
                                                         std::uint64_t end) {
  auto at = pieces.upper_bound(begin);
  if (at != pieces.begin()) at = std::prev(at);
  while (at != pieces.end() && at->first < end) {
    const std::uint64_t first = at->first;
    const Piece piece = at->second;
    if (piece.end <= begin) {
      ++at;
      continue;
    }
    at = pieces.erase(at);
    if (first < begin) pieces.emplace(first, Piece{begin, piece.operation, piece.site});
    if (end < piece.end) at = pieces.emplace(end, piece).first;
  }
  return at;
}

void OperationHistory::put(Pieces& pieces, const TouchedRange& range,
                           const std::shared_ptr<const Operation>& operation) {
  const auto behind = cut(pieces, range.begin, range.end);
  pieces.emplace_hint(behind, range.begin, Piece{range.end, operation, range.site});
}

template <class Visit>
void OperationHistory::visit_overlaps(const Pieces& pieces, std::uint64_t begin, std::uint64_t end,
                                      Visit&& visit) {
  auto at = pieces.upper_bound(begin);
  if (at != pieces.begin()) at = std::prev(at);
  for (; at != pieces.end() && at->first < end; ++at) {
    if (at->second.end <= begin) continue;
    visit(std::max(begin, at->first), std::min(end, at->second.end), at->second);
  }
}

template <class Visit>
void OperationHistory::visit_conflicts(const Operation& operation, const TouchedRange& range,
                                       Visit&& visit) const {
  for (auto& [number, line] : lines_) {
    if (number == operation.line || operation.known.covers(number, line.last)) continue;
    line.sort_in();
    const auto look_at = [&](const Pieces& pieces, AccessKind kind) {
      visit_overlaps(pieces, range.begin, range.end,
                     [&](std::uint64_t begin, std::uint64_t end, const Piece& piece) {
                       if (!operation.is_behind(*piece.operation)) visit(begin, end, piece, kind);
                     });
    };
    look_at(line.writes, AccessKind::kWrite);
    if (range.kind != AccessKind::kAtomic) look_at(line.atomics, AccessKind::kAtomic);
    if (range.kind != AccessKind::kRead) look_at(line.reads, AccessKind::kRead);
  }
}

std::vector<Conflict> OperationHistory::look(const std::shared_ptr<const Operation>& operation,
                                             const TouchedRange& range) const {
  std::vector<Conflict> conflicts;
  visit_conflicts(*operation, range,
                  [&](std::uint64_t begin, std::uint64_t end, const Piece& piece, AccessKind kind) {
                    conflicts.push_back({{piece.operation, kind, piece.site},
                                         {operation, range.kind, range.site},
                                         begin,
                                         end - begin});
                  });
  return conflicts;
}

std::vector<Conflict> OperationHistory::add(std::shared_ptr<const Operation> operation,
                                            TouchedRanges ranges) {
  using Key = std::tuple<const Operation*, std::uint32_t, std::uint32_t, AccessKind, AccessKind>;
  std::map<Key, std::size_t> known;
  std::vector<Conflict> conflicts;
  ranges.visit([&](const TouchedRange& range) {
    for (Conflict& found : look(operation, range)) {
      const Key key{found.first.operation.get(), found.first.site, found.second.site,
                    found.first.kind, found.second.kind};
      const auto [at, is_new] = known.emplace(key, conflicts.size());
      if (is_new) {
        conflicts.push_back(std::move(found));
        continue;
      }
      Conflict& before = conflicts[at->second];
      if (before.address + before.bytes == found.address) before.bytes += found.bytes;
    }
  });
  if (ranges.empty()) return conflicts;
  Line& line = lines_[operation->line];
  line.last = std::max(line.last, operation->number);
  line.later_runs += ranges.runs();
  line.later.push_back({std::move(operation), std::move(ranges)});
  if (line.later_runs > kMostLater) line.sort_in();
  return conflicts;
}

void OperationHistory::Line::sort_in() {
  for (const auto& [operation, ranges] : later) {
    ranges.visit([&](const TouchedRange& range) {
      Pieces& pieces = range.kind == AccessKind::kWrite    ? writes
                       : range.kind == AccessKind::kAtomic ? atomics
                                                           : reads;
      put(pieces, range, operation);
      if (range.kind != AccessKind::kWrite) return;
      cut(reads, range.begin, range.end);
      cut(atomics, range.begin, range.end);
    });
  }
  later.clear();
  later_runs = 0;
}

void OperationHistory::forget(const OrderClock& known_to_all) {
  std::erase_if(lines_, [&](const auto& entry) {
    return known_to_all.covers(entry.first, entry.second.last);
  });
}

OperationHistory::Open OperationHistory::open_at(std::uint64_t begin, std::uint64_t end,
                                                 const OrderClock& known) const {
  Open open;
  Operation anybody;
  anybody.line = ~std::uint64_t{0};
  anybody.known = known;
  visit_conflicts(anybody, {begin, end, AccessKind::kWrite, 0},
                  [&](std::uint64_t, std::uint64_t, const Piece&, AccessKind kind) {
                    (kind == AccessKind::kRead ? open.reads : open.writes) = true;
                  });
  return open;
}

}  // namespace wavetank::check
