// Races in global memory.
#include <algorithm>

#include "check/race_check.hpp"
#include "check/stored_value.hpp"
#include "isa/atomics.hpp"

namespace wavetank::check {

/// True if an atomic load or store has the scope of a workgroup: on gfx942 SC0 alone says so, on
/// gfx90a an atomic load of that scope is a plain one (LLVM AMDGPUUsage, memory models).
bool RaceCheck::is_narrow(const MemoryAccess& now) const {
  if (now.facts.scc) return false;
  if (now.kind == AccessKind::kAtomicWrite) return true;
  return now.kind == AccessKind::kAtomicRead && !now.facts.seeds_swap &&
         (facts_.stores_show_atomicity || !now.facts.glc);
}

/// What is remembered of an access, without its lane.
Record RaceCheck::record_of(const MemoryAccess& now) {
  return Record::of(now.clock.actor(), now.wave, now.clock.time(now.wave), now.facts.index, 0);
}

Meeting RaceCheck::meeting_of(const MemoryAccess& now, machine::MemorySpace space) const {
  Meeting meeting{now.clock, first_actor_, now.kind, nullptr, record_of(now)};
  if (now.order != nullptr) {
    meeting.knows = now.kind == AccessKind::kRead ? &now.order->known() : &now.order->arrived();
  }
  const bool in_lds = space == machine::MemorySpace::kLds;
  if (in_lds) meeting.lds = &now.learns->order;
  if (!in_lds && is_narrow(now)) meeting.mine.set_narrow();
  const bool meets_stores =
      is_atomic(now.kind) && (!facts_.stores_show_atomicity || in_lds) &&
      (now.kind == AccessKind::kAtomicRead || isa::is_exchange(now.facts.row->memory.atomic));
  if (meets_stores) meeting.mine.set_meets_stores();
  return meeting;
}

/// What the last that stored to a cell, or changed it, hand on with that.
void RaceCheck::add_stored(const Cell& cell, Release& release) const {
  for (const Record& store : {cell.write, cell.atomic}) {
    const auto orders = orders_.find(store.actor);
    if (orders == orders_.end()) continue;
    orders->second[store.wave()].add_release(store.time(), release);
  }
}

/// What a load of a word learns: of the wave that stored it, and of all whose atomics changed it.
void RaceCheck::gather_release(const Cell& cell, std::uint64_t address, unsigned bytes,
                               Release& release) const {
  add_stored(cell, release);
  for (unsigned i = 0; i < bytes; i += kWordBytes) {
    if (const auto word = words_.find(address + i); word != words_.end())
      release.join(word->second);
  }
}

/// The kernel's arguments, which are only read.
bool RaceCheck::is_of_arguments(const LaneRange& range) const {
  return range.begin >= facts_.kernarg_begin &&
         range.end <= facts_.kernarg_begin + facts_.kernarg_bytes;
}

void RaceCheck::access_global(const Instruction& now, const std::vector<LaneRange>& ranges) {
  const unsigned wave = now.wave.id_in_group;
  const bool through_l1 =
      now.kind == AccessKind::kRead && now.facts.space == machine::MemorySpace::kGlobal;
  if (through_l1 && !std::ranges::all_of(ranges, [&](auto& one) { return is_of_arguments(one); })) {
    now.group.l1_is_new = false;
  }
  const StoredRows stored = stored_rows(now.wave, now.facts, now.step);
  if (now.group.log != nullptr) {
    return now.group.log->add_access(now.facts, now.kind, wave, ranges, stored);
  }
  WaveOrder* const order = now.group.orders != nullptr ? &(*now.group.orders)[wave] : nullptr;
  Group* const learns = facts_.learns_in_group ? &now.group : nullptr;
  meet_memory({now.facts, now.kind, now.group.clock, now.group.index, wave, stored, order, learns},
              ranges);
}

void RaceCheck::replay(const GroupRecord& record) {
  findings_.add(record.findings);
  GroupClock clock;
  clock.begin(first_actor_ + static_cast<std::uint32_t>(record.index), record.waves);
  constexpr std::size_t kAhead = 4;  // accesses that a line takes to come
  const std::vector<MemoryLog::Event>& events = record.log.events();
  std::vector<LaneRange> ranges;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (i + kAhead < events.size()) expect_lines(record.log.ranges_of(events[i + kAhead]));
    const MemoryLog::Event& event = events[i];
    if (event.facts == nullptr) {
      clock.pass_barrier();
      continue;
    }
    record.log.get_ranges(event, ranges);
    meet_memory(
        {*event.facts, event.kind, clock, record.index, event.wave, record.log.stored_by(event)},
        ranges);
  }
}

/// What a plain store leaves in a piece; 0 for other accesses.
std::uint32_t RaceCheck::value_of(const MemoryAccess& now, const Piece& piece) {
  if (now.kind != AccessKind::kWrite) return 0;
  return check::value_of(now.stored, piece.range, piece.address, piece.bytes);
}

void RaceCheck::expect_lines(std::span<const MemoryLog::Range> ranges) const {
  for (const MemoryLog::Range& range : ranges) memory_.shadow.expect(range.begin / kLineBytes);
}

/// True if the access is to whole lines only, each of which it is all that there is to remember of.
/// Otherwise it is as if it had not been done: to some lines it will be done twice.
bool RaceCheck::take_lines(const MemoryAccess& now, const PackedAccess& packed,
                           std::span<const LaneRange> ranges) {
  for (const LaneRange& range : ranges) {
    if ((range.begin | range.end) % kLineBytes != 0) return false;
    for (std::uint64_t at = range.begin; at < range.end; at += kLineBytes) {
      const bool taken = memory_.shadow.take(at / kLineBytes, packed, range.lane_at(at), [&] {
        return value_of(now, {range, at, kLineBytes});
      });
      if (!taken) return false;
    }
  }
  return true;
}

/// Goes through the cells of an access.
void RaceCheck::meet_memory(const MemoryAccess& now, std::span<const LaneRange> ranges) {
  if (!has_room(now.clock, now.facts.index)) return;
  if (first_site_ == 0) first_site_ = now.facts.index - std::min(now.facts.index, kSitesBefore);
  const CellBase base{first_actor_, first_site_};
  PackedAccess packed;
  if (!is_atomic(now.kind)) {
    packed = PackedAccess::of(record_of(now), now.kind, now.order != nullptr, base);
    if (packed.word != 0 && take_lines(now, packed, ranges)) return;
  }
  Meeting meeting = meeting_of(now, machine::MemorySpace::kGlobal);
  Learnt learnt;
  for (const LaneRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end;) {
      const LinePlace line{at / kLineBytes * kLineBytes, base};
      const std::uint64_t end = std::min<std::uint64_t>(range.end, line.begin + kLineBytes);
      memory_.shadow.line(line.begin / kLineBytes, base)
          .visit(
              static_cast<unsigned>(at - line.begin), static_cast<unsigned>(end - line.begin), line,
              [&](PackedCell& cell, unsigned first, unsigned bytes) {
                const Piece piece{range, line.begin + first, bytes};
                return cell.take(packed, range.lane_at(piece.address), value_of(now, piece));
              },
              [&](Cell& cell, unsigned first, unsigned bytes) {
                meet_cell(now, meeting, {range, line.begin + first, bytes}, cell, learnt);
              });
      at = end;
    }
  }
  if (now.learns != nullptr) learn_in_group(now, learnt.in_group);
  if (learnt.of_others == nullptr) return;
  if (watches_fences_) {
    if (now.kind == AccessKind::kAtomicRead && learnt.of_another_group) {
      fences_.on_look(now.order->fences(), now.facts.index);
    }
    fences_.on_load(now.order->fences(), learnt.of_others->fences, now.clock.actor(), now.wave,
                    now.facts.index);
  }
  now.order->acquire(std::move(learnt.of_others));
}

void RaceCheck::meet_cell(const MemoryAccess& now, Meeting& meeting, const Piece& piece, Cell& cell,
                          Learnt& learnt) {
  meeting.mine.set_lane(piece.range.lane_at(piece.address));
  const bool learns = now.order != nullptr && is_atomic(now.kind);
  if (learns && now.facts.returns) {
    if (learnt.of_others == nullptr) learnt.of_others = std::make_shared<Release>();
    gather_release(cell, piece.address, piece.bytes, *learnt.of_others);
    for (const Record& store : {cell.write, cell.atomic}) {
      const bool is_now = store.actor >= first_actor_;
      learnt.of_another_group |= is_now && store.actor != now.clock.actor();
    }
  }
  if (now.learns != nullptr && is_atomic(now.kind)) {
    for (unsigned i = 0; i < piece.bytes; i += kWordBytes) {
      note_word(now, cell, meeting.mine, piece.address + i, learnt.in_group);
    }
  }
  if (learns && now.kind == AccessKind::kAtomic) hand_on(now, cell, piece);
  const std::uint32_t value = value_of(now, piece);
  meet(cell, meeting, [&](const Record& earlier, AccessKind kind) {
    const bool same = kind == AccessKind::kWrite && value != 0 && value == cell.value;
    report(now, meeting.mine, piece, earlier, kind, same ? Level::kNote : Level::kError);
  });
  if (now.kind == AccessKind::kWrite) cell.value = value;
}

/// An atomic hands on what its wave has done, and what the store did whose value it changes: who
/// loads the new value learns of both (C++, "release sequence").
void RaceCheck::hand_on(const MemoryAccess& now, const Cell& cell, const Piece& piece) {
  for (unsigned i = 0; i < piece.bytes; i += kWordBytes) {
    Release& word = words_[piece.address + i];
    add_stored(cell, word);
    now.order->add_release(now.clock.time(now.wave), word);
  }
}

void RaceCheck::report(const MemoryAccess& now, const Record& mine, const Piece& piece,
                       const Record& earlier, AccessKind kind, Level level) {
  Finding finding;
  finding.level = level;
  finding.kind = Kind::kDataRace;
  finding.space = machine::MemorySpace::kGlobal;
  finding.first = {earlier.site(), kind, earlier.actor - first_actor_, earlier.wave(),
                   earlier.lane()};
  finding.second = {now.facts.index, now.kind, now.group, now.wave, mine.lane()};
  finding.address = piece.address;
  finding.bytes = piece.bytes;
  if (const auto object = device_memory_->find(reinterpret_cast<const void*>(piece.address))) {
    finding.object_begin = reinterpret_cast<std::uint64_t>(object->address);
    finding.object_bytes = object->size_bytes;
  }
  findings_.add(finding);
}

}  // namespace wavetank::check
