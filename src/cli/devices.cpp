// wavetank devices: the list, or everything known about one, each number with its evidence.
#include <fmt/format.h>

#include <cstdio>
#include <map>

#include "cli/command.hpp"
#include "cli/exit_code.hpp"
#include "cli/json_output.hpp"
#include "cli/terminal.hpp"
#include "target/device.hpp"
#include "target/device_file.hpp"

namespace wavetank::cli {
namespace {

using target::Device;

/// "110", "5324.8": no trailing zeros, no exponent for the sizes that occur.
std::string number_text(double value) {
  const std::string text = fmt::format("{:.6f}", value);
  const std::size_t last = text.find_last_not_of('0');
  return text.substr(0, text[last] == '.' ? last : last + 1);
}

/// A value in the unit a reader wants: sizes in bytes as KiB, MiB or GiB.
std::string value_text(const target::Parameter& parameter) {
  if (parameter.unit == "bytes") return bytes_text(static_cast<std::uint64_t>(parameter.value));
  return fmt::format("{} {}", number_text(parameter.value), parameter.unit);
}

Json to_json(const Device& device) {
  Json json = {{"name", device.name},
               {"marketing_name", device.marketing_name},
               {"gfx", device.gfx},
               {"unified_memory", device.unified_memory}};
  for (const auto& [name, p] : device.parameters) {
    json["parameters"][name] = {{"value", p.value},
                                {"unit", p.unit},
                                {"kind", target::to_text(p.evidence)},
                                {"source", p.source}};
  }
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
    const double bandwidth = device->parameters.at("memory.peak_bandwidth").value;
    table.row({name, device->gfx, std::to_string(device->compute_units),
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

int sheet(const std::string& name, bool as_json) {
  const Result<Device> device = target::load_device(name);
  if (!device) return report(device.error());
  if (as_json) {
    print_json(to_json(*device));
    return kOk;
  }
  const Style style(Stream::kStdout);
  std::printf("%s  %s, %s%s\n\n", style.bold(device->name).c_str(), device->marketing_name.c_str(),
              device->gfx.c_str(), device->unified_memory ? ", shares memory with the host" : "");
  Table table;
  table.column("number", Table::Align::kLeft);
  table.column("value");
  table.column("kind", Table::Align::kLeft);
  table.column("source", Table::Align::kLeft);
  for (const auto& [key, parameter] : device->parameters) {
    table.row({key, value_text(parameter), std::string(target::to_text(parameter.evidence)),
               parameter.source});
  }
  std::printf("%s", table.to_text(style, 0).c_str());
  return kOk;
}

}  // namespace

void add_devices(CLI::App& app, int& exit_code) {
  CLI::App* command = add_command(app, "devices", "List the devices, or show one with its sources",
                                  "wavetank devices\n"
                                  "wavetank devices mi300x\n"
                                  "wavetank devices --json mi210");
  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  command->add_option("DEVICE", options->name, "mi210, mi250x, mi300x, mi300a, or a .toml file")
      ->option_text(" ");
  command->add_flag("--json", options->json, "Print JSON");
  command->callback([=, &exit_code] {
    exit_code = options->name.empty() ? list(options->json) : sheet(options->name, options->json);
  });
}

}  // namespace wavetank::cli
