// Profiled launches in the shapes of rocprofv3's files, so that scripts for those read these.
// Sources: ROCm/rocm-systems, projects/rocprofiler-sdk, lib/output (CSV, JSON) and
// share/rocprofiler-sdk-rocpd (SQLite schema 3.0.0).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "profile/profile_file.hpp"
#include "target/device.hpp"

namespace wavetank::report {

/// What the files are about. The host is agent 0, the devices follow in the order of their first
/// launch.
struct RocprofRun {
  const profile::ProfileFile& file;
  const std::map<std::string, target::Device>& devices;  ///< by the name in the launches
  /// Counters and metrics to write; empty: every counter that a launch has.
  std::vector<std::string> counters;
};

/// Agents and kernels of a run, numbered as the files number them.
struct RocprofIds {
  std::vector<std::string> devices;                          ///< device n is agent n + 1
  std::vector<std::pair<std::string, std::string>> kernels;  ///< (device, mangled); id is n + 1

  explicit RocprofIds(const profile::ProfileFile& file);
  std::size_t agent_of(const profile::LaunchProfile& launch) const;
  std::size_t kernel_of(const profile::LaunchProfile& launch) const;
};

/// A counter's value in one launch. Names without a value (not counted) are left out.
struct RocprofCounter {
  std::string name;
  double value = 0;
};
std::vector<RocprofCounter> counters_of(const RocprofRun& run,
                                        const profile::LaunchProfile& launch);

/// The name of a demangled function alone: "foo" of "void Foo<int>::foo<float>(int (*)[4])", as
/// rocprofiler-sdk's truncate_name (lib/common/demangle.cpp).
std::string truncated_name(std::string_view name);

std::string kernel_trace_csv(const RocprofRun& run);
std::string counter_collection_csv(const RocprofRun& run);
std::string kernel_stats_csv(const RocprofRun& run);
std::string agent_info_csv(const RocprofRun& run);

/// The text of *_results.json.
std::string results_json(const RocprofRun& run);

/// Writes an SQLite database, replacing what is there. Errors: kFileUnreadable.
Result<void> write_rocpd(const RocprofRun& run, const std::string& path);

/// One property of an agent, in the order of agent_info.csv.
struct AgentProperty {
  std::string name;  ///< "Simd_Count"
  std::string value;
  bool is_text = false;
};

/// The 53 properties of the host (`device` null) or of a device.
std::vector<AgentProperty> agent_properties(const target::Device* device, std::size_t node);

}  // namespace wavetank::report
