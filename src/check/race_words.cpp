// Words by which waves of a workgroup learn of each other, and LDS where they do.
#include <algorithm>

#include "check/race_check.hpp"
#include "check/stored_value.hpp"

namespace wavetank::check {

void RaceCheck::access_ordered_lds(const Instruction& now, const std::vector<LaneRange>& ranges) {
  constexpr std::uint64_t kInLds = std::uint64_t{1} << 63;
  Group& group = now.group;
  const unsigned cell_bytes = facts_.lds_access_bytes;
  group.lds_cells.resize(now.wave.workgroup->lds_bytes / cell_bytes + 1);
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
      if (is_atomic(now.kind)) note_word(access, cell, meeting.mine, kInLds | at, learnt);
      meet(cell, meeting, [&](const Record& earlier, AccessKind kind) {
        const bool same =
            kind == AccessKind::kWrite && now.kind == AccessKind::kWrite &&
            stores_what_is_there(stored, range, at, cell_bytes, now.wave.workgroup->lds);
        Finding finding;
        finding.level = same ? Level::kNote : Level::kError;
        finding.kind = Kind::kDataRace;
        finding.space = machine::MemorySpace::kLds;
        finding.first = {earlier.site(), kind, group.index, earlier.wave(), earlier.lane()};
        finding.second = {now.facts.index, now.kind, group.index, access.wave, lane};
        finding.address = at;
        finding.bytes = cell_bytes;
        group.findings->add(finding);
      });
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
