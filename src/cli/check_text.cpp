#include "cli/check_text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wavetank::cli {
namespace {

using check::code_text;
using check::Diagnosis;
using check::Level;
using check::Spot;

/// Writes the lines under a diagnosis's head, left of which the numbers of source lines stand.
class Body {
 public:
  Body(const Diagnosis& diagnosis, SourceText& sources, const Style& style)
      : sources_(sources), style_(style) {
    for (const Spot& spot : diagnosis.spots) {
      width_ = std::max(width_, std::to_string(spot.source.line).size());
    }
  }

  void add(const Spot& spot) {
    text_ += fmt::format("{:{}}{} {}\n", "", width_, style_.dim("-->"), spot.place());
    const std::string* const line = sources_.line_of(spot.source);
    if (line != nullptr) {
      add_source(spot, *line);
    } else if (!spot.code.empty()) {
      add_line(spot.code);
    }
    if (!spot.what.empty()) add_line(spot.what);
  }
  void add_remark(std::string_view kind, std::string_view remark) {
    text_ += fmt::format("{:{}} {} {}: {}\n", "", width_, style_.dim("="), kind, remark);
  }
  std::string take() { return std::move(text_); }

 private:
  /// The line from its first word on, and the instruction under what it came from.
  void add_source(const Spot& spot, const std::string& line) {
    const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
    add_line({});
    add_line(std::string_view(line).substr(begin), std::to_string(spot.source.line));
    const std::size_t column = spot.source.column;
    if (column <= begin || column > line.size()) {
      if (!spot.code.empty()) add_line(spot.code);
      return;
    }
    // Tabs stay, so that the mark stands under its place whatever their width.
    std::string blank = line.substr(begin, column - 1 - begin);
    std::replace_if(blank.begin(), blank.end(), [](char c) { return c != '\t'; }, ' ');
    add_line(fmt::format("{}{} {}", blank, style_.error("^"), spot.code));
  }
  void add_line(std::string_view line, std::string_view number = {}) {
    std::string gutter = fmt::format("{:>{}} |", number, width_);
    text_ += style_.dim(gutter);
    if (!line.empty()) text_ += fmt::format("  {}", line);
    text_ += "\n";
  }

  SourceText& sources_;
  const Style& style_;
  std::size_t width_ = 2;  ///< that of other diagnostics (base/error.hpp)
  std::string text_;
};

std::string launches_text(const CheckedRun& run) {
  if (!run.ended) return "what ran before the program broke off";
  return count_text(run.launch_count(), "launch", "launches");
}

/// " (2 E0310, 1 E0311)" if there are errors of several kinds.
std::string kinds_text(const CheckedRun& run) {
  std::map<ErrorCode, std::size_t> counts;
  for (const Judged& judged : run.findings) {
    const bool counts_here = !judged.suppressed && judged.diagnosis.level == Level::kError;
    if (counts_here) ++counts[judged.diagnosis.code];
  }
  if (counts.size() < 2) return {};
  std::string text;
  for (const auto& [code, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, code_text(code));
  }
  return fmt::format(" ({})", text);
}

}  // namespace

std::string check_summary(const CheckedRun& run, const Style& style) {
  const std::size_t errors = run.count_of(Level::kError), notes = run.count_of(Level::kNote);
  const std::size_t suppressed = run.suppressed_count();
  if (run.ended && run.launches.empty() && errors + notes + suppressed == 0) {
    return "no kernel was launched, so nothing was checked";
  }
  if (!run.ended && !run.broke_off() && errors + notes + suppressed == 0) {
    return "nothing was checked: the program called no function of HIP, or left by _exit";
  }
  std::string text = errors != 0 ? style.error(count_text(errors, "error")) + kinds_text(run)
                                 : style.good("no error");
  if (notes != 0) text += ", " + count_text(notes, "note");
  text += " in " + launches_text(run);
  if (suppressed != 0) text += fmt::format(", {} suppressed", suppressed);
  return text;
}

std::string diagnosis_text(const Judged& judged, SourceText& sources, const Style& style) {
  const Diagnosis& diagnosis = judged.diagnosis;
  const std::string head =
      fmt::format("{}[{}]", name_of(diagnosis.level), code_text(diagnosis.code));
  const bool is_error = diagnosis.level == Level::kError;
  Body body(diagnosis, sources, style);
  for (const Spot& spot : diagnosis.spots) body.add(spot);
  if (!diagnosis.note.empty()) body.add_remark("note", diagnosis.note);
  if (diagnosis.count > 1) body.add_remark("note", fmt::format("{} times", diagnosis.count));
  if (!judged.help.empty()) body.add_remark("help", judged.help);
  return fmt::format("{}: {}\n{}", is_error ? style.error(head) : style.bold(head),
                     diagnosis.message, body.take());
}

}  // namespace wavetank::cli
