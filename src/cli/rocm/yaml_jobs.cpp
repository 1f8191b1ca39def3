#include "cli/rocm/yaml_jobs.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>

#include "base/text.hpp"

namespace wavetank::cli {
namespace {

using Json = nlohmann::json;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string unquoted(std::string_view text) {
  text = trimmed(text);
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  return std::string(quoted ? text.substr(1, text.size() - 2) : text);
}

Json value_of(std::string_view text) {
  if (text.size() >= 2 && text.front() == '[' && text.back() == ']') {
    Json list = Json::array();
    for (const std::string& word : split_at_commas(text.substr(1, text.size() - 2))) {
      list.push_back(unquoted(word));
    }
    return list;
  }
  const std::string_view lower = text;
  if (lower == "true" || lower == "True") return true;
  if (lower == "false" || lower == "False") return false;
  return unquoted(text);
}

/// The lines below "jobs:", one after the other.
class Reader {
 public:
  /// Takes a line without its remark; false if it is none that can stand here.
  bool take(std::string_view line) {
    const std::size_t indent = line.find_first_not_of(' ');
    std::string_view rest = trimmed(line);
    const bool item = rest.starts_with("- ") || rest == "-";
    if (item) rest = trimmed(rest.substr(1));
    const auto colon = rest.find(": ");
    const bool key_only = rest.ends_with(':');
    if (item && colon == std::string_view::npos && !key_only) return add_word(rest);
    if (item) {
      if (!job_indent_) job_indent_ = indent;
      if (indent != *job_indent_) return false;
      jobs_.push_back(Json::object());
    }
    if (jobs_.empty() || (colon == std::string_view::npos && !key_only)) return false;
    key_ = std::string(key_only ? rest.substr(0, rest.size() - 1) : rest.substr(0, colon));
    jobs_.back()[key_] = key_only ? Json::array() : value_of(trimmed(rest.substr(colon + 2)));
    return true;
  }

  Json take_jobs() { return std::move(jobs_); }

 private:
  bool add_word(std::string_view word) {
    if (jobs_.empty() || key_.empty() || !jobs_.back()[key_].is_array()) return false;
    jobs_.back()[key_].push_back(unquoted(word));
    return true;
  }

  Json jobs_ = Json::array();
  std::string key_;
  std::optional<std::size_t> job_indent_;
};

}  // namespace

Result<Json> jobs_of_yaml(const std::string& text, const std::string& path) {
  std::istringstream lines(text);
  Reader reader;
  bool below = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const auto remark = line.find(" #");
    const std::string_view own = std::string_view(line).substr(0, remark);
    if (trimmed(own).empty() || trimmed(own).starts_with('#') || trimmed(own) == "---") continue;
    if (!below && trimmed(own) == "jobs:") {
      below = true;
    } else if (!below || !reader.take(own)) {
      return fail(ErrorCode::kFileUnreadable, "a line that rocprofv3's jobs do not have",
                  fmt::format("{}:{}", path, number), "write the jobs as JSON");
    }
  }
  return Json{{"jobs", reader.take_jobs()}};
}

}  // namespace wavetank::cli
