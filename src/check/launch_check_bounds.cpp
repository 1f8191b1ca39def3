// Accesses of a launch beside what is allocated, misaligned ones, and lanes that disagree.
#include <algorithm>
#include <bit>

#include "check/lane_conflict.hpp"
#include "check/launch_check.hpp"

namespace wavetank::check {

using isa::MemoryAction;
using machine::MemorySpace;

namespace {

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

/// Names the allocation that a finding's address is in.
void set_object(const Instruction& now, Finding& finding) {
  const machine::DeviceMemory& memory = *now.wave.environment->memory;
  if (const auto object = memory.find(reinterpret_cast<const void*>(finding.address))) {
    finding.object_begin = reinterpret_cast<std::uint64_t>(object->address);
    finding.object_bytes = object->size_bytes;
  }
}

}  // namespace

/// Which lane of a store wins is not defined, though one of them does, and in order with all else.
void LaunchCheck::look_at_lanes(const Instruction& now, std::uint64_t lanes, MemorySpace space) {
  if (now.kind != AccessKind::kWrite || (lanes & (lanes - 1)) == 0) return;
  const auto conflict = find_lane_conflict(now, lanes, now.group.ranges);
  if (!conflict) return;
  Finding finding;
  finding.level = Level::kNote;
  finding.space = space;
  finding.first = access_of(now, conflict->first);
  finding.second = access_of(now, conflict->second);
  finding.address = conflict->address;
  finding.bytes = now.step.access_bytes;
  if (space == MemorySpace::kGlobal) set_object(now, finding);
  now.group.findings->add(finding);
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
  if (space == MemorySpace::kGlobal) set_object(now, finding);
  now.group.findings->add(finding);
}

/// Of what a scalar load brings, the last dwords may be there for a round length only.
void LaunchCheck::drop_unread(const machine::StepFacts& facts, std::vector<LaneRange>& ranges) {
  if (facts.unread_dwords == 0) return;
  for (LaneRange& range : ranges) range.end -= std::uint64_t{4} * facts.unread_dwords;
  std::erase_if(ranges, [](const LaneRange& range) { return range.begin == range.end; });
}

/// Buffer and flat instructions reach scratch, too, which is a lane's own.
void LaunchCheck::drop_scratch(const machine::Workgroup& group,
                               std::vector<LaneRange>& ranges) const {
  const auto begin = reinterpret_cast<std::uint64_t>(group.scratch);
  std::erase_if(ranges,
                [&](const LaneRange& range) { return range.begin - begin < group.scratch_bytes; });
}

/// A workgroup has LDS in whole granules: what is beyond its own bytes is an error that nothing
/// shows.
std::uint32_t LaunchCheck::lds_bytes_of(const machine::Workgroup& group) const {
  return std::min(facts_.lds_bytes, group.lds_bytes);
}

OutOfBounds LaunchCheck::outside(const Instruction& now, const LaneRange& range,
                                 MemorySpace space) {
  if (space != MemorySpace::kLds) {
    return now.group.bounds.look(*now.wave.environment->memory, range, scalar_base_of(now));
  }
  OutOfBounds result;
  const std::uint32_t size_bytes = lds_bytes_of(*now.wave.workgroup);
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
  finding.of_arguments = place.of_arguments;
  now.group.findings->add(finding);
}

}  // namespace wavetank::check
