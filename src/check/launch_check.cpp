#include "check/launch_check.hpp"

#include <algorithm>

namespace wavetank::check {

using isa::MemoryAction;
using machine::MemorySpace;
using machine::Step;
using machine::StepFacts;
using machine::Wave;

namespace {

Group& group_of(const machine::Workgroup& group) { return *static_cast<Group*>(group.listened); }

Access access_of(const Instruction& now, unsigned lane) {
  return {now.facts.index, now.kind, now.group.index, now.wave.id_in_group, lane};
}

}  // namespace

LaunchCheck::LaunchCheck(Memory& memory, const LaunchFacts& facts,
                         std::span<const machine::Edge> edges)
    : facts_(facts), edges_(edges), races_(memory, facts, findings_) {}

/// What is kept of a workgroup's storage, which serves one after the other.
Group& LaunchCheck::begin_group(machine::Workgroup& group, const machine::DeviceMemory& memory) {
  if (group.listened == nullptr) {
    const std::lock_guard lock(groups_mutex_);
    races_.set_memory(memory);
    groups_.push_back(std::make_unique<Group>());
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
  }
  races_.begin(mine, mine.running_waves, group.lds_bytes);
  mine.barriers.begin(index, waves);
  if (facts_.wait_states != nullptr) mine.waits = std::make_unique<WaitCheck>(index);
}

void LaunchCheck::end_wave(Group& group) {
  if (--group.running_waves != 0 || group.record == nullptr) return;
  queue_.add(std::move(group.record), [this](const GroupRecord& record) { races_.replay(record); });
}

void LaunchCheck::finish() {
  for (const auto& group : groups_) {
    if (group->record != nullptr && group->index == queue_.next()) races_.replay(*group->record);
  }
}

void LaunchCheck::on_barrier(machine::Workgroup& group, std::span<const Wave> waves) {
  Group& mine = group_of(group);
  races_.pass_barrier(mine);
  mine.barriers.pass_barrier(waves, *mine.findings);
}

void LaunchCheck::on_global_barrier(machine::Workgroup& group) {
  races_.pass_global_barrier(group_of(group));
}

/// On gfx90a glc and slc together say that a load is not worth caching (LLVM AMDGPUUsage, "Memory
/// Model gfx90a", nontemporal), not that it is atomic.
AccessKind LaunchCheck::kind_of(const StepFacts& facts) const {
  const bool bits = facts_.stores_show_atomicity ? facts.glc || facts.scc : facts.glc && !facts.slc;
  const bool says_atomic = facts.space == MemorySpace::kGlobal && bits;
  switch (facts.row->memory.action) {
    case MemoryAction::kAtomic: return AccessKind::kAtomic;
    case MemoryAction::kStore:
      return says_atomic && facts_.stores_show_atomicity ? AccessKind::kAtomicWrite
                                                         : AccessKind::kWrite;
    default: return says_atomic ? AccessKind::kAtomicRead : AccessKind::kRead;
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
  const AccessKind kind = kind_of(facts);
  races_.control(wave, group, facts, kind);
  if (facts.space == MemorySpace::kNone || facts.space == MemorySpace::kScratch) return;
  if (step.access_count == 0) return;
  access_memory({wave, group, facts, step, kind});
}

void LaunchCheck::access_memory(const Instruction& now) {
  const Step& step = now.step;
  std::vector<LaneRange>& ranges = now.group.ranges;
  std::uint64_t lds_lanes = step.lds_lanes, lanes = step.lanes & ~step.lds_lanes;
  if (now.facts.space == MemorySpace::kLds) {
    lds_lanes = step.lanes;
    lanes = 0;
  } else if (now.facts.space == MemorySpace::kScalar) {
    const std::uint64_t offset = step.address[0] - facts_.kernarg_begin;
    if (offset < facts_.kernarg_bytes && step.access_bytes <= facts_.kernarg_bytes - offset) return;
    lanes = 1;
  }
  if (lds_lanes != 0 && !races_.knows_in_lds(now, lds_lanes)) {
    collect_ranges(step, lds_lanes, ranges);
    const bool in_bounds = look_at_bounds(now, MemorySpace::kLds);
    races_.access_lds(now, lds_lanes, ranges, in_bounds);
  }
  if (lanes == 0) return;
  collect_ranges(step, lanes, ranges);
  drop_scratch(*now.wave.workgroup, ranges);
  look_at_bounds(now, MemorySpace::kGlobal);
  races_.access_global(now, ranges);
}

/// Buffer and flat instructions reach scratch, too, which is a lane's own.
void LaunchCheck::drop_scratch(const machine::Workgroup& group,
                               std::vector<LaneRange>& ranges) const {
  if (group.scratch_bytes == 0) return;
  const auto begin = reinterpret_cast<std::uint64_t>(group.scratch);
  std::erase_if(ranges,
                [&](const LaneRange& range) { return range.begin - begin < group.scratch_bytes; });
}

OutOfBounds LaunchCheck::outside(const Instruction& now, const LaneRange& range,
                                 MemorySpace space) {
  if (space != MemorySpace::kLds)
    return now.group.bounds.look(*now.wave.environment->memory, range);
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
  now.group.findings->add(finding);
}

}  // namespace wavetank::check
