// wavetank devices: the list, or everything known about one, each number with its evidence.
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command.hpp"
#include "cli/devices/device_sheet.hpp"
#include "cli/devices/evidence_table.hpp"
#include "cli/output/exit_code.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/terminal.hpp"
#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/glossary.hpp"
#include "target/load_device.hpp"
#include "target/parameter_rows.hpp"
#include "target/parameter_table.hpp"

namespace wavetank::cli {
namespace {

using target::Device;
using target::known;

/// Whether a number is of the kind with this name; an empty one is all.
bool is_of(const target::Parameter& parameter, std::string_view kind) {
  return kind.empty() || target::to_text(parameter.evidence) == kind;
}

Json to_json(const Device& device, std::string_view kind = {}) {
  Json json = {{"name", device.name},
               {"marketing_name", device.marketing_name},
               {"gfx", device.gfx()},
               {"unified_memory", device.unified_memory}};
  for (const auto& [name, p] : device.parameters) {
    if (!is_of(p, kind)) continue;
    json["parameters"][name] = {{"value", p.value},
                                {"unit", p.unit},
                                {"kind", target::to_text(p.evidence)},
                                {"source", p.source}};
    if (!p.note.empty()) json["parameters"][name]["note"] = p.note;
  }
  json["derived"] = derived_json(device);
  return json;
}

int list(bool as_json) {
  Table table;
  for (const char* heading : {"device", "processor"}) table.column(heading, Table::Align::kLeft);
  for (const char* heading : {"CUs", "clock", "memory", "bandwidth"}) table.column(heading);
  table.column("", Table::Align::kLeft);
  Json json = Json::array();
  for (const std::string& name : target::builtin_device_names()) {
    const Result<Device> device = target::load_device(name);
    if (!device) return report(device.error());
    json.push_back(to_json(*device));
    const double bandwidth = device->value(known("memory.peak_bandwidth"));
    table.row({name, device->gfx(), std::to_string(device->compute_units),
               number_text(device->engine_clock_mhz) + " MHz", bytes_text(device->memory_bytes),
               number_text(bandwidth) + " GB/s", device->marketing_name});
  }
  if (as_json) {
    print_json(json);
    return kOk;
  }
  std::printf("%s", table.to_text(Style(Stream::kStdout), 0).c_str());
  std::printf(
      "\n`wavetank devices mi210` is the sheet of one; --device also takes a .toml file.\n");
  return kOk;
}

/// Every number of the file with its evidence, or those of one kind.
std::string all_numbers(const Device& device, std::string_view kind) {
  Table table;
  table.column("number", Table::Align::kLeft);
  table.column("value");
  table.column("kind", Table::Align::kLeft);
  table.column("source", Table::Align::kLeft);
  for (const auto& [key, parameter] : device.parameters) {
    if (!is_of(parameter, kind)) continue;
    table.row({key, value_text(parameter), std::string(target::to_text(parameter.evidence)),
               parameter.source});
  }
  return table.to_text(Style(Stream::kStdout), 0);
}

/// What a description may say, whatever the device.
int show_keys(bool as_json) {
  Table table;
  for (const char* heading : {"number", "unit", "range", "needed by", "meaning"}) {
    table.column(heading, Table::Align::kLeft);
  }
  Json json = Json::array();
  for (const target::ParameterRow& row : target::parameter_rows()) {
    table.row({std::string(row.name), std::string(row.unit), target::range_text(row),
               std::string(target::text_of(row.need)), std::string(row.meaning)});
    json.push_back({{"name", row.name},
                    {"unit", row.unit},
                    {"lowest", row.lowest},
                    {"highest", row.highest},
                    {"whole", row.type == target::NumberType::kWhole},
                    {"needed_by", target::text_of(row.need)},
                    {"meaning", row.meaning}});
  }
  if (as_json) {
    print_json(json);
  } else {
    std::printf("%s", table.to_text(Style(Stream::kStdout), 0).c_str());
  }
  return kOk;
}

struct DevicesOptions {
  std::string name;
  std::string terms = "hip";
  std::string kind;  ///< of evidence; empty: all
  bool all = false;
  bool keys = false;
  bool json = false;
};

/// The numbers of all built-in devices that are of one kind.
int show_kind(std::string_view name, bool as_json) {
  for (const target::Evidence kind : target::kEvidences) {
    if (target::to_text(kind) != name) continue;
    const Result<NumbersOfKind> numbers = numbers_of_kind(kind);
    if (!numbers) return report(numbers.error());
    std::printf("%s",
                (as_json ? json_text(evidence_json(*numbers)) : evidence_text(*numbers)).c_str());
  }
  return kOk;
}

int show(const DevicesOptions& options) {
  if (options.keys) return show_keys(options.json);
  if (options.name.empty() && !options.kind.empty()) return show_kind(options.kind, options.json);
  if (options.name.empty()) return list(options.json);
  const Result<Device> device = target::load_device(options.name);
  if (!device) return report(device.error());
  if (options.json) {
    print_json(to_json(*device, options.kind));
    return kOk;
  }
  const auto vocabulary =
      target::vocabulary_named(options.terms).value_or(target::Vocabulary::kHip);
  const std::string text = options.all || !options.kind.empty() ? all_numbers(*device, options.kind)
                                                                : device_sheet(*device, vocabulary);
  std::printf("%s", text.c_str());
  return kOk;
}

}  // namespace

void add_devices(CommandLine& line) {
  Command command = line.add("devices", "List the devices, or show one with its sources",
                             "wavetank devices\n"
                             "wavetank devices mi300x\n"
                             "wavetank devices mi300x --terms cuda\n"
                             "wavetank devices --json mi210\n"
                             "wavetank devices --keys\n"
                             "wavetank devices --kind fitted");
  auto options = std::make_shared<DevicesOptions>();
  command.argument("DEVICE", options->name, target::builtin_device_list() + ", or a .toml file");
  command.flag("--all", options->all, "Every number with its unit, kind and source");
  command
      .value("--kind KIND", options->kind,
             "Only numbers that are measured, public, derived, fitted or assumed")
      .one_of({"measured", "public", "derived", "fitted", "assumed"});
  command.flag("--keys", options->keys, "What a .toml file may say: names, units, ranges, meaning");
  command.value("--terms WORDS", options->terms, "Whose words to use: hip, cuda or vulkan")
      .one_of({"hip", "cuda", "vulkan"});
  command.flag("--json", options->json, "Print JSON");
  command.does([=] { return show(*options); });
}

}  // namespace wavetank::cli
