// SARIF 2.1.0 (OASIS standard; sections of it in brackets), as much of it as code-scanning pages
// read: GitHub's "SARIF support for code scanning" lists the properties.
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "cli/check_reports.hpp"
#include "cli/explain_pages.hpp"
#include "cli/json_output.hpp"
#include "toolchain/digest.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;
using check::code_text;
using check::Diagnosis;
using check::Level;
using check::Spot;

constexpr const char* kRoot = "SRCROOT";

/// A path as part of a URI (RFC 3986, section 2.3).
std::string uri_of(const fs::path& path) {
  std::string uri;
  for (const char c : path.generic_string()) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/+").find(c) != std::string_view::npos;
    uri += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return uri;
}

/// Writes one log.
class Log {
 public:
  Log(const CheckedRun& run, const fs::path& root, SourceText& sources)
      : run_(run), root_(root), sources_(sources), fingerprints_(fingerprints(run, sources)) {
    for (const Judged& judged : run.findings) {
      if (!judged.suppressed) codes_.insert(judged.diagnosis.code);
    }
  }

  Json document() {
    Json results = Json::array();
    for (std::size_t i = 0; i < run_.findings.size(); ++i) {
      if (!run_.findings[i].suppressed) results.push_back(result(i));
    }
    const Json driver = {{"name", "wavetank check"}, {"rules", rules()}};
    const Json invocation = {{"executionSuccessful", !run_.broke_off()},
                             {"exitCode", run_.exit_status},
                             {"arguments", run_.words}};
    const Json run = {{"tool", {{"driver", driver}}},
                      {"invocations", Json::array({invocation})},
                      {"originalUriBaseIds", {{kRoot, {{"uri", "file://" + uri_of(root_) + "/"}}}}},
                      {"columnKind", "utf16CodeUnits"},
                      {"results", std::move(results)}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({run})}};
  }

 private:
  /// The kinds that were found [3.49].
  Json rules() const {
    Json rules = Json::array();
    for (const ErrorCode code : codes_) {
      const std::string id = code_text(code);
      const EmbeddedFile* const page = explain_page(id);
      const std::string title = page != nullptr ? title_of(*page) : id;
      const std::string text(page != nullptr ? page->text : id);
      rules.push_back({{"id", id},
                       {"shortDescription", {{"text", title}}},
                       {"fullDescription", {{"text", title}}},
                       {"help", {{"text", text}, {"markdown", text}}},
                       {"defaultConfiguration", {{"level", "error"}}},
                       {"properties",
                        {{"tags", Json::array({"correctness"})}, {"problem.severity", "error"}}}});
    }
    return rules;
  }

  Json result(std::size_t index) {
    const Judged& judged = run_.findings[index];
    const Diagnosis& diagnosis = judged.diagnosis;
    const auto rule = std::distance(codes_.begin(), codes_.find(diagnosis.code));
    Json result = {{"ruleId", code_text(diagnosis.code)},
                   {"ruleIndex", rule},
                   {"level", name_of(diagnosis.level)},
                   {"message", {{"text", message(judged)}}},
                   {"locations", Json::array()},
                   {"partialFingerprints",
                    {{"wavetankFinding/v1", fingerprints_[index]},
                     {"primaryLocationLineHash", fingerprints_[index]}}},
                   {"occurrenceCount", std::max<std::uint64_t>(diagnosis.count, 1)}};
    result["locations"].push_back(diagnosis.spots.empty() ? program()
                                                          : location(diagnosis.spots[0]));
    for (std::size_t i = 1; i < diagnosis.spots.size(); ++i) {
      Json related = location(diagnosis.spots[i]);
      related["id"] = i;
      related["message"] = {{"text", diagnosis.spots[i].what}};
      result["relatedLocations"].push_back(std::move(related));
    }
    return result;
  }

  /// What happened, with links to the related locations [3.11.6].
  static std::string message(const Judged& judged) {
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

  Json artifact(const fs::path& file) const {
    const fs::path relative = file.lexically_normal().lexically_relative(root_);
    const bool inside = !relative.empty() && *relative.begin() != "..";
    if (inside) return {{"uri", uri_of(relative)}, {"uriBaseId", kRoot}};
    return {{"uri", file.is_absolute() ? "file://" + uri_of(file) : uri_of(file)}};
  }

  /// A finding must have a place in a file: without one in a source the program is it.
  Json program() const {
    const fs::path path = fs::absolute(run_.words.empty() ? "." : run_.words.front());
    return {{"physicalLocation",
             {{"artifactLocation", artifact(path)}, {"region", {{"startLine", 1}}}}}};
  }

  Json location(const Spot& spot) {
    Json location = program();
    if (spot.source.is_known()) {
      Json region = {{"startLine", spot.source.line}};
      if (spot.source.column != 0) region["startColumn"] = spot.source.column;
      if (const std::string* const line = sources_.line_of(spot.source)) {
        region["snippet"] = {{"text", *line}};
      }
      location["physicalLocation"] = {{"artifactLocation", artifact(spot.source.file)},
                                      {"region", std::move(region)}};
    }
    const std::string& name = spot.source.function;
    if (!name.empty()) {
      location["logicalLocations"] =
          Json::array({{{"fullyQualifiedName", name}, {"kind", "function"}}});
    }
    return location;
  }

  const CheckedRun& run_;
  const fs::path& root_;
  SourceText& sources_;
  const std::vector<std::string> fingerprints_;
  std::set<ErrorCode> codes_;
};

}  // namespace

std::string check_sarif(const CheckedRun& run, const fs::path& root, SourceText& sources) {
  return json_text(Log(run, root, sources).document());
}

fs::path source_root(const fs::path& folder) {
  const fs::path start = fs::absolute(folder).lexically_normal();
  std::error_code ignored;
  for (fs::path at = start; at.has_relative_path(); at = at.parent_path()) {
    if (fs::exists(at / ".git", ignored)) return at;
  }
  return start;
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
