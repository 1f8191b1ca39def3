#include "check/describe_conflict.hpp"

#include <fmt/format.h>

namespace wavetank::check {
namespace {

std::string_view operation_verb(AccessKind kind) {
  switch (kind) {
    case AccessKind::kRead:
    case AccessKind::kAtomicRead: return "read";
    case AccessKind::kWrite: return "written";
    case AccessKind::kAtomicWrite:
    case AccessKind::kAtomic: return "changed by an atomic";
  }
  return {};
}

/// What the operation does to memory: a free and an allocation touch all of it.
std::string action_of(const OperationWords& words) {
  if (words.function.starts_with("hipFree")) return "freed";
  if (words.function.starts_with("hipMalloc")) return "allocated";
  return std::string(operation_verb(words.kind));
}

std::string on_stream(const OperationWords& words) {
  return words.stream.empty() ? "" : " on " + words.stream;
}

Spot spot_of(const OperationWords& words) {
  Spot spot;
  spot.source = words.host_place.source;
  spot.code_place = words.host_place.code_place;
  if (!words.kernel.empty()) {
    spot.source = words.instruction.source;
    spot.code_place = words.instruction.place;
    spot.code = words.instruction.text;
    spot.what =
        fmt::format("{} by kernel \"{}\"{}, {} at {}", operation_verb(words.kind), words.kernel,
                    on_stream(words), words.in_graph ? "of the graph launched" : "launched",
                    words.host_place.place());
  } else if (words.stream.empty()) {
    spot.what = fmt::format("{} by the host", operation_verb(words.kind));
  } else if (words.in_graph) {
    spot.what =
        fmt::format("{} by a node of the graph{}", operation_verb(words.kind), on_stream(words));
  } else {
    spot.what = fmt::format("{} by {}{}", action_of(words), words.function, on_stream(words));
  }
  return spot;
}

std::string memory_text(const ConflictWords& conflict) {
  const std::string bytes =
      fmt::format("{} byte{}", conflict.bytes, conflict.bytes == 1 ? "" : "s");
  if (conflict.object_bytes == 0) return fmt::format("{} at {:#x}", bytes, conflict.address);
  const std::uint64_t offset = conflict.address - conflict.object_begin;
  if (!conflict.object_name.empty()) {
    return fmt::format("{} at byte {} of variable `{}`", bytes, offset, conflict.object_name);
  }
  return fmt::format("{} at byte {} of {} allocated", bytes, offset, conflict.object_bytes);
}

std::string wait_of(const OperationWords& first, const OperationWords& second) {
  if (second.stream.empty()) {
    return fmt::format("a wait for {} (hipStreamSynchronize) between {} and {}", first.stream,
                       first.host_place.place(), second.host_place.place());
  }
  return fmt::format("a hipStreamWaitEvent on {} before {} for an event recorded on {} after {}",
                     second.stream, second.host_place.place(), first.stream,
                     first.host_place.place());
}

/// None for the nodes of a graph, which are all submitted where it is launched, nor for waits for
/// the host.
Remedy remedy_of(const OperationWords& first, const OperationWords& second) {
  const bool can_wait = !first.stream.empty() && !first.site.empty() && !second.site.empty();
  if (!can_wait || first.site == second.site) return {};
  return {{first.site, second.site}, wait_of(first, second)};
}

}  // namespace

Diagnosis describe(const ConflictWords& conflict) {
  Diagnosis diagnosis;
  diagnosis.code = ErrorCode::kUnorderedOperations;
  diagnosis.message = "nothing orders two operations on the same memory: " + memory_text(conflict);
  diagnosis.spots = {spot_of(conflict.first), spot_of(conflict.second)};
  diagnosis.kernel =
      conflict.second.kernel.empty() ? conflict.first.kernel : conflict.second.kernel;
  diagnosis.remedy = remedy_of(conflict.first, conflict.second);
  if (!conflict.object_place.empty()) diagnosis.note = "allocated at " + conflict.object_place;
  return diagnosis;
}

}  // namespace wavetank::check
