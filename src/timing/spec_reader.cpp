#include "timing/spec_reader.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "timing/memory/address_map.hpp"
#include "timing/memory/hbm_channel.hpp"
#include "timing/spec_bindings.hpp"

namespace wavetank::timing {
namespace {

static_assert(target::row_named("lds.banks").highest == kMostLdsBanks);
static_assert(target::row_named("l2.channels").highest <= ChannelHash::kMostChannels);
static_assert(target::row_named("mall.slices").highest <= ChannelHash::kMostChannels);
static_assert(target::row_named("hbm.channels").highest <= ChannelHash::kMostChannels);
static_assert(target::row_named("channel_hash.bit_0").highest <
              static_cast<double>(std::uint64_t{1} << ChannelHash::kAddressBits));

/// Fills structures one by one and remembers the first problem.
class Reader {
 public:
  explicit Reader(const target::Device& device) : device_(device) {}

  template <class S, std::size_t N>
  void read(const std::array<target::Binding<S>, N>& bindings, S& to) {
    complain(target::fill(device_, bindings, to));
  }
  /// A number whose row is in a list, such as a wait state of the rows that isa has.
  template <class T>
  void read(std::string_view name, T& to) {
    const target::ParameterRow& row = *target::find_row(name);
    const target::Parameter* const found = device_.find(name);
    if (found == nullptr) return complain(target::missing_text(row));
    std::string problem = target::problem_with(row, *found);
    if (!problem.empty()) return complain(std::move(problem));
    to = static_cast<T>(found->value);
  }
  void complain(std::string text) {
    if (problem_.empty()) problem_ = std::move(text);
  }
  /// The first problem; empty if there was none.
  const std::string& problem() const { return problem_; }

 private:
  const target::Device& device_;
  std::string problem_;
};

/// Of what the model keeps something for each, all must fit into memory.
constexpr std::uint64_t kMostKept = std::uint64_t{1} << 24;

void check_product(Reader& r, std::string_view names, std::initializer_list<std::uint64_t> counts) {
  std::uint64_t product = 1;
  for (const std::uint64_t count : counts) {
    if (count > kMostKept / product) {
      return r.complain(fmt::format("{} are more than {} in all", names, kMostKept));
    }
    product *= std::max<std::uint64_t>(count, 1);
  }
}

/// A cache needs a line at least.
void check_cache(Reader& r, std::string_view name, std::uint64_t caches, std::uint64_t bytes,
                 std::uint64_t line_bytes) {
  const std::uint64_t lines = bytes / line_bytes;
  if (lines < 1 || lines > kMostKept / caches) {
    r.complain(
        fmt::format("{}: {} of {} bytes in lines of {} bytes", name, caches, bytes, line_bytes));
  }
}

/// The hash must tell nothing within blocks apart, and no bit may follow from those before it: half
/// of the channels would have no addresses.
void check_channel_hash(Reader& r, const TimingSpec& s) {
  const std::uint64_t block = s.l2.interleave_bytes;
  const bool in_blocks = std::ranges::any_of(s.channel_hash.masks,
                                             [&](std::uint64_t mask) { return mask % block != 0; });
  const bool hashed = std::ranges::any_of(s.channel_hash.masks, std::identity());
  if (hashed && (in_blocks || !std::has_single_bit(block))) {
    r.complain(
        "channel_hash has bits within blocks of l2.interleave, or these are no power of two");
  }
  const std::uint32_t most = std::max({s.l2.channels, s.mall.slices, s.hbm.channels});
  std::vector<std::uint64_t> seen;  // each without the highest bits of those before
  for (unsigned bit = 0; 2u << bit <= most; ++bit) {
    std::uint64_t rest = s.channel_hash.mask(bit, block);
    for (const std::uint64_t mask : seen) rest = std::min(rest, rest ^ mask);
    if (rest == 0) r.complain(fmt::format("channel_hash.bit_{} follows from those before it", bit));
    seen.push_back(rest);
  }
}

/// What the numbers must be to each other.
void check_sizes(Reader& r, const TimingSpec& s) {
  const std::uint64_t units = s.compute_units;
  check_cache(r, "cache.l1_instruction", units, s.fetch.cache_bytes, s.fetch.line_bytes);
  check_cache(r, "cache.l1_scalar", units, s.smem.cache_bytes, s.smem.line_bytes);
  check_cache(r, "cache.l1_vector", units, s.vmem.l1_bytes, s.vmem.l1_line_bytes);
  check_cache(r, "cache.l2_per_xcd", std::uint64_t{s.xcds} * s.l2.channels,
              s.l2.bytes / s.l2.channels, s.l2.line_bytes);
  if (s.mall.bytes != 0) {
    check_cache(r, "cache.infinity_cache", s.mall.slices, s.mall.bytes / s.mall.slices,
                std::max(s.mall.line_bytes, s.l2.line_bytes));
  }
  if (s.l2.request_read_bytes != 64 && s.l2.request_read_bytes != 128) {
    r.complain(fmt::format("l2.request_read_bytes = {}: 64 or 128", s.l2.request_read_bytes));
  }
  if (s.l2.interleave_bytes % s.l2.line_bytes != 0) {
    r.complain("l2.interleave must be a multiple of cache.l2_line");
  }
  if (s.lds.pairs > s.simds) r.complain("lds.pairs must be at most compute.simds_per_unit");
  check_product(r, "wave slots", {units, s.simds, s.slots_per_simd});
  check_product(r, "l1_vector.miss_queue_lines of compute.units", {units, s.vmem.miss_queue_lines});
  check_product(r, "translation.entries of compute.units", {units, s.translation.entries});
  check_product(
      r, "windows of hbm.banks of hbm.channels",
      {s.hbm.channels, HbmChannel::kPseudoChannels, s.hbm.banks, HbmChannel::kBankWindows});
  if (s.shader_engines % s.xcds != 0 || s.compute_units < s.shader_engines) {
    r.complain("compute.shader_engines must be a multiple of compute.xcds, with a unit in each");
  }
  check_channel_hash(r, s);
}

bool has_mall(const target::Device& device) {
  return std::ranges::any_of(target::parameter_rows(), [&](const target::ParameterRow& row) {
    return row.need == target::Need::kMall && device.parameters.contains(row.name);
  });
}

void read_waits(Reader& r, machine::WaitStates& waits) {
  for (std::size_t i = 0; i < isa::kVectorWaits.size(); ++i) {
    r.read(isa::kVectorWaits[i].parameter, waits.vector[i]);
  }
  for (std::size_t i = 0; i < isa::kMatrixWaits.size(); ++i) {
    r.read(isa::kMatrixWaits[i].parameter, waits.matrix[i]);
  }
}

/// Atomics at memory are done by the slices of the Infinity Cache.
void read_atomics(Reader& r, TimingSpec& s) {
  r.read(kAtomicBindings, s.atomic);
  if (!s.atomic.at_memory) return;
  r.read(kMemoryAtomicsBindings, s.atomic);
  if (s.mall.slices == 0) {
    r.complain("atomic.at_memory = 1 needs [mall] and cache.infinity_cache, whose slices do them");
  }
}

}  // namespace

Result<TimingSpec> read_spec(const target::Device& device) {
  TimingSpec spec{};
  spec.compute_units = device.compute_units;
  spec.shader_engines = device.shader_engines;
  spec.xcds = device.xcds;
  spec.simds = device.simds_per_cu;
  spec.slots_per_simd = device.wave_slots_per_simd;
  spec.clock_mhz = device.engine_clock_mhz;
  spec.target = device.target;
  Reader reader(device);
  reader.read(kDispatchBindings, spec.dispatch);
  reader.read(kLaunchBindings, spec.launch);
  reader.read(kKernargBindings, spec.kernarg);
  reader.read(kFetchBindings, spec.fetch);
  reader.read(kIssueBindings, spec.issue);
  read_waits(reader, spec.wait_states);
  reader.read(kMatrixBindings, spec.matrix);
  spec.issue.farthest_wait = *std::ranges::max_element(spec.wait_states.vector);
  // Some rules count from the last of up to 16 passes.
  constexpr std::int32_t kMostPasses = 16;
  spec.matrix.farthest_wait = kMostPasses + *std::ranges::max_element(spec.wait_states.matrix);
  reader.read(kScalarMemoryBindings, spec.smem);
  reader.read(kLdsBindings, spec.lds);
  reader.read(kVectorMemoryBindings, spec.vmem);
  reader.read(kTranslationBindings, spec.translation);
  reader.read(kL2Bindings, spec.l2);
  for (std::size_t i = 0; i < spec.channel_hash.masks.size(); ++i) {
    reader.read(fmt::format("channel_hash.bit_{}", i), spec.channel_hash.masks[i]);
  }
  if (has_mall(device)) reader.read(kMallBindings, spec.mall);
  reader.read(kFabricBindings, spec);
  reader.read(kHbmBindings, spec.hbm);
  // The rows' GB/s and ns.
  spec.hbm.peak_bytes_per_cycle = spec.hbm.peak_bytes_per_cycle * 1e3 / spec.clock_mhz;
  spec.hbm.row_cycles = spec.hbm.row_cycles * spec.clock_mhz / 1e3;
  spec.kernarg.host_cycles = spec.kernarg.host_cycles * spec.clock_mhz / 1e3;
  read_atomics(reader, spec);
  reader.read(kFenceBindings, spec.fence);
  if (reader.problem().empty()) check_sizes(reader, spec);
  if (reader.problem().empty()) return spec;
  return fail(ErrorCode::kBadDevice, reader.problem(),
              fmt::format("the description of {}", device.name),
              "copy the line from a built-in description (devices/*.toml) and adapt it; "
              "`wavetank devices --keys` lists them");
}

}  // namespace wavetank::timing
