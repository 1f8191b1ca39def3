#include "target/device_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/amount.hpp"
#include "target/builtin_devices.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::target {

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

constexpr std::array<std::string_view, 5> kNumberKeys = {"value", "unit", "kind", "source", "note"};
constexpr std::array<std::string_view, 5> kTopKeys = {"name", "marketing_name", "gfx", "base",
                                                      "unified_memory"};

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
  for (const auto& [key, item] : *table) {
    if (std::ranges::find(kNumberKeys, key.str()) != kNumberKeys.end()) continue;
    return bad(fmt::format("{} has a {}, which numbers have not", name, key.str()),
               place(where, item.source()), kNumberShape);
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

/// What to write instead of a number that its row does not take.
std::string advice(const ParameterRow& row, const Parameter& parameter, double clock_mhz) {
  const std::string meaning = fmt::format("{}: {}", row.name, row.meaning);
  if (parameter.unit == "ns" && row.unit == "cycles" && clock_mhz > 0) {
    return fmt::format("{}; {} ns are {:.6g} cycles of {} MHz", meaning, parameter.value,
                       parameter.value * clock_mhz / 1e3, clock_mhz);
  }
  return meaning + "; `wavetank devices --keys` lists units and ranges";
}

/// A number must be known, in its unit and range.
Result<void> check(const std::string& name, const Parameter& parameter, const std::string& at,
                   double clock_mhz) {
  if (is_quoted(name)) return {};
  const ParameterRow* row = find_row(name);
  if (row == nullptr) {
    return bad(fmt::format("nothing is called {}", name), at,
               fmt::format("the nearest name is {}; `wavetank devices --keys` lists all",
                           nearest_name(name)));
  }
  std::string problem = problem_with(*row, parameter);
  if (problem.empty()) return {};
  return bad(std::move(problem), at, advice(*row, parameter, clock_mhz));
}

/// Every `section.key` of the file into device.parameters.
Result<void> read_parameters(const toml::table& root, std::string_view where, Device& device) {
  const double clock_mhz = root["compute"]["engine_clock"]["value"].value_or(0.0);
  for (const auto& [section, node] : root) {
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      if (std::ranges::find(kTopKeys, section.str()) != kTopKeys.end()) continue;
      return bad(
          fmt::format("{} stands outside a section", section.str()), place(where, node.source()),
          fmt::format("there stand {}; numbers: {}", fmt::join(kTopKeys, ", "), kNumberShape));
    }
    for (const auto& [key, value] : *table) {
      const std::string name = fmt::format("{}.{}", section.str(), key.str());
      Result<Parameter> parameter = read_parameter(value, name, where);
      if (!parameter) return tl::unexpected(std::move(parameter).error());
      const std::string at = place(where, value.source());
      if (auto checked = check(name, *parameter, at, clock_mhz); !checked) return checked;
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

/// The plain members.
constexpr auto kMembers = std::to_array<Binding<Device>>({
    {"compute.units", &Device::compute_units},
    {"compute.shader_engines", &Device::shader_engines},
    {"compute.xcds", &Device::xcds},
    {"compute.simds_per_unit", &Device::simds_per_cu},
    {"compute.engine_clock", &Device::engine_clock_mhz},
    {"compute.timestamp_clock", &Device::timestamp_hz},
    {"occupancy.wave_slots_per_simd", &Device::wave_slots_per_simd},
    {"occupancy.vgprs_per_simd", &Device::vgprs_per_simd},
    {"occupancy.vgpr_granule", &Device::vgpr_granule},
    {"occupancy.sgprs_per_simd", &Device::sgprs_per_simd},
    {"occupancy.sgpr_granule", &Device::sgpr_granule},
    {"occupancy.max_workgroup_size", &Device::max_workgroup_work_items},
    {"occupancy.barriers_per_unit", &Device::barriers_per_cu},
    {"lds.capacity_per_unit", &Device::lds_bytes_per_cu},
    {"lds.granule", &Device::lds_granule_bytes},
    {"cache.l2_per_xcd", &Device::l2_bytes},
    {"memory.capacity", &Device::memory_bytes},
    {"memory.clock", &Device::memory_clock_mhz},
    {"memory.bus_width", &Device::memory_bus_bits},
});

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
             "base is one of " + builtin_device_list());
}

Result<Device> build(toml::table root, std::string_view where, std::span<const isa::Target> known) {
  if (Result<void> inherited = inherit(root, where); !inherited) {
    return tl::unexpected(std::move(inherited).error());
  }
  Device device;
  std::string gfx;
  for (const auto& [key, member] :
       {std::pair{"name", &device.name}, std::pair{"marketing_name", &device.marketing_name},
        std::pair{"gfx", &gfx}}) {
    Result<std::string> text = read_text(root, key, where);
    if (!text) return tl::unexpected(std::move(text).error());
    *member = std::move(*text);
  }
  device.target = isa::find_target(gfx, known);
  if (device.target == nullptr) {
    std::string names;
    for (const isa::Target& one : known) {
      names += fmt::format("{}\"{}\"", names.empty() ? "" : " or ", one.name);
    }
    return bad(fmt::format("{} is not a processor Wavetank runs", gfx), std::string(where),
               fmt::format("gfx is {}", names));
  }
  if (const auto unified = root["unified_memory"]; unified && !unified.is_boolean()) {
    return bad("unified_memory is true or false", place(where, unified.node()->source()));
  }
  device.unified_memory = root["unified_memory"].value_or(false);
  if (Result<void> read = read_parameters(root, where, device); !read) {
    return tl::unexpected(std::move(read).error());
  }
  if (std::string problem = fill(device, kMembers, device); !problem.empty()) {
    return bad(std::move(problem), std::string(where), kNumberShape);
  }
  return device;
}

}  // namespace

Result<Device> parse_device(std::string_view text, std::string_view where,
                            std::span<const isa::Target> known) {
  try {
    return build(toml::parse(text), where, known);
  } catch (const toml::parse_error& error) {
    return bad(std::string(error.description()), place(where, error.source()));
  }
}

Result<Device> with_number(Device device, std::string_view name, std::string_view value) {
  const ParameterRow* const row = find_row(name);
  const auto found = device.parameters.find(std::string(name));
  if (row == nullptr || found == device.parameters.end()) {
    return fail(ErrorCode::kUsage, fmt::format("{} has no number {}", device.name, name), {},
                fmt::format("`wavetank devices --keys` lists them; {} is spelled most like it",
                            nearest_name(name)));
  }
  const std::optional<Amount> amount = parse_amount(value);
  if (!amount) {
    return fail(ErrorCode::kUsage, fmt::format("{}={}: this is no number", name, value), {},
                fmt::format("say {0}=2x, or {0}=VALUE in {1}", name, row->unit));
  }
  found->second.value = amount->of(found->second.value);
  if (row->type == NumberType::kWhole) found->second.value = std::round(found->second.value);
  std::string problem = problem_with(*row, found->second);
  if (problem.empty()) problem = fill(device, kMembers, device);
  if (problem.empty()) return device;
  return fail(ErrorCode::kUsage, fmt::format("{}={}: {}", name, value, problem), {},
              fmt::format("{} is {}", name, range_text(*row)));
}

std::string_view to_text(Evidence evidence) {
  for (const auto& [text, value] : kEvidenceNames) {
    if (value == evidence) return text;
  }
  return "assumed";
}

}  // namespace wavetank::target
