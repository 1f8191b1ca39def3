#include <fmt/format.h>

#include "cli/check/reports.hpp"
#include "cli/check/text.hpp"
#include "report/xml_text.hpp"

namespace wavetank::cli {
namespace {

using check::code_text;
using check::Diagnosis;
using check::Level;
using report::escaped;

/// What became of one kernel.
struct Case {
  std::vector<const Judged*> errors, notes;
};

std::string texts_of(const std::vector<const Judged*>& all, SourceText& sources) {
  std::string text;
  for (const Judged* const one : all) {
    if (!text.empty()) text += "\n";
    text += diagnosis_text(*one, sources, Style::plain());
  }
  return escaped(text);
}

std::string case_text(const std::string& kernel, const Case& one, SourceText& sources) {
  std::string text = fmt::format("    <testcase classname=\"wavetank check\" name=\"{}\"",
                                 escaped(kernel.empty() ? "the host's code" : kernel));
  if (!one.errors.empty() && !one.errors.front()->diagnosis.spots.empty()) {
    const SourceLine& source = one.errors.front()->diagnosis.spots.front().source;
    if (source.is_known()) {
      text += fmt::format(" file=\"{}\" line=\"{}\"", escaped(source.file), source.line);
    }
  }
  text += ">\n";
  if (!one.errors.empty()) {
    const Diagnosis& first = one.errors.front()->diagnosis;
    text +=
        fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                    code_text(first.code), escaped(first.message), texts_of(one.errors, sources));
  }
  if (!one.notes.empty()) {
    text += fmt::format("      <system-out>{}</system-out>\n", texts_of(one.notes, sources));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string check_junit(const CheckedRun& run, SourceText& sources) {
  std::map<std::string, Case> cases;
  for (const auto& [kernel, count] : run.launches) cases[kernel];
  for (const Judged& judged : run.findings) {
    if (judged.suppressed) continue;
    Case& one = cases[judged.diagnosis.kernel];
    (judged.diagnosis.level == Level::kError ? one.errors : one.notes).push_back(&judged);
  }
  std::string body;
  std::size_t failures = 0;
  for (const auto& [kernel, one] : cases) {
    failures += one.errors.empty() ? 0 : 1;
    body += case_text(kernel, one, sources);
  }
  body += "    <testcase classname=\"wavetank check\" name=\"the program's end\">\n";
  if (run.broke_off()) {
    body +=
        fmt::format("      <error message=\"it broke off with status {}\"/>\n", run.exit_status);
  }
  body += "    </testcase>\n";
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"",
                                         cases.size() + 1, failures, run.broke_off() ? 1 : 0);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {0}>\n"
      "  <testsuite name=\"{1}\" {0}>\n{2}  </testsuite>\n</testsuites>\n",
      counts, escaped(run.words.empty() ? "" : run.words.front()), body);
}

}  // namespace wavetank::cli
