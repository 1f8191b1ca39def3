#include "cli/bench/mechanisms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <iterator>
#include <map>
#include <utility>

#include "cli/bench/runs.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/text_output.hpp"
#include "target/device_file.hpp"
#include "target/load_device.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

using target::Device;

bool differ(const Device& a, const Device& b) {
  return !std::ranges::equal(a.parameters, b.parameters, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.value == y.second.value;
  });
}

/// A mechanism, or several at once, on the devices of the suite.
struct Switch {
  std::string name;
  std::vector<const Mechanism*> off;

  bool can_touch(const AccuracyRow& row) const {
    return std::ranges::any_of(off, [&](const Mechanism* mechanism) {
      return std::ranges::any_of(mechanism->rows, [&](const RowChoice& choice) {
        return choice.family == row.family &&
               (row.kernel + " " + row.parameters).find(choice.filter) != std::string::npos;
      });
    });
  }
  /// By family: what all mechanisms filter by.
  std::map<std::string, std::string> filters() const {
    std::map<std::string, std::string> common;
    for (const Mechanism* mechanism : off) {
      for (const RowChoice& choice : mechanism->rows) {
        const auto [entry, is_new] = common.emplace(choice.family, choice.filter);
        if (!is_new && entry->second != choice.filter) entry->second.clear();
      }
    }
    return common;
  }
  Device apply(Device device) const {
    for (const Mechanism* mechanism : off) device = without(*mechanism, std::move(device));
    return device;
  }
};

/// What runs without them differ in. Writes descriptions of the rows' devices that differ; rows of
/// the others are taken out.
Result<RunChanges> changes_for(const Switch& off, const fs::path& folder,
                               std::vector<AccuracyRow>& rows) {
  RunChanges changes{{}, off.filters()};
  std::vector<std::string> same;
  for (const AccuracyRow& row : rows) {
    const std::string name = accuracy_device(row.device);
    if (changes.devices.contains(name) || std::ranges::find(same, name) != same.end()) continue;
    const Result<Device> device = target::load_device(name);
    if (!device) return tl::unexpected(device.error());
    const Device altered = off.apply(*device);
    if (!differ(*device, altered)) {
      same.push_back(name);
      continue;
    }
    const std::string path = (folder / (altered.name + ".toml")).string();
    if (const auto done = write_text(path, description_of(altered)); !done) {
      return tl::unexpected(done.error());
    }
    changes.devices.emplace(name, path);
  }
  std::erase_if(rows, [&](const AccuracyRow& row) {
    return !changes.devices.contains(accuracy_device(row.device));
  });
  return changes;
}

bool is_same(const AccuracyRow& a, const AccuracyRow& b) {
  return a.family == b.family && a.device == b.device && a.kernel == b.kernel &&
         a.parameters == b.parameters && a.metric == b.metric;
}

/// `rows` with those of `changed` in their places.
std::vector<AccuracyRow> replaced(std::vector<AccuracyRow> rows,
                                  const std::vector<AccuracyRow>& changed) {
  for (AccuracyRow& row : rows) {
    const auto found = std::ranges::find_if(
        changed, [&](const AccuracyRow& other) { return is_same(row, other); });
    if (found != changed.end()) row = *found;
  }
  return rows;
}

/// Runs what the switch touches. No rows were touched if `families` is empty.
Result<MechanismEffect> measure(const Switch& off, const fs::path& parent,
                                const std::vector<AccuracyRow>& all) {
  std::string folder_name = off.name;
  std::ranges::replace_if(folder_name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  const fs::path folder = parent / folder_name;
  std::error_code error;
  fs::create_directories(folder, error);
  std::vector<AccuracyRow> rows;
  std::ranges::copy_if(all, std::back_inserter(rows),
                       [&](const AccuracyRow& row) { return off.can_touch(row); });
  const auto changes = changes_for(off, folder, rows);
  if (!changes) return tl::unexpected(changes.error());
  MechanismEffect effect;
  effect.name = off.name;
  if (rows.empty()) return effect;
  std::fprintf(stderr, "  without: %s\n", off.name.c_str());
  const AccuracySummary before = summarize(rows);
  effect.with = before.overall;
  for (const AccuracyMean& family : before.families) effect.families.push_back(family.name);
  for (AccuracyRow& row : rows) row.simulated.reset();
  if (const auto done = run_accuracy(folder, *changes, rows); !done) {
    return tl::unexpected(done.error());
  }
  effect.without = summarize(rows).overall;
  effect.overall = summarize(replaced(all, rows)).overall;
  return effect;
}

}  // namespace

Device without(const Mechanism& mechanism, Device device) {
  for (const Neutral& neutral : mechanism.numbers) {
    const auto found = device.parameters.find(neutral.number);
    if (found == device.parameters.end()) continue;
    double value = neutral.value;
    for (const std::string_view other : neutral.plus) value += device.value(other);
    target::Parameter& parameter = found->second;
    if (parameter.value == value) continue;
    parameter.value = value;
    parameter.evidence = target::Evidence::kAssumed;
    parameter.source = fmt::format("without the mechanism \"{}\"", mechanism.name);
  }
  return device;
}

std::string description_of(const Device& device) {
  // JSON's strings are strings of TOML, too.
  const auto quoted = [](std::string_view text) { return Json(text).dump(); };
  std::string text = fmt::format("name = {}\nmarketing_name = {}\ngfx = {}\nunified_memory = {}\n",
                                 quoted(device.name), quoted(device.marketing_name),
                                 quoted(device.gfx()), device.unified_memory);
  std::string_view section;
  for (const auto& [name, parameter] : device.parameters) {
    const std::string_view whole = name;
    const std::size_t dot = whole.find('.');
    if (whole.substr(0, dot) != section) {
      section = whole.substr(0, dot);
      text += fmt::format("\n[{}]\n", section);
    }
    text += fmt::format("{} = {{ value = {}, unit = {}, kind = {}, source = {}, note = {} }}\n",
                        whole.substr(dot + 1), parameter.value, quoted(parameter.unit),
                        quoted(target::to_text(parameter.evidence)), quoted(parameter.source),
                        quoted(parameter.note));
  }
  return text;
}

Result<std::vector<MechanismEffect>> measure_mechanisms(const fs::path& folder,
                                                        const std::vector<AccuracyRow>& rows) {
  std::vector<Switch> switches;
  Switch all{"all of them", {}};
  for (const Mechanism& mechanism : mechanisms()) {
    switches.push_back({std::string(mechanism.name), {&mechanism}});
    all.off.push_back(&mechanism);
  }
  switches.push_back(std::move(all));
  std::vector<MechanismEffect> effects;
  for (const Switch& off : switches) {
    Result<MechanismEffect> effect = measure(off, folder, rows);
    if (!effect) return tl::unexpected(effect.error());
    if (toolchain::Uninterrupted::was_asked_to_end()) break;
    if (!effect->families.empty()) effects.push_back(std::move(*effect));
  }
  return effects;
}

}  // namespace wavetank::cli
