#include "timing/spec.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

namespace wavetank::timing {
namespace {

/// Reads parameters one by one and remembers the first that is missing.
class Reader {
 public:
  explicit Reader(const target::Device& device) : device_(device) {}

  bool has(std::string_view name) const { return device_.parameters.contains(name); }
  template <class T>
  void read(std::string_view name, T& member) {
    const auto found = device_.parameters.find(name);
    if (found == device_.parameters.end()) {
      complain(fmt::format("{} is missing, which timing needs", name));
    } else if (std::is_floating_point_v<T> || fits<T>(found->second.value)) {
      member = static_cast<T>(found->second.value);
    } else {
      complain(fmt::format("{} = {} is not a whole number that timing can use", name,
                           found->second.value));
    }
  }
  /// For what the model divides by, or could not go on without.
  template <class T>
  void read_positive(std::string_view name, T& member) {
    read(name, member);
    if (member < 1) complain(fmt::format("{} must be at least 1", name));
  }
  void complain(std::string text) {
    if (problem_.empty()) problem_ = std::move(text);
  }
  /// The first problem; empty if there was none.
  const std::string& problem() const { return problem_; }

 private:
  template <class T>
  static bool fits(double value) {
    return value == std::floor(value) && value >= std::numeric_limits<T>::lowest() &&
           value <= static_cast<double>(std::numeric_limits<T>::max());
  }

  const target::Device& device_;
  std::string problem_;
};

/// A cache needs a line at least, and the tags of all `caches` of its kind must fit into memory.
void check_cache(Reader& r, std::string_view name, std::uint64_t caches, std::uint64_t bytes,
                 std::uint64_t line_bytes) {
  constexpr std::uint64_t kMostLines = std::uint64_t{1} << 24;
  const std::uint64_t lines = bytes / std::max<std::uint64_t>(line_bytes, 1);
  if (lines < 1 || lines > kMostLines / std::max<std::uint64_t>(caches, 1)) {
    r.complain(
        fmt::format("{}: {} of {} bytes in lines of {} bytes", name, caches, bytes, line_bytes));
  }
}

/// The model keeps something for each of these.
void check_counts(Reader& r, const TimingSpec& s) {
  struct Count {
    std::string_view name;
    std::uint32_t value, most;
  };
  constexpr std::uint32_t kUnits = 4096, kEntries = 1u << 14;
  for (const Count& count :
       {Count{"lds.banks", s.lds.banks, kMostLdsBanks}, Count{"lds.pairs", s.lds.pairs, s.simds},
        Count{"lds.queue_depth", s.lds.queue_depth, kUnits},
        Count{"vmem.queue_depth", s.vmem.queue_depth, kUnits},
        Count{"l1_vector.miss_queue_lines", s.vmem.miss_queue_lines, kEntries},
        Count{"translation.entries", s.translation.entries, kEntries},
        Count{"l2.channels", s.l2.channels, kUnits}, Count{"mall.slices", s.mall.slices, kUnits},
        Count{"hbm.channels", s.hbm.channels, kUnits}, Count{"hbm.banks", s.hbm.banks, kUnits},
        Count{"hbm.gathered_pages", s.hbm.gathered_pages, kUnits}}) {
    if (count.value <= count.most) continue;
    r.complain(fmt::format("{} = {}: at most {}", count.name, count.value, count.most));
  }
}

/// What the numbers must be to each other.
void check_sizes(Reader& r, const TimingSpec& s) {
  const std::uint64_t units = s.compute_units;
  check_cache(r, "cache.l1_instruction", units, s.fetch.cache_bytes, s.fetch.line_bytes);
  check_cache(r, "cache.l1_scalar", units, s.smem.cache_bytes, s.smem.line_bytes);
  check_cache(r, "cache.l1_vector", units, s.vmem.l1_bytes, s.vmem.l1_line_bytes);
  check_cache(r, "cache.l2_per_xcd", std::uint64_t{s.xcds} * s.l2.channels,
              s.l2.bytes / std::max(s.l2.channels, 1u), s.l2.line_bytes);
  check_cache(r, "hbm.tlb_reach", s.xcds, s.hbm.tlb_reach_bytes, kTlbPageBytes);
  if (s.mall.bytes != 0) {
    check_cache(r, "cache.infinity_cache", s.mall.slices,
                s.mall.bytes / std::max(s.mall.slices, 1u), s.mall.line_bytes);
  }
  if (s.l2.request_read_bytes != 64 && s.l2.request_read_bytes != 128) {
    r.complain(fmt::format("l2.request_read_bytes = {}: 64 or 128", s.l2.request_read_bytes));
  }
  if (s.l2.interleave_bytes % std::max(s.l2.line_bytes, 1u) != 0) {
    r.complain("l2.interleave must be a multiple of cache.l2_line");
  }
  if (s.shader_engines % s.xcds != 0 || s.compute_units < s.shader_engines) {
    r.complain("compute.shader_engines must be a multiple of compute.xcds, with a unit in each");
  }
}

void read_front_end(Reader& r, TimingSpec& s) {
  r.read("dispatch.wave_interval", s.dispatch.wave_interval);
  r.read("dispatch.workgroup_interval", s.dispatch.workgroup_interval);
  r.read("dispatch.first_wave_latency", s.dispatch.first_wave_latency);
  r.read("dispatch.release_latency", s.dispatch.release_latency);
  r.read("launch.start_latency", s.dispatch.start_latency_ns);
  r.read("launch.end_latency", s.dispatch.end_latency_ns);
  r.read("fetch.units_per_cache", s.fetch.units_per_cache);
  r.read("cache.l1_instruction", s.fetch.cache_bytes);
  r.read("fetch.line", s.fetch.line_bytes);
  r.read("fetch.ways", s.fetch.ways);
  r.read("fetch.hit_latency", s.fetch.hit_latency);
  r.read("fetch.miss_latency", s.fetch.miss_latency);
  r.read("fetch.bytes_per_fetch", s.fetch.bytes_per_fetch);
  r.read_positive("issue.slot_period", s.issue.slot_period);
  r.read("issue.branch_latency", s.issue.branch_latency);
  r.read("issue.barrier_latency", s.issue.barrier_latency);
  r.read("issue.sleep_unit", s.issue.sleep_unit);
  r.read_positive("valu.full", s.issue.valu_full);
  r.read_positive("valu.double", s.issue.valu_double);
  r.read_positive("valu.quarter", s.issue.valu_quarter);
  r.read_positive("valu.transcendental", s.issue.valu_transcendental);
  r.read("valu.misaligned_extra", s.issue.misaligned_extra);
  r.read("valu.dual_fma", s.issue.dual_fma);
  r.read_positive("salu.issue", s.issue.salu);
}

void read_dependencies(Reader& r, TimingSpec& s) {
  for (std::size_t i = 0; i < isa::kVectorWaits.size(); ++i) {
    r.read(isa::kVectorWaits[i].parameter, s.wait_states.vector[i]);
  }
  r.read("matrix.issue", s.matrix.issue);
  r.read("matrix.packed_f32_coexecutes", s.matrix.packed_f32_coexecutes);
  for (std::size_t i = 0; i < isa::kMatrixWaits.size(); ++i) {
    r.read(isa::kMatrixWaits[i].parameter, s.wait_states.matrix[i]);
  }
}

void read_near_memory(Reader& r, TimingSpec& s) {
  r.read("smem.units_per_cache", s.smem.units_per_cache);
  r.read("cache.l1_scalar", s.smem.cache_bytes);
  r.read("smem.line", s.smem.line_bytes);
  r.read("smem.ways", s.smem.ways);
  r.read("smem.hit_latency", s.smem.hit_latency);
  r.read("smem.miss_latency", s.smem.miss_latency);
  r.read("smem.bytes_per_cycle", s.smem.bytes_per_cycle);
  r.read("lds.banks", s.lds.banks);
  r.read("lds.pairs", s.lds.pairs);
  r.read("lds.bytes_per_cycle_per_pair", s.lds.bytes_per_cycle_per_pair);
  r.read("lds.store_address_cycles", s.lds.store_address_cycles);
  r.read("lds.atomic_cycles", s.lds.atomic_cycles);
  r.read("lds.permute_cycles", s.lds.permute_cycles);
  r.read("lds.queue_depth", s.lds.queue_depth);
  r.read("lds.latency_b32", s.lds.latency_b32);
  r.read("lds.latency_b64", s.lds.latency_b64);
  r.read("lds.latency_b128", s.lds.latency_b128);
  r.read("vmem.hit_latency", s.vmem.hit_latency);
  r.read("vmem.bytes_per_cycle", s.vmem.bytes_per_cycle);
  r.read("vmem.outstanding_per_wave", s.vmem.outstanding_per_wave);
  r.read("vmem.queue_depth", s.vmem.queue_depth);
  r.read("vmem.store_latency", s.vmem.store_latency);
  r.read("vmem.lds_load_cycles", s.vmem.lds_load_cycles);
  r.read("cache.l1_vector", s.vmem.l1_bytes);
  r.read("cache.l1_vector_line", s.vmem.l1_line_bytes);
  r.read("l1_vector.ways", s.vmem.l1_ways);
  r.read("l1_vector.miss_queue_lines", s.vmem.miss_queue_lines);
}

void read_far_memory(Reader& r, TimingSpec& s) {
  r.read("translation.entries", s.translation.entries);
  r.read("translation.page", s.translation.page_bytes);
  r.read("translation.miss_cycles", s.translation.miss_cycles);
  r.read("cache.l2_per_xcd", s.l2.bytes);
  r.read("l2.channels", s.l2.channels);
  r.read("l2.interleave", s.l2.interleave_bytes);
  r.read("l2.ways", s.l2.ways);
  r.read("cache.l2_line", s.l2.line_bytes);
  r.read("l2.read_bytes_per_cycle", s.l2.read_bytes_per_cycle);
  r.read("l2.write_bytes_per_cycle", s.l2.write_bytes_per_cycle);
  r.read("l2.partial_write_cycles", s.l2.partial_write_cycles);
  r.read("l2.write_queue_cycles", s.l2.write_queue_cycles);
  r.read("l2.read_efficiency", s.l2.read_efficiency);
  r.read("l2.hit_latency", s.l2.hit_latency);
  r.read("l2.device_scope_latency", s.l2.device_scope_latency);
  r.read("l2.write_back_at_end", s.l2.write_back_at_end);
  r.read("l2.request_read_bytes", s.l2.request_read_bytes);
  s.mall = {};
  if (r.has("mall.slices")) {
    r.read("cache.infinity_cache", s.mall.bytes);
    r.read("mall.slices", s.mall.slices);
    r.read("mall.line", s.mall.line_bytes);
    r.read("mall.ways", s.mall.ways);
    r.read("mall.bytes_per_cycle", s.mall.bytes_per_cycle);
    r.read("mall.hit_latency", s.mall.hit_latency);
  }
  r.read("fabric.read_bytes_per_cycle", s.fabric_read_bytes_per_cycle);
  r.read("fabric.write_bytes_per_cycle", s.fabric_write_bytes_per_cycle);
  r.read("hbm.channels", s.hbm.channels);
  r.read("hbm.latency", s.hbm.latency);
  r.read("hbm.far_latency", s.hbm.far_latency);
  r.read("hbm.turnaround", s.hbm.turnaround);
  r.read("hbm.banks", s.hbm.banks);
  r.read("hbm.gathered_pages", s.hbm.gathered_pages);
  r.read("hbm.page", s.hbm.page_bytes);
  r.read("hbm.page_miss_cycles", s.hbm.page_miss_cycles);
  r.read("hbm.tlb_reach", s.hbm.tlb_reach_bytes);
  r.read("hbm.read_efficiency", s.hbm.read_efficiency);
  r.read("hbm.write_efficiency", s.hbm.write_efficiency);
  double gigabytes_per_second = 0;
  r.read("memory.peak_bandwidth", gigabytes_per_second);
  s.hbm.peak_bytes_per_cycle = gigabytes_per_second * 1e3 / s.clock_mhz;
  r.read("atomic.at_memory", s.atomic.at_memory);
  r.read("atomic.l2_cycles_per_operation", s.atomic.l2_cycles_per_operation);
  if (s.atomic.at_memory) {
    r.read("atomic.memory_side_latency", s.atomic.memory_side_latency);
    r.read("atomic.memory_side_request_cycles", s.atomic.memory_side_request_cycles);
    r.read("atomic.memory_side_cycles_per_operation", s.atomic.memory_side_cycles_per_operation);
  }
  r.read("fence.scan", s.fence.scan);
  r.read("fence.per_dirty_line", s.fence.per_dirty_line);
  r.read("fence.round_trip", s.fence.round_trip);
}

}  // namespace

Result<TimingSpec> TimingSpec::of(const target::Device& device) {
  TimingSpec spec{};
  spec.compute_units = device.compute_units;
  spec.shader_engines = device.shader_engines;
  spec.xcds = device.xcds;
  spec.simds = device.simds_per_cu;
  spec.slots_per_simd = device.wave_slots_per_simd;
  spec.clock_mhz = device.engine_clock_mhz;
  spec.cdna3 = device.gfx == "gfx942";
  Reader reader(device);
  read_front_end(reader, spec);
  read_dependencies(reader, spec);
  read_near_memory(reader, spec);
  read_far_memory(reader, spec);
  check_counts(reader, spec);
  check_sizes(reader, spec);
  if (reader.problem().empty()) return spec;
  return fail(ErrorCode::kBadDevice, reader.problem(), device.name,
              "copy the line from a built-in description (devices/*.toml) and adapt it");
}

}  // namespace wavetank::timing
