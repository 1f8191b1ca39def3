#include "check/race_check.hpp"

#include <algorithm>
#include <utility>

#include "check/stored_value.hpp"

namespace wavetank::check {

using machine::MemorySpace;
using machine::StepFacts;
using machine::Wave;

RaceCheck::RaceCheck(Memory& memory, const LaunchFacts& facts, Findings& findings)
    : memory_(memory),
      facts_(facts),
      watches_fences_(facts.learns_of_others && facts.groups > 1),
      fences_(facts.stores_show_atomicity),
      findings_(findings),
      gave_up_(facts.groups >= Record::kMostActor) {
  memory_.shadow.begin_launch();
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

/// What a wave tells others should come behind what it has written back for them.
void RaceCheck::look_at_write_back(const Wave& wave, Group& group, const StepFacts& facts,
                                   AccessKind kind) {
  if (facts.space != MemorySpace::kGlobal || !writes(kind) || !is_atomic(kind)) return;
  Finding finding;
  finding.level = Level::kNote;
  finding.kind = Kind::kMissingWait;
  const std::uint32_t write_back = (*group.orders)[wave.id_in_group].unwaited_write_back();
  finding.first = {write_back, kind, group.index, wave.id_in_group, 0};
  finding.second = {facts.index, kind, group.index, wave.id_in_group, 0};
  group.findings->add(finding);
}

bool RaceCheck::has_room(const GroupClock& clock, std::uint32_t site) {
  if (clock.is_over() || site > Record::kMostSite) gave_up_ = true;
  return !gave_up_;
}

void RaceCheck::begin(Group& group, unsigned waves, std::uint32_t lds_bytes) {
  group.lds.begin(lds_bytes, facts_.lds_access_bytes, waves);
  const std::uint32_t actor = first_actor_ + static_cast<std::uint32_t>(group.index);
  group.clock.begin(actor, waves);
  if (facts_.learns_in_group || facts_.orders_lds) group.order.begin(group.clock);
  if (!facts_.learns_of_others) return;
  std::vector<WaveOrder>& orders = orders_[actor];
  orders.assign(waves, WaveOrder(facts_.l2_is_shared));
  for (unsigned i = 0; i < waves; ++i) orders[i].begin(group.clock, i);
  group.orders = &orders;
  group.meetings = 0;
  group.at_meeting = 0;
  group.l1_is_new = true;
}

void RaceCheck::access_lds(const Instruction& now, std::uint64_t lanes,
                           const std::vector<LaneRange>& ranges, bool in_bounds) {
  if (!has_room(now.group.clock, now.facts.index)) return;
  if (facts_.orders_lds) return access_ordered_lds(now, ranges);
  now.group.lds.access(
      LdsAccess{now.facts, now.step, now.kind, now.wave.id_in_group, lanes}, ranges, in_bounds,
      [&](const LdsRecord& earlier, AccessKind kind, const LaneRange& range, std::uint64_t at,
          unsigned lane) {
        const unsigned bytes = now.group.lds.cell_bytes();
        const StoredRows stored = stored_rows(now.wave, now.facts, now.step, range.access);
        const bool same = kind == AccessKind::kWrite && now.kind == AccessKind::kWrite &&
                          stores_what_is_there(stored, range, at, bytes, now.wave.workgroup->lds);
        Finding finding;
        finding.level = same ? Level::kNote : Level::kError;
        finding.kind = Kind::kDataRace;
        finding.space = MemorySpace::kLds;
        finding.first = {earlier.site(), kind, now.group.index, earlier.wave(), earlier.lane()};
        finding.second = {now.facts.index, now.kind, now.group.index, now.wave.id_in_group, lane};
        finding.address = at;
        finding.bytes = bytes;
        now.group.findings->add(finding);
      });
}

void RaceCheck::control(const Wave& wave, Group& group, const StepFacts& facts, AccessKind kind) {
  if (facts_.orders_lds) {
    const bool lds = facts.space == MemorySpace::kLds || facts.may_reach_lds;
    if (lds || facts.space == MemorySpace::kScalar) {
      group.order.issue(wave.id_in_group, lds, group.clock);
    }
    if (facts.is_waitcnt) group.order.wait(wave.id_in_group, facts.lgkmcnt_limit);
  }
  if (group.orders == nullptr) return;
  WaveOrder& order = (*group.orders)[wave.id_in_group];
  const bool touches_memory = facts.space != MemorySpace::kNone;
  if (facts.port == machine::Port::kVectorMemory && touches_memory) {
    const bool shared = facts.space != MemorySpace::kScratch;
    order.issue(shared && writes(kind), shared && kind != AccessKind::kAtomicRead);
  }
  if (facts.is_waitcnt) order.wait(facts.vmcnt_limit, group.clock);
  if (facts.is_waitcnt && facts.lgkmcnt_limit == 0) order.wait_for_grid(group.l1_is_new);
  if (facts.row->memory.special == isa::MemorySpecial::kGwsBarrier) {
    meetings_.arrive(group.meetings, order);
    group.at_meeting |= static_cast<std::uint16_t>(1u << wave.id_in_group);
  }
  if (facts.row->memory.invalidates_l1) group.l1_is_new = true;
  if (facts.row->memory.writes_back_l2) order.write_back_l2(group.clock, facts.index);
  if (order.unwaited_write_back() != 0) look_at_write_back(wave, group, facts, kind);
  const bool learns = facts.row->memory.invalidates_l1 && order.invalidate_l1();
  if (!watches_fences_) return;
  const bool stores_word =
      facts_.stores_show_atomicity ? writes(kind) && is_atomic(kind) : writes(kind);
  if (facts.space == MemorySpace::kGlobal && stores_word) order.fences().store();
  if (fences_.on_instruction(order.fences(), facts, learns, group.index, wave.id_in_group)) {
    order.change_fences();
  }
}

void RaceCheck::pass_barrier(Group& group) {
  group.lds.pass_barrier();
  if (group.log != nullptr) group.log->add_barrier();
  group.clock.pass_barrier();
  if (facts_.learns_in_group || facts_.orders_lds) group.order.pass_barrier(group.clock);
  if (group.orders == nullptr) return;
  pass_barrier(*group.orders, group.clock);
}

/// The waves know from here on what each of them knew, and hand on what each had complete.
void RaceCheck::pass_barrier(std::vector<WaveOrder>& orders, const GroupClock& clock) const {
  Knowledge known, arrived;
  Release complete;
  for (WaveOrder& order : orders) {
    known.learn(order.known());
    arrived.learn(order.arrived());
    order.add_complete(complete);
    if (order.fences().passed() != nullptr) complete.fences.add(*order.fences().passed());
  }
  const bool completed_more = std::ranges::any_of(orders, &WaveOrder::completed_more);
  const auto device = std::make_shared<const Knowledge>(std::move(complete.device));
  // Where the L2 is the device's, both are one and need to be learnt once.
  const auto workgroup = facts_.l2_is_shared
                             ? device
                             : std::make_shared<const Knowledge>(std::move(complete.workgroup));
  const auto fences = std::make_shared<const PassedFences>(std::move(complete.fences));
  for (WaveOrder& order : orders) {
    order.join(known, arrived);
    order.fences().join(fences);
    if (completed_more) order.meet(workgroup, device, clock);
  }
}

/// What comes behind it is under way with its instruction in the waves that were there.
void RaceCheck::pass_global_barrier(Group& group) {
  if (group.orders == nullptr) return;
  const std::shared_ptr<const Release> met = meetings_.met(group.meetings++);
  const unsigned there = std::exchange(group.at_meeting, 0);
  for (unsigned i = 0; i < group.clock.waves(); ++i) {
    WaveOrder& order = (*group.orders)[i];
    if ((there >> i & 1) != 0) order.meet_grid(met);
    if (!watches_fences_) continue;
    fences_.use(order.fences(), Reach::kDevice, 0);
    order.fences().begin(group.clock.actor(), i);
    order.fences().learn(Reach::kDevice, 0);
  }
}

TouchedRanges RaceCheck::touched() const {
  TouchedRanges ranges;
  const CellBase base{first_actor_, first_site_};
  memory_.shadow.visit_used(base, [&](const Cell& cell, std::uint64_t address, unsigned bytes) {
    const std::uint64_t end = address + bytes;
    if (cell.write.present()) {
      return ranges.add({address, end, AccessKind::kWrite, cell.write.site()});
    }
    if (cell.atomic.present()) {
      ranges.add({address, end, AccessKind::kAtomic, cell.atomic.site()});
    }
    const Record& read = cell.read.present() ? cell.read : cell.other_read;
    if (read.present()) ranges.add({address, end, AccessKind::kRead, read.site()});
  });
  return ranges;
}

}  // namespace wavetank::check
