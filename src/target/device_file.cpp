#include "target/device_file.hpp"

#include <fmt/format.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/embedded_file.hpp"

namespace wavetank::target {

/// The texts of devices/*.toml, compiled in.
std::span<const EmbeddedFile> builtin_devices();

namespace {

constexpr std::array kEvidenceNames = {
    std::pair{std::string_view("measured"), Evidence::kMeasured},
    std::pair{std::string_view("public"), Evidence::kPublic},
    std::pair{std::string_view("derived"), Evidence::kDerived},
    std::pair{std::string_view("fitted"), Evidence::kFitted},
    std::pair{std::string_view("assumed"), Evidence::kAssumed},
};

constexpr std::string_view kNumberShape =
    "write { value = 8, unit = \"waves\", kind = \"public\", source = \"where it is published\" }; "
    "kind is measured, public, derived, fitted or assumed";

/// Where a node stands, as editors take it: "my.toml:12:3".
std::string place(std::string_view where, const toml::source_region& region) {
  return fmt::format("{}:{}:{}", where, region.begin.line, region.begin.column);
}

tl::unexpected<Error> bad(std::string message, std::string where, std::string_view help = {}) {
  return fail(ErrorCode::kBadDevice, std::move(message), std::move(where), std::string(help));
}

/// One number of the file. Errors name the field that is missing or wrong.
Result<Parameter> read_parameter(const toml::node& node, const std::string& name,
                                 std::string_view where) {
  const std::string at = place(where, node.source());
  const toml::table* table = node.as_table();
  if (table == nullptr) {
    return bad(fmt::format("{} is a bare value without unit, kind and source", name), at,
               kNumberShape);
  }
  Parameter parameter;
  const std::optional<double> value = (*table)["value"].value<double>();
  if (!value || !std::isfinite(*value)) {
    return bad(fmt::format("{} has no number as its value", name), at, kNumberShape);
  }
  parameter.value = *value;
  for (const auto& [key, text] :
       {std::pair{"unit", &parameter.unit}, std::pair{"source", &parameter.source}}) {
    *text = (*table)[key].value_or(std::string());
    if (text->empty()) return bad(fmt::format("{} has no {}", name, key), at, kNumberShape);
  }
  parameter.note = (*table)["note"].value_or(std::string());
  const std::string kind = (*table)["kind"].value_or(std::string());
  for (const auto& [text, evidence] : kEvidenceNames) {
    if (text != kind) continue;
    parameter.evidence = evidence;
    return parameter;
  }
  return bad(kind.empty() ? fmt::format("{} has no kind", name)
                          : fmt::format("{}: \"{}\" is no kind of evidence", name, kind),
             at, kNumberShape);
}

/// What a number of this unit can be; the program divides by what is neither a time nor a flag.
Result<void> check_range(const Parameter& parameter, std::string_view name,
                         const std::string& at) {
  struct Range {
    std::string_view unit;
    double lowest, highest;
  };
  constexpr Range kRanges[] = {{"cycles", 0, 1e6},       {"ns", 0, 1e9}, {"flag", 0, 1},
                               {"wait states", -64, 64}, {"fraction", 1e-3, 1}};
  constexpr Range kOther = {"", 1e-3, 1e15};
  const auto* const own = std::find_if(std::begin(kRanges), std::end(kRanges),
                                       [&](const Range& r) { return r.unit == parameter.unit; });
  const Range& range = own == std::end(kRanges) ? kOther : *own;
  if (parameter.value >= range.lowest && parameter.value <= range.highest) return {};
  return bad(fmt::format("{} = {} {} is not between {} and {}", name, parameter.value,
                         parameter.unit, range.lowest, range.highest),
             at);
}

/// Every `section.key` of the file into device.parameters.
Result<void> read_parameters(const toml::table& root, std::string_view where, Device& device) {
  for (const auto& [section, node] : root) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      if (node.is_string() || node.is_boolean()) continue;
      return bad(fmt::format("{} stands outside a section", section.str()),
                 place(where, node.source()), kNumberShape);
    }
    for (const auto& [key, value] : *table) {
      const std::string name = fmt::format("{}.{}", section.str(), key.str());
      Result<Parameter> parameter = read_parameter(value, name, where);
      if (!parameter) return tl::unexpected(std::move(parameter).error());
      const std::string at = place(where, value.source());
      if (auto checked = check_range(*parameter, name, at); !checked) return checked;
      device.parameters.emplace(name, std::move(*parameter));
    }
  }
  return {};
}

Result<std::string> read_text(const toml::table& root, const char* key, std::string_view where) {
  const auto value = root[key].value<std::string>();
  if (value && !value->empty()) return *value;
  return bad(fmt::format("no {}", key), std::string(where),
             fmt::format("add a line such as {} = \"gfx90a\" at the top", key));
}

/// One number that the program needs: its name in the file, its unit, the range that makes sense
/// and the member it fills.
template <class T>
Result<void> require(Device& device, std::string_view where, const char* name, const char* unit,
                     double lowest, double highest, T& member) {
  const auto found = device.parameters.find(name);
  if (found == device.parameters.end()) {
    return bad(fmt::format("{} is missing", name), std::string(where), kNumberShape);
  }
  const Parameter& parameter = found->second;
  if (parameter.unit != unit) {
    return bad(fmt::format("{} is given in {}; {} is expected", name, parameter.unit, unit),
               std::string(where));
  }
  const bool whole = std::is_floating_point_v<T> || parameter.value == std::floor(parameter.value);
  if (parameter.value < lowest || parameter.value > highest || !whole) {
    return bad(fmt::format("{} = {} is not a {}number from {} to {}", name, parameter.value,
                           std::is_floating_point_v<T> ? "" : "whole ", lowest, highest),
               std::string(where));
  }
  member = static_cast<T>(parameter.value);
  return {};
}

/// Fills the plain members. The ranges are those in which the program's arithmetic is exact.
Result<void> fill_members(Device& d, std::string_view where) {
  const std::array results = {
      require(d, where, "compute.units", "CU", 1, 65536, d.compute_units),
      require(d, where, "compute.shader_engines", "SE", 1, 65536, d.shader_engines),
      require(d, where, "compute.xcds", "XCD", 1, 1024, d.xcds),
      require(d, where, "compute.simds_per_unit", "SIMD", 1, 64, d.simds_per_cu),
      require(d, where, "compute.engine_clock", "MHz", 1, 1e6, d.engine_clock_mhz),
      require(d, where, "compute.timestamp_clock", "Hz", 1, 4e9, d.timestamp_hz),
      require(d, where, "occupancy.wave_slots_per_simd", "waves", 1, 64, d.wave_slots_per_simd),
      require(d, where, "occupancy.vgprs_per_simd", "registers", 8, 65536, d.vgprs_per_simd),
      require(d, where, "occupancy.vgpr_granule", "registers", 1, 1024, d.vgpr_granule),
      require(d, where, "occupancy.sgprs_per_simd", "registers", 16, 65536, d.sgprs_per_simd),
      require(d, where, "occupancy.sgpr_granule", "registers", 1, 1024, d.sgpr_granule),
      require(d, where, "occupancy.max_workgroup_size", "work-items", 1, 65536,
              d.max_workgroup_work_items),
      require(d, where, "occupancy.barriers_per_unit", "workgroups", 1, 1024, d.barriers_per_cu),
      require(d, where, "lds.capacity_per_unit", "bytes", 0, 16777216, d.lds_bytes_per_cu),
      require(d, where, "lds.granule", "bytes", 1, 65536, d.lds_granule_bytes),
      require(d, where, "cache.l2_per_xcd", "bytes", 1, 4e9, d.l2_bytes),
      require(d, where, "memory.capacity", "bytes", 1, 1e15, d.memory_bytes),
      require(d, where, "memory.clock", "MHz", 1, 1e6, d.memory_clock_mhz),
      require(d, where, "memory.bus_width", "bits", 1, 1e6, d.memory_bus_bits),
  };
  for (const Result<void>& result : results) {
    if (!result) return result;
  }
  return {};
}

/// Adds what `root` lacks from the built-in device that its `base` names. Its name stays its own.
Result<void> inherit(toml::table& root, std::string_view where) {
  const auto base = root["base"].value<std::string>();
  if (!base) return {};
  for (const EmbeddedFile& file : builtin_devices()) {
    if (file.name != *base) continue;
    const toml::table inherited = toml::parse(file.text);
    for (const auto& [key, node] : inherited) {
      if (key.str() == "name") continue;
      toml::table* own = root[key].as_table();
      if (own == nullptr || !node.is_table()) {
        root.insert(key, node);
        continue;
      }
      for (const auto& [name, value] : *node.as_table()) own->insert(name, value);
    }
    return {};
  }
  return bad(fmt::format("base: there is no built-in device \"{}\"", *base), std::string(where),
             "base is mi210, mi250x, mi300x or mi300a");
}

Result<Device> build(toml::table root, std::string_view where) {
  if (Result<void> inherited = inherit(root, where); !inherited) {
    return tl::unexpected(std::move(inherited).error());
  }
  Device device;
  for (const auto& [key, member] :
       {std::pair{"name", &device.name}, std::pair{"marketing_name", &device.marketing_name},
        std::pair{"gfx", &device.gfx}}) {
    Result<std::string> text = read_text(root, key, where);
    if (!text) return tl::unexpected(std::move(text).error());
    *member = std::move(*text);
  }
  if (device.gfx != "gfx90a" && device.gfx != "gfx942") {
    return bad(fmt::format("{} is not a processor Wavetank runs", device.gfx), std::string(where),
               "gfx is \"gfx90a\" or \"gfx942\"");
  }
  device.unified_memory = root["unified_memory"].value_or(false);
  if (Result<void> read = read_parameters(root, where, device); !read) {
    return tl::unexpected(std::move(read).error());
  }
  if (Result<void> filled = fill_members(device, where); !filled) {
    return tl::unexpected(std::move(filled).error());
  }
  return device;
}

}  // namespace

Result<Device> parse_device(std::string_view text, std::string_view where) {
  try {
    return build(toml::parse(text), where);
  } catch (const toml::parse_error& error) {
    return bad(std::string(error.description()), place(where, error.source()));
  }
}

std::string_view to_text(Evidence evidence) {
  for (const auto& [text, value] : kEvidenceNames) {
    if (value == evidence) return text;
  }
  return "assumed";
}

}  // namespace wavetank::target
