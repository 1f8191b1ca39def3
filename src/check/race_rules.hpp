// When two accesses to the same memory are a race.
#pragma once

#include "check/group_clock.hpp"
#include "check/group_order.hpp"
#include "check/knowledge.hpp"
#include "check/record.hpp"

namespace wavetank::check {

/// One access as it meets what was there before.
struct Meeting {
  const GroupClock& clock;        ///< of the workgroup that accesses
  std::uint32_t first_actor = 0;  ///< records of earlier actors are of launches that are over
  AccessKind kind = AccessKind::kRead;
  const Knowledge* knows = nullptr;  ///< of what others did, if the launch's waves can learn of it
  Record mine;
  const GroupOrder* lds = nullptr;  ///< knows what is ordered in LDS, if that is accessed

  /// True if `record` is ordered before this access.
  bool is_ordered(const Record& record) const {
    if (record.actor < first_actor) return true;  // also: no record
    if (lds != nullptr) {
      // Storage serves one workgroup after the other.
      return record.actor != mine.actor || record.wave() == mine.wave() ||
             lds->knows(record, mine.wave());
    }
    if (record.actor == mine.actor &&
        (record.wave() == mine.wave() || clock.is_past(record, mine.wave()))) {
      return true;
    }
    return knows != nullptr && knows->covers(record);
  }
};

/// Compares an access with what a cell remembers, and remembers it. `found` is called with each
/// record that it races with and how that accessed.
template <class Found>
void meet(Cell& cell, const Meeting& now, Found&& found) {
  const auto conflict = [&](const Record& record, AccessKind kind) {
    if (!now.is_ordered(record)) found(record, kind);
  };
  const auto meet_readers = [&] {
    conflict(cell.read, AccessKind::kRead);
    conflict(cell.other_read, AccessKind::kRead);
  };
  // Scopes have to reach each other: one of a workgroup reaches no other.
  const auto reaches = [&](const Record& record) {
    return record.actor == now.mine.actor || !(record.is_narrow() || now.mine.is_narrow());
  };
  if (is_atomic(now.kind)) {
    if (!now.mine.meets_stores() || !reaches(cell.write)) conflict(cell.write, AccessKind::kWrite);
    if (!reaches(cell.atomic)) conflict(cell.atomic, AccessKind::kAtomic);
    if (!writes(now.kind)) return;
    meet_readers();
    if (!now.is_ordered(cell.atomic) &&
        (now.is_ordered(cell.other_atomic) ||
         (cell.other_atomic.actor == now.mine.actor && cell.atomic.actor != now.mine.actor))) {
      cell.other_atomic = cell.atomic;
    }
    cell.atomic = now.mine;
    return;
  }
  conflict(cell.write, AccessKind::kWrite);
  if (writes(now.kind)) {
    for (const Record& atomic : {cell.atomic, cell.other_atomic}) {
      if (!atomic.meets_stores()) conflict(atomic, AccessKind::kAtomic);
    }
    meet_readers();
    cell = {};
    cell.write = now.mine;
    return;
  }
  conflict(cell.atomic, AccessKind::kAtomic);
  conflict(cell.other_atomic, AccessKind::kAtomic);
  if (now.is_ordered(cell.read)) {
    cell.read = now.mine;
  } else if (now.is_ordered(cell.other_read) ||
             (cell.other_read.actor == cell.read.actor && cell.read.actor != now.mine.actor)) {
    cell.other_read = now.mine;
  }
}

}  // namespace wavetank::check
