#include "profile/roofline.hpp"

#include <algorithm>
#include <array>

#include "profile/launch_overhead.hpp"
#include "target/parameter_table.hpp"
#include "target/peaks.hpp"

namespace wavetank::profile {
namespace {

/// A kind of arithmetic and the rate that bounds it.
struct Kind {
  double Operations::* count;
  std::string_view rate;
  bool is_integer;
};

constexpr std::array<Kind, 10> kKinds = {{
    {&Operations::f16, "packed_f32", false},  // v_pk_fma_f16: as many lanes as v_pk_fma_f32
    {&Operations::f32, "vector_f32", false},
    {&Operations::f64, "vector_f64", false},
    {&Operations::matrix_f16, "matrix_f16", false},
    {&Operations::matrix_bf16, "matrix_bf16", false},
    {&Operations::matrix_f32, "matrix_f32", false},
    {&Operations::matrix_f64, "matrix_f64", false},
    {&Operations::matrix_f8, "matrix_f8", false},
    {&Operations::matrix_xf32, "matrix_xf32", false},
    {&Operations::matrix_i8, "matrix_i8", true},
}};

bool uses_packed_f32(const LaunchProfile& launch, const target::Device& device) {
  if (device.value(target::known("valu.dual_fma")) != 0) return true;
  return std::any_of(launch.instructions.begin(), launch.instructions.end(), [](const auto& i) {
    return i.hits > 0 && i.row != nullptr && i.row->unit == isa::Unit::kValu &&
           i.row->result.type == isa::Type::kPkF32;
  });
}

/// The flat roof is that of the arithmetic that would take longest at its peak.
void choose_peak(Roofline& roof, const LaunchProfile& launch, const target::Device& device) {
  auto rates = target::peak_rates(device);
  const double clock_share = clock_mhz(launch, device) / device.engine_clock_mhz;
  for (target::PeakRate& rate : rates) rate.flop_per_second *= clock_share;
  double longest = -1;
  double integer = 0;
  for (const Kind& kind : kKinds) {
    const double count = launch.operations.*kind.count;
    const bool packed = kind.rate == "vector_f32" && uses_packed_f32(launch, device);
    const std::string_view key = packed ? "packed_f32" : kind.rate;
    const auto rate =
        std::find_if(rates.begin(), rates.end(), [&](const auto& r) { return r.key == key; });
    (kind.is_integer ? integer : roof.flop) += count;
    if (rate == rates.end()) continue;
    const double seconds = count / rate->flop_per_second;
    const bool fallback = longest < 0 && kind.rate == "vector_f32";
    if ((count > 0 && seconds > longest) || fallback) {
      longest = count > 0 ? seconds : longest;
      roof.peak_name = rate->name;
      roof.peak_flop_per_second = rate->flop_per_second;
    }
  }
  roof.is_integer = roof.flop == 0 && integer > 0;
  if (roof.is_integer) roof.flop = integer;
}

RoofLevel level_of(const LevelTraffic& traffic, const Roofline& roof, double clock_hz) {
  RoofLevel level;
  level.name = traffic.name;
  level.bytes = traffic.bytes_read + traffic.bytes_written;
  level.bytes_per_second = level.bytes / roof.seconds;
  level.peak_bytes_per_second = traffic.peak_bytes_per_cycle * clock_hz;
  if (level.peak_bytes_per_second > 0) {
    level.percent_of_peak = 100 * level.bytes_per_second / level.peak_bytes_per_second;
    level.ridge = roof.peak_flop_per_second / level.peak_bytes_per_second;
  }
  level.intensity = roof.flop / level.bytes;
  return level;
}

/// Every level has a roof, and the arithmetic has one: what is attainable is the lowest of them, so
/// the launch comes closest to that one.
void place(Roofline& roof) {
  // Rounding and extrapolation may carry a perfect kernel a little over its roof.
  constexpr double kTolerancePercent = 102;
  const double peak = std::max(roof.peak_flop_per_second, 1.0);
  roof.nearest_roof = roof.peak_name;
  roof.nearest_percent = 100 * roof.flop_per_second / peak;
  bool slanted = false;
  for (const RoofLevel& level : roof.levels) {
    if (level.percent_of_peak <= roof.nearest_percent) continue;
    slanted = true;
    roof.nearest_roof = level.name;
    roof.nearest_percent = level.percent_of_peak;
  }
  if (roof.nearest_percent > kTolerancePercent) {
    roof.region = slanted ? Region::kUnattainableBandwidth : Region::kUnattainableCompute;
  } else if (roof.nearest_percent < kNearRoofPercent) {
    roof.region = Region::kPoorPerformance;
  } else {
    roof.region = slanted ? Region::kBandwidthBound : Region::kComputeBound;
  }
}

}  // namespace

std::string_view text_of(Region region) {
  switch (region) {
    case Region::kUnattainableCompute: return "unattainable compute";
    case Region::kUnattainableBandwidth: return "unattainable bandwidth";
    case Region::kComputeBound: return "compute bound";
    case Region::kBandwidthBound: return "bandwidth bound";
    case Region::kPoorPerformance: break;
  }
  return "poor performance";
}

Roofline roofline(const LaunchProfile& launch, const target::Device& device) {
  Roofline roof;
  choose_peak(roof, launch, device);
  const double clock_hz = 1e6 * clock_mhz(launch, device);
  const std::uint64_t overhead = std::min(launch.launch_cycles, launch.cycles);
  roof.seconds =
      static_cast<double>(std::max<std::uint64_t>(launch.cycles - overhead, 1)) / clock_hz;
  roof.flop_per_second = roof.flop / roof.seconds;
  for (const LevelTraffic& traffic : launch.levels) {
    if (traffic.bytes_read + traffic.bytes_written > 0) {
      roof.levels.push_back(level_of(traffic, roof, clock_hz));
    }
  }
  place(roof);
  return roof;
}

}  // namespace wavetank::profile
