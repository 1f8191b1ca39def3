#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/lint/run.hpp"
#include "cli/output/json_output.hpp"
#include "cli/output/sarif.hpp"
#include "lint/rule_list.hpp"
#include "toolchain/digest.hpp"

namespace wavetank::cli {
namespace {

/// nullptr for what is not known.
Json known(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json known(unsigned number) { return number == 0 ? Json(nullptr) : Json(number); }

Json json_of(const LintPlace& place) {
  return {{"file", known(place.source.file)},
          {"line", known(place.source.line)},
          {"column", known(place.source.column)},
          {"function", known(place.source.function)},
          {"offset", place.offset},
          {"instruction", place.instruction}};
}

Json json_of(const LintFinding& finding) {
  Json json = {{"rule", finding.rule->id}, {"severity", name_of(finding.rule->severity)},
               {"message", finding.what},  {"note", known(finding.note)},
               {"remedy", finding.remedy}, {"loop_depth", finding.loop_depth},
               {"places", Json::array()}};
  for (const LintPlace& place : finding.places) json["places"].push_back(json_of(place));
  return json;
}

std::string message_of(const LintFinding& finding, const LintedKernel& kernel) {
  std::string text = finding.what + ".";
  if (!finding.note.empty()) text += fmt::format(" Note: {}.", finding.note);
  return text +
         fmt::format(" Help: {}. Kernel: {} ({}).", finding.remedy, kernel.name, kernel.target);
}

/// The number of a rule among those of the log.
std::size_t number_of(const lint::Rule& rule) {
  return static_cast<std::size_t>(&rule - lint::rules().data());
}

}  // namespace

std::vector<std::string> lint_fingerprints(const LintRun& run, SourceText& sources) {
  std::vector<std::string> all;
  std::map<std::string, unsigned> times;
  for (const LintedKernel& kernel : run.kernels) {
    for (const LintFinding& finding : kernel.findings) {
      const LintPlace& place = finding.places.front();
      const std::string* const line = sources.line_of(place.source);
      toolchain::Digest digest;
      digest.add(finding.rule->id).add(kernel.symbol).add(kernel.target);
      digest.add(place.source.file_name()).add(line != nullptr ? *line : place.instruction);
      const std::string hash = digest.hex().substr(0, 16);
      all.push_back(fmt::format("{}:{}", hash, ++times[hash]));
    }
  }
  return all;
}

std::string lint_json(const LintRun& run, SourceText& sources) {
  Json json = {{"files", run.files},
               {"findings", run.finding_count()},
               {"kernels_refused", run.refused.size()},
               {"kernels_of_other_processors", run.foreign_kernels},
               {"kernels", Json::array()}};
  const std::vector<std::string> prints = lint_fingerprints(run, sources);
  std::size_t next = 0;
  for (const LintedKernel& kernel : run.kernels) {
    Json one = {{"name", kernel.name},
                {"symbol", kernel.symbol},
                {"target", kernel.target},
                {"values_known", !kernel.values_unknown},
                {"findings", Json::array()}};
    for (const LintFinding& finding : kernel.findings) {
      one["findings"].push_back(json_of(finding));
      one["findings"].back()["fingerprint"] = prints[next++];
    }
    json["kernels"].push_back(std::move(one));
  }
  return json_text(json);
}

std::string lint_sarif(const LintRun& run, const std::string& root, SourceText& sources) {
  SarifRun log{"wavetank lint", run.files, 0, run.refused.empty(), {}, {}};
  for (const lint::Rule& rule : lint::rules()) {
    log.rules.push_back({std::string(rule.id), std::string(name_of(rule.severity)), "performance"});
  }
  const std::vector<std::string> prints = lint_fingerprints(run, sources);
  for (const LintedKernel& kernel : run.kernels) {
    for (const LintFinding& finding : kernel.findings) {
      SarifResult result{number_of(*finding.rule),    log.rules[number_of(*finding.rule)].level,
                         message_of(finding, kernel), {},
                         prints[log.results.size()],  1};
      for (const LintPlace& place : finding.places) {
        result.places.push_back({place.source, place.instruction});
      }
      log.results.push_back(std::move(result));
    }
  }
  return sarif_text(log, root, sources);
}

}  // namespace wavetank::cli
