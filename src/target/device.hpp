// A device as data: what devices/*.toml says, each number with unit, kind and source.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "isa/target.hpp"

namespace wavetank::target {

/// How well a number is known.
enum class Evidence : std::uint8_t { kMeasured, kPublic, kDerived, kFitted, kAssumed };

/// A number of a device description.
struct Parameter {
  double value = 0;
  std::string unit;
  Evidence evidence = Evidence::kAssumed;
  std::string source;
  std::string note;  ///< what a reader should know, for figures that mislead; mostly empty
};

/// One virtual device (for MI250X: one GCD). The plain members are the numbers that execution and
/// the HIP runtime need; `parameters` holds every number of the file by its dotted name.
struct Device {
  std::string name;                     ///< "mi210", the name commands take
  std::string marketing_name;           ///< "AMD Instinct MI210"
  const isa::Target* target = nullptr;  ///< its processor
  bool unified_memory = false;          ///< devices reach all host memory (MI300A)
  std::map<std::string, Parameter, std::less<>> parameters;

  /// "gfx90a".
  std::string gfx() const { return std::string(target->name); }
  /// A number by its dotted name; nullptr if the file has none.
  const Parameter* find(std::string_view number) const {
    const auto found = parameters.find(number);
    return found == parameters.end() ? nullptr : &found->second;
  }
  /// Its value; 0 if the file has none.
  double value(std::string_view number) const {
    const Parameter* const parameter = find(number);
    return parameter == nullptr ? 0 : parameter->value;
  }

  std::uint32_t compute_units = 0;
  std::uint32_t shader_engines = 0;
  std::uint32_t xcds = 1;
  std::uint32_t simds_per_cu = 4;
  std::uint32_t wave_slots_per_simd = 8;
  std::uint32_t vgprs_per_simd = 512;
  std::uint32_t vgpr_granule = 8;
  std::uint32_t sgprs_per_simd = 800;
  std::uint32_t sgpr_granule = 16;
  std::uint32_t lds_bytes_per_cu = 65536;
  std::uint32_t lds_granule_bytes = 512;
  std::uint32_t max_workgroup_work_items = 1024;
  std::uint32_t barriers_per_cu = 16;
  std::uint64_t memory_bytes = 0;
  std::uint32_t l2_bytes = 0;
  double engine_clock_mhz = 0;
  double memory_clock_mhz = 0;
  std::uint32_t memory_bus_bits = 0;
  std::uint32_t timestamp_hz = 100'000'000;  ///< s_memrealtime

  /// What a workgroup that asks for `bytes` of LDS gets: as many as its accesses are held to (LLVM
  /// AMDGPUUsage, GRANULATED_LDS_SIZE).
  std::uint32_t allocated_lds_bytes(std::uint32_t bytes) const {
    return (bytes + lds_granule_bytes - 1) / lds_granule_bytes * lds_granule_bytes;
  }
};

}  // namespace wavetank::target
