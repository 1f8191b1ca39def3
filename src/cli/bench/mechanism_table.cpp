// The mechanisms of the cycle model that numbers of a device description can neutralise.
#include "cli/bench/mechanisms.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::cli {
namespace {

using target::known;

constexpr double kNoLimit = 1e6;  ///< bytes a cycle
constexpr double kMostLines = 16384;

}  // namespace

std::span<const Mechanism> mechanisms() {
  static const auto& table = *new std::vector<Mechanism>{
      {"overlapping launches",
       "a launch is prepared when the one before has ended",
       {{known("launch.interval")},
        {known("launch.turnover"),
         0,
         {known("launch.start_latency"), known("launch.end_latency")}}},
       {{"launch"}}},
      {"dirty lines between kernels",
       "what a kernel leaves dirty takes no time to leave",
       {{known("fence.per_dirty_line")}},
       {{"launch"}, {"fence"}}},
      {"arguments from the host",
       "kernels' arguments lie in the device's memory",
       {{known("kernarg.host_latency")}},
       {{"launch"}, {"vcopy"}}},
      {"rate of workgroups",
       "a workgroup costs the dispatcher nothing beyond its waves",
       {{known("dispatch.workgroup_interval")}},
       {{"launch", "block=16"}, {"dispatch-rate", "64"}}},
      {"rate of waves",
       "the waves of a workgroup start at once",
       {{known("dispatch.wave_interval")}},
       {{"launch", "1024"}, {"dispatch-rate", "1024"}}},
      {"waves that a CU takes in",
       "a CU takes in the waves of a workgroup as fast as they start",
       {{known("dispatch.unit_wave_interval")}},
       {{"stream", "block=256"}, {"dispatch-rate", "1024"}}},
      {"two waves' operations at once",
       "a SIMD issues one vector operation a slot",
       {{known("valu.dual_fma")}},
       {{"valu-chain"}}},
      {"fifth cycle off a boundary",
       "instructions of 8 bytes take four cycles wherever they lie",
       {{known("valu.misaligned_extra")}},
       {{"valu-chain"}}},
      {"matrix behind packed",
       "packed operations are like others to an MFMA",
       {{known("matrix.after_packed")}, {known("matrix.packed_f32_coexecutes"), 1}},
       {{"coissue"}}},
      {"acknowledged stores",
       "a wave's stores are acknowledged when they issue",
       {{known("vmem.store_latency")}},
       {{"dispatch-rate", "64"}, {"stream", "64"}}},
      {"lines on their way to a CU",
       "a CU may request any number of lines",
       {{known("l1_vector.miss_queue_lines"), kMostLines}},
       {{"cache-bw"}, {"babelstream"}}},
      {"lines that come to the vector L1",
       "the vector L1 answers while it takes in a line",
       {{known("l1_vector.fill_cycles")}},
       {{"vmem-stride", "stride=45"}, {"dispatch-rate", "1024"}}},
      {"translation",
       "all addresses are translated at once",
       {{known("translation.miss_latency")}, {known("translation.miss_interval")}},
       {{"chase"}, {"yax", "one row per work-item"}, {"fd-z"}}},
      {"scattered sets of the L2",
       "lines fall into sets evenly",
       {{known("l2.scattered_sets")}},
       {{"chase"}, {"laplacian"}, {"jacobi"}}},
      {"partial writes",
       "a write of less than a sector costs the L2 what whole ones cost",
       {{known("l2.partial_write_cycles"), 0, {known("l2.write_cycles")}}},
       {{"transpose", "read contiguous"}}},
      {"writes beside reads",
       "writes take nothing from an L2 channel's reads",
       {{known("l2.write_cycles")}, {known("l2.partial_write_cycles")}},
       {{"dispatch-rate", "1024"}, {"stream", "scale"}, {"transpose", "read contiguous"}}},
      {"fabric",
       "an XCD reaches memory by as many bytes as it likes",
       {{known("fabric.read_bytes_per_cycle"), kNoLimit},
        {known("fabric.write_bytes_per_cycle"), kNoLimit}},
       {{"cache-bw"}, {"stream", "1024"}, {"babelstream"}}},
      {"banks of memory",
       "rows of memory open at once",
       {{known("hbm.row_cycle")}},
       {{"transpose", "LDS tile"}, {"yax", "one row per work-item"}, {"fd-z"}}},
      {"turnaround of memory",
       "a channel changes between reads and writes at once",
       {{known("hbm.turnaround")}},
       {{"stream", "scale"}, {"babelstream"}, {"laplacian"}}},
      {"atomics at memory",
       "atomics are done in the L2",
       {{known("atomic.at_memory")}},
       {{"atomics"}}},
      {"scan of a fence", "a release knows what is dirty", {{known("fence.scan")}}, {{"fence"}}},
  };
  return table;
}

}  // namespace wavetank::cli
