// Operations of host and streams (kernels, copies, fills, frees, accesses of the host) that touch
// the same bytes without an order. Which are ordered is a matter of streams, events and waits, not
// of when they ran.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "check/order_clock.hpp"
#include "check/record.hpp"
#include "check/touched_ranges.hpp"

namespace wavetank::check {

/// One operation: the `number`th of its line, ordered behind what `known` says is done.
struct Operation {
  std::uint64_t line = 0;
  std::uint64_t number = 0;
  OrderClock known;

  /// True if the other one is ordered before this one.
  bool is_behind(const Operation& other) const {
    return line == other.line ? other.number <= number : known.covers(other.line, other.number);
  }
};

/// One of the two operations of a conflict.
struct TouchedBy {
  std::shared_ptr<const Operation> operation;
  AccessKind kind = AccessKind::kRead;
  std::uint32_t site = 0;
};

/// The first bytes that two operations touch without an order; one of them writes.
struct Conflict {
  TouchedBy first, second;  ///< `second` was done later this time
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

class OperationHistory {
 public:
  /// Remembers what an operation that is done touched. Gives what it conflicts with: the bytes at
  /// the lowest address, for each other operation and pair of sites. Operations come in an order
  /// that keeps theirs.
  std::vector<Conflict> add(std::shared_ptr<const Operation> operation, TouchedRanges ranges);
  /// What an access of `kind` to [begin, end) by `operation` would conflict with, or nothing.
  std::vector<Conflict> look(const std::shared_ptr<const Operation>& operation,
                             const TouchedRange& range) const;
  /// Forgets lines whose operations all are known to be done: nothing will come that is not
  /// ordered behind them.
  void forget(const OrderClock& known_to_all);
  /// What operations that `known` does not cover may conflict with at [begin, end).
  struct Open {
    bool reads = false, writes = false;  ///< atomics write
  };
  Open open_at(std::uint64_t begin, std::uint64_t end, const OrderClock& known) const;
  bool empty() const { return lines_.empty(); }

 private:
  struct Piece {
    std::uint64_t end = 0;
    std::shared_ptr<const Operation> operation;
    std::uint32_t site = 0;
  };
  /// What one operation touched.
  struct Touched {
    std::shared_ptr<const Operation> operation;
    TouchedRanges ranges;
  };
  /// More runs are not kept unsorted: a line's launches mostly touch the same again.
  static constexpr std::size_t kMostLater = 1u << 20;
  /// By first byte; pieces do not overlap.
  using Pieces = std::map<std::uint64_t, Piece>;
  /// The last operation of one line to touch each byte, by how. What a later write of the line
  /// covers is dropped: who is not ordered behind that one conflicts with the write.
  struct Line {
    std::uint64_t last = 0;
    Pieces reads, writes, atomics;
    /// Operations that the pieces know nothing of yet. Most are forgotten before another line's
    /// operation asks.
    std::vector<Touched> later;
    std::size_t later_runs = 0;
    void sort_in();
  };
  static Pieces::iterator cut(Pieces& pieces, std::uint64_t begin, std::uint64_t end);
  static void put(Pieces& pieces, const TouchedRange& range,
                  const std::shared_ptr<const Operation>& operation);
  template <class Visit>
  static void visit_overlaps(const Pieces& pieces, std::uint64_t begin, std::uint64_t end,
                             Visit&& visit);
  template <class Visit>
  void visit_conflicts(const Operation& operation, const TouchedRange& range, Visit&& visit) const;

  mutable std::map<std::uint64_t, Line> lines_;  ///< looking at one sorts its operations in
};

}  // namespace wavetank::check
