#include "check/launch_check.hpp"

#include "isa/target.hpp"

namespace wavetank::check {

using isa::MemoryAction;
using machine::MemorySpace;
using machine::Step;
using machine::StepFacts;
using machine::Wave;

namespace {

Group& group_of(const machine::Workgroup& group) { return *static_cast<Group*>(group.listened); }

bool is_taken_as_atomic(const StepFacts& facts) {
  return facts.taken_as_atomic || facts.row->memory.action == MemoryAction::kAtomic;
}

}  // namespace

LaunchCheck::LaunchCheck(Memory& memory, UndefinedMemory& undefined, const LaunchFacts& facts,
                         std::span<const machine::Edge> edges)
    : facts_(facts), edges_(edges), races_(memory, facts, findings_), undefined_(undefined) {}

/// What is kept of a workgroup's storage, which serves one after the other.
Group& LaunchCheck::begin_group(machine::Workgroup& group, const machine::DeviceMemory& memory) {
  if (group.listened == nullptr) {
    const std::lock_guard lock(groups_mutex_);
    races_.set_memory(memory);
    groups_.push_back(std::make_unique<Group>());
    groups_.back()->bounds.know(facts_.variables);
    if (facts_.owns_arguments) {
      groups_.back()->bounds.know_arguments({facts_.kernarg_begin, facts_.kernarg_bytes});
    }
    group.listened = groups_.back().get();
  }
  return group_of(group);
}

void LaunchCheck::on_group(machine::Workgroup& group, std::uint64_t index, std::span<Wave> waves) {
  if (facts_.group_begins) facts_.group_begins();
  Group& mine = begin_group(group, *waves.front().environment->memory);
  mine.index = index;
  mine.running_waves = static_cast<unsigned>(waves.size());
  mine.findings = &findings_;
  if (facts_.groups_are_independent) {
    mine.record = queue_.fresh();
    mine.record->index = index;
    mine.record->waves = mine.running_waves;
    mine.findings = &mine.record->findings;
    mine.log = &mine.record->log;
  }
  races_.begin(mine, mine.running_waves, group.lds_bytes);
  for (CallStack& calls : mine.calls) calls.clear();
  for (Guesses& guesses : mine.guesses) guesses.clear();
  mine.barriers.begin(index, waves);
  if (facts_.wait_states != nullptr) mine.waits = std::make_unique<WaitCheck>(index);
  mine.undefined.findings = mine.findings;
  undefined_.begin(mine.undefined, group, index, waves);
}

void LaunchCheck::end_wave(Group& group) {
  if (--group.running_waves != 0 || group.record == nullptr) return;
  queue_.add(std::move(group.record), [this](const GroupRecord& record) { races_.replay(record); });
}

/// Goes on without a log if all workgroups before this one are over: a long one keeps nothing then.
void LaunchCheck::catch_up(Group& group) {
  if (!queue_.is_turn_of(group.index)) return;
  races_.replay(*group.record);
  group.record->clear();
  group.log = nullptr;
}

void LaunchCheck::finish() {
  for (const auto& group : groups_) {
    if (group->record != nullptr && group->index == queue_.next()) races_.replay(*group->record);
  }
  if (facts_.follows_guesses) drop_seeds();
}

/// A load that only seeds compare-and-swaps is taken for atomic.
void LaunchCheck::drop_seeds() {
  const auto is_seed = [&](const Access& access, const Access& other, bool in_lds) {
    const bool meets_stores = in_lds || !facts_.stores_show_atomicity;
    return access.kind == AccessKind::kRead && (is_atomic(other.kind) || meets_stores) &&
           guess_sites_.only_seeds(access.site);
  };
  findings_.drop_if([&](const Finding& finding) {
    const bool in_lds = finding.space == MemorySpace::kLds;
    return finding.kind == Kind::kDataRace && (is_seed(finding.first, finding.second, in_lds) ||
                                               is_seed(finding.second, finding.first, in_lds));
  });
}

void LaunchCheck::on_barrier(machine::Workgroup& group, std::span<const Wave> waves) {
  Group& mine = group_of(group);
  races_.pass_barrier(mine);
  mine.barriers.pass_barrier(waves, facts_.leads, *mine.findings);
}

void LaunchCheck::on_undefined_branch(Wave& wave, const StepFacts& facts,
                                      const machine::UndefinedOrigin& origin) {
  Group& group = group_of(*wave.workgroup);
  undefined_.branch(group.undefined, wave, as_called(group, wave, facts), origin);
}

/// An instruction of a function is another one for each call.
const StepFacts& LaunchCheck::as_called(Group& group, const Wave& wave,
                                        const StepFacts& facts) const {
  const std::uint32_t caller = group.calls[wave.id_in_group].caller();
  return caller == 0 ? facts : group.called.of(caller, facts, facts_.index_called_from);
}

void LaunchCheck::on_call(Wave& wave, const StepFacts& facts, std::uint64_t back) {
  Group& group = group_of(*wave.workgroup);
  group.calls[wave.id_in_group].call(as_called(group, wave, facts).index, back);
}

void LaunchCheck::on_jump(Wave& wave, std::uint64_t target) {
  group_of(*wave.workgroup).calls[wave.id_in_group].jump(target);
}

void LaunchCheck::on_global_barrier(machine::Workgroup& group) {
  races_.pass_global_barrier(group_of(group));
}

AccessKind LaunchCheck::kind_of(const StepFacts& facts, MemorySpace space) const {
  const bool asks_others =
      isa::asks_others(facts_.stores_show_atomicity, facts.glc, facts.slc, facts.scc);
  // LDS has no caches; a flat access with a scope may be to it, one with all bits is volatile only.
  const bool scope = facts_.stores_show_atomicity && facts.glc != facts.scc;
  const bool says_atomic =
      space == MemorySpace::kLds ? scope : space == MemorySpace::kGlobal && asks_others;
  if (is_taken_as_atomic(facts)) return AccessKind::kAtomic;
  switch (facts.row->memory.action) {
    case MemoryAction::kStore:
      return says_atomic && facts_.stores_show_atomicity ? AccessKind::kAtomicWrite
                                                         : AccessKind::kWrite;
    default:
      return says_atomic || facts.polls || facts.seeds_swap ? AccessKind::kAtomicRead
                                                            : AccessKind::kRead;
  }
}

void LaunchCheck::on_instruction(Wave& wave, const StepFacts& instruction, const Step& step) {
  Group& group = group_of(*wave.workgroup);
  const StepFacts& facts = as_called(group, wave, instruction);
  group.barriers.on_instruction(wave, facts, *group.findings);
  if (group.waits != nullptr) {
    group.waits->on_instruction(wave, facts, step.lds_lanes != 0, *facts_.wait_states,
                                *group.findings);
  }
  if (facts.row->pause == isa::Pause::kEnd) end_wave(group);
  const AccessKind kind = kind_of(facts, facts.space);
  if (group.orders != nullptr || facts_.orders_lds) races_.control(wave, group, facts, kind);
  // gfx90a writes its L2 back for the host only, gfx942 for the host with both scope bits
  // (LLVM AMDGPUUsage, "Memory Model gfx90a", "gfx942": release at system scope).
  if (facts.row->memory.writes_back_l2 && (facts_.l2_is_shared || (facts.glc && facts.scc))) {
    releases_to_system_ = true;
  }
  const Instruction now{wave, group, facts, step, kind};
  if (facts_.follows_guesses) follow_guesses(now);
  if (facts.space == MemorySpace::kNone) return;
  const bool is_followed = UndefinedCheck::follows(wave);
  if (is_followed || step.access_count == 0) look_at_undefined(now);
  if (step.access_count == 0 || reads_arguments(now)) return;
  if (!touches_scratch(now)) return access_memory(now, is_followed);
  if (!is_followed) look_at_undefined(now);
  access_scratch(now);
}

void LaunchCheck::follow_guesses(const Instruction& now) {
  const bool touches = now.facts.space != MemorySpace::kNone && now.step.access_count != 0;
  const bool is_private = touches && (touches_scratch(now) || addresses_scratch(now));
  const bool loads = touches && !is_private && now.kind == AccessKind::kRead &&
                     now.facts.space != MemorySpace::kScalar && !now.facts.to_lds;
  guess_sites_.on_instruction(now.group.guesses[now.wave.id_in_group], now.wave, now.facts,
                              now.step, loads, is_private);
}

void LaunchCheck::look_at_undefined(const Instruction& now) {
  undefined_.access(now.group.undefined, now.wave, now.facts, now.step);
}

/// The kernel's arguments are only read.
bool LaunchCheck::reads_arguments(const Instruction& now) const {
  if (now.facts.space != MemorySpace::kScalar) return false;
  const std::uint64_t offset = now.step.address[0] - facts_.kernarg_begin;
  return offset < facts_.kernarg_bytes && now.step.access_bytes <= facts_.kernarg_bytes - offset;
}

/// `is_known`: what of it is undefined has been looked at.
void LaunchCheck::access_memory(const Instruction& now, bool is_known) {
  const Step& step = now.step;
  if (now.facts.space == MemorySpace::kLds) {
    if (is_taken_as_atomic(now.facts)) look_at_alignment(now, step.lanes);
    return access_lds(now, step.lanes, is_known);
  }
  const bool is_scalar = now.facts.space == MemorySpace::kScalar;
  const std::uint64_t lanes = is_scalar ? 1 : step.lanes & ~step.lds_lanes;
  if (is_scalar || is_taken_as_atomic(now.facts)) {
    look_at_alignment(now, step.lds_lanes);
  }
  if (!is_known && (step.lds_lanes != 0 || now.facts.to_lds)) {
    look_at_undefined(now);
    is_known = true;
  }
  if (now.facts.to_lds) access_lds_target(now, lanes);
  if (step.lds_lanes != 0) {
    access_lds({now.wave, now.group, now.facts, step, kind_of(now.facts, MemorySpace::kLds)},
               step.lds_lanes, true);
  }
  if (lanes != 0) access_global(now, lanes, is_known);
}

void LaunchCheck::access_global(const Instruction& now, std::uint64_t lanes, bool is_known) {
  std::vector<LaneRange>& ranges = now.group.ranges;
  collect_ranges(now.step, lanes, ranges);
  if (!is_known && !undefined_.is_defined(ranges)) look_at_undefined(now);
  if (now.wave.workgroup->scratch_bytes != 0) drop_scratch(*now.wave.workgroup, ranges);
  drop_unread(now.facts, ranges);
  look_at_lanes(now, lanes, MemorySpace::kGlobal);
  look_at_bounds(now, MemorySpace::kGlobal);
  if (now.group.log != nullptr) catch_up(now.group);
  races_.access_global(now, ranges);
}

void LaunchCheck::access_lds(const Instruction& now, std::uint64_t lanes, bool is_known) {
  Group& group = now.group;
  const LdsAccess access{now.facts, now.step, now.kind, now.wave.id_in_group, lanes};
  const auto look_at = [&](const DwordBits& dwords) {
    if (!is_known && !UndefinedCheck::is_defined(group.undefined, dwords)) look_at_undefined(now);
  };
  if (!facts_.orders_lds) {
    if (const LdsPattern* const known = group.lds.known(access)) return look_at(known->dwords());
    LdsDwords& dwords = group.lds_dwords;
    if (dwords.collect(now.step, lanes, lds_bytes_of(*now.wave.workgroup)) &&
        group.lds.covers(access, dwords.bits())) {
      return look_at(dwords.bits());
    }
  }
  if (!is_known) look_at_undefined(now);
  collect_ranges(now.step, lanes, group.ranges);
  look_at_lanes(now, lanes, MemorySpace::kLds);
  const bool in_bounds = look_at_bounds(now, MemorySpace::kLds);
  races_.access_lds(now, lanes, group.ranges, in_bounds);
}

/// The LDS side of a load into LDS: a store of a dword for each lane.
void LaunchCheck::access_lds_target(const Instruction& now, std::uint64_t lanes) {
  Step target;
  target.facts = now.step.facts;
  target.lanes = lanes;
  target.access_bytes = 4;
  for (unsigned lane = 0; lane < 64; ++lane) {
    target.address.slot(lane) = now.step.lds_target + 4 * lane;
  }
  access_lds({now.wave, now.group, now.facts, target, AccessKind::kWrite}, lanes, true);
}

}  // namespace wavetank::check
