#include "cli/check/text.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "cli/output/diagnosis_body.hpp"

namespace wavetank::cli {
namespace {

using check::code_text;
using check::Diagnosis;
using check::Level;
using check::Spot;

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
  unsigned last_line = 0;
  for (const Spot& spot : diagnosis.spots) last_line = std::max(last_line, spot.source.line);
  DiagnosisBody body(last_line, sources, style);
  for (const Spot& spot : diagnosis.spots) {
    body.add({spot.place(), spot.source, spot.code, spot.what});
  }
  if (!diagnosis.note.empty()) body.add_remark("note", diagnosis.note);
  if (diagnosis.count > 1) body.add_remark("note", fmt::format("{} times", diagnosis.count));
  if (!judged.help.empty()) body.add_remark("help", judged.help);
  return fmt::format("{}: {}\n{}", is_error ? style.error(head) : style.bold(head),
                     diagnosis.message, body.take());
}

}  // namespace wavetank::cli
