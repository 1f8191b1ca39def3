#include "machine/neighbour.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace wavetank::machine {
namespace {

std::string text_of(const Allocation& allocation) {
  return fmt::format("an allocation of {} bytes at {}", allocation.size_bytes,
                     fmt::ptr(allocation.address));
}

}  // namespace

std::string forbidden_text(const Allocation& allocation) {
  return fmt::format("inside {} that does not allow it", text_of(allocation));
}

std::string neighbour_text(const DeviceMemory& memory, std::uint64_t address) {
  if (address < kNullEnd) return "a null pointer";
  if (address < memory.arena_begin() || address >= memory.arena_end()) {
    return "no memory of the device: a pointer of the host, or none";
  }
  const auto* const pointer = reinterpret_cast<const void*>(address);
  if (const auto inside = memory.find(pointer)) return forbidden_text(*inside);
  const auto before = memory.find_before(pointer);
  if (!before || before->user != MemoryUser::kProgram) return {};
  // An index that is wrong by more than 64 MiB, and by more than all of the allocation, says
  // nothing about which allocation was meant.
  const std::uint64_t farthest = std::max<std::uint64_t>(before->size_bytes, 64 << 20);
  const std::uint64_t past =
      address - reinterpret_cast<std::uint64_t>(before->address) - before->size_bytes;
  if (past >= farthest) return {};
  return fmt::format("{} byte{} past the end of {}", past, past == 1 ? "" : "s", text_of(*before));
}

}  // namespace wavetank::machine
