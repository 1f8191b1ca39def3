#include "cli/bench/mechanism_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "cli/output/terminal.hpp"
#include "target/builtin_devices.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"

namespace wavetank::cli {
namespace {

std::string percent_text(const AccuracyMean& mean) {
  const std::string text = fmt::format("{:.1f} %", mean.percent);
  return mean.missing == 0 ? text : fmt::format("{}, {} missing", text, mean.missing);
}

/// What a mechanism's absence means.
std::string_view absence_of(const MechanismEffect& effect) {
  const auto found = std::ranges::find(mechanisms(), effect.name, &Mechanism::name);
  return found == mechanisms().end() ? "all of the above" : found->without;
}

/// "`launch.turnover` = `launch.start_latency` + `launch.end_latency`".
std::string neutral_text(const Neutral& neutral) {
  std::vector<std::string> terms;
  for (const std::string_view other : neutral.plus) terms.push_back(fmt::format("`{}`", other));
  if (neutral.value != 0 || terms.empty()) terms.push_back(fmt::format("{:g}", neutral.value));
  return fmt::format("`{}` = {}", neutral.number, fmt::join(terms, " + "));
}

/// "fitted: to 4 us per fence": how a number is known, of the device that has it and knows it best.
std::string evidence_of(const Mechanism& mechanism, std::string_view number) {
  std::optional<target::Parameter> best;
  for (const std::string& name : target::builtin_device_names()) {
    const Result<target::Device> device = target::load_device(name);
    if (!device) continue;
    const target::Parameter* const here = device->find(number);
    if (here == nullptr) continue;
    if (without(mechanism, *device).value(number) == here->value) continue;
    if (!best || here->evidence < best->evidence) best = *here;
  }
  return best ? fmt::format(" ({}: {})", target::to_text(best->evidence), best->source) : "";
}

std::string markdown_numbers() {
  std::string text = "\n## What is switched off\n\n";
  for (const Mechanism& mechanism : mechanisms()) {
    text += fmt::format("- **{}**: ", mechanism.name);
    for (std::size_t i = 0; i < mechanism.numbers.size(); ++i) {
      const Neutral& neutral = mechanism.numbers[i];
      text += fmt::format("{}{}{}", i == 0 ? "" : "; ", neutral_text(neutral),
                          evidence_of(mechanism, neutral.number));
    }
    text += "\n";
  }
  return text;
}

}  // namespace

std::string mechanisms_text(const std::vector<MechanismEffect>& effects, const AccuracyMean& with) {
  const Style style(Stream::kStdout);
  Table table;
  table.column("without", Table::Align::kLeft);
  for (const char* heading : {"rows", "with it", "without", "all rows"}) table.column(heading);
  table.column("families", Table::Align::kLeft);
  for (const MechanismEffect& effect : effects) {
    table.row({effect.name, std::to_string(effect.with.rows), percent_text(effect.with),
               percent_text(effect.without), percent_text(effect.overall),
               fmt::format("{}", fmt::join(effect.families, ", "))});
  }
  return table.to_text(style) +
         fmt::format("\n  Mean absolute errors; that of all rows is {} with all mechanisms.\n",
                     percent_text(with));
}

std::string mechanisms_markdown(const std::vector<MechanismEffect>& effects,
                                const AccuracyMean& with) {
  std::string text = fmt::format(
      "# What each mechanism of the cycle model does\n\n"
      "This page is the output of `wavetank bench accuracy --mechanisms --markdown`: the programs "
      "of [accuracy.md](accuracy.md) on devices without one mechanism, and at the end without all "
      "of the table. Only rows are run in which the mechanism can show, on devices that have "
      "it. Errors are mean absolute ones; with all mechanisms that of all {} rows is {}. What "
      "is fitted is not fitted anew without a mechanism.\n\n"
      "| without | what the device is like then | families | rows | error with | error without | "
      "error of all rows without |\n|---|---|---|---:|---:|---:|---:|\n",
      with.rows, percent_text(with));
  for (const MechanismEffect& effect : effects) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", effect.name, absence_of(effect),
                    fmt::join(effect.families, ", "), effect.with.rows, percent_text(effect.with),
                    percent_text(effect.without), percent_text(effect.overall));
  }
  text +=
      "\nNot in the table is what no number of a device description switches off: the address "
      "unit's cycles by stride, lanes beyond the LDS, whole lines for an L2 miss, and the L2's "
      "order of replacement.\n";
  return text + markdown_numbers();
}

Json mechanisms_json(const std::vector<MechanismEffect>& effects, const AccuracyMean& with) {
  Json json = {{"overall_percent", with.percent}, {"without", Json::array()}};
  for (const MechanismEffect& effect : effects) {
    json["without"].push_back({{"mechanism", effect.name},
                               {"families", effect.families},
                               {"rows", effect.with.rows},
                               {"missing", effect.without.missing},
                               {"percent_with", effect.with.percent},
                               {"percent_without", effect.without.percent},
                               {"overall_percent", effect.overall.percent}});
  }
  return json;
}

}  // namespace wavetank::cli
