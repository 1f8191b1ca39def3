#include "cli/rocm/yaml_jobs.hpp"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

namespace wavetank::cli {
namespace {

using Json = nlohmann::json;

/// Levels of {"jobs": [{"pmc": ["NAME"]}]}: what lies deeper is no job, and an alias of a list that
/// contains itself has no end.
constexpr int kLevels = 4;

std::string place_of(const YAML::Mark& mark, const std::string& path) {
  return mark.is_null() ? path : fmt::format("{}:{}", path, mark.line + 1);
}

/// A quoted text (its tag is "!") is a text whatever it says.
Json scalar_of(const YAML::Node& node) {
  bool flag = false;
  if (node.Tag() != "!" && YAML::convert<bool>::decode(node, flag)) return flag;
  return node.Scalar();
}

Result<Json> json_of(const YAML::Node& node, const std::string& path, int levels) {
  if (node.IsNull()) return Json();
  if (node.IsScalar()) return scalar_of(node);
  if (levels == 0) {
    return fail(ErrorCode::kFileUnreadable, "rocprofv3's jobs have no such levels",
                place_of(node.Mark(), path), "a job has texts, and lists of texts");
  }
  Json all = node.IsSequence() ? Json::array() : Json::object();
  for (const auto& child : node) {
    if (node.IsMap() && !child.first.IsScalar()) {
      return fail(ErrorCode::kFileUnreadable, "a key is no text",
                  place_of(child.first.Mark(), path), "write the option's name");
    }
    auto value = json_of(node.IsMap() ? child.second : YAML::Node(child), path, levels - 1);
    if (!value) return value;
    if (node.IsMap()) {
      all[child.first.Scalar()] = std::move(*value);
    } else {
      all.push_back(std::move(*value));
    }
  }
  return all;
}

}  // namespace

Result<Json> jobs_of_yaml(const std::string& text, const std::string& path) {
  try {
    return json_of(YAML::Load(text), path, kLevels);
  } catch (const YAML::Exception& error) {
    return fail(ErrorCode::kFileUnreadable, "no YAML: " + error.msg, place_of(error.mark, path),
                "mend the line, or write the jobs as JSON");
  }
}

}  // namespace wavetank::cli
