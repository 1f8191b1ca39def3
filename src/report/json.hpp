// Everything that the screens say, as JSON; and a timeline for ui.perfetto.dev.
#pragma once

#include <string>
#include <vector>

#include "profile/profile_file.hpp"
#include "profile/verdict.hpp"
#include "report/kernel_group.hpp"

namespace wavetank::report {

/// A group with the verdict of its shown launch.
struct JudgedGroup {
  const KernelGroup& group;
  const profile::Verdict& verdict;
  const target::Device& device;
};

/// One object: the command, and for each kernel its times, verdict, stall stack, hot lines,
/// roofline, findings, counters, and metrics. A metric that has no value names the reason.
std::string report_json(const profile::ProfileFile& file, const std::vector<JudgedGroup>& groups);

/// Trace events (source: "Trace Event Format", loaded by Perfetto and chrome://tracing): kernels on
/// their queues in device time; for launches with a thread trace, waves on the slots of each SIMD
/// with their instructions, waves per SIMD and workgroups per CU as counters, where one microsecond
/// stands for 1000 cycles.
std::string perfetto_json(const profile::ProfileFile& file);

}  // namespace wavetank::report
