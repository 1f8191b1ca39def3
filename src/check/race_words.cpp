// Words by which waves of a workgroup learn of each other, and LDS where they do.
#include <algorithm>

#include "check/race_check.hpp"
#include "check/stored_value.hpp"

namespace wavetank::check {
namespace {

/// LDS has no value before its first store, so that atomics come behind that one even if they are
/// made to meet stores that nothing orders.
template <class Found>
void meet_first_store(Record& first, const Cell& cell, const Meeting& now, Found&& found) {
  const bool is_stored = first.actor == now.mine.actor;
  if (is_atomic(now.kind)) {
    if (is_stored && now.mine.meets_stores() && !now.is_ordered(first)) {
      found(first, AccessKind::kWrite);
    }
    return;
  }
  if (!writes(now.kind) || is_stored) return;
  first = now.mine;
  for (const Record& atomic : {cell.atomic, cell.other_atomic}) {
    if (atomic.meets_stores() && !now.is_ordered(atomic)) found(atomic, AccessKind::kAtomic);
  }
}

}  // namespace

void RaceCheck::access_ordered_lds(const Instruction& now, const std::vector<LaneRange>& ranges) {
  constexpr std::uint64_t kInLds = std::uint64_t{1} << 63;
  Group& group = now.group;
  const unsigned cell_bytes = facts_.lds_access_bytes;
  group.lds_cells.resize(now.wave.workgroup->lds_bytes / cell_bytes + 1);
  group.lds_first_stores.resize(group.lds_cells.size());
  WaveOrder* const order =
      group.orders != nullptr ? &(*group.orders)[now.wave.id_in_group] : nullptr;
  const StoredRows stored = stored_rows(now.wave, now.facts, now.step);
  const MemoryAccess access{now.facts, now.kind, group.clock, group.index, now.wave.id_in_group,
                            stored,    order,    &group};
  Meeting meeting = meeting_of(access, machine::MemorySpace::kLds);
  Handed learnt;
  for (const LaneRange& range : ranges) {
    for (std::uint64_t at = range.begin / cell_bytes * cell_bytes; at < range.end;
         at += cell_bytes) {
      Cell& cell = group.lds_cells[at / cell_bytes];
      const unsigned lane = range.lane_at(std::max(at, range.begin));
      meeting.mine.set_lane(lane);
      if (is_atomic(now.kind)) {
        note_word(access, cell, meeting.mine, kInLds | at, learnt);
        if (watches_fences_ && now.facts.returns) note_lds_fences(access, cell);
      }
      const auto found = [&](const Record& earlier, AccessKind kind) {
        const StoredRows own = stored_rows(now.wave, now.facts, now.step, range.access);
        const bool same = kind == AccessKind::kWrite && now.kind == AccessKind::kWrite &&
                          stores_what_is_there(own, range, at, cell_bytes, now.wave.workgroup->lds);
        Finding finding;
        finding.level = same ? Level::kNote : Level::kError;
        finding.kind = Kind::kDataRace;
        finding.space = machine::MemorySpace::kLds;
        finding.first = {earlier.site(), kind, group.index, earlier.wave(), earlier.lane()};
        finding.second = {now.facts.index, now.kind, group.index, access.wave, lane};
        finding.address = at;
        finding.bytes = cell_bytes;
        group.findings->add(finding);
      };
      meet_first_store(group.lds_first_stores[at / cell_bytes], cell, meeting, found);
      meet(cell, meeting, found);
    }
  }
  learn_in_group(access, learnt);
}

/// A wave's atomic is about to touch a word that others of its workgroup may hand on something
/// with. A plain store does for those atomics only that are made to meet stores.
void RaceCheck::note_word(const MemoryAccess& now, const Cell& cell, const Record& mine,
                          std::uint64_t key, Handed& learnt) const {
  GroupOrder& order = now.learns->order;
  if (now.facts.returns) {
    order.add_store(cell.atomic, mine, learnt);
    if (mine.meets_stores() || facts_.stores_show_atomicity) {
      order.add_store(cell.write, mine, learnt);
    }
    order.add_word(key, learnt);
  }
  if (now.kind == AccessKind::kAtomic) order.change_word(key, cell.atomic, mine);
}

/// A wave loads a word in LDS that others of its workgroup may have stored behind fences.
void RaceCheck::note_lds_fences(const MemoryAccess& now, const Cell& cell) {
  for (const Record& store : {cell.atomic, cell.write}) {
    if (store.actor != now.clock.actor()) continue;
    const WaveOrder& other = (*now.learns->orders)[store.wave()];
    if (const auto fences = other.fences_at(store.time())) {
      fences_.on_load(now.order->fences(), *fences, store.actor, now.wave, now.facts.index);
    }
  }
}

/// A wave goes on after an access that may have been to words: it knows what it learnt there, and
/// what it does from now on comes behind what it may have stored.
void RaceCheck::learn_in_group(const MemoryAccess& now, const Handed& learnt) {
  Group& group = *now.learns;
  group.order.acquire(now.wave, learnt, group.clock);
  for (unsigned from = 0; group.orders != nullptr && from < group.clock.waves(); ++from) {
    if ((learnt.waves >> from & 1) == 0) continue;
    const WaveOrder& other = (*group.orders)[from];
    now.order->join(other.known(), other.arrived());
  }
  if (writes(now.kind)) group.clock.advance(now.wave);
}

}  // namespace wavetank::check
