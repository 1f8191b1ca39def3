#include "check/undefined/host_writes.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <span>

namespace wavetank::check {
namespace {

using Piece = std::array<std::byte, 1 << 14>;

/// The memory from `begin` on as far as it is there: pages may be closed to all.
std::span<const std::byte> read(std::uint64_t begin, std::uint64_t bytes, Piece& piece) {
  iovec here = {piece.data(),
                static_cast<std::size_t>(std::min<std::uint64_t>(bytes, sizeof piece))};
  iovec there = {reinterpret_cast<void*>(begin), here.iov_len};
  const ssize_t read = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  return std::span(piece).first(static_cast<std::size_t>(std::max<ssize_t>(read, 0)));
}

}  // namespace

void HostWrites::look(const machine::Allocation& allocation, std::uint64_t address) {
  if (allocation.kind != machine::MemoryKind::kDevice) return;
  const std::lock_guard lock(mutex_);
  if (!known_.insert(allocation.address).second) return;
  // More would take longer than a small launch.
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
