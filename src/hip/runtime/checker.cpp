#include "hip/runtime/checker.hpp"

#include <cxxabi.h>

#include <cstdlib>

#include <fmt/format.h>

namespace wavetank::hip {
namespace {

using check::Access;
using check::AccessKind;
using check::Diagnosis;
using check::Finding;
using check::Spot;
using dispatch::ListenedLaunch;
using dispatch::SteppedInstruction;

std::string demangled(const std::string& name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  std::string result = status == 0 && text != nullptr ? text : name;
  std::free(text);
  return result;
}

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
  return "used";
}

std::string work_item_text(const Access& access, const ListenedLaunch& launch) {
  return text_of(unfolded(64 * access.wave + access.lane, launch.workgroup_work_items()));
}

Spot spot_of(const Access& access, const SteppedInstruction& instruction,
             const ListenedLaunch& launch) {
  Spot spot;
  spot.place = instruction.source;
  if (spot.place.empty()) {
    spot.place = fmt::format("kernel \"{}\" + {:#x}", demangled(launch.kernel_name()),
                             instruction.offset_bytes);
  }
  spot.code = instruction.text;
  spot.what = fmt::format("{} by work-item {} (wave {}, lane {}) of workgroup {}",
                          verb_of(access.kind), work_item_text(access, launch), access.wave,
                          access.lane, text_of(unfolded(access.group, launch.groups())));
  return spot;
}

/// "LDS, 4 bytes at byte 16"; of memory the place in its allocation, which is the same in each run.
std::string memory_text(const Finding& finding) {
  if (finding.space == machine::MemorySpace::kLds) {
    return fmt::format("LDS, {} at byte {}", bytes_text(finding.bytes), finding.address);
  }
  const std::uint64_t offset = finding.address - finding.object_begin;
  if (finding.object_bytes == 0 || offset >= finding.object_bytes) {
    return fmt::format("global memory, {} at {:#x}", bytes_text(finding.bytes), finding.address);
  }
  return fmt::format("global memory, {} at byte {} of {} allocated", bytes_text(finding.bytes),
                     offset, finding.object_bytes);
}

/// Where an address lies that is in no allocation.
std::string neighbour_text(const Finding& finding) {
  if (finding.space == machine::MemorySpace::kLds) {
    return fmt::format("the workgroup has {} of LDS", bytes_text(finding.object_bytes));
  }
  if (finding.object_bytes == 0) return "no allocation lies before it";
  const std::uint64_t offset = finding.address - finding.object_begin;
  if (offset < finding.object_bytes) {
    return fmt::format("{} into an allocation of {} that was freed", bytes_text(offset),
                       bytes_text(finding.object_bytes));
  }
  return fmt::format("{} past the end of an allocation of {} at {:#x}",
                     bytes_text(offset - finding.object_bytes), bytes_text(finding.object_bytes),
                     finding.object_begin);
}

std::string message_of(const Finding& finding) {
  switch (finding.code) {
    case ErrorCode::kDataRace:
      return (finding.level == check::Level::kError ? "data race on "
                                                    : "stores of the same value race on ") +
             memory_text(finding);
    case ErrorCode::kOutOfBounds: return "access out of bounds: " + memory_text(finding);
    case ErrorCode::kUseAfterFree: return "access to freed memory: " + memory_text(finding);
    case ErrorCode::kMissedBarrier:
      return finding.level == check::Level::kError
                 ? "a barrier that some work-items of the workgroup go around"
                 : "a barrier after some work-items have left the kernel";
    default: return "a finding";
  }
}

std::string note_of(const Finding& finding) {
  const bool beside =
      finding.code == ErrorCode::kOutOfBounds || finding.code == ErrorCode::kUseAfterFree;
  std::string note = beside ? neighbour_text(finding) : "";
  if (finding.code == ErrorCode::kMissedBarrier) {
    note = "the device counts waves and goes on; HIP asks for every work-item of the workgroup";
  }
  if (finding.count == 1) return note;
  if (!note.empty()) note += "; ";
  return note + fmt::format("{} times in this launch", finding.count);
}

/// What the two instructions did.
std::vector<Spot> spots_of(const Finding& finding, const SteppedInstruction& first,
                           const SteppedInstruction& second, const ListenedLaunch& launch) {
  std::vector<Spot> spots;
  if (finding.first.site != 0) spots.push_back(spot_of(finding.first, first, launch));
  if (finding.second.site != 0) spots.push_back(spot_of(finding.second, second, launch));
  if (finding.code != ErrorCode::kMissedBarrier) return spots;
  const std::string where = fmt::format("wave {} of workgroup {}", finding.second.wave,
                                        text_of(unfolded(finding.second.group, launch.groups())));
  spots.front().what =
      fmt::format("not reached by work-item {}, {}", work_item_text(finding.second, launch), where);
  if (spots.size() > 1) spots.back().what = "reached by it afterwards";
  return spots;
}

Diagnosis describe(const Finding& finding, const SteppedInstruction& first,
                   const SteppedInstruction& second, const ListenedLaunch& launch) {
  Diagnosis diagnosis;
  diagnosis.level = finding.level;
  diagnosis.code = finding.code;
  diagnosis.kernel = demangled(launch.kernel_name());
  diagnosis.count = finding.count;
  diagnosis.message = message_of(finding);
  diagnosis.note = note_of(finding);
  diagnosis.spots = spots_of(finding, first, second, launch);
  return diagnosis;
}

}  // namespace

Result<void> Checker::keep(const check::Findings& findings, const ListenedLaunch& launch) {
  const std::vector<Finding> all = findings.sorted();
  std::vector<std::uint32_t> sites;
  for (const Finding& finding : all) {
    sites.push_back(finding.first.site);
    sites.push_back(finding.second.site);
  }
  const std::vector<SteppedInstruction> instructions = launch.describe(sites);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Diagnosis diagnosis =
        describe(all[i], instructions[2 * i], instructions[2 * i + 1], launch);
    std::string key = fmt::format("{} {} {}", static_cast<unsigned>(diagnosis.code),
                                  check::name_of(diagnosis.level), diagnosis.kernel);
    for (const Spot& spot : diagnosis.spots) key += "\n" + spot.place + "\n" + spot.code;
    const auto [at, is_new] = known_.emplace(key, counts_.size());
    if (!is_new) {
      counts_[at->second] += diagnosis.count;
      continue;
    }
    counts_.push_back(diagnosis.count);
    if (auto done = check::append_to_file(path_, diagnosis); !done) return done;
  }
  return {};
}

Result<void> Checker::run(dispatch::Engine& engine, const dispatch::Launch& launch) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<check::LaunchCheck> listener;
  std::shared_ptr<const ListenedLaunch> listened;
  auto outcome = engine.run_listened(
      launch, [&](std::shared_ptr<const ListenedLaunch> known) -> machine::Listener* {
        listened = std::move(known);
        const std::span<const std::byte> kernarg = listened->kernarg();
        const check::LaunchFacts facts{
            .groups = listened->groups().count(),
            .kernarg_begin = reinterpret_cast<std::uint64_t>(kernarg.data()),
            .kernarg_bytes = kernarg.size(),
            .lds_access_bytes = listened->narrowest_lds_access_bytes(),
            .stores_show_atomicity = listened->is_gfx942(),
            .l2_is_shared = !listened->is_gfx942(),
            .learns_of_others = listened->learns_of_others()};
        listener = std::make_unique<check::LaunchCheck>(memory_, facts);
        return listener.get();
      });
  ++launches_;
  if (listener != nullptr && !listener->findings().empty()) {
    if (auto kept = keep(listener->findings(), *listened); !kept) return kept;
  }
  return outcome;
}

Result<void> Checker::finish() {
  const std::lock_guard lock(mutex_);
  return check::append_end(path_, launches_, counts_);
}

}  // namespace wavetank::hip
