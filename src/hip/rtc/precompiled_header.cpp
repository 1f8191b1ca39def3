#include "hip/rtc/precompiled_header.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "hip/rtc/options.hpp"
#include "toolchain/digest.hpp"
#include "toolchain/file_state.hpp"
#include "toolchain/process.hpp"

namespace wavetank::hip::rtc {
namespace {

namespace fs = std::filesystem;
using toolchain::Cache;
using Words = std::vector<std::string>;

/// One precompiled header of the cache and the files beside it.
struct Entry {
  std::string key;
  std::string pch() const { return key + ".pch"; }
  std::string inputs() const { return key + ".inputs"; }
  std::string asked() const { return key + ".asked"; }
};

std::string read_text(const fs::path& file) {
  const auto bytes = read_file(file.string());
  if (!bytes) return {};
  return {reinterpret_cast<const char*>(bytes->data()), bytes->size()};
}

std::optional<PrecompiledHeader> valid_header(const Cache& cache, const Entry& entry) {
  const auto file = cache.find(entry.pch());
  const auto inputs = cache.find(entry.inputs());
  if (!file || !inputs) return std::nullopt;
  PrecompiledHeader header{*file, read_text(*inputs)};
  if (header.inputs.empty() || !toolchain::states_hold(header.inputs)) return std::nullopt;
  return header;
}

/// Stores the names that the header and what it includes ask for.
void store_asked(const Cache& cache, const Entry& entry, const std::vector<fs::path>& files) {
  std::set<std::string> names;
  for (const fs::path& file : files) {
    for (std::string& name : names_asked(read_text(file))) names.insert(std::move(name));
  }
  std::string lines;
  for (const std::string& name : names) lines += name + "\n";
  cache.store(entry.asked(), lines);
}

/// Compiles the header; the inputs are stored last, as they say that the rest is there.
std::optional<PrecompiledHeader> make_header(const Cache& cache, const Entry& entry,
                                             const fs::path& source, Words command) {
  const fs::path draft = cache.draft(entry.pch());
  const fs::path rule = cache.draft(entry.key + ".d");
  const Words flags = toolchain::dependency_flags(rule);
  command.insert(command.end(), flags.begin(), flags.end());
  command.insert(command.end(),
                 {"-S", "-Xclang", "-emit-pch", source.string(), "-o", draft.string()});
  const auto finished = toolchain::capture_tool(command);
  const std::vector<fs::path> files = toolchain::read_dependencies(rule);
  std::error_code error;
  fs::remove(rule, error);
  if (!finished || finished->exit_status != 0 || files.empty()) {
    fs::remove(draft, error);
    return std::nullopt;
  }
  const std::string inputs = toolchain::states_of(files);
  store_asked(cache, entry, files);
  if (!cache.publish(draft, entry.pch()) || !cache.store(entry.inputs(), inputs)) {
    return std::nullopt;
  }
  cache.trim(toolchain::kCacheLimitBytes);
  return PrecompiledHeader{cache.path_of(entry.pch()), inputs};
}

/// The options that may change what the header means.
Words relevant_options(const Words& options, const std::set<std::string>& asked) {
  Words relevant;
  for (const OptionWords& option : split_options(
           options, {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include"})) {
    const bool macro = option.option == "-D" || option.option == "-U";
    const bool alone = option.option == option.words.front() && option.value.empty();
    const std::string name = option.value.substr(0, option.value.find_first_of("=("));
    if ((macro && asked.count(name) != 0) || alone) {
      relevant.insert(relevant.end(), option.words.begin(), option.words.end());
    }
  }
  return relevant;
}

/// What clang reads from the environment when it looks for headers.
std::string include_variables() {
  std::string text;
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"}) {
    const char* value = std::getenv(name);
    text += value != nullptr ? value : "";
    text += '\n';
  }
  return text;
}

}  // namespace

std::optional<PrecompiledHeader> find_precompiled_header(const Cache& cache,
                                                         std::string_view header,
                                                         const Words& command,
                                                         const Words& options) {
  const std::string text = toolchain::Digest().add(header).hex();
  const auto source = cache.keep(text + ".h", header);
  if (!source) return std::nullopt;
  std::error_code error;
  toolchain::Digest digest;
  digest.add(text).add(include_variables());
  digest.add(toolchain::state_of(fs::canonical(command.front(), error)));
  for (const std::string& word : command) digest.add(word);
  const Entry plain{digest.hex()};
  auto found = valid_header(cache, plain);
  if (!found) found = make_header(cache, plain, *source, command);
  if (!found) return std::nullopt;

  std::istringstream lines(read_text(cache.path_of(plain.asked())));
  const std::set<std::string> asked{std::istream_iterator<std::string>(lines), {}};
  const Words relevant = relevant_options(options, asked);
  if (relevant.empty()) return found;
  Words with_options = command;
  for (const std::string& word : relevant) {
    digest.add(word);
    with_options.push_back(word);
  }
  const Entry entry{digest.hex()};
  if (auto there = valid_header(cache, entry)) return there;
  return make_header(cache, entry, *source, with_options);
}

std::vector<std::string> names_asked(std::string_view text) {
  std::vector<std::string> names;
  bool continued = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    bool condition = continued;
    if (!continued) {
      const std::size_t hash = line.find_first_not_of(" \t");
      if (hash == std::string_view::npos || line[hash] != '#') continue;
      const std::size_t word = line.find_first_not_of(" \t", hash + 1);
      if (word == std::string_view::npos) continue;
      const std::string_view directive = line.substr(word);
      condition = directive.rfind("if", 0) == 0 || directive.rfind("elif", 0) == 0;
      line = directive;
    }
    if (!condition) continue;
    continued = !line.empty() && line.back() == '\\';
    std::string name;
    for (std::size_t i = 0; i <= line.size(); ++i) {
      const char c = i < line.size() ? line[i] : ' ';
      if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
        name += c;
      } else if (!name.empty()) {
        names.push_back(std::move(name));
        name.clear();
      }
    }
  }
  return names;
}

}  // namespace wavetank::hip::rtc
