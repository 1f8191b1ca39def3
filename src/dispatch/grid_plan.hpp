// What a launch is to the threads that run it, fixed before its first workgroup starts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "base/error.hpp"
#include "dispatch/known_lines.hpp"
#include "dispatch/launch.hpp"
#include "dispatch/loaded_code.hpp"
#include "dispatch/resident_group.hpp"
#include "execute/program.hpp"

namespace wavetank::dispatch {

/// What is fixed for a launch.
struct GridPlan {
  const Launch* launch = nullptr;
  std::shared_ptr<execute::Program> program;
  const LoadedCode* loaded_code = nullptr;    ///< whose functions it may call
  execute::Program* start_program = nullptr;  ///< in the kernel's initial MODE
  const execute::Op* entry = nullptr;
  GroupShape shape;
  WaveStart start;
  Dim3 groups;                    ///< workgroups in each dimension
  std::uint64_t first_group = 0;  ///< the part of the grid to run: [first_group, end_group)
  std::uint64_t end_group = 0;
  std::uint64_t resident_limit = 1;  ///< workgroups that the device holds at once
  std::function<std::byte*(std::size_t bytes)> allocate_scratch;
  HostService host_service;
  std::shared_ptr<KnownLines> source_lines;  ///< nullptr: none are told

  /// Answers what waves ask of the host, if anybody does.
  void serve_host() const {
    if (host_service) host_service();
  }
};

/// Device memory for the scratch of one workgroup; nullptr where the kernel has none. Errors:
/// kOutOfMemory.
Result<std::byte*> scratch_for_group(const GridPlan& plan);
/// Where workgroup `index` of the grid is: smaller at the grid's edge.
GroupPlace group_place(const GridPlan& plan, std::uint64_t index);
/// Puts a group's waves at the start of the kernel, as workgroup `index` of the grid.
void start_group(const GridPlan& plan, std::uint64_t index, ResidentGroup& group);

}  // namespace wavetank::dispatch
