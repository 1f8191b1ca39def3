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
  /// An allocation of which something undefined is about to be used: if the host has stored there,
  /// all of it counts as defined from now on. New memory is zero (DeviceMemory::allocate), so what
  /// nobody gave a value and is not zero comes from the host. Looks at each allocation once.
  void look(const machine::Allocation& allocation);

 private:
  bool finds(std::uint64_t begin, std::uint64_t end) const;

  UndefinedBytes& bytes_;
  std::mutex mutex_;
  std::set<const std::byte*> known_;
};

}  // namespace wavetank::check
