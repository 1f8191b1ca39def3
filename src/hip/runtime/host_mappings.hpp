// What is mapped into this process, by the operating system's own list.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace wavetank::hip {

/// A line of /proc/self/maps.
struct HostMapping {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool readable = false;
  bool writable = false;
  bool shared = false;  ///< with other processes, a forked child too
};

/// All of them by address; nothing where the list cannot be read.
std::optional<std::vector<HostMapping>> host_mappings();

}  // namespace wavetank::hip
