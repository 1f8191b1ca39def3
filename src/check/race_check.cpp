#include "check/race_check.hpp"

#include <algorithm>

#include "check/stored_value.hpp"
#include "isa/atomics.hpp"

namespace wavetank::check {

using machine::MemorySpace;
using machine::StepFacts;
using machine::Wave;

RaceCheck::RaceCheck(Memory& memory, const LaunchFacts& facts, Findings& findings)
    : memory_(memory),
      facts_(facts),
      findings_(findings),
      gave_up_(facts.groups >= Record::kMostActor) {
  number_actors();
}

/// Gives the workgroups numbers that no earlier ones have. When there are no more, what earlier
/// ones did is forgotten: all of it is in the past.
void RaceCheck::number_actors() {
  if (gave_up_) return;
  const auto groups = static_cast<std::uint32_t>(facts_.groups);
  if (groups > Record::kMostActor - memory_.next_actor) {
    memory_.shadow.clear();
    memory_.next_actor = 1;
  }
  first_actor_ = memory_.next_actor;
  memory_.next_actor += groups;
}

bool RaceCheck::has_room(const Instruction& now) {
  gave_up_ = gave_up_ || now.group.clock.is_over() || now.facts.index > Record::kMostSite;
  return !gave_up_;
}

void RaceCheck::begin(Group& group, unsigned waves, std::uint32_t lds_bytes) {
  group.lds.begin(lds_bytes, facts_.lds_access_bytes, waves);
  start_actor(group, waves);
}

void RaceCheck::start_actor(Group& group, unsigned waves) {
  const std::uint32_t actor = first_actor_ + static_cast<std::uint32_t>(group.index);
  group.clock.begin(actor, waves);
  if (!facts_.learns_of_others) return;
  std::vector<WaveOrder>& orders = orders_[actor];
  orders.assign(waves, WaveOrder(facts_.l2_is_shared));
  for (unsigned i = 0; i < waves; ++i) orders[i].begin(group.clock, i);
  group.orders = &orders;
}

Meeting RaceCheck::meeting_of(const Instruction& now) const {
  const GroupClock& clock = now.group.clock;
  const unsigned wave = now.wave.id_in_group;
  Meeting meeting{clock, first_actor_, now.kind, nullptr,
                  Record::of(clock.actor(), wave, clock.time(wave), now.facts.index, 0)};
  if (now.group.orders != nullptr) {
    const WaveOrder& order = (*now.group.orders)[wave];
    meeting.knows = now.kind == AccessKind::kRead ? &order.known() : &order.arrived();
  }
  const bool meets_stores =
      is_atomic(now.kind) && !facts_.stores_show_atomicity &&
      (now.kind == AccessKind::kAtomicRead || isa::is_exchange(now.facts.row->memory.atomic));
  if (meets_stores) meeting.mine.set_meets_stores();
  return meeting;
}

void RaceCheck::access_lds(const Instruction& now, std::uint64_t lanes,
                           const std::vector<LaneRange>& ranges, bool in_bounds) {
  if (!has_room(now)) return;
  now.group.lds.access(
      lds_access(now, lanes), ranges, in_bounds,
      [&](const LdsRecord& earlier, AccessKind kind, const LaneRange& range, std::uint64_t at,
          unsigned lane) {
        const Access first{earlier.site(), kind, now.group.index, earlier.wave(), earlier.lane()};
        report(now, range, lane, first, MemorySpace::kLds, at, now.group.lds.cell_bytes());
      });
}

/// What a load of a word learns: of the wave that stored it, and of all whose atomics changed it.
void RaceCheck::gather_release(const Cell& cell, std::uint64_t address, Release& release) const {
  for (const Record& store : {cell.write, cell.atomic}) {
    const auto orders = orders_.find(store.actor);
    if (orders == orders_.end()) continue;
    orders->second[store.wave()].add_release(store.time(), release);
  }
  if (const auto word = words_.find(address); word != words_.end()) release.join(word->second);
}

void RaceCheck::access_global(const Instruction& now, const std::vector<LaneRange>& ranges) {
  if (!has_room(now)) return;
  const bool learns = now.group.orders != nullptr && is_atomic(now.kind);
  std::shared_ptr<Release> acquired;
  Meeting meeting = meeting_of(now);
  for (const LaneRange& range : ranges) {
    for (std::uint64_t at = range.begin; at < range.end;) {
      const std::uint64_t line = at / kLineBytes, line_begin = line * kLineBytes;
      const std::uint64_t end = std::min<std::uint64_t>(range.end, line_begin + kLineBytes);
      memory_.shadow.line(line).visit(
          static_cast<unsigned>(at - line_begin), static_cast<unsigned>(end - line_begin),
          [&](Cell& cell, unsigned first, unsigned bytes) {
            const std::uint64_t address = line_begin + first;
            const unsigned lane = range.lane_at(address);
            meeting.mine.set_lane(lane);
            if (learns && now.facts.returns) {
              if (acquired == nullptr) acquired = std::make_shared<Release>();
              gather_release(cell, address, *acquired);
            }
            meet(cell, meeting, [&](const Record& earlier, AccessKind kind) {
              report(now, range, lane, access_of(earlier, kind), MemorySpace::kGlobal, address,
                     bytes);
            });
            if (learns && now.kind == AccessKind::kAtomic) {
              (*now.group.orders)[now.wave.id_in_group].add_release(meeting.mine.time(),
                                                                    words_[address]);
            }
          });
      at = end;
    }
  }
  if (acquired != nullptr) (*now.group.orders)[now.wave.id_in_group].acquire(std::move(acquired));
}

void RaceCheck::control(const Wave& wave, Group& group, const StepFacts& facts, AccessKind kind) {
  if (group.orders == nullptr) return;
  WaveOrder& order = (*group.orders)[wave.id_in_group];
  const bool touches_memory = facts.space != MemorySpace::kNone;
  if (facts.port == machine::Port::kVectorMemory && touches_memory) {
    order.issue(writes(kind), kind != AccessKind::kAtomicRead);
  }
  if (facts.is_waitcnt) order.wait(facts.vmcnt_limit, group.clock);
  if (facts.row->memory.writes_back_l2) order.write_back_l2();
  if (facts.row->memory.invalidates_l1) order.invalidate_l1();
}

void RaceCheck::pass_barrier(Group& group) {
  group.clock.pass_barrier();
  group.lds.pass_barrier();
  if (group.orders == nullptr) return;
  Knowledge known, arrived;
  for (const WaveOrder& order : *group.orders) {
    known.learn(order.known());
    arrived.learn(order.arrived());
  }
  for (WaveOrder& order : *group.orders) order.join(known, arrived);
}

/// The workgroups go on as new actors: all that they did before is in the past.
void RaceCheck::pass_global_barrier(Group& group) {
  if (passed_global_barrier_++ % facts_.groups == 0) number_actors();
  start_actor(group, group.clock.waves());
}

Access RaceCheck::access_of(const Record& record, AccessKind kind) const {
  return {record.site(), kind, record.actor - first_actor_, record.wave(), record.lane()};
}

void RaceCheck::report(const Instruction& now, const LaneRange& range, unsigned lane,
                       const Access& earlier, MemorySpace space, std::uint64_t address,
                       unsigned bytes) {
  Finding finding;
  const std::byte* const base = space == MemorySpace::kLds ? now.wave.workgroup->lds : nullptr;
  if (earlier.kind == AccessKind::kWrite && now.kind == AccessKind::kWrite &&
      stores_what_is_there(now, range, address, bytes, base)) {
    finding.level = Level::kNote;
  }
  finding.kind = Kind::kDataRace;
  finding.space = space;
  finding.first = earlier;
  finding.second = {now.facts.index, now.kind, now.group.index, now.wave.id_in_group, lane};
  finding.address = address;
  finding.bytes = bytes;
  if (space == MemorySpace::kGlobal) {
    const auto object = now.wave.environment->memory->find(reinterpret_cast<const void*>(address));
    if (object) {
      finding.object_begin = reinterpret_cast<std::uint64_t>(object->address);
      finding.object_bytes = object->size_bytes;
    }
  }
  findings_.add(finding);
}

}  // namespace wavetank::check
