#include "hip/runtime/host_mappings.hpp"

#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace wavetank::hip {

std::optional<std::vector<HostMapping>> host_mappings() {
  std::ifstream maps("/proc/self/maps");
  if (!maps) return std::nullopt;
  std::vector<HostMapping> mappings;
  for (std::string line; std::getline(maps, line);) {
    HostMapping mapping;
    char rights[5] = {};
    const int fields = std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &mapping.begin,
                                   &mapping.end, rights);
    if (fields != 3) return std::nullopt;
    mapping.readable = rights[0] == 'r';
    mapping.writable = rights[1] == 'w';
    mapping.shared = rights[3] == 's';
    mappings.push_back(mapping);
  }
  return mappings;
}

}  // namespace wavetank::hip
