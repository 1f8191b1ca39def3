// What an operation of host or streams touches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "check/record.hpp"

namespace wavetank::check {

/// Bytes [begin, end) that an operation touches. Atomics never conflict with atomics.
struct TouchedRange {
  std::uint64_t begin = 0, end = 0;
  AccessKind kind = AccessKind::kRead;  ///< kRead, kWrite or kAtomic
  std::uint32_t site = 0;               ///< of a kernel: StepFacts::index; 0: unknown
};

/// Ranges, of each kind by address. Neighbouring pieces of one kind and site are one range, and
/// ranges that lie in equal distances are kept as one run: a tree over an array stores every other
/// element. A kernel whose sites take turns all over memory would give more runs than memory: from
/// kMostRuns on neighbours are joined whatever their sites, which are unknown then.
class TouchedRanges {
 public:
  TouchedRanges() = default;
  TouchedRanges(std::initializer_list<TouchedRange> pieces) {
    for (const TouchedRange& piece : pieces) add(piece);
  }
  /// Adds a piece; those of a kind come by address.
  void add(const TouchedRange& piece);
  bool empty() const { return runs() == 0; }
  std::size_t runs() const;
  /// Calls visit(range) for each, kind by kind and by address.
  template <class Visit>
  void visit(Visit&& visit) const {
    for (const std::vector<Run>& runs : runs_) {
      for (const Run& run : runs) {
        for (std::uint64_t i = 0; i < run.count; ++i) visit(run.range(i));
      }
    }
  }

 private:
  /// `count` ranges that begin `stride` bytes apart.
  struct Run {
    TouchedRange first;
    std::uint64_t stride = 0;
    std::uint64_t count = 1;
    TouchedRange range(std::uint64_t i) const {
      return {first.begin + i * stride, first.end + i * stride, first.kind, first.site};
    }
  };
  static constexpr std::size_t kMostRuns = 1u << 13;
  static void fold_last(std::vector<Run>& runs);

  std::array<std::vector<Run>, kAccessKinds> runs_;  ///< by kind; the last one may still grow
};

}  // namespace wavetank::check
