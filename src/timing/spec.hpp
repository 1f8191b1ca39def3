// The numbers of a device that the cycle model works with, which spec_reader.hpp reads from the
// device's description. Cycles are engine clocks. What has a value here is what every device does;
// others ask what a launch would take if it did otherwise (scenario.cpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "isa/target.hpp"
#include "machine/wait_states.hpp"
#include "timing/dispatch/launch_queue.hpp"

namespace wavetank::timing {

struct DispatchSpec {
  double wave_interval, workgroup_interval, workgroup_interval_in_rows;
  double first_wave_latency, release_latency;

  /// From the start of a workgroup of `waves` to that of the next on the same shader engine, which
  /// looks for that one's place while the waves start. `in_rows`: the grid has several of them.
  double engine_cycles(std::uint32_t waves, bool in_rows) const {
    return std::max(in_rows ? workgroup_interval_in_rows : workgroup_interval,
                    waves * wave_interval);
  }
};
/// Where kernels' arguments lie.
struct KernargSpec {
  double host_cycles;  ///< of a read from the host, beyond the L2; 0: the device has them
  bool l2_keeps;       ///< the host's, until the launch ends
};
struct FetchSpec {
  std::uint32_t units_per_cache, cache_bytes, line_bytes, ways;
  std::uint32_t hit_latency, miss_latency, bytes_per_fetch;
  bool at_once = false;  ///< waves have all instructions
  bool misses = true;    ///< the cache does not hold all code
};
/// Instructions [begin, end) by StepFacts::offset_bytes.
struct CodeRange {
  std::uint64_t begin = 0, end = 0;
};
struct IssueSpec {
  std::uint32_t slot_period, branch_latency, barrier_latency, sleep_unit;
  std::uint32_t valu_full, valu_double, valu_quarter, valu_transcendental;
  std::uint32_t misaligned_extra;
  bool dual_fma;
  std::uint32_t salu;
  std::int32_t farthest_wait;    ///< the most that a rule of isa/vector_wait.hpp asks for
  bool waits_for_memory = true;  ///< s_waitcnt does
  bool waits_at_barriers = true;
  bool idle_lanes_cost = true;  ///< a vector instruction takes as long for few lanes as for all
  bool f64_as_f32 = false;      ///< f64 operations at the rate of f32, without conversions
  std::vector<CodeRange> free_code;  ///< vector and scalar arithmetic that takes no time
};
struct MatrixSpec {
  std::uint32_t issue;
  std::uint32_t after_packed;  ///< cycles more behind a packed f32 operation of the wave
  bool packed_f32_coexecutes;
  std::int32_t farthest_wait;  ///< the most that a rule of isa/matrix_wait.hpp asks for
};
struct ScalarMemorySpec {
  std::uint32_t units_per_cache, cache_bytes, line_bytes, ways, hit_latency, miss_latency,
      bytes_per_cycle;
};
inline constexpr std::uint32_t kMostLdsBanks = 64;
struct LdsSpec {
  std::uint32_t bytes, banks, pairs, bytes_per_cycle_per_pair, store_address_cycles, atomic_cycles,
      permute_cycles, queue_depth, latency_b32, latency_b64, latency_b128;
  bool banks_conflict = true;
  double cycles_scale = 1;  ///< of ports and banks
};
struct VectorMemorySpec {
  std::uint32_t hit_latency, bytes_per_cycle, outstanding_per_wave, queue_depth, store_latency,
      lds_load_cycles;
  std::uint32_t l1_bytes, l1_line_bytes, l1_ways, miss_queue_lines;
  double store_bytes_per_cycle;  ///< of a CU, from its registers
  double read_efficiency;        ///< of the peak that data from the L1 reaches
  double fill_cycles;            ///< of the L1, in which it answers nothing, for a line that comes
  double cycles_scale = 1;       ///< of all that the unit does
  bool lanes_side_by_side = false;  ///< accesses as if each lane's lay beside the one before
  bool scratch_costs = true;
  bool joins_narrow = false;       ///< turns of a loop wait once for each 16 bytes of a lane
  bool uniform_is_scalar = false;  ///< loads of one address for all lanes go to the scalar cache
};
/// The CU's translation cache.
struct TranslationSpec {
  std::uint32_t entries, miss_latency;
  std::uint32_t miss_interval;  ///< between two misses
  std::uint64_t page_bytes;
};
struct L2Spec {
  std::uint32_t bytes, channels, interleave_bytes, ways, line_bytes, read_bytes_per_cycle,
      write_queue_cycles, hit_latency, device_scope_latency, request_read_bytes;
  double read_efficiency;       ///< of the peak that sweeps of a shared buffer reach
  double write_cycles;          ///< of a channel, for a write request of whole sectors ...
  double partial_write_cycles;  ///< ... and of one that is to be merged
  double fill_cycles;           ///< for half a line that comes from memory
  bool write_back_at_end;       ///< by an operation of its own that leaves the L2 empty
  bool scattered_sets;          ///< lines are spread over the sets as if at random, not evenly
  bool dies_share = false;      ///< what the MALL has, the L2s of all dies have
};
/// Which channel of memory, slice of the MALL and channel of an L2 serves an address: bit i of its
/// number, of which L2s take the lower ones, is the parity of the address bits in masks[i], or bit
/// i of the block's number where that is 0.
struct ChannelHashSpec {
  std::array<std::uint64_t, 8> masks;

  /// Of blocks whose size is a power of two.
  std::uint64_t mask(unsigned bit, std::uint64_t block_bytes) const {
    return bit < masks.size() && masks[bit] != 0 ? masks[bit] : block_bytes << bit;
  }
};
struct MallSpec {
  std::uint64_t bytes;  ///< 0: the device has none
  std::uint32_t slices, line_bytes, ways, bytes_per_cycle, hit_latency;
};
struct HbmSpec {
  std::uint32_t channels, latency, turnaround;
  std::uint32_t banks, page_bytes;  ///< of a pseudo channel
  double row_cycles;                ///< between two rows that a bank opens (tRC)
  double peak_bytes_per_cycle;      ///< of the device
  double read_efficiency, write_efficiency;
};
struct AtomicSpec {
  bool at_memory;
  std::uint32_t l2_cycles_per_operation, memory_side_latency, memory_side_cycles_per_operation,
      memory_side_request_cycles;
};
struct FenceSpec {
  std::uint32_t scan, per_dirty_line, round_trip;
  /// False: cache operations take no time and do nothing, and no wave waits for stores at one.
  bool costs = true;
  /// Of a write-back that finds nothing dirty.
  std::uint32_t clean_cycles() const { return round_trip + scan; }
};

/// One device, ready for the model.
struct TimingSpec {
  std::uint32_t compute_units, shader_engines, xcds, simds, slots_per_simd;
  double clock_mhz;
  const isa::Target* target;
  DispatchSpec dispatch;
  LaunchSpec launch;
  KernargSpec kernarg;
  FetchSpec fetch;
  IssueSpec issue;
  machine::WaitStates wait_states;
  MatrixSpec matrix;
  ScalarMemorySpec smem;
  LdsSpec lds;
  VectorMemorySpec vmem;
  TranslationSpec translation;
  L2Spec l2;
  ChannelHashSpec channel_hash;
  MallSpec mall;
  double fabric_read_bytes_per_cycle, fabric_write_bytes_per_cycle;  ///< of one XCD
  HbmSpec hbm;
  AtomicSpec atomic;
  FenceSpec fence;
  bool ends_evenly = false;  ///< the last workgroups keep all CUs as busy as those before
};

}  // namespace wavetank::timing
