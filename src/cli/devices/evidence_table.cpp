#include "cli/devices/evidence_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "cli/devices/device_sheet.hpp"
#include "cli/output/terminal.hpp"
#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"
#include "target/parameter_rows.hpp"

namespace wavetank::cli {
namespace {

using target::Evidence;
using target::Parameter;

/// The name, the values by device, their unit, and the source of the first.
std::vector<std::string> cells_of(const NumberOfKind& number) {
  std::vector<std::string> cells = {number.name};
  const Parameter* first = nullptr;
  for (const std::optional<Parameter>& value : number.values) {
    if (value && first == nullptr) first = &*value;
    cells.push_back(value ? number_text(*value) : "");
  }
  cells.push_back(first == nullptr ? "" : first->unit);
  cells.push_back(first == nullptr ? "" : first->source);
  return cells;
}

std::string table_line(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

/// The alignment of so many columns.
std::string number_columns(std::size_t count) {
  return fmt::format("{}", fmt::join(std::vector<std::string_view>(count, "---:|"), ""));
}

std::string markdown_numbers(const NumbersOfKind& fitted) {
  std::string text = fmt::format(
      "\nFitted are {} numbers with {} values, where devices that share a value have one:\n\n"
      "| number | {} | unit | source of the first |\n|---|{}---|---|\n",
      fitted.numbers.size(), fitted.free_values(), fmt::join(fitted.devices, " | "),
      number_columns(fitted.devices.size()));
  for (const NumberOfKind& number : fitted.numbers) text += table_line(cells_of(number));
  return text;
}

}  // namespace

std::size_t NumbersOfKind::count(std::size_t device) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      numbers, [&](const NumberOfKind& number) { return number.values[device].has_value(); }));
}

std::size_t NumbersOfKind::free_values() const {
  std::size_t free = 0;
  for (const NumberOfKind& number : numbers) {
    std::set<double> values;
    for (const std::optional<Parameter>& value : number.values) {
      if (value) values.insert(value->value);
    }
    free += values.size();
  }
  return free;
}

Result<NumbersOfKind> numbers_of_kind(Evidence kind) {
  NumbersOfKind found{kind, target::builtin_device_names(), {}};
  std::map<std::string, NumberOfKind> numbers;
  for (std::size_t i = 0; i < found.devices.size(); ++i) {
    const Result<target::Device> device = target::load_device(found.devices[i]);
    if (!device) return tl::unexpected(device.error());
    for (const auto& [name, parameter] : device->parameters) {
      if (parameter.evidence != kind || target::is_quoted(name)) continue;
      NumberOfKind& number = numbers[name];
      number.values.resize(found.devices.size());
      number.values[i] = parameter;
    }
  }
  for (auto& [name, number] : numbers) {
    number.name = name;
    found.numbers.push_back(std::move(number));
  }
  return found;
}

std::string evidence_text(const NumbersOfKind& numbers) {
  Table table;
  table.column("number", Table::Align::kLeft);
  for (const std::string& device : numbers.devices) table.column(device);
  table.column("unit", Table::Align::kLeft);
  table.column("source", Table::Align::kLeft);
  for (const NumberOfKind& number : numbers.numbers) table.row(cells_of(number));
  return table.to_text(Style(Stream::kStdout), 0) +
         fmt::format("\n{} {} numbers with {} values.\n", numbers.numbers.size(),
                     target::to_text(numbers.kind), numbers.free_values());
}

Json evidence_json(const NumbersOfKind& numbers) {
  Json json = {{"kind", target::to_text(numbers.kind)},
               {"free_values", numbers.free_values()},
               {"numbers", Json::object()}};
  for (const NumberOfKind& number : numbers.numbers) {
    for (std::size_t i = 0; i < numbers.devices.size(); ++i) {
      if (!number.values[i]) continue;
      json["numbers"][number.name][numbers.devices[i]] = {{"value", number.values[i]->value},
                                                          {"unit", number.values[i]->unit},
                                                          {"source", number.values[i]->source}};
    }
  }
  return json;
}

Result<std::string> evidence_markdown() {
  std::string text =
      "\n## What the numbers rest on\n\nEach number of a device says how it is known "
      "(`wavetank devices --kind fitted` and the other kinds). Fitted ones were chosen so that "
      "rows "
      "of this page come out, which therefore say little about them.\n\n";
  std::string fitted;
  for (const Evidence kind : target::kEvidences) {
    const Result<NumbersOfKind> numbers = numbers_of_kind(kind);
    if (!numbers) return tl::unexpected(numbers.error());
    std::vector<std::string> cells = {std::string(target::to_text(kind))};
    for (std::size_t i = 0; i < numbers->devices.size(); ++i) {
      cells.push_back(std::to_string(numbers->count(i)));
    }
    if (kind == target::kEvidences.front()) {
      text += fmt::format("| kind | {} |\n|---|{}\n", fmt::join(numbers->devices, " | "),
                          number_columns(numbers->devices.size()));
    }
    text += table_line(cells);
    if (kind == Evidence::kFitted) fitted = markdown_numbers(*numbers);
  }
  return text + fitted;
}

}  // namespace wavetank::cli
