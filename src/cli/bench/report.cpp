#include "cli/bench/report.hpp"

#include <fmt/format.h>

#include "cli/devices/evidence_table.hpp"
#include "cli/output/terminal.hpp"

namespace wavetank::cli {
namespace {

constexpr std::string_view kDisclaimer =
    "No number below was measured by this project, which has no AMD GPU: the measured values are "
    "other people's, published where the source says.";

std::string value_text(double value) { return fmt::format("{:.5g}", value); }

std::string simulated_text(const AccuracyRow& row) {
  return row.simulated ? value_text(*row.simulated) : "missing";
}

std::string percent_text(double error) { return fmt::format("{:+.1f} %", error); }

std::string error_text(const AccuracyRow& row) {
  const auto error = row.error_percent();
  return error ? percent_text(*error) : "";
}

/// What was measured, without what the family says.
std::string what(const AccuracyRow& row) {
  std::string text = row.kernel;
  for (const std::string& part : {row.parameters, row.metric}) {
    if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
  }
  return text;
}

std::string order_text(const AccuracySummary& summary, const std::string& family) {
  for (const AccuracyOrder& order : summary.orders) {
    if (order.family == family) return order.right ? "right" : order.first_wrong;
  }
  return {};
}

std::string mean_text(const AccuracyMean& mean) {
  return mean.rows == 0 ? "" : fmt::format("{:.1f} %", mean.percent);
}

std::string rows_text(const AccuracyMean& mean) {
  if (mean.missing == 0) return std::to_string(mean.rows);
  return fmt::format("{} of {}", mean.rows, mean.rows + mean.missing);
}

std::string means_table(const AccuracySummary& summary, const Style& style) {
  Table families;
  families.column("family", Table::Align::kLeft);
  families.column("mean abs. error");
  families.column("rows");
  families.column("order", Table::Align::kLeft);
  for (const AccuracyMean& mean : summary.families) {
    families.row({mean.name, mean_text(mean), rows_text(mean), order_text(summary, mean.name)});
  }
  Table devices;
  devices.column("device", Table::Align::kLeft);
  devices.column("mean abs. error");
  devices.column("rows");
  for (const AccuracyMean& mean : summary.devices) {
    devices.row({mean.name, mean_text(mean), rows_text(mean)});
  }
  devices.row({summary.overall.name, mean_text(summary.overall), rows_text(summary.overall)});
  Table limiters;
  limiters.column("limiter of the launch", Table::Align::kLeft);
  for (const char* heading : {"rows", "mean abs. error", "worst"}) limiters.column(heading);
  for (const AccuracyMean& mean : summary.limiters) {
    limiters.row({mean.name, rows_text(mean), mean_text(mean), percent_text(mean.worst_percent)});
  }
  return families.to_text(style) + "\n" + devices.to_text(style) + "\n" + limiters.to_text(style);
}

/// Text in a cell of a Markdown table.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '|' || c == '*' || c == '<') safe += '\\';
    safe += c;
  }
  return safe;
}

Json mean_json(const AccuracyMean& mean) {
  return {{"mean_absolute_error_percent", mean.percent},
          {"worst_error_percent", mean.worst_percent},
          {"rows", mean.rows},
          {"missing", mean.missing}};
}

std::string markdown_means(const AccuracySummary& summary) {
  std::string text = "\n| family | mean absolute error | rows | order |\n|---|---:|---:|---|\n";
  for (const AccuracyMean& mean : summary.families) {
    text += fmt::format("| {} | {} | {} | {} |\n", mean.name, mean_text(mean), rows_text(mean),
                        cell(order_text(summary, mean.name)));
  }
  text += "\n| device | mean absolute error | rows |\n|---|---:|---:|\n";
  for (const AccuracyMean& mean : summary.devices) {
    text += fmt::format("| {} | {} | {} |\n", mean.name, mean_text(mean), rows_text(mean));
  }
  return text + fmt::format("| **overall** | **{}** | {} |\n", mean_text(summary.overall),
                            rows_text(summary.overall));
}

std::string markdown_limiters(const AccuracySummary& summary) {
  std::string text =
      "\n## By limiter\n\nWhat `wavetank profile` says that bounded the launch behind a row, "
      "and how far the model is off where it did. Rows that are counters have none.\n\n"
      "| limiter | rows | mean absolute error | worst |\n|---|---:|---:|---:|\n";
  for (const AccuracyMean& mean : summary.limiters) {
    text += fmt::format("| {} | {} | {} | {} |\n", cell(mean.name), rows_text(mean),
                        mean_text(mean), percent_text(mean.worst_percent));
  }
  return text;
}

}  // namespace

std::string accuracy_text(const std::vector<AccuracyRow>& rows) {
  const Style style(Stream::kStdout);
  Table table;
  for (const char* heading : {"error", "measured", "simulated"}) table.column(heading);
  for (const char* heading : {"unit", "family", "device", "what"}) {
    table.column(heading, Table::Align::kLeft);
  }
  for (const AccuracyRow& row : worst_first(rows)) {
    table.row({error_text(row), value_text(row.measured), simulated_text(row), row.unit, row.family,
               row.device, what(row)});
  }
  return table.to_text(style) + "\n" + means_table(summarize(rows), style) +
         fmt::format("\n{}\n", kDisclaimer);
}

Result<std::string> accuracy_markdown(const std::vector<AccuracyRow>& rows) {
  std::string text = fmt::format(
      "# How far the cycle model is off\n\n{}\n\nThis page is the output of `wavetank bench "
      "accuracy --markdown`. Each row's program is in bench/accuracy; it takes its time as a "
      "benchmark on hardware does, from events or the clock, while it runs under `wavetank "
      "profile`. The error is relative to the measured value; cycles below one are relative to "
      "the four cycles of an issue slot. Order compares the rows of one device and metric that "
      "differ by more than 2 %.\n",
      kDisclaimer);
  const AccuracySummary summary = summarize(rows);
  text += markdown_means(summary);
  text += "\n![Simulated against measured values, a panel for each family](accuracy.svg)\n";
  text += markdown_limiters(summary);
  const Result<std::string> evidence = evidence_markdown();
  if (!evidence) return evidence;
  text += *evidence;
  text +=
      "\n## All rows, worst first\n\n| error | measured | simulated | unit | family | device | "
      "what | source |\n|---:|---:|---:|---|---|---|---|---|\n";
  for (const AccuracyRow& row : worst_first(rows)) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n", error_text(row),
                        value_text(row.measured), simulated_text(row), cell(row.unit), row.family,
                        row.device, cell(what(row)), cell(row.source));
  }
  return text;
}

Json accuracy_json(const std::vector<AccuracyRow>& rows) {
  const AccuracySummary summary = summarize(rows);
  Json json = {{"note", kDisclaimer}, {"rows", Json::array()}};
  for (const AccuracyRow& row : rows) {
    Json entry = {{"family", row.family},
                  {"device", row.device},
                  {"kernel", row.kernel},
                  {"parameters", row.parameters},
                  {"metric", row.metric},
                  {"unit", row.unit},
                  {"measured", row.measured},
                  {"source", row.source},
                  {"simulated", row.simulated ? Json(*row.simulated) : Json()},
                  {"limiter", row.limiter.empty() ? Json() : Json(row.limiter)}};
    if (const auto error = row.error_percent()) entry["error_percent"] = *error;
    json["rows"].push_back(std::move(entry));
  }
  for (const AccuracyMean& mean : summary.families) {
    json["families"][mean.name] = mean_json(mean);
    json["families"][mean.name]["order"] = order_text(summary, mean.name);
  }
  for (const AccuracyMean& mean : summary.devices) json["devices"][mean.name] = mean_json(mean);
  for (const AccuracyMean& mean : summary.limiters) json["limiters"][mean.name] = mean_json(mean);
  json["overall"] = mean_json(summary.overall);
  return json;
}

}  // namespace wavetank::cli
