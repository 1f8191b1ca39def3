#include "check/describe.hpp"

#include <fmt/format.h>

#include "machine/neighbour.hpp"

namespace wavetank::check {
namespace {

std::string bytes_text(std::uint64_t bytes) {
  return fmt::format("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

std::string text_of(const Dim3& id) { return fmt::format("({}, {}, {})", id.x, id.y, id.z); }

Dim3 unfolded(std::uint64_t index, const Dim3& size) {
  return {static_cast<std::uint32_t>(index % size.x),
          static_cast<std::uint32_t>(index / size.x % size.y),
          static_cast<std::uint32_t>(index / (std::uint64_t{size.x} * size.y))};
}

std::string_view verb_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead: return "read";
    case AccessKind::kWrite: return "written";
    case AccessKind::kAtomicRead: return "read by an atomic load";
    case AccessKind::kAtomicWrite: return "written by an atomic store";
    case AccessKind::kAtomic: return "changed by an atomic";
  }
  return {};
}

/// Lanes of one instruction.
bool is_of_one_wave(const Finding& finding) {
  return finding.first.group == finding.second.group && finding.first.wave == finding.second.wave;
}

std::string work_item_text(const Access& access, const LaunchWords& launch) {
  return text_of(unfolded(64 * access.wave + access.lane, launch.workgroup_work_items));
}

Spot spot_of(const Access& access, const InstructionWords& instruction, const LaunchWords& launch) {
  Spot spot{instruction.source, instruction.place, instruction.text, {}};
  spot.what = fmt::format("{} by work-item {} (wave {}, lane {}) of workgroup {}",
                          verb_of(access.kind), work_item_text(access, launch), access.wave,
                          access.lane, group_text(access.group, launch));
  spot.access = access.kind;
  spot.before = instruction.before;
  spot.after = instruction.after;
  return spot;
}

/// "LDS, 4 bytes at byte 16"; of memory the place in its allocation, which is the same in each run.
std::string memory_text(const Finding& finding) {
  if (finding.space == machine::MemorySpace::kLds) {
    return fmt::format("LDS, {} at byte {}", bytes_text(finding.bytes), finding.address);
  }
  if (finding.space == machine::MemorySpace::kScratch) {
    return fmt::format("private memory, {} at byte {}", bytes_text(finding.bytes),
                       static_cast<std::int64_t>(finding.address));
  }
  const std::uint64_t offset = finding.address - finding.object_begin;
  if (finding.object_bytes == 0 || offset >= finding.object_bytes) {
    return fmt::format("global memory, {} at {:#x}", bytes_text(finding.bytes), finding.address);
  }
  return fmt::format("global memory, {} at byte {} of {} allocated", bytes_text(finding.bytes),
                     offset, finding.object_bytes);
}

std::string_view use_text(UndefinedUse use) {
  switch (use) {
    case UndefinedUse::kBranch: return "a branch depends on";
    case UndefinedUse::kAddress: return "an address depends on";
    case UndefinedUse::kAtomic: return "an atomic works with";
    case UndefinedUse::kHost: return "the host gets";
  }
  return {};
}

/// Where an address lies that is in no allocation.
std::string neighbour_text(const Finding& finding) {
  if (finding.space == machine::MemorySpace::kLds) {
    return fmt::format("the workgroup has {} of LDS", bytes_text(finding.object_bytes));
  }
  if (finding.space == machine::MemorySpace::kScratch) {
    return fmt::format("a work-item has {} of it", bytes_text(finding.object_bytes));
  }
  if (finding.object_bytes == 0) {
    return finding.address < machine::kNullEnd
               ? "a null pointer"
               : "no memory of the device lies there or before; is it a pointer of the host?";
  }
  const std::uint64_t offset = finding.address - finding.object_begin;
  if (offset < finding.object_bytes) {
    return fmt::format("{} into an allocation of {} that was freed", bytes_text(offset),
                       bytes_text(finding.object_bytes));
  }
  const std::string where =
      finding.address < finding.object_begin
          ? fmt::format("{} before the begin", bytes_text(finding.object_begin - finding.address))
          : fmt::format("{} past the end", bytes_text(offset - finding.object_bytes));
  const std::string bytes = bytes_text(finding.object_bytes);
  if (finding.of_arguments) return fmt::format("{} of the kernel's {} of arguments", where, bytes);
  if (finding.elsewhere) {
    return fmt::format("{} of the {} at {:#x}, where its pointer begins; other memory is there",
                       where, bytes, finding.object_begin);
  }
  return fmt::format("{} of an allocation of {} at {:#x}", where, bytes, finding.object_begin);
}

/// What two accesses without an order are.
std::string_view race_text(const Finding& finding) {
  if (finding.level == Level::kError) return "data race on ";
  return is_of_one_wave(finding) ? "lanes store different values to "
                                 : "stores of the same value race on ";
}

std::string message_of(const Finding& finding) {
  const bool is_error = finding.level == Level::kError;
  switch (finding.kind) {
    case Kind::kDataRace: return std::string(race_text(finding)) + memory_text(finding);
    case Kind::kOutOfBounds: return "access out of bounds: " + memory_text(finding);
    case Kind::kUseAfterFree: return "access to freed memory: " + memory_text(finding);
    case Kind::kMisaligned: return "misaligned access: " + memory_text(finding);
    case Kind::kUndefined:
      return fmt::format("{} undefined data: {}", use_text(finding.use), memory_text(finding));
    case Kind::kMissedBarrier:
      return is_error ? "a barrier that some work-items of the workgroup go around"
                      : "a barrier after some work-items have left the kernel";
    case Kind::kMissingWait:
      return is_error ? "a result of memory is used before it has arrived"
                      : "a write-back of the L2 that nothing waits for before a word is stored";
    case Kind::kMissingWaitStates:
      return fmt::format("{} of {} wait states between two instructions", finding.wait_states_found,
                         finding.wait_states_wanted);
    case Kind::kTwoBarriers: return "waves of a workgroup meet at different barriers";
  }
  return {};
}

std::string note_of(const Finding& finding) {
  switch (finding.kind) {
    case Kind::kDataRace:
      return is_of_one_wave(finding) ? "one of the lanes wins; HIP does not say which" : "";
    case Kind::kUndefined: return "nobody has given these bytes a value";
    case Kind::kOutOfBounds:
    case Kind::kUseAfterFree: return neighbour_text(finding);
    case Kind::kMisaligned:
      return finding.second.kind == AccessKind::kAtomic
                 ? "the device wants an atomic at a multiple of its size"
                 : "a scalar load ignores the low two bits of its address: it reads other bytes";
    case Kind::kMissedBarrier:
    case Kind::kTwoBarriers:
      return "the device counts waves and goes on; HIP asks for every work-item of the workgroup";
    case Kind::kMissingWait:
      if (finding.level == Level::kNote) {
        return "`s_waitcnt vmcnt(0)` belongs between them; LLVM leaves it out where no access is "
               "under way (its pull request 178316 mends that)";
      }
      return "s_waitcnt has to come between them; compilers do not look into inline assembly";
    case Kind::kMissingWaitStates:
      return fmt::format("`s_nop {}` between them makes up for the rest",
                         finding.wait_states_wanted - finding.wait_states_found - 1);
  }
  return {};
}

/// Where the two waves that meet at different barriers are.
void describe_two_barriers(const Finding& finding, const LaunchWords& launch,
                           std::vector<Spot>& spots) {
  spots.front().what = fmt::format("wave {} of workgroup {} waits here", finding.first.wave,
                                   group_text(finding.first.group, launch));
  spots.back().what = fmt::format("wave {} here", finding.second.wave);
}

/// What the two instructions of a missed barrier are: the barrier, and where the work-item was.
void describe_barrier(const Finding& finding, const LaunchWords& launch, std::vector<Spot>& spots) {
  const std::string where = fmt::format("wave {} of workgroup {}", finding.second.wave,
                                        group_text(finding.second.group, launch));
  spots.front().what =
      fmt::format("not reached by work-item {}, {}", work_item_text(finding.second, launch), where);
  if (spots.size() > 1) spots.back().what = "reached by it afterwards";
}

/// An instruction of a wave and a later one that needs its result.
void describe_early_use(const Finding& finding, const LaunchWords& launch,
                        std::vector<Spot>& spots) {
  const bool is_error = finding.level == Level::kError;
  spots.front().what = is_error ? "its result is still under way" : "it is still under way";
  spots.back().what = fmt::format("when wave {} of workgroup {} comes here", finding.second.wave,
                                  group_text(finding.second.group, launch));
}

/// What the two instructions of a use of undefined data are.
void describe_undefined(const Finding& finding, const LaunchWords& launch,
                        std::vector<Spot>& spots) {
  const auto who = [&](const Access& access) {
    return fmt::format("by work-item {} (wave {}, lane {}) of workgroup {}",
                       work_item_text(access, launch), access.wave, access.lane,
                       group_text(access.group, launch));
  };
  if (spots.empty()) return;
  spots.back().what =
      (finding.use == UndefinedUse::kHost ? "stored " : "used ") + who(finding.second);
  if (spots.size() > 1) spots.front().what = "loaded " + who(finding.first);
}

}  // namespace

std::string group_text(std::uint64_t group, const LaunchWords& launch) {
  return text_of(unfolded(group, launch.groups));
}

Diagnosis describe(const Finding& finding, const InstructionWords& first,
                   const InstructionWords& second, const LaunchWords& launch) {
  Diagnosis diagnosis;
  diagnosis.level = finding.level;
  diagnosis.code = code_of(finding.kind);
  diagnosis.kernel = launch.kernel;
  diagnosis.kernel_symbol = launch.symbol;
  diagnosis.in_one_group = finding.first.group == finding.second.group;
  diagnosis.count = finding.count;
  diagnosis.message = message_of(finding);
  diagnosis.note = note_of(finding);
  if (finding.first.site != 0) diagnosis.spots.push_back(spot_of(finding.first, first, launch));
  if (finding.second.site != 0) diagnosis.spots.push_back(spot_of(finding.second, second, launch));
  switch (finding.kind) {
    case Kind::kMissedBarrier: describe_barrier(finding, launch, diagnosis.spots); break;
    case Kind::kTwoBarriers: describe_two_barriers(finding, launch, diagnosis.spots); break;
    case Kind::kUndefined: describe_undefined(finding, launch, diagnosis.spots); break;
    case Kind::kMissingWait:
    case Kind::kMissingWaitStates: describe_early_use(finding, launch, diagnosis.spots); break;
    default: break;
  }
  return diagnosis;
}

Diagnosis describe_given_up(const LaunchWords& launch) {
  Diagnosis diagnosis;
  diagnosis.level = Level::kNote;
  diagnosis.code = code_of(Kind::kDataRace);
  diagnosis.kernel = launch.kernel;
  diagnosis.message = fmt::format(
      "races were looked for in a part of kernel \"{}\" only: it has more workgroups, barriers or "
      "instructions than can be told apart",
      launch.kernel);
  return diagnosis;
}

}  // namespace wavetank::check
