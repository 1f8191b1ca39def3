#include "check/undefined/host_writes.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

namespace wavetank::check {
namespace {

using Piece = std::array<std::byte, 1 << 14>;

/// The memory from `begin` on as far as it is there: pages may be closed to all, which a file shows
/// without a fault. Containers that forbid process_vm_readv have it.
std::span<const std::byte> read(std::uint64_t begin, std::uint64_t bytes, Piece& piece) {
  static const int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  const ssize_t read = pread(memory, piece.data(), std::min<std::uint64_t>(bytes, sizeof piece),
                             static_cast<off_t>(begin));
  return std::span(piece).first(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
}

}  // namespace

void HostWrites::look(const machine::Allocation& allocation, std::uint64_t address) {
  if (allocation.kind != machine::MemoryKind::kDevice) return;
  const std::lock_guard lock(mutex_);
  if (!known_.insert(allocation.address).second) return;
  // Enough to meet something that is not 0; a launch that is small should not wait for gigabytes.
  constexpr std::uint64_t kFar = std::uint64_t{512} << 10;
  const auto begin = reinterpret_cast<std::uint64_t>(allocation.address);
  const std::uint64_t end = begin + allocation.size_bytes;
  const std::uint64_t last = std::min(end, address + kFar);
  for (std::uint64_t at = bytes_.find(std::max(begin, address - std::min(address, kFar)), last);
       at != last;) {
    const std::uint64_t stop = bytes_.find_defined(at, last);
    if (finds(at, stop)) return bytes_.define(begin, end);
    at = bytes_.find(stop, last);
  }
}

bool HostWrites::finds(std::uint64_t begin, std::uint64_t end) const {
  Piece piece;
  for (std::uint64_t at = begin; at < end;) {
    const std::span<const std::byte> memory = read(at, end - at, piece);
    if (memory.empty()) return false;
    for (std::size_t i = 0; i < memory.size(); ++i) {
      if (memory[i] == std::byte{0}) continue;
      // Another workgroup's store says that it defines these bytes before it stores.
      const bool is_undefined = bytes_.any(at + i, at + i + 1);
      if (is_undefined && !bytes_.has_tag_in_line(at + i)) return true;
    }
    at += memory.size();
  }
  return false;
}

}  // namespace wavetank::check
