#include "cli/lint/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cli/output/diagnosis_body.hpp"
#include "lint/rule_list.hpp"

namespace wavetank::cli {
namespace {

using lint::Severity;

/// Places beside the first that are shown.
constexpr std::size_t kMaxOthers = 1;

std::string place_text(const LintedKernel& kernel, const LintPlace& place) {
  const std::string code = fmt::format("{} + {:#x}, {}", kernel.name, place.offset, kernel.target);
  return place.source.is_known() ? fmt::format("{}  ({})", place.source.short_text(), code) : code;
}

}  // namespace

std::string lint_text(const LintedKernel& kernel, const LintFinding& finding, SourceText& sources,
                      const Style& style) {
  const std::string head = fmt::format("{}[{}]", name_of(finding.rule->severity), finding.rule->id);
  const std::size_t shown = std::min(finding.places.size(), 1 + kMaxOthers);
  unsigned last_line = 0;
  for (std::size_t i = 0; i < shown && !finding.of_kernel; ++i) {
    last_line = std::max(last_line, finding.places[i].source.line);
  }
  DiagnosisBody body(last_line, sources, style);
  for (std::size_t i = 0; i < shown; ++i) {
    const LintPlace& place = finding.places[i];
    if (finding.of_kernel) {
      body.add({fmt::format("{}, {}", kernel.name, kernel.target), {}, {}, {}});
    } else {
      body.add({place_text(kernel, place), place.source, place.instruction, {}});
    }
  }
  if (shown < finding.places.size()) {
    body.add_remark("note", fmt::format("and {} more", finding.places.size() - shown));
  }
  if (!finding.note.empty()) body.add_remark("note", finding.note);
  body.add_remark("help", finding.remedy);
  return fmt::format("{}: {}\n{}", style.bold(head), finding.what, body.take());
}

std::string lint_brief(const LintedKernel& kernel) {
  std::string text;
  for (const lint::Rule& rule : lint::rules()) {
    const auto count = std::ranges::count(kernel.findings, &rule, &LintFinding::rule);
    if (count == 0) continue;
    text += fmt::format("{}{}", text.empty() ? "" : ", ", rule.id);
    if (count > 1) text += fmt::format(" {}", count);
  }
  return text;
}

std::string lint_table(const LintRun& run, const Style& style) {
  Table table;
  table.column("rule", Table::Align::kLeft);
  table.column("findings");
  table.column("kernels");
  table.column("what it says", Table::Align::kLeft);
  for (const lint::Rule& rule : lint::rules()) {
    std::size_t findings = 0, kernels = 0;
    for (const LintedKernel& kernel : run.kernels) {
      const auto own = std::ranges::count(kernel.findings, &rule, &LintFinding::rule);
      findings += static_cast<std::size_t>(own);
      kernels += own != 0 ? 1 : 0;
    }
    if (findings == 0) continue;
    table.row({std::string(rule.id), std::to_string(findings), std::to_string(kernels),
               std::string(rule.says)});
  }
  return table.to_text(style);
}

std::string lint_summary(const LintRun& run, const Style& style) {
  std::array<std::size_t, 2> counts = {};
  std::size_t kernels = 0;
  for (const LintedKernel& kernel : run.kernels) {
    kernels += kernel.findings.empty() ? 0 : 1;
    for (const LintFinding& finding : kernel.findings) {
      ++counts[finding.rule->severity == Severity::kWarning ? 0 : 1];
    }
  }
  const std::string all = count_text(run.kernels.size(), "kernel");
  std::string text = counts[0] + counts[1] == 0
                         ? style.good("nothing to say") + " about " + all
                         : fmt::format("{}, {} in {} of {}", count_text(counts[0], "warning"),
                                       count_text(counts[1], "note"), kernels, all);
  if (run.foreign_kernels != 0) {
    text += fmt::format("; {} of other processors", count_text(run.foreign_kernels, "kernel"));
  }
  const auto unknown = std::ranges::count(run.kernels, true, &LintedKernel::values_unknown);
  if (unknown != 0) {
    text += fmt::format("; of {} what registers hold is not known",
                        count_text(static_cast<std::size_t>(unknown), "kernel"));
  }
  return text;
}

}  // namespace wavetank::cli
