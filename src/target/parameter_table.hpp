// What a device description may say: each of its numbers is a row here, with its unit, the range
// that the program can work with, who needs it and what it means. Readers name their numbers by
// these rows, and everything that lists them goes through them (parameter_rows.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string_view>

namespace wavetank::target {

/// Who cannot do without a number.
enum class Need : std::uint8_t {
  kRun,            ///< every run
  kTiming,         ///< the cycle model
  kMall,           ///< the cycle model, of a device with an Infinity Cache
  kMemoryAtomics,  ///< the cycle model, of a device with atomic.at_memory = 1
  kNobody,
};

enum class NumberType : std::uint8_t { kWhole, kReal };

struct ParameterRow {
  std::string_view name;   ///< "l2.channels"
  std::string_view unit;   ///< as the file must give it
  double lowest, highest;  ///< what the program can work with, both included
  Need need;
  std::string_view meaning;
  NumberType type = NumberType::kWhole;
};

/// The unit of numbers that are sets of address bits.
inline constexpr std::string_view kMaskUnit = "address mask";

namespace parameter_rows_detail {
inline constexpr double kCycles = 1e6, kUnits = 4096, kWays = 256, kEntries = 16384,
                        kBytes = 4294967295.0, kMask = 281474976710655.0;  // 48 bits
inline constexpr auto kRun = Need::kRun;
inline constexpr auto kTiming = Need::kTiming;
inline constexpr auto kMall = Need::kMall;
inline constexpr auto kAtomics = Need::kMemoryAtomics;
inline constexpr auto kNobody = Need::kNobody;
inline constexpr auto kReal = NumberType::kReal;
}  // namespace parameter_rows_detail

/// The rows, by section. Not here: wait states, which are rows of isa/vector_wait.hpp and
/// isa/matrix_wait.hpp, and levels of clocks; see parameter_rows().
inline constexpr auto kParameterRows = [] {
  using namespace parameter_rows_detail;
  return std::to_array<ParameterRow>({
      {"compute.units", "CU", 1, 65536, kRun, "compute units of the device"},
      {"compute.shader_engines", "SE", 1, 65536, kRun,
       "shader engines of the device, a multiple of compute.xcds"},
      {"compute.xcds", "XCD", 1, 1024, kRun, "dies, each with an L2 of its own"},
      {"compute.simds_per_unit", "SIMD", 1, 64, kRun, "SIMDs of a CU"},
      {"compute.engine_clock", "MHz", 1, 1e6, kRun, "the clock whose cycles all others are", kReal},
      {"compute.sustained_clock", "MHz", 1, 1e6, kNobody,
       "of the engine under a sustained load, at which `--clocks sustained` runs", kReal},
      {"compute.timestamp_clock", "Hz", 1, 4e9, kRun, "of s_memrealtime and wall_clock64()"},

      {"occupancy.wave_slots_per_simd", "waves", 1, 64, kRun, "waves that a SIMD holds at most"},
      {"occupancy.vgprs_per_simd", "registers", 8, 65536, kRun,
       "vector registers of a lane, for all waves of a SIMD"},
      {"occupancy.vgpr_granule", "registers", 1, 1024, kRun,
       "a wave gets vector registers in multiples of it"},
      {"occupancy.sgprs_per_simd", "registers", 16, 65536, kRun,
       "scalar registers for all waves of a SIMD"},
      {"occupancy.sgpr_granule", "registers", 1, 1024, kRun,
       "a wave gets scalar registers in multiples of it"},
      {"occupancy.max_workgroup_size", "work-items", 1, 65536, kRun, "the largest workgroup"},
      {"occupancy.barriers_per_unit", "workgroups", 1, 1024, kRun,
       "workgroups of several waves that a CU holds at most"},

      {"lds.capacity_per_unit", "bytes", 0, 16777216, kRun, "LDS of a CU"},
      {"lds.granule", "bytes", 1, 65536, kRun, "a workgroup gets LDS in multiples of it"},
      {"lds.banks", "banks", 1, 64, kTiming, "banks of 4 bytes"},
      {"lds.pairs", "pairs", 1, 64, kTiming,
       "groups of SIMDs that share a port to the LDS; at most compute.simds_per_unit"},
      {"lds.bytes_per_cycle_per_pair", "bytes/cycle", 1, kUnits, kTiming,
       "of a port, in each direction"},
      {"lds.latency_b32", "cycles", 0, kCycles, kTiming, "of a whole load of 4 bytes a lane"},
      {"lds.latency_b64", "cycles", 0, kCycles, kTiming, "of a whole load of 8 bytes a lane"},
      {"lds.latency_b128", "cycles", 0, kCycles, kTiming, "of a whole load of 16 bytes a lane"},
      {"lds.store_address_cycles", "cycles", 0, kCycles, kTiming,
       "in which a store's addresses keep the port from data"},
      {"lds.atomic_cycles", "cycles", 0, kCycles, kTiming, "of an atomic at a bank"},
      {"lds.permute_cycles", "cycles", 0, kCycles, kTiming,
       "of ds_permute and ds_bpermute at the port"},
      {"lds.queue_depth", "instructions", 1, kUnits, kTiming,
       "that wait at a port before waves have to"},

      {"cache.l1_vector", "bytes", 1, kBytes, kTiming, "the vector L1 of a CU"},
      {"cache.l1_vector_line", "bytes", 1, kEntries, kTiming, "a line of the vector L1"},
      {"cache.l1_scalar", "bytes", 1, kBytes, kTiming, "a scalar cache"},
      {"cache.l1_instruction", "bytes", 1, kBytes, kTiming, "an instruction cache"},
      {"cache.l2_per_xcd", "bytes", 1, 4e9, kRun, "the L2 of an XCD"},
      {"cache.l2_line", "bytes", 1, kEntries, kTiming, "a line of the L2"},
      {"cache.infinity_cache", "bytes", 1, 1e12, kMall, "the whole Infinity Cache (MALL)"},

      {"memory.capacity", "bytes", 1, 1e15, kRun, "device memory"},
      {"memory.bus_width", "bits", 1, 1e6, kRun, "of all stacks together"},
      {"memory.clock", "MHz", 1, 1e6, kRun, "of the memory", kReal},
      {"memory.peak_bandwidth", "GB/s", 1e-3, 1e9, kTiming, "of device memory, in 10^9 bytes",
       kReal},

      {"rate.vector_f64", "FLOP/clk/CU", 1e-3, 1e9, kNobody,
       "vector FP64; an FMA counts two, as below", kReal},
      {"rate.vector_f32", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "vector FP32", kReal},
      {"rate.packed_f32", "FLOP/clk/CU", 1e-3, 1e9, kNobody,
       "vector FP32, packed or two FMAs at once", kReal},
      {"rate.matrix_f64", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix FP64", kReal},
      {"rate.matrix_f32", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix FP32", kReal},
      {"rate.matrix_xf32", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix XF32", kReal},
      {"rate.matrix_f16", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix FP16", kReal},
      {"rate.matrix_bf16", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix BF16", kReal},
      {"rate.matrix_f8", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix FP8", kReal},
      {"rate.matrix_i8", "FLOP/clk/CU", 1e-3, 1e9, kNobody, "matrix INT8", kReal},

      {"dispatch.wave_interval", "cycles", 0, kCycles, kTiming,
       "between two waves of a workgroup that a shader engine starts", kReal},
      {"dispatch.workgroup_interval", "cycles", 0, kCycles, kTiming,
       "between two workgroups that a shader engine starts, where their waves take less", kReal},
      {"dispatch.workgroup_interval_in_rows", "cycles", 0, kCycles, kTiming,
       "the same in a grid of several rows of workgroups", kReal},
      {"dispatch.first_wave_latency", "cycles", 0, kCycles, kTiming,
       "from the choice of a CU to a wave's first fetch", kReal},
      {"dispatch.release_latency", "cycles", 0, kCycles, kTiming,
       "from a workgroup's end to the reuse of what it held", kReal},
      {"launch.start_latency", "ns", 0, 1e9, kTiming,
       "of a launch that nothing ran before, to its first workgroup", kReal},
      {"launch.end_latency", "ns", 0, 1e9, kTiming, "of a launch, after its last wave", kReal},
      {"launch.interval", "ns", 0, 1e9, kTiming,
       "between the starts of two launches of a queue, at least", kReal},
      {"launch.turnover", "ns", 0, 1e9, kTiming,
       "from the end of a kernel to the start of the next in the queue", kReal},

      {"kernarg.host_latency", "ns", 0, 1e6, kTiming,
       "of a read of a kernel's arguments from the host, beyond the L2; 0: the device has them",
       kReal},
      {"kernarg.l2_keeps", "flag", 0, 1, kTiming,
       "the L2 keeps arguments of the host for a launch; if not, each read goes to the host"},

      {"fetch.units_per_cache", "CU", 1, kUnits, kTiming, "CUs that share an instruction cache"},
      {"fetch.bytes_per_fetch", "bytes", 1, kUnits, kTiming, "that a wave gets at once"},
      {"fetch.hit_latency", "cycles", 0, kCycles, kTiming, "of a fetch from the instruction cache"},
      {"fetch.line", "bytes", 1, kEntries, kTiming, "a line of the instruction cache"},
      {"fetch.ways", "ways", 1, kWays, kTiming, "of the instruction cache"},
      {"fetch.miss_latency", "cycles", 0, kCycles, kTiming, "of a miss, in addition to a hit"},
      {"issue.slot_period", "cycles", 1, kCycles, kTiming,
       "after which the scheduler looks at a SIMD again"},
      {"issue.branch_latency", "cycles", 0, kCycles, kTiming,
       "from a branch to the next instruction"},
      {"issue.barrier_latency", "cycles", 0, kCycles, kTiming,
       "from the last wave's arrival to the first issue"},
      {"issue.sleep_unit", "cycles", 0, kCycles, kTiming, "of s_sleep"},
      {"valu.full", "cycles", 1, kCycles, kTiming, "issue of a vector instruction of full rate"},
      {"valu.double", "cycles", 1, kCycles, kTiming, "of FP64 arithmetic"},
      {"valu.quarter", "cycles", 1, kCycles, kTiming,
       "of a quarter of the rate, as 32-bit multiplications"},
      {"valu.transcendental", "cycles", 1, kCycles, kTiming, "of v_exp_f32 and its like"},
      {"valu.misaligned_extra", "cycles", 0, kCycles, kTiming,
       "more for an 8-byte instruction off an 8-byte boundary"},
      {"valu.dual_fma", "flag", 0, 1, kTiming,
       "two waves' additions, multiplications or FP32 FMAs of VGPRs issue at once"},
      {"matrix.issue", "cycles", 0, kCycles, kTiming,
       "after which other instructions may follow an MFMA"},
      {"matrix.after_packed", "cycles", 0, kCycles, kTiming,
       "that an MFMA waits more behind a v_pk_*_f32 of its wave"},
      {"matrix.packed_f32_coexecutes", "flag", 0, 1, kTiming, "v_pk_*_f32 runs beside an MFMA"},
      {"salu.issue", "cycles", 1, kCycles, kTiming, "of a scalar instruction"},

      {"smem.units_per_cache", "CU", 1, kUnits, kTiming, "CUs that share a scalar cache"},
      {"smem.hit_latency", "cycles", 0, kCycles, kTiming, "of a scalar load that hits"},
      {"smem.miss_latency", "cycles", 0, kCycles, kTiming, "of a miss, in addition to a hit"},
      {"smem.bytes_per_cycle", "bytes/cycle", 1, kUnits, kTiming, "that a scalar cache gives"},
      {"smem.line", "bytes", 1, kEntries, kTiming, "a line of the scalar cache"},
      {"smem.ways", "ways", 1, kWays, kTiming, "of the scalar cache"},
      {"vmem.hit_latency", "cycles", 0, kCycles, kTiming,
       "of a whole load of a dword a lane that hits the vector L1"},
      {"vmem.bytes_per_cycle", "bytes/cycle", 1, kUnits, kTiming,
       "between the vector L1 and a CU's registers"},
      {"vmem.store_bytes_per_cycle", "bytes/cycle", 1e-3, kUnits, kTiming,
       "that stores of a CU take from its registers", kReal},
      {"vmem.outstanding_per_wave", "instructions", 1, kUnits, kTiming,
       "of vector memory that a wave may have under way"},
      {"vmem.queue_depth", "instructions", 1, kUnits, kTiming,
       "that wait at the address unit before waves have to"},
      {"vmem.store_latency", "cycles", 0, kCycles, kTiming, "until a store is acknowledged"},
      {"vmem.lds_load_cycles", "cycles", 0, kCycles, kTiming,
       "of a load of a dword a lane into LDS"},
      {"l1_vector.ways", "ways", 1, kWays, kTiming, "of the vector L1"},
      {"l1_vector.miss_queue_lines", "lines", 1, kEntries, kTiming, "that a CU may have requested"},
      {"l1_vector.read_efficiency", "fraction", 1e-3, 1, kTiming,
       "of the peak, that data from the vector L1 reaches", kReal},
      {"l1_vector.fill_cycles", "cycles", 0, kCycles, kTiming,
       "in which the vector L1 takes in a line and answers nothing", kReal},
      {"translation.page", "bytes", 1, 1e12, kTiming,
       "what an entry of a CU's translation cache covers"},
      {"translation.entries", "entries", 1, kEntries, kTiming, "of a CU's translation cache"},
      {"translation.miss_latency", "cycles", 0, kCycles, kTiming, "of an access that misses it"},
      {"translation.miss_interval", "cycles", 0, kCycles, kTiming, "between two misses of a CU"},

      {"l2.channels", "channels", 1, kUnits, kTiming, "of an XCD's L2"},
      {"l2.interleave", "bytes", 1, kBytes, kTiming,
       "side by side in a channel, a multiple of cache.l2_line"},
      {"l2.ways", "ways", 1, kWays, kTiming, "of the L2"},
      {"l2.read_bytes_per_cycle", "bytes/cycle", 1, kUnits, kTiming, "of a channel"},
      {"l2.write_cycles", "cycles", 0, kCycles, kTiming,
       "of a channel, for a write of up to 64 bytes, whole sectors of 32", kReal},
      {"l2.partial_write_cycles", "cycles", 0, kCycles, kTiming,
       "of the same for a write of less than a sector", kReal},
      {"l2.fill_cycles", "cycles", 0, kCycles, kTiming,
       "of a channel, for 64 bytes that come from memory", kReal},
      {"l2.write_queue_cycles", "cycles", 0, kCycles, kTiming,
       "that a dirty victim may wait before its channel stalls"},
      {"l2.read_efficiency", "fraction", 1e-3, 1, kTiming,
       "of the peak, in sweeps of a buffer that all CUs share", kReal},
      {"l2.hit_latency", "cycles", 0, kCycles, kTiming,
       "of a whole load of a dword a lane that hits the L2"},
      {"l2.device_scope_latency", "cycles", 0, kCycles, kTiming, "of the same at device scope"},
      {"l2.write_back_at_end", "flag", 0, 1, kTiming,
       "the end of a kernel empties the L2; if not, its lines stay, clean"},
      {"l2.request_read_bytes", "bytes", 64, 128, kTiming, "of a vector L1's read, 64 or 128"},
      {"l2.scattered_sets", "flag", 0, 1, kTiming,
       "lines fall into sets as if at random, not evenly"},
      {"channel_hash.bit_0", kMaskUnit, 0, kMask, kTiming,
       "address bits whose parity is bit 0 of a channel's number, of memory, MALL and L2 alike; 0: "
       "the bit of the number of the block of l2.interleave"},
      {"channel_hash.bit_1", kMaskUnit, 0, kMask, kTiming, "the same of bit 1"},
      {"channel_hash.bit_2", kMaskUnit, 0, kMask, kTiming, "the same of bit 2"},
      {"channel_hash.bit_3", kMaskUnit, 0, kMask, kTiming, "the same of bit 3"},
      {"channel_hash.bit_4", kMaskUnit, 0, kMask, kTiming, "the same of bit 4"},
      {"channel_hash.bit_5", kMaskUnit, 0, kMask, kTiming, "the same of bit 5"},
      {"channel_hash.bit_6", kMaskUnit, 0, kMask, kTiming, "the same of bit 6"},
      {"channel_hash.bit_7", kMaskUnit, 0, kMask, kTiming, "the same of bit 7"},
      {"fabric.read_bytes_per_cycle", "bytes/cycle", 1e-3, 1e6, kTiming, "from memory to an XCD",
       kReal},
      {"fabric.write_bytes_per_cycle", "bytes/cycle", 1e-3, 1e6, kTiming, "from an XCD to memory",
       kReal},
      {"mall.slices", "slices", 1, kUnits, kMall, "of the Infinity Cache"},
      {"mall.line", "bytes", 1, kEntries, kMall, "a line of the Infinity Cache"},
      {"mall.ways", "ways", 1, kWays, kMall, "of the Infinity Cache"},
      {"mall.bytes_per_cycle", "bytes/cycle", 1, kUnits, kMall, "of a slice"},
      {"mall.hit_latency", "cycles", 0, kCycles, kMall,
       "of a whole load of a dword a lane that hits the Infinity Cache"},
      {"hbm.channels", "channels", 1, kUnits, kTiming, "of device memory"},
      {"hbm.banks", "banks", 1, kUnits, kTiming, "of a pseudo channel, half a channel"},
      {"hbm.page", "bytes", 1, kBytes, kTiming, "a row of a bank"},
      {"hbm.row_cycle", "ns", 0, 1e6, kTiming, "between two rows that a bank opens", kReal},
      {"hbm.latency", "cycles", 0, kCycles, kTiming,
       "of a whole load of a dword a lane from memory"},
      {"hbm.read_efficiency", "fraction", 1e-3, 1, kTiming, "of the peak, in sweeps that read",
       kReal},
      {"hbm.write_efficiency", "fraction", 1e-3, 1, kTiming, "of the peak, in sweeps that write",
       kReal},
      {"hbm.turnaround", "cycles", 0, kCycles, kTiming,
       "of a channel from reads to 32 writes and back"},
      {"atomic.at_memory", "flag", 0, 1, kTiming,
       "device-scope atomics go past the L2 to the Infinity Cache"},
      {"atomic.l2_cycles_per_operation", "cycles", 0, kCycles, kTiming, "on one address at the L2"},
      {"atomic.memory_side_latency", "cycles", 0, kCycles, kAtomics,
       "of an atomic at memory, beyond the L2"},
      {"atomic.memory_side_request_cycles", "cycles", 0, kCycles, kAtomics,
       "of a request at a slice"},
      {"atomic.memory_side_cycles_per_operation", "cycles", 0, kCycles, kAtomics,
       "on one address at memory"},
      {"fence.scan", "cycles", 0, kCycles, kTiming, "in which a release looks through an L2"},
      {"fence.per_dirty_line", "cycles", 0, kCycles, kTiming, "for each dirty line of a channel"},
      {"fence.round_trip", "cycles", 0, kCycles, kTiming, "to memory and back"},

      {"board.pci_device", "PCI ID", 0, 65535, kNobody, "AMD's number for the device"},
      {"board.pci_subsystem", "PCI ID", 0, 65535, kNobody, "AMD's number for the card"},
      {"board.pcie_rate", "GT/s", 1e-3, 1e6, kNobody, "of a lane of the host's link", kReal},
      {"board.pcie_lanes", "lanes", 1, kUnits, kNobody, "of the host's link"},
      {"board.xgmi", "flag", 0, 1, kNobody, "devices are linked directly"},
      {"board.power_cap", "W", 1e-3, 1e6, kNobody, "as rocm-smi shows it", kReal},
      {"board.idle_power", "W", 1e-3, 1e6, kNobody, "as rocm-smi shows it", kReal},
      {"board.idle_temperature", "degC", -300, 1000, kNobody, "as rocm-smi shows it", kReal},
      {"board.mec_firmware", "version", 0, 1e9, kNobody, "of the command processor"},
  });
}();

/// The row with this name; a name that has none does not compile.
consteval const ParameterRow& row_named(std::string_view name) {
  for (const ParameterRow& row : kParameterRows) {
    if (row.name == name) return row;
  }
  throw std::invalid_argument("no parameter has this name");
}

/// The name of a row, for readers of single numbers; others do not compile.
consteval std::string_view known(std::string_view name) { return row_named(name).name; }

}  // namespace wavetank::target
