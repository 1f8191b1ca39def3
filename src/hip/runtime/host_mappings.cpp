#include "hip/runtime/host_mappings.hpp"

#include <cinttypes>
#include <cstdio>

namespace wavetank::hip {

std::vector<HostMapping> host_mappings() {
  std::vector<HostMapping> mappings;
  std::FILE* const maps = std::fopen("/proc/self/maps", "re");
  if (maps == nullptr) return mappings;
  char line[512];
  while (std::fgets(line, sizeof line, maps) != nullptr) {
    HostMapping mapping;
    char rights[5] = {};
    if (std::sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s", &mapping.begin, &mapping.end, rights) !=
        3) {
      continue;
    }
    mapping.readable = rights[0] == 'r';
    mapping.writable = rights[1] == 'w';
    mapping.shared = rights[3] == 's';
    mappings.push_back(mapping);
  }
  std::fclose(maps);
  return mappings;
}

}  // namespace wavetank::hip
