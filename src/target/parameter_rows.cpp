#include "target/parameter_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <vector>

#include "isa/matrix_wait.hpp"
#include "isa/vector_wait.hpp"

namespace wavetank::target {
namespace {

constexpr std::string_view kWaitStates = "wait states";
constexpr double kMostWaitStates = 64;

/// Levels of a clock, lowest first, what it shows when it sleeps, and its level when idle
/// (board.hpp).
void add_clock_levels(std::vector<ParameterRow>& rows) {
  static auto& names = *new std::deque<std::string>;
  const auto add = [&](std::string_view clock, std::string_view what, std::string_view meaning) {
    names.push_back(fmt::format("clock_levels.{}_{}", clock, what));
    rows.push_back({names.back(), "MHz", 1, 1e6, Need::kNobody, meaning, NumberType::kReal});
  };
  for (const std::string_view clock : {"engine", "memory", "soc", "fabric"}) {
    for (const std::string_view level : {"0", "1", "2", "3", "4", "5", "6", "7"}) {
      add(clock, level, "a level, lowest first, without gaps");
    }
    add(clock, "sleep", "shown when the clock sleeps");
    add(clock, "idle", "the level of an idle device");
  }
}

std::vector<ParameterRow> all_rows() {
  std::vector<ParameterRow> rows(kParameterRows.begin(), kParameterRows.end());
  for (const isa::VectorWait& wait : isa::kVectorWaits) {
    rows.push_back({wait.parameter, kWaitStates, 0, kMostWaitStates, Need::kTiming, wait.label});
  }
  for (const isa::MatrixWait& wait : isa::kMatrixWaits) {
    const double lowest = wait.after_passes ? -kMostWaitStates : 0;
    rows.push_back({wait.parameter, kWaitStates, lowest, kMostWaitStates, Need::kTiming,
                    wait.after_passes ? "from the end of a matrix instruction's passes"
                                      : "from the issue of a matrix instruction"});
  }
  add_clock_levels(rows);
  return rows;
}

/// Letters that must be added, taken away or changed (Levenshtein).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t corner = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = corner + (a[i] == b[j] ? 0 : 1);
      corner = row[j + 1];
      row[j + 1] = std::min({change, corner + 1, row[j] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::span<const ParameterRow> parameter_rows() {
  static const auto& rows = *new std::vector<ParameterRow>(all_rows());
  return rows;
}

const ParameterRow* find_row(std::string_view name) {
  const auto rows = parameter_rows();
  const auto found = std::ranges::find(rows, name, &ParameterRow::name);
  return found == rows.end() ? nullptr : &*found;
}

bool is_quoted(std::string_view name) { return name.starts_with("quoted."); }

std::string_view nearest_name(std::string_view name) {
  // A name from a file may be long; what comes after the longest known one changes nothing.
  const std::string_view start = name.substr(0, 64);
  return std::ranges::min(parameter_rows(), {},
                          [&](const ParameterRow& row) { return distance(start, row.name); })
      .name;
}

std::string problem_with(const ParameterRow& row, const Parameter& parameter) {
  if (parameter.unit != row.unit) {
    return fmt::format("{} is given in {}; {} is expected", row.name, parameter.unit, row.unit);
  }
  const double value = parameter.value;
  const bool whole = row.type == NumberType::kReal || value == std::floor(value);
  if (value >= row.lowest && value <= row.highest && whole) return {};
  return fmt::format("{} = {} is not a {}number from {}", row.name, value,
                     row.type == NumberType::kReal ? "" : "whole ", range_text(row));
}

std::string range_text(const ParameterRow& row) {
  if (row.unit == kMaskUnit) {
    return fmt::format("0 to {:#x}", static_cast<std::uint64_t>(row.highest));
  }
  return fmt::format("{} to {}", row.lowest, row.highest);
}

std::string_view text_of(Need need) {
  switch (need) {
    case Need::kRun: return "every run";
    case Need::kTiming: return "timing";
    case Need::kMall: return "timing with a MALL";
    case Need::kMemoryAtomics: return "timing with atomic.at_memory = 1";
    case Need::kNobody: break;
  }
  return "";
}

std::string missing_text(const ParameterRow& row) {
  if (row.need == Need::kRun) return fmt::format("{} is missing", row.name);
  return fmt::format("{} is missing, which {} needs", row.name, text_of(row.need));
}

}  // namespace wavetank::target
