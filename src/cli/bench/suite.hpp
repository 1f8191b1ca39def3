// The published measurements that the cycle model is held to, and how far off it is. No number here
// was measured by this project: bench/accuracy/measured.csv names who did.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// One published number and, after its program has run, the simulated one.
struct AccuracyRow {
  std::string family;
  std::string device;  ///< as published: "mi210", "gfx942", "mi300a, one XCD"
  std::string kernel;
  std::string parameters;
  std::string metric;
  double measured = 0;
  std::string unit;
  std::string source;
  std::optional<double> simulated;
  std::optional<std::uint64_t> launch;  ///< of the program, from 1, that the value is the time of
  std::string limiter;  ///< what bounded that launch (as profile::Limit::what); empty of counters

  /// Errors of less than a cycle are relative to an issue slot.
  bool is_below_a_cycle() const;
  /// Signed error in percent; nothing while there is no simulated value. Relative to the measured
  /// value, but for cycles below one, which are relative to the 4 cycles of an issue slot.
  std::optional<double> error_percent() const;
};

/// The cells of one line of CSV; quotes are undone.
std::vector<std::string> csv_cells(std::string_view line);

/// All rows of a file with the columns of measured.csv. Errors: kUsage for a malformed line.
Result<std::vector<AccuracyRow>> read_measured(std::string_view csv);

/// Takes the simulated values out of what a program printed: lines
/// family,device,kernel,parameters,metric,value,unit,launch whose first five cells are those of a
/// row.
void join_output(std::string_view output, std::vector<AccuracyRow>& rows);

/// Mean absolute error of rows that belong together.
struct AccuracyMean {
  std::string name;  ///< family, device, limiter, or "overall"
  double percent = 0;
  double worst_percent = 0;  ///< the error of the row that is off most, with its sign
  std::size_t rows = 0;      ///< with a simulated value
  std::size_t missing = 0;   ///< without one
};

/// Whether the simulated values of a family stand in the measured order: compared are rows of one
/// device, metric and unit whose measured values differ by more than 2 %.
struct AccuracyOrder {
  std::string family;
  bool right = true;
  std::string first_wrong;  ///< "V2 before V3"; empty when right
};

/// What follows from the rows.
struct AccuracySummary {
  AccuracyMean overall;
  std::vector<AccuracyMean> families;  ///< in the order of the rows
  std::vector<AccuracyMean> devices;
  std::vector<AccuracyMean> limiters;  ///< of rows that have one, those of most rows first
  std::vector<AccuracyOrder> orders;   ///< one for each family
};

AccuracySummary summarize(const std::vector<AccuracyRow>& rows);

/// The rows, worst first; those without a simulated value last.
std::vector<AccuracyRow> worst_first(std::vector<AccuracyRow> rows);

}  // namespace wavetank::cli
