#include "cli/compile/hipcc_words.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <string_view>

#include "base/file.hpp"

namespace wavetank::cli {
namespace {

using Words = std::vector<std::string>;

/// A response file may name another; more than this is a circle.
constexpr int kDeepestFile = 8;

/// Words as GNU tools write them into a response file: apart by blanks, with quotes and
/// backslashes.
Words split_text(std::string_view text) {
  Words words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? 0 : c;
      inside = true;
    } else if (quote != 0 || !blank) {
      word += c;
      inside = true;
    } else if (inside) {
      words.push_back(std::move(word));
      word.clear();
      inside = false;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

Result<void> expand(const Words& words, int depth, Words& result) {
  for (const std::string& word : words) {
    if (word.size() < 2 || word.front() != '@') {
      result.push_back(word);
      continue;
    }
    const auto bytes = read_file(word.substr(1));
    if (!bytes) return tl::unexpected(bytes.error());
    if (depth == kDeepestFile) {
      return fail(ErrorCode::kFileUnreadable, "response files name each other", word.substr(1));
    }
    const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    if (const auto done = expand(split_text(text), depth + 1, result); !done) return done;
  }
  return {};
}

/// True if the word names processors, which are then added.
bool take_processors(const std::string& word, Words& architectures) {
  constexpr std::array<std::string_view, 3> kForms = {
      "--offload-arch=", "--amdgpu-target=", "--cuda-gpu-arch="};
  for (const std::string_view form : kForms) {
    if (word.rfind(form, 0) != 0) continue;
    std::istringstream list(word.substr(form.size()));
    for (std::string name; std::getline(list, name, ',');) architectures.push_back(name);
    return true;
  }
  return false;
}

}  // namespace

Result<HipccWords> read_hipcc_words(const Words& words) {
  Words expanded;
  if (const auto done = expand(words, 0, expanded); !done) return tl::unexpected(done.error());
  HipccWords result;
  for (const std::string& word : expanded) {
    if (take_processors(word, result.architectures)) continue;
    if (word == "--hipcc-func-supp" || word.rfind("-parallel-jobs=", 0) == 0) continue;
    if (word == "--hipcc-no-func-supp") {
      result.rest.insert(result.rest.end(), {"-mllvm", "-amdgpu-early-inline-all=true", "-mllvm",
                                             "-amdgpu-function-calls=false"});
    } else {
      result.rest.push_back(word == "--genco" ? "--cuda-device-only" : word);
    }
  }
  return result;
}

}  // namespace wavetank::cli
