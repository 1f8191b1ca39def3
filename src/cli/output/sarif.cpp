#include "cli/output/sarif.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output/explain_pages.hpp"
#include "cli/output/json_output.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

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

/// The kind of a finding [3.49].
Json json_of(const SarifRule& rule) {
  const EmbeddedFile* const page = explain_page(rule.id);
  const std::string title = page != nullptr ? title_of(*page) : rule.id;
  const std::string text(page != nullptr ? page->text : rule.id);
  return {{"id", rule.id},
          {"shortDescription", {{"text", title}}},
          {"fullDescription", {{"text", title}}},
          {"help", {{"text", text}, {"markdown", text}}},
          {"defaultConfiguration", {{"level", rule.level}}},
          {"properties",
           {{"tags", Json::array({rule.tag})},
            {"problem.severity", rule.level == "note" ? "recommendation" : rule.level}}}};
}

/// Writes one log.
class Log {
 public:
  Log(const SarifRun& run, const fs::path& root, SourceText& sources)
      : run_(run), root_(root), sources_(sources) {}

  Json document() {
    Json results = Json::array(), rules = Json::array();
    for (const SarifResult& one : run_.results) results.push_back(result(one));
    for (const SarifRule& rule : run_.rules) rules.push_back(json_of(rule));
    const Json driver = {{"name", run_.tool}, {"rules", std::move(rules)}};
    const Json invocation = {{"executionSuccessful", run_.successful},
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
  Json result(const SarifResult& one) {
    Json result = {
        {"ruleId", run_.rules[one.rule].id},
        {"ruleIndex", one.rule},
        {"level", one.level},
        {"message", {{"text", one.message}}},
        {"locations", Json::array()},
        {"partialFingerprints",
         {{"wavetankFinding/v1", one.fingerprint}, {"primaryLocationLineHash", one.fingerprint}}},
        {"occurrenceCount", std::max<std::uint64_t>(one.count, 1)}};
    result["locations"].push_back(one.places.empty() ? program() : location(one.places[0].source));
    for (std::size_t i = 1; i < one.places.size(); ++i) {
      Json related = location(one.places[i].source);
      related["id"] = i;
      related["message"] = {{"text", one.places[i].what}};
      result["relatedLocations"].push_back(std::move(related));
    }
    return result;
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

  Json location(const SourceLine& source) {
    Json location = program();
    if (source.is_known()) {
      Json region = {{"startLine", source.line}};
      if (source.column != 0) region["startColumn"] = source.column;
      if (const std::string* const line = sources_.line_of(source)) {
        region["snippet"] = {{"text", *line}};
      }
      location["physicalLocation"] = {{"artifactLocation", artifact(source.file)},
                                      {"region", std::move(region)}};
    }
    if (!source.function.empty()) {
      location["logicalLocations"] =
          Json::array({{{"fullyQualifiedName", source.function}, {"kind", "function"}}});
    }
    return location;
  }

  const SarifRun& run_;
  const fs::path& root_;
  SourceText& sources_;
};

}  // namespace

std::string sarif_text(const SarifRun& run, const fs::path& root, SourceText& sources) {
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

}  // namespace wavetank::cli
