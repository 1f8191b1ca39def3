#include "check/launch_check.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::check {

using isa::MemoryAction;
using machine::MemorySpace;
using machine::Step;
using machine::StepFacts;
using machine::Wave;

namespace {

Group& group_of(const machine::Workgroup& group) { return *static_cast<Group*>(group.listened); }

/// The pointer in scalar registers to which the lanes of a global instruction add offsets, or the
/// one that a scalar load reads through; 0 if there is none.
std::uint64_t scalar_base_of(const Instruction& now) {
  const isa::Format format = now.facts.row->encoding.format;
  const bool is_global =
      format == isa::Format::kGlobal || (format == isa::Format::kFlat && !now.facts.may_reach_lds);
  if (!is_global && now.facts.space != MemorySpace::kScalar) return 0;
  for (const machine::RegisterRange& range : now.facts.scalar_reads) {
    if (range.count == 2) return now.wave.scalar64(range.first);
  }
  return 0;
}

Access access_of(const Instruction& now, unsigned lane) {
  return {now.facts.index, now.kind, now.group.index, now.wave.id_in_group, lane};
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
    group.listened = groups_.back().get();
  }
  return group_of(group);
}

void LaunchCheck::on_group(machine::Workgroup& group, std::uint64_t index, std::span<Wave> waves) {
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
}

void LaunchCheck::on_barrier(machine::Workgroup& group, std::span<const Wave> waves) {
  Group& mine = group_of(group);
  races_.pass_barrier(mine);
  mine.barriers.pass_barrier(waves, facts_.leads, *mine.findings);
}

void LaunchCheck::on_undefined_branch(Wave& wave, const StepFacts& facts,
                                      const machine::UndefinedOrigin& origin) {
  undefined_.branch(group_of(*wave.workgroup).undefined, wave, facts, origin);
}

void LaunchCheck::on_global_barrier(machine::Workgroup& group) {
  races_.pass_global_barrier(group_of(group));
}

/// On gfx90a glc and slc together say that a load is not worth caching (LLVM AMDGPUUsage, "Memory
/// Model gfx90a", nontemporal), not that it is atomic.
AccessKind LaunchCheck::kind_of(const StepFacts& facts, MemorySpace space) const {
  const bool bits = facts_.stores_show_atomicity ? facts.glc || facts.scc : facts.glc && !facts.slc;
  // LDS has no caches; a flat access with a scope may be to it, one with all bits is volatile only.
  const bool scope = facts_.stores_show_atomicity && facts.glc != facts.scc;
  const bool says_atomic =
      space == MemorySpace::kLds ? scope : space == MemorySpace::kGlobal && bits;
  switch (facts.row->memory.action) {
    case MemoryAction::kAtomic: return AccessKind::kAtomic;
    case MemoryAction::kStore:
      return says_atomic && facts_.stores_show_atomicity ? AccessKind::kAtomicWrite
                                                         : AccessKind::kWrite;
    default:
      return says_atomic || facts.polls || facts.seeds_swap ? AccessKind::kAtomicRead
                                                            : AccessKind::kRead;
  }
}

void LaunchCheck::on_instruction(Wave& wave, const StepFacts& facts, const Step& step) {
  Group& group = group_of(*wave.workgroup);
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
  if (facts.space == MemorySpace::kNone) return;
  const Instruction now{wave, group, facts, step, kind};
  const bool is_followed = UndefinedCheck::follows(wave);
  if (is_followed || step.access_count == 0) look_at_undefined(now);
  if (step.access_count == 0 || reads_arguments(now)) return;
  if (!touches_scratch(now)) return access_memory(now, is_followed);
  if (!is_followed) look_at_undefined(now);
  access_scratch(now);
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

/// Nobody else has a work-item's private memory: there are no races.
void LaunchCheck::access_scratch(const Instruction& now) {
  const auto outside = look_at_scratch(now);
  if (!outside) return;
  Finding finding;
  finding.kind = Kind::kOutOfBounds;
  finding.space = MemorySpace::kScratch;
  finding.second = access_of(now, outside->lane);
  finding.address = outside->byte;
  finding.bytes = now.step.access_bytes * now.step.access_count;
  finding.object_bytes = outside->private_bytes;
  now.group.findings->add(finding);
}

/// `is_known`: what of it is undefined has been looked at.
void LaunchCheck::access_memory(const Instruction& now, bool is_known) {
  const Step& step = now.step;
  if (now.facts.space == MemorySpace::kLds) {
    if (now.facts.row->memory.action == MemoryAction::kAtomic) look_at_alignment(now, step.lanes);
    return access_lds(now, step.lanes, is_known);
  }
  const bool is_scalar = now.facts.space == MemorySpace::kScalar;
  const std::uint64_t lanes = is_scalar ? 1 : step.lanes & ~step.lds_lanes;
  if (is_scalar || now.facts.row->memory.action == MemoryAction::kAtomic) {
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
    if (dwords.collect(now.step, lanes, now.wave.workgroup->lds_bytes) &&
        group.lds.covers(access, dwords.bits())) {
      return look_at(dwords.bits());
    }
  }
  if (!is_known) look_at_undefined(now);
  collect_ranges(now.step, lanes, group.ranges);
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

/// Loads and stores may lie anywhere (LLVM, AMDGPU.td: FeatureUnalignedAccessMode of the HSA
/// targets), atomics may not. A scalar load ignores the low two bits of its address.
void LaunchCheck::look_at_alignment(const Instruction& now, std::uint64_t lds_lanes) {
  if (now.facts.space == MemorySpace::kScalar) {
    const std::uint64_t ignored = scalar_base_of(now) % 4;
    if (ignored != 0) report_misaligned(now, 0, MemorySpace::kGlobal, ignored);
    return;
  }
  const unsigned bytes = now.step.access_bytes;
  for (std::uint64_t left = now.step.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (now.step.address[lane] % bytes == 0) continue;
    const bool in_lds = (lds_lanes >> lane & 1) != 0;
    return report_misaligned(now, lane, in_lds ? MemorySpace::kLds : MemorySpace::kGlobal, 0);
  }
}

void LaunchCheck::report_misaligned(const Instruction& now, unsigned lane, MemorySpace space,
                                    std::uint64_t ignored_bytes) {
  Finding finding;
  finding.kind = Kind::kMisaligned;
  finding.space = space;
  finding.second = access_of(now, lane);
  finding.address = now.step.address[lane] + ignored_bytes;
  finding.bytes = now.step.access_bytes;
  if (space == MemorySpace::kGlobal) {
    const machine::DeviceMemory& memory = *now.wave.environment->memory;
    if (const auto object = memory.find(reinterpret_cast<const void*>(finding.address))) {
      finding.object_begin = reinterpret_cast<std::uint64_t>(object->address);
      finding.object_bytes = object->size_bytes;
    }
  }
  now.group.findings->add(finding);
}

/// Buffer and flat instructions reach scratch, too, which is a lane's own.
void LaunchCheck::drop_scratch(const machine::Workgroup& group,
                               std::vector<LaneRange>& ranges) const {
  const auto begin = reinterpret_cast<std::uint64_t>(group.scratch);
  std::erase_if(ranges,
                [&](const LaneRange& range) { return range.begin - begin < group.scratch_bytes; });
}

OutOfBounds LaunchCheck::outside(const Instruction& now, const LaneRange& range,
                                 MemorySpace space) {
  if (space != MemorySpace::kLds) {
    return now.group.bounds.look(*now.wave.environment->memory, range, scalar_base_of(now));
  }
  OutOfBounds result;
  const std::uint32_t size_bytes = now.wave.workgroup->lds_bytes;
  result.found = range.end > size_bytes;
  result.address = std::max<std::uint64_t>(range.begin, size_bytes);
  result.near.size_bytes = size_bytes;
  return result;
}

/// Reports ranges that are nobody's, and takes them from the list; true if there are none.
bool LaunchCheck::look_at_bounds(const Instruction& now, MemorySpace space) {
  std::vector<LaneRange>& ranges = now.group.ranges;
  std::size_t kept = 0;
  for (const LaneRange& range : ranges) {
    const OutOfBounds place = outside(now, range, space);
    if (place.found) [[unlikely]]
      report_outside(now, range, place, space);
    else
      ranges[kept++] = range;
  }
  const bool all_kept = kept == ranges.size();
  ranges.resize(kept);
  return all_kept;
}

void LaunchCheck::report_outside(const Instruction& now, const LaneRange& range,
                                 const OutOfBounds& place, MemorySpace space) {
  Finding finding;
  finding.kind = place.freed ? Kind::kUseAfterFree : Kind::kOutOfBounds;
  finding.space = space;
  finding.second = access_of(now, range.lane_at(place.address));
  finding.address = place.address;
  finding.bytes = range.lane_bytes;
  finding.object_begin = reinterpret_cast<std::uint64_t>(place.near.address);
  finding.object_bytes = place.near.size_bytes;
  finding.elsewhere = place.elsewhere;
  now.group.findings->add(finding);
}

}  // namespace wavetank::check
