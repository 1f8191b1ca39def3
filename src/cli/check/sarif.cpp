#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cli/check/reports.hpp"
#include "cli/output/sarif.hpp"
#include "toolchain/digest.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;
using check::code_text;
using check::Diagnosis;
using check::Spot;

/// What happened, with links to the related locations [SARIF 3.11.6].
std::string message_of(const Judged& judged) {
  const Diagnosis& diagnosis = judged.diagnosis;
  std::string text = diagnosis.message;
  for (std::size_t i = 0; i < diagnosis.spots.size(); ++i) {
    const Spot& spot = diagnosis.spots[i];
    const std::string place = i == 0 ? "Here" : fmt::format("At [{}]({})", spot.place(), i);
    text += fmt::format("{} {}: {}.", i == 0 ? "." : "", place, spot.what);
  }
  if (!diagnosis.note.empty()) text += fmt::format(" Note: {}.", diagnosis.note);
  if (!judged.help.empty()) text += fmt::format(" Help: {}.", judged.help);
  if (!diagnosis.kernel.empty()) text += fmt::format(" Kernel: {}.", diagnosis.kernel);
  return text;
}

/// The kinds that were found.
std::set<ErrorCode> codes_of(const CheckedRun& run) {
  std::set<ErrorCode> codes;
  for (const Judged& judged : run.findings) {
    if (!judged.suppressed) codes.insert(judged.diagnosis.code);
  }
  return codes;
}

SarifResult result_of(const Judged& judged, std::size_t rule, const std::string& fingerprint) {
  const Diagnosis& diagnosis = judged.diagnosis;
  SarifResult result{
      rule,           std::string(name_of(diagnosis.level)), message_of(judged), {}, fingerprint,
      diagnosis.count};
  for (const Spot& spot : diagnosis.spots) result.places.push_back({spot.source, spot.what});
  return result;
}

}  // namespace

std::string check_sarif(const CheckedRun& run, const fs::path& root, SourceText& sources) {
  SarifRun log{"wavetank check", run.words, run.exit_status, !run.broke_off(), {}, {}};
  const std::set<ErrorCode> codes = codes_of(run);
  for (const ErrorCode code : codes) {
    log.rules.push_back({code_text(code), "error", "correctness"});
  }
  const std::vector<std::string> prints = fingerprints(run, sources);
  for (std::size_t i = 0; i < run.findings.size(); ++i) {
    const Judged& judged = run.findings[i];
    if (judged.suppressed) continue;
    const auto rule = std::distance(codes.begin(), codes.find(judged.diagnosis.code));
    log.results.push_back(result_of(judged, static_cast<std::size_t>(rule), prints[i]));
  }
  return sarif_text(log, root, sources);
}

std::vector<std::string> fingerprints(const CheckedRun& run, SourceText& sources) {
  std::vector<std::string> all;
  std::map<std::string, unsigned> times;
  for (const Judged& judged : run.findings) {
    const Diagnosis& diagnosis = judged.diagnosis;
    toolchain::Digest digest;
    digest.add(code_text(diagnosis.code)).add(name_of(diagnosis.level)).add(diagnosis.kernel);
    for (const Spot& spot : diagnosis.spots) {
      const std::string* const line = sources.line_of(spot.source);
      digest.add(spot.source.file_name()).add(spot.source.function);
      digest.add(line != nullptr ? *line : spot.place());
    }
    const std::string hash = digest.hex().substr(0, 16);
    all.push_back(fmt::format("{}:{}", hash, ++times[hash]));
  }
  return all;
}

}  // namespace wavetank::cli
