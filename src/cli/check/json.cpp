#include "cli/check/reports.hpp"
#include "cli/output/json_output.hpp"

namespace wavetank::cli {
namespace {

using check::code_text;
/// nullptr for what is not known.
Json known(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }
Json known(unsigned number) { return number == 0 ? Json(nullptr) : Json(number); }

Json json_of(const check::Spot& spot) {
  return {{"file", known(spot.source.file)},
          {"line", known(spot.source.line)},
          {"column", known(spot.source.column)},
          {"function", known(spot.source.function)},
          {"code_place", known(spot.code_place)},
          {"instruction", known(spot.code)},
          {"what", spot.what}};
}

Json json_of(const Judged& judged) {
  const check::Diagnosis& diagnosis = judged.diagnosis;
  Json json = {{"level", name_of(diagnosis.level)},
               {"code", code_text(diagnosis.code)},
               {"message", diagnosis.message},
               {"kernel", known(diagnosis.kernel)},
               {"count", diagnosis.count},
               {"note", known(diagnosis.note)},
               {"fix", nullptr},
               {"suppressed", nullptr},
               {"spots", Json::array()}};
  if (const auto& by = judged.suppressed) {
    json["suppressed"] = {{"place", by->place}, {"reason", known(by->reason)}};
  }
  if (const auto& fix = judged.fix) {
    json["fix"] = {{"change", fix->change}, {"errors_left", fix->errors_left}};
  }
  for (const check::Spot& spot : diagnosis.spots) json["spots"].push_back(json_of(spot));
  return json;
}

}  // namespace

std::string check_json(const CheckedRun& run, SourceText& sources) {
  Json json = {{"program", run.words},
               {"exit_status", run.exit_status},
               {"ended", run.ended},
               {"errors", run.count_of(check::Level::kError)},
               {"notes", run.count_of(check::Level::kNote)},
               {"suppressed", run.suppressed_count()},
               {"launches", Json::object()},
               {"findings", Json::array()}};
  for (const auto& [kernel, count] : run.launches) json["launches"][kernel] = count;
  const std::vector<std::string> prints = fingerprints(run, sources);
  for (std::size_t i = 0; i < run.findings.size(); ++i) {
    json["findings"].push_back(json_of(run.findings[i]));
    json["findings"].back()["fingerprint"] = prints[i];
  }
  return json_text(json);
}

}  // namespace wavetank::cli
