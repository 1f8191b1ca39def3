#include "unit/profile/sample_launches.hpp"

#include "isa/catalogue.hpp"

namespace wavetank::profile {
namespace {

std::uint64_t& cycles(LaunchProfile& launch, Reason reason) {
  return launch.cycles_by_reason[static_cast<std::size_t>(reason)];
}

/// The row of an instruction as it is written without an encoding's suffix.
const isa::Row* row_of(const std::string& text) {
  return isa::find_row(text.substr(0, text.find(' ')));
}

InstructionProfile instruction(std::uint64_t offset, std::string text, unsigned line, double hits,
                               Reason reason, std::uint64_t reason_cycles) {
  InstructionProfile i;
  i.offset = offset;
  i.virtual_address = 0x1900 + offset;
  i.row = row_of(text);
  i.text = std::move(text);
  i.file = "/src/kernel.hip";
  i.line = line;
  i.hits = hits;
  i.active_lanes = hits * 64;
  i.cycles[static_cast<std::size_t>(reason)] = reason_cycles;
  return i;
}

LaunchProfile on_mi210(std::string name) {
  LaunchProfile launch;
  launch.kernel_name = name + "(double*, double*)";
  launch.mangled_name = "_Z" + std::to_string(name.size()) + name + "PdS_";
  launch.device = "mi210";
  launch.dispatch_id = 1;
  launch.engine_clock_mhz = 1700;
  launch.wave_slots = 104 * 32;
  launch.vgprs = 8;
  launch.sgprs = 16;
  return launch;
}

LaunchProfile on_mi300x(std::string name) {
  LaunchProfile launch = on_mi210(std::move(name));
  launch.device = "mi300x";
  launch.engine_clock_mhz = 2100;
  launch.wave_slots = 304 * 32;
  return launch;
}

void fill_empty(LaunchProfile& launch) {
  std::uint64_t used = 0;
  for (const std::uint64_t c : launch.cycles_by_reason) used += c;
  cycles(launch, Reason::kEmpty) =
      launch.wave_slots * (launch.cycles - launch.launch_cycles) - used;
}

}  // namespace

LaunchProfile vector_copy() {
  LaunchProfile l = on_mi210("vcopy");
  l.grid_work_items = {1048576, 1, 1};
  l.workgroup_work_items = {256, 1, 1};
  l.begin_ns = 1000;
  l.end_ns = 18000;
  l.cycles = 28900;
  l.launch_cycles = 2800;
  l.tail_cycles = 1200;
  l.waves = 16384;
  cycles(l, Reason::kIssueValu) = 655360;
  cycles(l, Reason::kIssueScalar) = 524288;
  cycles(l, Reason::kIssueMemory) = 262144;
  cycles(l, Reason::kWaitVectorMemory) = 65000000;
  cycles(l, Reason::kWaitScalarMemory) = 4000000;
  fill_empty(l);
  l.occupancy = {8, 8, "wave slots", 26.1};
  l.units = {{"VALU", 6}, {"MFMA", 0}, {"SALU", 5}, {"LDS", 0}, {"vector memory", 19}};
  l.levels = {{"LDS", 0, 0, 13312, 0, 0, 0, "lds.bytes_per_cycle_per_pair"},
              {"vL1D", 8388608, 8388608, 6656, 524288, 0, 9.7, "vmem.bytes_per_cycle"},
              {"L2", 8388608, 8388608, 4096, 262144, 65536, 16, "l2.read_bytes_per_cycle"},
              {"HBM", 8388608, 8388608, 963.76, 262144, 0, 81, "memory.peak_bandwidth"}};
  l.counters = {
      {"GRBM_GUI_ACTIVE", {28900, 28900, 1}},   {"GRBM_COUNT", {34000, 34000, 1}},
      {"SQ_WAVES", {16384, 2048, 8}},           {"SQ_INSTS_VALU", {163840, 20480, 8}},
      {"SQ_INSTS_SALU", {49152, 6144, 8}},      {"SQ_INSTS_SMEM", {65536, 8192, 8}},
      {"SQ_ACTIVE_INST_VALU", {163840, 0, 8}},  {"SQ_THREAD_CYCLES_VALU", {10485760, 0, 8}},
      {"SQ_WAVE_CYCLES", {17610448, 0, 8}},     {"TCC_HIT", {69632, 2176, 32}},
      {"TCC_MISS", {131072, 4096, 32}},         {"TCC_EA_RDREQ", {131083, 4100, 32}},
      {"TCC_EA_RDREQ_32B", {0, 0, 32}},         {"TCC_EA_WRREQ", {131072, 4096, 32}},
      {"TCC_EA_WRREQ_64B", {131072, 4096, 32}}, {"TA_TOTAL_WAVEFRONTS", {32768, 320, 104}},
      {"TCP_TOTAL_ACCESSES", {2097152, 0, 104}}};
  l.instructions = {
      instruction(0, "s_load_dword s3, s[0:1], 0x24", 12, 16384, Reason::kWaitScalarMemory,
                  4000000),
      instruction(8, "global_load_dwordx2 v[2:3], v[2:3], off", 14, 16384, Reason::kIssueMemory,
                  131072),
      instruction(16, "s_waitcnt vmcnt(0)", 14, 16384, Reason::kWaitVectorMemory, 65000000),
      instruction(20, "global_store_dwordx2 v[0:1], v[2:3], off", 14, 16384, Reason::kIssueMemory,
                  131072)};
  l.instructions[1].lines_touched = l.instructions[1].lines_needed = 16384 * 8;
  l.instructions[3].lines_touched = l.instructions[3].lines_needed = 16384 * 8;
  l.sampling = {false, 4096, 4096, 0};
  l.evidence_percent = {{"measured", 61}, {"public", 30}, {"assumed", 9}};
  return l;
}

LaunchProfile traced_copy() {
  LaunchProfile launch = vector_copy();
  launch.trace.waves = {{0, 1, 3, 0, 0, 5, 0, 100, 140}, {0, 1, 3, 1, 2, 5, 1, 104, 150}};
  launch.trace.issues = {{0, 0, 100, 4, 0, Reason::kNotPicked},
                         {1, 0, 104, 4, 0, Reason::kNotPicked},
                         {0, 1, 106, 4, 2, Reason::kNotPicked},
                         {0, 2, 122, 4, 12, Reason::kWaitVectorMemory}};
  return launch;
}

LaunchProfile transpose_read_contiguous() {
  LaunchProfile l = on_mi210("transpose");
  l.grid_work_items = {8192, 8192, 1};
  l.workgroup_work_items = {32, 32, 1};
  l.begin_ns = 0;
  l.end_ns = 4400000;
  l.cycles = 7480000;
  l.launch_cycles = 2800;
  l.tail_cycles = 9000;
  l.waves = 1048576;
  cycles(l, Reason::kIssueValu) = 80000000;
  cycles(l, Reason::kIssueMemory) = 8388608;
  cycles(l, Reason::kWaitVectorMemory) = 9000000000;
  cycles(l, Reason::kMemoryQueueFull) = 13000000000;
  fill_empty(l);
  l.occupancy = {8, 8, "wave slots", 29.5};
  l.units = {{"VALU", 3}, {"MFMA", 0}, {"SALU", 2}, {"LDS", 0}, {"vector memory", 88}};
  l.levels = {{"vL1D", 5.4e8, 4.3e9, 6656, 7.5e7, 0, 51, "vmem.bytes_per_cycle"},
              {"L2", 5.4e8, 4.3e9, 4096, 7.5e7, 3e7, 44, "l2.write_bytes_per_cycle"},
              {"HBM", 5.4e8, 1.1e9, 963.76, 2.5e7, 0, 23, "memory.peak_bandwidth"}};
  l.instructions = {
      instruction(0, "global_load_dwordx2 v[2:3], v[2:3], off", 22, 1048576,
                  Reason::kMemoryQueueFull, 1000000000),
      instruction(8, "s_waitcnt vmcnt(0)", 22, 1048576, Reason::kWaitVectorMemory, 9000000000),
      instruction(12, "global_store_dwordx2 v[0:1], v[2:3], off", 23, 1048576,
                  Reason::kMemoryQueueFull, 12000000000)};
  l.instructions[0].lines_touched = l.instructions[0].lines_needed = 1048576 * 8.0;
  l.instructions[2].lines_touched = 1048576 * 64.0;
  l.instructions[2].lines_needed = 1048576 * 8.0;
  l.sampling = {true, 65536, 2600, 1.4};
  return l;
}

LaunchProfile compute_bound() {
  LaunchProfile l = on_mi300x("fma_chain");
  l.grid_work_items = {304 * 32 * 64, 1, 1};
  l.workgroup_work_items = {256, 1, 1};
  l.begin_ns = 0;
  l.end_ns = 100000;
  l.cycles = 210000;
  l.launch_cycles = 8600;
  l.tail_cycles = 1000;
  l.waves = 304 * 32;
  cycles(l, Reason::kIssueValu) = 240000000;
  cycles(l, Reason::kNotPicked) = 1700000000;
  fill_empty(l);
  l.occupancy = {8, 8, "wave slots", 31.7};
  l.units = {{"VALU", 96}, {"MFMA", 0}, {"SALU", 3}, {"LDS", 0}, {"vector memory", 0.1}};
  l.levels = {{"HBM", 1e6, 1e6, 2535.6, 31250, 0, 0.4, "memory.peak_bandwidth"}};
  l.operations.f32 = 7.7e9;
  l.instructions = {instruction(64, "v_fma_f32 v1, v2, v3, v1", 31, 9728 * 6000.0,
                                Reason::kNotPicked, 1700000000)};
  l.sampling = {false, 2432, 2432, 0};
  return l;
}

LaunchProfile barrier_loop() {
  LaunchProfile l = on_mi300x("reduce");
  l.grid_work_items = {304 * 1024, 1, 1};
  l.workgroup_work_items = {1024, 1, 1};
  l.end_ns = 20000;
  l.cycles = 42000;
  l.launch_cycles = 8600;
  l.tail_cycles = 2000;
  l.waves = 304 * 16;
  l.lds_bytes = 8192;
  cycles(l, Reason::kIssueValu) = 20000000;
  cycles(l, Reason::kWaitLds) = 30000000;
  cycles(l, Reason::kWaitBarrier) = 90000000;
  fill_empty(l);
  l.occupancy = {8, 8, "wave slots", 15.4};
  l.units = {{"VALU", 14}, {"MFMA", 0}, {"SALU", 8}, {"LDS", 22}, {"vector memory", 2}};
  l.levels = {{"LDS", 4e8, 1e8, 38912, 1e6, 0, 22, "lds.bytes_per_cycle_per_pair"},
              {"HBM", 1e6, 1e4, 2535.6, 16000, 0, 1, "memory.peak_bandwidth"}};
  l.instructions = {
      instruction(128, "s_barrier", 18, 48640, Reason::kWaitBarrier, 90000000),
      instruction(136, "s_waitcnt lgkmcnt(0)", 19, 48640, Reason::kWaitLds, 30000000)};
  return l;
}

LaunchProfile empty_kernel() {
  LaunchProfile l = on_mi210("nothing");
  l.grid_work_items = {64, 1, 1};
  l.workgroup_work_items = {64, 1, 1};
  l.end_ns = 2000;
  l.cycles = 2601;
  l.launch_cycles = 2006;  // 680 + 500 ns: on an idle device
  l.tail_cycles = 595;
  l.waves = 1;
  cycles(l, Reason::kIssueScalar) = 4;
  cycles(l, Reason::kWaitFetch) = 500;
  fill_empty(l);
  l.occupancy = {8, 8, "wave slots", 0.001};
  return l;
}

}  // namespace wavetank::profile
