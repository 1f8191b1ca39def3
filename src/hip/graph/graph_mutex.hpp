// What guards everything in this folder.
#pragma once

#include <mutex>

namespace wavetank::hip {

/// Guards all graphs, nodes, executable graphs, captures and user objects of the process.
/// Recursive, because destroying one may call the program back.
inline std::recursive_mutex& graph_mutex() {
  static auto* mutex = new std::recursive_mutex;
  return *mutex;
}

}  // namespace wavetank::hip
