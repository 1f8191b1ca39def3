#include "cli/bench/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace wavetank::cli {
namespace {

constexpr double kIssueSlotCycles = 4;
constexpr double kSameWithinPercent = 2;
constexpr std::size_t kMeasuredColumns = 8;
constexpr std::size_t kPrintedColumns = 8;

template <class Number = double>
std::optional<Number> number(const std::string& text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Calls `visit(line)` for each line of a text, without its end.
template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    visit(text.substr(0, end));
    if (end == std::string_view::npos) return;
    text.remove_prefix(end + 1);
  }
}

void add(AccuracyMean& mean, const AccuracyRow& row) {
  const auto error = row.error_percent();
  if (!error) {
    ++mean.missing;
    return;
  }
  mean.percent += std::fabs(*error);
  if (std::fabs(*error) > std::fabs(mean.worst_percent)) mean.worst_percent = *error;
  ++mean.rows;
}

void finish(AccuracyMean& mean) {
  if (mean.rows != 0) mean.percent /= static_cast<double>(mean.rows);
}

/// The mean with this name, added at the end when it is new.
AccuracyMean& named(std::vector<AccuracyMean>& means, const std::string& name) {
  for (AccuracyMean& mean : means) {
    if (mean.name == name) return mean;
  }
  return means.emplace_back(AccuracyMean{name});
}

bool comparable(const AccuracyRow& a, const AccuracyRow& b) {
  if (a.device != b.device || a.metric != b.metric || a.unit != b.unit) return false;
  if (!a.simulated || !b.simulated) return false;
  const double larger = std::max(std::fabs(a.measured), std::fabs(b.measured));
  const double scale = a.unit.starts_with("cycles") ? std::max(larger, kIssueSlotCycles) : larger;
  return std::fabs(a.measured - b.measured) * 100 > kSameWithinPercent * scale;
}

/// What tells a row from another one: its parameters, and its kernel where those are the same.
std::string name_beside(const AccuracyRow& row, const AccuracyRow& other) {
  if (row.parameters.empty()) return row.kernel;
  if (row.parameters != other.parameters) return row.parameters;
  return fmt::format("{} ({})", row.parameters, row.kernel);
}

AccuracyOrder order_of(const std::string& family, const std::vector<AccuracyRow>& rows) {
  AccuracyOrder order;
  order.family = family;
  for (const AccuracyRow& a : rows) {
    for (const AccuracyRow& b : rows) {
      if (a.family != family || b.family != family || !comparable(a, b)) continue;
      if (a.measured >= b.measured || *a.simulated < *b.simulated) continue;
      if (order.right) {
        order.first_wrong = fmt::format("{} is not below {}", name_beside(a, b), name_beside(b, a));
      }
      order.right = false;
    }
  }
  return order;
}

}  // namespace

bool AccuracyRow::is_below_a_cycle() const {
  return unit.starts_with("cycles") && std::fabs(measured) < 1;
}

std::optional<double> AccuracyRow::error_percent() const {
  if (!simulated) return std::nullopt;
  const double scale = is_below_a_cycle() ? kIssueSlotCycles : measured;
  if (scale == 0) return *simulated == measured ? 0 : 100;
  return (*simulated - measured) / scale * 100;
}

std::vector<std::string> csv_cells(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool doubled = quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"';
    if (doubled) {
      cells.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

Result<std::vector<AccuracyRow>> read_measured(std::string_view csv) {
  std::vector<AccuracyRow> rows;
  std::size_t line_number = 0;
  std::string wrong;
  for_each_line(csv, [&](std::string_view line) {
    if (++line_number == 1 || line.empty() || !wrong.empty()) return;
    const std::vector<std::string> cells = csv_cells(line);
    const auto value = cells.size() == kMeasuredColumns ? number(cells[5]) : std::nullopt;
    if (!value) {
      wrong = fmt::format("measured.csv:{}", line_number);
      return;
    }
    rows.push_back({cells[0], cells[1], cells[2], cells[3], cells[4], *value, cells[6], cells[7],
                    std::nullopt, std::nullopt, ""});
  });
  if (!wrong.empty()) {
    return fail(ErrorCode::kUsage, "a line without eight cells and a number in the sixth", wrong);
  }
  return rows;
}

void join_output(std::string_view output, std::vector<AccuracyRow>& rows) {
  for_each_line(output, [&](std::string_view line) {
    const std::vector<std::string> cells = csv_cells(line);
    if (cells.size() != kPrintedColumns) return;
    const auto value = number(cells[5]);
    if (!value) return;
    for (AccuracyRow& row : rows) {
      if (row.family == cells[0] && row.device == cells[1] && row.kernel == cells[2] &&
          row.parameters == cells[3] && row.metric == cells[4]) {
        row.simulated = *value;
        row.launch = number<std::uint64_t>(cells[7]);
      }
    }
  });
}

AccuracySummary summarize(const std::vector<AccuracyRow>& rows) {
  AccuracySummary summary;
  summary.overall.name = "overall";
  for (const AccuracyRow& row : rows) {
    add(summary.overall, row);
    add(named(summary.families, row.family), row);
    add(named(summary.devices, row.device), row);
    if (!row.limiter.empty()) add(named(summary.limiters, row.limiter), row);
  }
  finish(summary.overall);
  for (AccuracyMean& mean : summary.families) finish(mean);
  for (AccuracyMean& mean : summary.devices) finish(mean);
  for (AccuracyMean& mean : summary.limiters) finish(mean);
  std::ranges::sort(summary.limiters, [](const AccuracyMean& a, const AccuracyMean& b) {
    return a.rows != b.rows ? a.rows > b.rows : a.name < b.name;
  });
  for (const AccuracyMean& mean : summary.families) {
    summary.orders.push_back(order_of(mean.name, rows));
  }
  return summary;
}

std::vector<AccuracyRow> worst_first(std::vector<AccuracyRow> rows) {
  // Ties keep their order.
  std::vector<std::pair<double, std::size_t>> keys;
  for (const AccuracyRow& row : rows) {
    const auto error = row.error_percent();
    keys.emplace_back(error ? -std::fabs(*error) : 1.0, keys.size());
  }
  std::sort(keys.begin(), keys.end());
  std::vector<AccuracyRow> sorted;
  for (const auto& [key, index] : keys) sorted.push_back(std::move(rows[index]));
  return sorted;
}

}  // namespace wavetank::cli
