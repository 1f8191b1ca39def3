#include "cli/check/candidates.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wavetank::cli {
namespace {

using check::AccessKind;
using check::Diagnosis;
using check::Edge;
using check::EdgeKind;
using check::Spot;

/// Which side of an access an edge stands on.
enum class Side : std::uint8_t { kAfter, kBefore };

std::string_view words_of(EdgeKind kind) {
  switch (kind) {
    case EdgeKind::kBarrier: return "__syncthreads()";
    case EdgeKind::kFence: return "__threadfence()";
    case EdgeKind::kAtomic: return "an atomic";
    case EdgeKind::kGridBarrier: return "this_grid().sync() (or a second launch)";
  }
  return {};
}

bool is_plain(AccessKind kind) { return kind == AccessKind::kRead || kind == AccessKind::kWrite; }

/// Collects the candidates of one race.
class Collector {
 public:
  explicit Collector(const Diagnosis& race)
      : race_(race), first_(race.spots.front()), second_(race.spots.back()) {}

  /// One edge, at the nearest places first.
  void add_single(EdgeKind kind) {
    for (std::size_t i = 0; i < most_places(); ++i) {
      add({make(kind, first_, Side::kAfter, i)});
      add({make(kind, second_, Side::kBefore, i)});
    }
  }
  /// One behind each access: what races in both directions round a loop.
  void add_both(EdgeKind kind) {
    for (std::size_t i = 0; i < most_places(); ++i) {
      for (std::size_t j = 0; j < most_places(); ++j) {
        add({make(kind, first_, Side::kAfter, i), make(kind, second_, Side::kAfter, j)});
      }
    }
  }
  /// A release behind the first access, an acquire before the second, or both.
  void add_fences() {
    const Part release = make(EdgeKind::kFence, first_, Side::kAfter, 0);
    const Part acquire = make(EdgeKind::kFence, second_, Side::kBefore, 0);
    add({release});
    add({acquire});
    add({release, acquire});
  }
  /// Beside an atomic, a plain load may become one; and a plain store beside atomic loads, of which
  /// none reckons with what was there.
  void add_atomic_access() {
    for (const auto& [plain, other] : {std::pair{&first_, &second_}, {&second_, &first_}}) {
      if (!is_plain(plain->access) || is_plain(other->access)) continue;
      const bool loads = plain->access == AccessKind::kRead;
      if (!loads && other->access == AccessKind::kAtomic) continue;
      add_atomics({plain},
                  fmt::format("an atomic {} at {}", loads ? "load" : "store", plain->place()));
    }
  }
  /// A load and a store of one line become one atomic.
  void add_atomic_update(const CheckedRun& run) {
    if (!first_.source.is_known() || !first_.source.is_line_of(second_.source)) return;
    if (!is_plain(first_.access) || !is_plain(second_.access)) return;
    std::vector<const Spot*> of_line;
    for (const Judged& judged : run.findings) {
      if (judged.diagnosis.kernel_symbol != race_.kernel_symbol) continue;
      for (const Spot& spot : judged.diagnosis.spots) {
        if (spot.source.is_line_of(first_.source)) of_line.push_back(&spot);
      }
    }
    add_atomics(of_line,
                fmt::format("an atomic read-modify-write (as atomicAdd) at {}", first_.place()));
  }
  std::vector<Candidate> take() { return std::move(candidates_); }

 private:
  struct Part {
    EdgeKind kind = EdgeKind::kBarrier;
    std::vector<std::uint64_t> offsets;  ///< one, or none if there is no such place
    std::string words;
  };

  std::size_t most_places() const {
    return std::max(
        {first_.before.size(), first_.after.size(), second_.before.size(), second_.after.size()});
  }
  Part make(EdgeKind kind, const Spot& spot, Side side, std::size_t index) const {
    const bool after = side == Side::kAfter;
    const std::vector<std::uint64_t>& places = after ? spot.after : spot.before;
    Part part{kind,
              {},
              fmt::format("{} {} {}{}", words_of(kind), after ? "after" : "before", spot.place(),
                          index == 0 ? "" : ", outside of its branch")};
    if (index < places.size()) part.offsets.push_back(places[index]);
    return part;
  }
  void add(const std::vector<Part>& parts) {
    Candidate candidate;
    for (const Part& part : parts) {
      if (part.offsets.empty()) return;
      candidate.change.edges.push_back({part.kind, part.offsets.front(), race_.kernel_symbol});
      candidate.words += (candidate.words.empty() ? "" : " and ") + part.words;
    }
    keep(std::move(candidate));
  }
  void add_atomics(const std::vector<const Spot*>& spots, std::string words) {
    Candidate candidate{{}, std::move(words)};
    for (const Spot* const spot : spots) {
      if (spot->before.empty()) return;
      const Edge edge{EdgeKind::kAtomic, spot->before.front(), race_.kernel_symbol};
      std::vector<Edge>& edges = candidate.change.edges;
      if (std::ranges::find(edges, edge) == edges.end()) {
        edges.push_back(edge);
      }
    }
    keep(std::move(candidate));
  }
  void keep(Candidate candidate) {
    const bool known = std::ranges::any_of(
        candidates_, [&](const Candidate& other) { return other.change == candidate.change; });
    if (!known && !candidate.change.empty()) candidates_.push_back(std::move(candidate));
  }

  const Diagnosis& race_;
  const Spot& first_;
  const Spot& second_;
  std::vector<Candidate> candidates_;
};

/// The second operation waits for the first one; in a loop the next first one for the second, too.
std::vector<Candidate> waits(const check::Remedy& remedy) {
  if (remedy.words.empty()) return {};
  const check::OperationOrder& order = remedy.order;
  return {{{{}, {order}}, remedy.words},
          {{{}, {order, {order.second, order.first}}}, remedy.words + ", and the other way round"}};
}

}  // namespace

std::vector<Candidate> candidates(const Diagnosis& race, const CheckedRun& run) {
  if (race.code == ErrorCode::kUnorderedOperations) return waits(race.remedy);
  if (race.code != ErrorCode::kDataRace || race.spots.empty()) return {};
  Collector collector(race);
  collector.add_atomic_access();
  if (race.in_one_group) {
    collector.add_atomic_update(run);
    collector.add_single(EdgeKind::kBarrier);
    collector.add_both(EdgeKind::kBarrier);
    return collector.take();
  }
  collector.add_fences();
  collector.add_atomic_update(run);
  collector.add_single(EdgeKind::kBarrier);
  collector.add_single(EdgeKind::kGridBarrier);
  return collector.take();
}

}  // namespace wavetank::cli
