// What the page's views need beyond the report's JSON.
#pragma once

#include "report/kernel_json.hpp"
#include "report/page_content.hpp"

namespace wavetank::report {

/// Of a kernel: its instructions with cycles by reason, lanes and lines, and what each resource
/// admits.
Json instructions_json(const profile::LaunchProfile& launch);
Json occupancy_limits_json(const profile::LaunchProfile& launch, const target::Device& device);

/// The thread trace of a group's first launch that has one: waves, and issues as lists of equal
/// length, with stalls before them and waits after them. Instructions are indices into those of the
/// launch that is shown. Null without a trace.
Json trace_json(const PageRun& run, const KernelGroup& group);

/// What the kernel's accesses asked for by array: an argument, a variable in LDS, scratch, scalar
/// loads, others; in bytes of lanes, and what moved through L2 and HBM for an argument's array.
Json arrays_json(const profile::LaunchProfile& launch);

/// Which CU had which workgroup when, of a group's launch that tells, as lists of equal length:
/// cu, workgroup and begin as differences to the one before, length. Null without one.
Json stays_json(const PageRun& run, const KernelGroup& group);
/// How many stays that are.
std::size_t stay_count(const PageRun& run, const KernelGroup& group);

/// Copies and fills, as lists of equal length. `left_out` counts those beyond the profile's.
Json transfers_json(const profile::ProfileFile& profile);

/// When the launches ran, as lists of equal length: kernel (index into the run's groups), queue,
/// begin and length in ns, cycles. `left_out` counts those beyond kMostPageLaunches.
Json launches_json(const PageRun& run);

/// A device: its parts, its peaks, the registers at which occupancy changes, and every number that
/// runs and the cycle model read, with unit, kind, source and meaning.
Json device_json(const target::Device& device);

/// Kernels of two runs that belong together, with what changed.
Json pairs_json(const PageRun& before, const PageRun& after);

}  // namespace wavetank::report
