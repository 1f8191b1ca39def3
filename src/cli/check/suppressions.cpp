#include "cli/check/suppressions.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>
#include <toml++/toml.h>

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;
using check::code_text;
using check::Diagnosis;
using check::Spot;

constexpr const char* kFileName = ".wavetank-check";
constexpr std::string_view kMark = "wavetank: ok";

bool matches(const std::string& glob, const std::string& text) {
  return fnmatch(glob.c_str(), text.c_str(), 0) == 0;
}

/// True for the path as a whole and for its last folders and name.
bool path_matches(const std::string& glob, const std::string& path) {
  return matches(glob, path) || matches("*/" + glob, path);
}

/// The name in "void q::step<int>(int*)": before the parameters, behind what is returned.
std::string name_in(const std::string& function) {
  std::string name = function.substr(0, function.find('('));
  std::size_t depth = 0;
  for (std::size_t i = name.size(); i-- > 0;) {
    if (name[i] == '>') ++depth;
    if (name[i] == '<' && depth > 0) --depth;
    if (name[i] == ' ' && depth == 0) return name.substr(i + 1);
  }
  return name;
}

bool function_matches(const std::string& glob, const std::string& function) {
  const std::string name = name_in(function);
  return matches(glob, function) || matches(glob, name) ||
         matches(glob, name.substr(0, name.find('<')));
}

bool is_code(std::string_view word) {
  return word.size() == 5 && word[0] == 'E' &&
         std::all_of(word.begin() + 1, word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

tl::unexpected<Error> bad(std::string message, std::string_view where,
                          const toml::source_region& region) {
  return fail(ErrorCode::kFileUnreadable, std::move(message),
              fmt::format("{}:{}:{}", where, region.begin.line, region.begin.column),
              "an entry is [[ok]] with code, file, line, function, reason");
}

Result<void> set_key(SuppressionEntry& entry, std::string_view key, const toml::node& node,
                     std::string_view where) {
  if (key == "line") {
    const auto line = node.value_exact<std::int64_t>();
    if (!line || *line < 1 || *line > 1'000'000'000) {
      return bad("line is no number of a line", where, node.source());
    }
    entry.line = static_cast<unsigned>(*line);
    return {};
  }
  const std::pair<std::string_view, std::string*> texts[] = {{"code", &entry.code},
                                                             {"file", &entry.file},
                                                             {"function", &entry.function},
                                                             {"reason", &entry.reason}};
  for (const auto& [name, text] : texts) {
    if (name != key) continue;
    const auto value = node.value_exact<std::string>();
    if (!value) return bad(fmt::format("{} is no text", key), where, node.source());
    *text = *value;
    return {};
  }
  return bad(fmt::format("an entry has no {}", key), where, node.source());
}

Result<SuppressionEntry> entry_of(const toml::node& node, std::string_view where) {
  const toml::table* const table = node.as_table();
  if (table == nullptr) return bad("an entry is no table", where, node.source());
  SuppressionEntry entry;
  entry.source = {std::string(where), node.source().begin.line};
  for (const auto& [key, value] : *table) {
    if (auto set = set_key(entry, key.str(), value, where); !set) {
      return tl::unexpected(set.error());
    }
  }
  if (!entry.code.empty() && !is_code(entry.code)) {
    return bad(fmt::format("{} is no code as E0310 is", entry.code), where, node.source());
  }
  if (entry.code.empty() && entry.file.empty() && entry.function.empty()) {
    return bad("an entry for everything: name a code, a file or a function", where, node.source());
  }
  return entry;
}

Result<std::vector<SuppressionEntry>> entries_of(const toml::table& root, std::string_view where) {
  std::vector<SuppressionEntry> entries;
  for (const auto& [key, value] : root) {
    const toml::array* const list = value.as_array();
    if (key.str() != "ok" || list == nullptr) {
      return bad(fmt::format("\"{}\" is no list of entries", key.str()), where, value.source());
    }
    for (const toml::node& node : *list) {
      auto entry = entry_of(node, where);
      if (!entry) return tl::unexpected(entry.error());
      entries.push_back(std::move(*entry));
    }
  }
  return entries;
}

/// A comment and where it stands.
struct PlacedComment {
  SuppressionComment comment;
  SourceLine source;
};

/// The comment for a line: its own, or that of the line above if it is alone there.
std::optional<PlacedComment> comment_for(const SourceLine& source, SourceText& sources) {
  for (const bool above : {false, true}) {
    const SourceLine at{source.file, source.line - (above ? 1 : 0)};
    const std::string* const text = sources.line_of(at);
    if (text == nullptr) continue;
    if (auto comment = suppression_comment(*text, above)) return PlacedComment{*comment, at};
  }
  return std::nullopt;
}

/// Names a line whatever way its path is written.
std::pair<fs::path, unsigned> key_of(const SourceLine& source) {
  return {fs::path(source.file).lexically_normal(), source.line};
}

Diagnosis unused_note(const SourceLine& source, std::string_view what) {
  Diagnosis note;
  note.level = check::Level::kNote;
  note.code = ErrorCode::kUnusedSuppression;
  note.message = fmt::format("this {} suppresses no finding of this run", what);
  note.spots.push_back({source, {}, {}, {}});
  return note;
}

}  // namespace

std::string SuppressionEntry::place() const {
  return fmt::format("{}:{}", source.file, source.line);
}

bool SuppressionEntry::fits(const Diagnosis& diagnosis) const {
  if (!code.empty() && code != code_text(diagnosis.code)) return false;
  if (file.empty() && line == 0) {
    const bool of_kernel = function.empty() || function_matches(function, diagnosis.kernel);
    if (of_kernel) return true;
  }
  return std::ranges::any_of(diagnosis.spots, [&](const Spot& spot) {
    return (file.empty() || path_matches(file, spot.source.file)) &&
           (line == 0 || line == spot.source.line) &&
           (function.empty() || function_matches(function, spot.source.function) ||
            function_matches(function, diagnosis.kernel));
  });
}

Result<std::vector<SuppressionEntry>> parse_suppressions(std::string_view text,
                                                         std::string_view where) {
  try {
    return entries_of(toml::parse(text), where);
  } catch (const toml::parse_error& error) {
    return bad(std::string(error.description()), where, error.source());
  }
}

std::optional<fs::path> find_suppressions(const fs::path& folder) {
  std::error_code ignored;
  for (fs::path at = fs::absolute(folder);; at = at.parent_path()) {
    if (fs::is_regular_file(at / kFileName, ignored)) return at / kFileName;
    if (!at.has_relative_path()) return std::nullopt;
  }
}

std::optional<SuppressionComment> suppression_comment(std::string_view line, bool alone) {
  const std::size_t slashes = line.find("//");
  if (slashes == std::string_view::npos) return std::nullopt;
  if (alone && line.find_first_not_of(" \t") != slashes) return std::nullopt;
  const std::size_t mark = line.find(kMark, slashes);
  if (mark == std::string_view::npos) return std::nullopt;
  std::string_view rest = line.substr(mark + kMark.size());
  if (!rest.empty() && std::isalnum(static_cast<unsigned char>(rest.front())) != 0) {
    return std::nullopt;  // "okay" is another word
  }
  const auto trim = [](std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t:,"), text.size()));
    return text;
  };
  rest = trim(rest);
  SuppressionComment comment;
  if (is_code(rest.substr(0, std::min<std::size_t>(5, rest.size())))) {
    comment.code = rest.substr(0, 5);
    rest = trim(rest.substr(5));
  }
  comment.reason = rest;
  return comment;
}

std::optional<Suppression> Suppressions::of(const Diagnosis& diagnosis, SourceText& sources) {
  std::optional<Suppression> by;
  for (const Spot& spot : diagnosis.spots) {
    const auto found = comment_for(spot.source, sources);
    if (!found) continue;
    const auto& [comment, at] = *found;
    if (!comment.code.empty() && comment.code != code_text(diagnosis.code)) continue;
    used_.insert(key_of(at));
    if (!by) by = {at.short_text(), comment.reason};
  }
  if (by) return by;
  for (const SuppressionEntry& entry : entries_) {
    if (!entry.fits(diagnosis)) continue;
    used_.insert(key_of(entry.source));
    return Suppression{entry.place(), entry.reason};
  }
  return std::nullopt;
}

std::vector<Diagnosis> Suppressions::unused(const std::set<std::string>& files,
                                            SourceText& sources) const {
  std::vector<Diagnosis> notes;
  for (const SuppressionEntry& entry : entries_) {
    if (!used_.contains(key_of(entry.source))) notes.push_back(unused_note(entry.source, "entry"));
  }
  std::set<fs::path> seen;
  for (const std::string& file : files) {
    if (!seen.insert(fs::path(file).lexically_normal()).second) continue;
    SourceLine at{file, 1};
    for (; const std::string* const text = sources.line_of(at); ++at.line) {
      if (!suppression_comment(*text, false) || used_.contains(key_of(at))) continue;
      notes.push_back(unused_note(at, "comment"));
    }
  }
  return notes;
}

}  // namespace wavetank::cli
