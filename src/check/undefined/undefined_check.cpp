#include "check/undefined/undefined_check.hpp"

#include <algorithm>

#include "machine/device_memory.hpp"

namespace wavetank::check {

using isa::AtomicOperation;
using isa::MemoryAction;
using machine::for_each_lane;
using machine::MemorySpace;
using machine::RegisterRange;
using machine::Step;
using machine::StepFacts;
using machine::UndefinedOrigin;
using machine::UndefinedRegisters;
using machine::Wave;

namespace {

/// The origin of the first undefined register of some in a lane.
const UndefinedOrigin* undefined_in(const UndefinedRegisters& registers, const RegisterRange& range,
                                    unsigned lane) {
  for (unsigned i = range.first; i < unsigned{range.first} + range.count; ++i) {
    if (registers.has_vector(i) && registers.vector(i)[lane] != 0)
      return &registers.vector_origin(i);
  }
  return nullptr;
}

/// These count in LDS at an address that no lane names.
bool has_own_address(AtomicOperation operation) {
  return operation == AtomicOperation::kAppend || operation == AtomicOperation::kConsume;
}

}  // namespace

UndefinedCheck::UndefinedCheck(UndefinedMemory& memory)
    : memory_(memory), host_writes_(memory.bytes), launch_(++memory.launches) {}

UndefinedCheck::~UndefinedCheck() {
  for (const auto& [begin, end] : scratch_) memory_.bytes.define(begin, end);
  for (const auto& [begin, end] : told_) memory_.bytes.define(begin, end);
}

void UndefinedCheck::begin(UndefinedGroup& group, const machine::Workgroup& workgroup,
                           std::uint64_t index, std::span<Wave> waves) {
  group.index = index;
  if (group.waves.size() < waves.size()) group.waves.resize(waves.size());
  for (Wave& wave : waves) {
    group.waves[wave.id_in_group].define_all();
    wave.undefined = nullptr;
  }
  if (group.lds == nullptr) group.lds = std::make_unique<UndefinedBytes>(0, workgroup.lds_bytes);
  group.lds->undefine(0, workgroup.lds_bytes);
  if (workgroup.scratch_bytes == 0) return;
  const auto scratch = reinterpret_cast<std::uint64_t>(workgroup.scratch);
  const Range range(scratch, scratch + workgroup.scratch_bytes);
  memory_.bytes.undefine(range.first, range.second);
  const std::lock_guard lock(mutex_);
  if (std::ranges::find(scratch_, range) == scratch_.end()) scratch_.push_back(range);
}

void UndefinedCheck::access(UndefinedGroup& group, Wave& wave, const StepFacts& facts,
                            const Step& step) {
  const bool is_followed = follows(wave);
  const Now now{group, wave, facts, step, is_followed ? wave.undefined : nullptr};
  if (is_followed) look_at_address(now);
  if (step.access_count == 0 || has_own_address(facts.row->memory.atomic)) {
    if (is_followed) define_results(now);
    return;
  }
  const std::uint64_t all = facts.space == MemorySpace::kScalar ? 1 : step.lanes;
  const std::uint64_t lds_lanes = facts.space == MemorySpace::kLds ? all : step.lds_lanes;
  if (now.action() == MemoryAction::kLoad && is_followed) define_results(now);
  if (lds_lanes != 0) access_piece(now, lds_lanes, *group.lds, true);
  if ((all & ~lds_lanes) != 0) access_piece(now, all & ~lds_lanes, memory_.bytes, false);
}

void UndefinedCheck::access_piece(const Now& now, std::uint64_t lanes, UndefinedBytes& bytes,
                                  bool is_lds) {
  if (now.facts.to_lds && !is_lds) return load_to_lds(now, lanes, bytes);
  if (bytes.none() && now.registers == nullptr) return;
  collect_ranges(now.step, lanes, now.group.ranges);
  if (!is_lds && now.action() != MemoryAction::kStore) look_for_host(now);
  switch (now.action()) {
    case MemoryAction::kLoad: load(now, lanes, bytes, is_lds); break;
    case MemoryAction::kStore: store(now, lanes, bytes, is_lds); break;
    case MemoryAction::kAtomic: change(now, lanes, bytes, is_lds); break;
    default: break;
  }
}

void UndefinedCheck::look_for_host(const Now& now) {
  if (now.step.scratch || !touches_undefined(now.group.ranges, memory_.bytes)) return;
  const auto scratch = reinterpret_cast<std::uint64_t>(now.wave.workgroup->scratch);
  std::uint64_t seen = 0;  // the allocation before ends here
  for (const LaneRange& range : now.group.ranges) {
    const bool is_private = range.begin - scratch < now.wave.workgroup->scratch_bytes;
    if (is_private || range.begin < seen || !memory_.bytes.any(range.begin, range.end)) continue;
    const auto allocation =
        now.wave.environment->memory->find(reinterpret_cast<const void*>(range.begin));
    if (!allocation) continue;
    host_writes_.look(*allocation, range.begin);
    seen = reinterpret_cast<std::uint64_t>(allocation->address) + allocation->size_bytes;
  }
}

/// An address that depends on something undefined may be any.
void UndefinedCheck::look_at_address(const Now& now) {
  UndefinedRegisters& registers = *now.registers;
  for (const RegisterRange& range : now.facts.scalar_reads) {
    for (unsigned i = range.first; i < unsigned{range.first} + range.count; ++i) {
      if (!registers.has_scalar(i)) continue;
      report(now, UndefinedUse::kAddress, registers.scalar_origin(i), 0);
      registers.define_scalar(i);
    }
  }
  const RegisterRange& range = now.facts.address;
  bool told = false;
  for_each_lane(now.wave.exec(), [&](unsigned lane) {
    const UndefinedOrigin* const origin = undefined_in(registers, range, lane);
    if (origin == nullptr) return;
    report(now, UndefinedUse::kAddress, *origin, lane);
    told = true;
  });
  if (!told) return;
  for (unsigned i = 0; i < range.count; ++i) registers.define_vector(range.first + i);
}

void UndefinedCheck::branch(const UndefinedGroup& group, const Wave& wave, const StepFacts& facts,
                            const UndefinedOrigin& origin) {
  add(group, wave, facts.index, UndefinedUse::kBranch, origin, origin.lane);
}

void UndefinedCheck::report(const Now& now, UndefinedUse use, const UndefinedOrigin& origin,
                            unsigned lane) {
  add(now.group, now.wave, now.facts.index, use, origin, lane);
}

void UndefinedCheck::add(const UndefinedGroup& group, const Wave& wave, std::uint32_t site,
                         UndefinedUse use, const UndefinedOrigin& origin, unsigned lane) {
  Finding finding;
  finding.kind = Kind::kUndefined;
  finding.use = use;
  finding.space = origin.space;
  // An atomic that finds undefined memory needs no load before it.
  if (origin.site != site) {
    finding.first = {origin.site, AccessKind::kRead, origin.group, origin.wave, origin.lane};
  }
  finding.second = {site, AccessKind::kRead, group.index, wave.id_in_group, lane};
  finding.address = origin.address;
  finding.bytes = origin.bytes;
  const auto allocation =
      wave.environment->memory->find(reinterpret_cast<const void*>(origin.address));
  if (origin.space == MemorySpace::kGlobal && allocation) {
    finding.object_begin = reinterpret_cast<std::uint64_t>(allocation->address);
    finding.object_bytes = allocation->size_bytes;
  }
  group.findings->add(finding);
}

}  // namespace wavetank::check
