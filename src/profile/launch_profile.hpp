// What one timed launch gave: plain data, filled by the cycle model, read by counters, verdict,
// reports and files. All cycles are engine clocks; all numbers are of the whole launch on the whole
// device (extrapolated where the launch was sampled).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.hpp"
#include "isa/row.hpp"
#include "profile/reason.hpp"

namespace wavetank::profile {

/// A raw hardware counter, reduced over its instances as rocprofiler does (X_sum, X_max, X_avr).
struct CounterValue {
  double sum = 0;
  double max = 0;        ///< the largest instance
  double instances = 1;  ///< blocks that count it: SEs, CUs, channels
};

/// How the instances of a memory level (channels, slices) share its work; of an L2 that of lanes,
/// without what scalar and instruction caches fetch.
struct ChannelLoad {
  double channels = 0;         ///< instances on the device; 0 for a level that has none
  double busiest_percent = 0;  ///< of the time that the busiest of them works
  double moment_percent = 0;   ///< of the time that the busiest of each moment works
  double crowded = 0;          ///< those that work more than the average one ...
  double crowded_percent = 0;  ///< ... and the share of the level's work that they do
};

/// What the banks of DRAM did.
struct RowUse {
  double opened = 0;        ///< rows, each as often as a bank opened it
  double row_bytes = 0;     ///< that a row holds
  double busy_percent = 0;  ///< of the time that the busiest bank of a channel opens rows, averaged
                            ///< over the channels
  double bus_percent = 0;   ///< of the time that a channel's bus moves data or turns, likewise
};

/// Traffic of one level of the memory hierarchy. Bytes are what crossed the level's upper port.
struct LevelTraffic {
  std::string name;  ///< kLds, kVectorL1, kL2Level, kMallLevel, "HBM"
  double bytes_read = 0;
  double bytes_written = 0;
  double peak_bytes_per_cycle = 0;  ///< of the whole device
  double requests = 0;
  double hits = 0;
  double busy_percent = 0;       ///< of the busiest kind of resource of the level, 0 to 100
  std::string peak_source = {};  ///< the device parameter that the peak rests on
  ChannelLoad channels = {};
  RowUse rows = {};  ///< of DRAM
};

/// The LDS, which is a level of memory and a unit of the CUs: as busy as its banks are, for which
/// conflicts count.
inline constexpr std::string_view kLds = "LDS";
/// What carries addresses and data between a pair of SIMDs and the LDS, exchanges of lanes too.
inline constexpr std::string_view kLdsBus = "LDS bus";
/// The ports through which a SIMD issues scalar instructions and branches.
inline constexpr std::string_view kScalar = "scalar", kBranch = "branch";
/// The unit of a CU that takes addresses apart, looks lines up and sends what lanes loaded.
inline constexpr std::string_view kVectorMemory = "vector memory";
/// The cache of a CU that it looks lines up in.
inline constexpr std::string_view kVectorL1 = "vL1D";
/// The level that all CUs of a die share.
inline constexpr std::string_view kL2Level = "L2";
/// The level between L2 and memory, where a device has it: the Infinity Cache.
inline constexpr std::string_view kMallLevel = "MALL";

/// What the memory moved for one array: bytes of requests whose addresses lie in it.
struct ArrayTraffic {
  std::string name;         ///< the kernel's argument that points to its begin
  std::uint64_t bytes = 0;  ///< of the array: to its allocation's end, or the next array's begin
  double l2_read = 0, l2_written = 0;    ///< what crossed the L2's upper port
  double hbm_read = 0, hbm_written = 0;  ///< what crossed HBM's
};

/// Busy share of one unit, averaged over the device's instances.
struct UnitUse {
  std::string name;  ///< "VALU", "MFMA", kScalar, kLds, kLdsBus, kVectorMemory, kBranch,
                     ///< kTranslation, kFabric, kDispatcher
  double busy_percent = 0;
};

/// The unit of a CU that asks for translations which it lacks, one after the other.
inline constexpr std::string_view kTranslation = "translation";
/// The ports of the L2s to what lies behind them.
inline constexpr std::string_view kFabric = "fabric";
/// The part of each shader engine that starts waves, one after the other.
inline constexpr std::string_view kDispatcher = "dispatcher";

/// Arithmetic that was done, in operations of active lanes (an FMA counts two).
struct Operations {
  double f16 = 0, f32 = 0, f64 = 0;  ///< vector floating point
  double integer = 0;                ///< vector integer
  double matrix_f16 = 0, matrix_bf16 = 0, matrix_f32 = 0, matrix_f64 = 0;
  double matrix_f8 = 0, matrix_xf32 = 0, matrix_i8 = 0;
};

/// Bytes from one active lane's address to the next one's, over all accesses of an instruction: of
/// the first two lanes, and of all on average.
struct LaneStride {
  double least = 0, greatest = 0;
  bool operator==(const LaneStride&) const = default;
};

/// One instruction of the kernel: how often it was issued and what its waves waited for at it.
struct InstructionProfile {
  std::uint64_t offset = 0;           ///< bytes from the kernel's first instruction, modulo 2^64
  std::uint64_t virtual_address = 0;  ///< in the code object
  std::string text;                   ///< disassembly
  const isa::Row* row = nullptr;      ///< what it is; nullptr where no instruction could be read
  std::string file;                   ///< source with its folder, empty without debug information
  std::uint32_t line = 0;
  double hits = 0;              ///< waves that issued it
  double active_lanes = 0;      ///< sum over hits
  double lines_touched = 0;     ///< vL1D lines that its lanes' addresses lie in, sum over hits
  double lines_needed = 0;      ///< the fewest lines that could hold the same bytes, sum over hits
  double strided_accesses = 0;  ///< accesses by several lanes, of which `stride` tells
  LaneStride stride;
  std::uint64_t lowest_address = 0;  ///< of a first active lane, in memory; 0: none; not kept
  std::string array;  ///< the kernel's argument through which it goes to memory, where it is known
  std::uint64_t array_bytes = 0;  ///< from that pointer to the end of its allocation; 0: not known
  std::string access;             ///< as its line has it, "a[i * n]", where that can be read
  double known_before = 0;  ///< of its hits, those whose elements the same work-items of the launch
                            ///< before had loaded or stored
  double private_accesses = 0;     ///< of its hits, those that access the lanes' scratch memory
  double translation_misses = 0;   ///< pages that its lanes' accesses had to ask for, sum over hits
  double lds_conflict_cycles = 0;  ///< LDS cycles beyond those of a conflict-free access, in sum
  double awaited_cycles = 0;       ///< of the waves in s_waitcnt, for what this one had asked for
  ReasonCycles cycles = {};  ///< of the waves, from the previous instruction's end to this one's
};

/// What limits the waves on a CU.
struct OccupancyProfile {
  unsigned waves_per_simd_limit = 0;  ///< by registers, LDS, slots, workgroup shape
  unsigned wave_slots_per_simd = 8;
  std::string limited_by;            ///< "VGPRs", "SGPRs", "LDS", "wave slots", "workgroup size"
  double achieved_waves_per_cu = 0;  ///< average over the launch and all CUs
  /// Of the time that waves run, in which a CU has some, on average; 0: not known.
  double cu_percent = 0;
};

/// How much of a launch was simulated in detail.
struct Sampling {
  bool sampled = false;
  std::uint64_t workgroups = 0;  ///< of the launch
  std::uint64_t simulated_workgroups = 0;
  double uncertainty_percent = 0;  ///< spread of the rates that were extrapolated; 0 if exact
  /// How many times as many instructions as a simulated workgroup one of the others issues.
  double rest_ratio = 1;
};

/// One wave's stay or one instruction's issue, for traces. Only filled when asked for.
struct TraceWave {
  std::uint32_t xcd = 0, se = 0, cu = 0, simd = 0, slot = 0;
  std::uint64_t workgroup = 0;
  std::uint32_t wave_in_group = 0;
  std::uint64_t begin_cycle = 0, end_cycle = 0;
};
struct TraceIssue {
  std::uint32_t wave = 0;         ///< index into waves
  std::uint32_t instruction = 0;  ///< index into LaunchProfile::instructions
  std::uint64_t issue_cycle = 0;
  std::uint32_t issue_cycles = 0;            ///< how long it occupied the wave's slot
  std::uint64_t stall_cycles = 0;            ///< waiting before it, in sum
  Reason stall_reason = Reason::kNotPicked;  ///< the longest part of it
};
struct ThreadTrace {
  std::vector<TraceWave> waves;
  std::vector<TraceIssue> issues;  ///< in issue order
};

/// A workgroup on a CU, from its first wave's begin to its last one's end.
struct WorkgroupStay {
  std::uint32_t cu = 0;  ///< of the device's
  std::uint64_t workgroup = 0;
  std::uint64_t begin_cycle = 0, end_cycle = 0;
};
/// Which CU ran which workgroup when: of each CU the first and the last of a launch's.
struct WorkgroupStays {
  std::vector<WorkgroupStay> kept;  ///< by begin
  std::uint64_t left_out = 0;       ///< that were simulated between them
};

/// Launches that took the result of one that was timed, at even distances: the profile is that of
/// the first. Times are true to the nanosecond.
struct Repeats {
  std::uint64_t count = 1;          ///< launches in all
  std::uint64_t dispatch_step = 0;  ///< from one launch's dispatch_id to the next one's
  double first_ns = 0;              ///< begin_ns of the first, with its fraction
  double step_ns = 0;               ///< from one launch's begin to the next one's
  std::uint32_t process_id = 0;     ///< in whose run they are
};

/// What is kept of one launch whose detail went into a merged profile.
struct MergedLaunch {
  std::uint64_t dispatch_id = 0;
  std::uint64_t stream_id = 0;
  std::uint64_t begin_ns = 0, end_ns = 0;  ///< device clock
  std::uint64_t cycles = 0;
  std::uint32_t counters = 0;  ///< which of Merged::counters are its own
};

/// A launch's counters, as what differs from others': see merged_launches.hpp.
struct CounterChanges {
  std::vector<std::uint16_t> places;
  std::vector<double> values;  ///< one for each place
};

/// What a launch would take if something was otherwise: it was timed again, from the same moment.
struct WhatIf {
  std::string change;        ///< as asked for: "lds.conflicts=off", several joined by "+"
  std::uint64_t cycles = 0;  ///< as LaunchProfile::cycles; 0: see problem
  std::string problem;       ///< why it is not known; empty if it is
};

using Counters = std::map<std::string, CounterValue, std::less<>>;

/// Launches of one kernel and shape with results of their own that share a profile: it is their
/// average, but times, cycles and counters of each are kept.
struct Merged {
  std::uint64_t id = 0;     ///< names the profile in a file; 0: the profile is of one launch
  std::uint64_t timed = 0;  ///< launches that were simulated, of which it is the average
  Counters reference;       ///< from which `counters` differ
  std::vector<CounterChanges> counters;
  std::vector<MergedLaunch> launches;  ///< those that were simulated, and their repeats
};

struct LaunchProfile {
  // What was launched.
  std::string kernel_name;  ///< demangled
  std::string mangled_name;
  std::string device;  ///< "mi210"
  std::uint64_t dispatch_id = 0;
  std::uint64_t stream_id = 0;
  Dim3 grid_work_items;
  Dim3 workgroup_work_items;
  std::uint32_t vgprs = 0, agprs = 0, sgprs = 0;  ///< as rocprofv3 prints them
  std::uint32_t lds_bytes = 0;                    ///< rounded to the granule
  std::uint32_t scratch_bytes_per_lane = 0;
  bool timed_before = false;  ///< its result is that of a launch that was timed before
  Repeats repeats;
  Merged merged;

  // When.
  std::uint64_t begin_ns = 0, end_ns = 0;  ///< device clock
  double engine_clock_mhz = 0;
  std::uint64_t cycles = 0;             ///< from the dispatcher's first action to the launch's end
  std::uint64_t launch_cycles = 0;      ///< of those, what it costs around the kernel
  std::uint64_t write_back_cycles = 0;  ///< of the kernel, after its last wave: the L2s write back
  std::uint64_t tail_cycles = 0;  ///< from the first moment that nothing was left to dispatch while
                                  ///< wave slots were free, to the last wave's end

  // Where the cycles went.
  std::uint64_t wave_slots = 0;        ///< of the device
  ReasonCycles cycles_by_reason = {};  ///< sums to wave_slots x (cycles - launch_cycles)
  /// Of the empty ones, those of slots that were given to waves which the dispatcher had yet to
  /// start, because it starts one after the other.
  std::uint64_t dispatch_slot_cycles = 0;
  std::uint64_t waves = 0;
  OccupancyProfile occupancy;
  std::vector<UnitUse> units;
  std::vector<LevelTraffic> levels;  ///< from the nearest to the farthest
  std::vector<ArrayTraffic> arrays;  ///< by address
  Operations operations;
  Counters counters;                             ///< raw counters by AMD's names
  std::vector<InstructionProfile> instructions;  ///< by offset
  Sampling sampling;
  std::map<std::string, double, std::less<>> evidence_percent;  ///< of stalled cycles by kind of
                                                                ///< the parameters they rest on
  std::vector<WhatIf> what_if;                                  ///< in the order asked for
  std::string not_repeatable;  ///< why there is none, where it was asked for: "it calls the host"
  ThreadTrace trace;
  WorkgroupStays stays;  ///< of a kernel's and shape's first launch; may be left out
};

/// A copy or fill that the device did between launches.
struct Transfer {
  enum class Kind : std::uint8_t { kToDevice, kFromDevice, kInDevice, kOfHost, kFill };
  Kind kind = Kind::kToDevice;
  std::uint64_t stream_id = 0;
  std::uint64_t bytes = 0;
  std::uint64_t begin_ns = 0, end_ns = 0;  ///< device clock
};

}  // namespace wavetank::profile
