#include "target/peaks.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "target/parameter_table.hpp"

namespace wavetank::target {
namespace {

constexpr std::array kRates = {
    std::pair{known("rate.vector_f64"), std::string_view("FP64 vector")},
    std::pair{known("rate.vector_f32"), std::string_view("FP32 vector")},
    std::pair{known("rate.packed_f32"), std::string_view("FP32 packed")},
    std::pair{known("rate.matrix_f64"), std::string_view("FP64 matrix")},
    std::pair{known("rate.matrix_f32"), std::string_view("FP32 matrix")},
    std::pair{known("rate.matrix_xf32"), std::string_view("TF32 matrix")},
    std::pair{known("rate.matrix_f16"), std::string_view("FP16 matrix")},
    std::pair{known("rate.matrix_bf16"), std::string_view("BF16 matrix")},
    std::pair{known("rate.matrix_f8"), std::string_view("FP8 matrix")},
    std::pair{known("rate.matrix_i8"), std::string_view("INT8 matrix")},
};

constexpr std::string_view kRate = "rate.", kClock = known("compute.engine_clock");

constexpr double kBytesPerBank = 4;

/// A product of parameters and the weakest evidence among them; nothing if one is missing.
std::optional<std::pair<double, Evidence>> product(const Device& device,
                                                   std::initializer_list<std::string_view> names) {
  std::pair<double, Evidence> result{1.0, Evidence::kMeasured};
  for (const std::string_view name : names) {
    const Parameter* parameter = device.find(name);
    if (parameter == nullptr) return std::nullopt;
    result.first *= parameter->value;
    result.second = weaker(result.second, parameter->evidence);
  }
  return result;
}

/// Adds a level whose bandwidth is `scale` times the product of `names`.
void add(std::vector<PeakBandwidth>& levels, const Device& device, std::string_view key,
         std::string_view name, double scale, std::initializer_list<std::string_view> names) {
  if (const auto found = product(device, names)) {
    levels.push_back({key, name, found->first * scale, found->second});
  }
}

}  // namespace

std::vector<PeakRate> peak_rates(const Device& device) {
  std::vector<PeakRate> rates;
  for (const auto& [rate, name] : kRates) {
    if (const auto found = product(device, {rate, known("compute.units"), kClock})) {
      rates.push_back({rate.substr(kRate.size()), name, found->first * 1e6, found->second});
    }
  }
  return rates;
}

std::vector<PeakBandwidth> peak_bandwidths(const Device& device) {
  std::vector<PeakBandwidth> levels;
  add(levels, device, "hbm", "HBM", 1e9, {known("memory.peak_bandwidth")});
  add(levels, device, "mall", "Infinity Cache", 1e6,
      {known("mall.slices"), known("mall.bytes_per_cycle"), kClock});
  add(levels, device, "l2", "L2", 1e6,
      {known("l2.channels"), known("compute.xcds"), known("l2.read_bytes_per_cycle"), kClock});
  add(levels, device, "l1", "vector L1", 1e6,
      {known("vmem.bytes_per_cycle"), known("compute.units"), kClock});
  add(levels, device, "lds", "LDS", 1e6 * kBytesPerBank,
      {known("lds.banks"), known("compute.units"), kClock});
  return levels;
}

double ridge_point(const PeakRate& rate, const PeakBandwidth& level) {
  return rate.flop_per_second / level.bytes_per_second;
}

Evidence weaker(Evidence a, Evidence b) { return std::max(a, b); }

}  // namespace wavetank::target
