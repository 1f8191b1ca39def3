// Device memory into which the host has stored, which the check does not see: it reaches that as
// any other memory.
#pragma once

#include <cstdint>
#include <mutex>
#include <set>

#include "check/undefined/undefined_bytes.hpp"
#include "machine/device_memory.hpp"

namespace wavetank::check {

/// Safe from several threads.
class HostWrites {
 public:
  explicit HostWrites(UndefinedBytes& bytes) : bytes_(bytes) {}
  /// Something undefined of an allocation is about to be used, at `address`: if the host has stored
  /// near it, the whole allocation counts as defined from now on. New memory is zero
  /// (DeviceMemory::allocate), so what nobody gave a value and is not zero comes from the host.
  /// Looks at each allocation once; others that want to use it wait meanwhile.
  void look(const machine::Allocation& allocation, std::uint64_t address);

 private:
  bool finds(std::uint64_t begin, std::uint64_t end) const;

  UndefinedBytes& bytes_;
  std::mutex mutex_;
  std::set<const std::byte*> known_;
};

}  // namespace wavetank::check
