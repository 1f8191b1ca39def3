#include "hip/rtc/code_cache.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <span>
#include <string_view>

#include "base/file.hpp"
#include "toolchain/digest.hpp"
#include "toolchain/file_state.hpp"

namespace wavetank::hip::rtc {
namespace {

using toolchain::Cache;

/// The first bytes of a kept file; the digits change with its layout.
constexpr std::string_view kCodeMagic = "wavetank code 1\n";

std::string file_name(const std::string& key) { return key + ".code"; }

/// Options with which the compiler writes more files, or whose output is no code.
bool writes_files(const std::string& word) {
  constexpr std::array<std::string_view, 8> kPrefixes = {"-M",
                                                         "-E",
                                                         "-save-temps",
                                                         "--save-temps",
                                                         "-ftime-trace",
                                                         "-foptimization-record-file",
                                                         "-fsave-optimization-record",
                                                         "-o"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    return std::string_view(word).substr(0, prefix.size()) == prefix;
  });
}

bool asks_for_time(const std::string& text) {
  constexpr std::array<const char*, 3> kMacros = {"__DATE__", "__TIME__", "__TIMESTAMP__"};
  return std::any_of(kMacros.begin(), kMacros.end(),
                     [&](const char* macro) { return text.find(macro) != std::string::npos; });
}

/// Appends a field with its size before it.
void put(std::string& text, std::string_view field) {
  const std::uint64_t size = field.size();
  text.append(reinterpret_cast<const char*>(&size), sizeof size);
  text.append(field);
}

/// The next field, or nothing when the text is cut short.
std::optional<std::string> take(std::string_view& text) {
  std::uint64_t size = 0;
  if (text.size() < sizeof size) return std::nullopt;
  std::memcpy(&size, text.data(), sizeof size);
  text.remove_prefix(sizeof size);
  if (size > text.size()) return std::nullopt;
  std::string field(text.substr(0, size));
  text.remove_prefix(size);
  return field;
}

}  // namespace

std::string code_key(const CompileRequest& request, const std::vector<std::string>& command,
                     const std::string& tools) {
  if (asks_for_time(request.source.text)) return {};
  if (std::any_of(request.options.begin(), request.options.end(), writes_files)) return {};
  std::error_code error;
  toolchain::Digest digest;
  digest.add(kCodeMagic).add(tools).add(std::filesystem::current_path(error).string());
  for (const std::string& word : command) digest.add(word);
  digest.add("source").add(request.source.name).add(request.source.text);
  for (const NamedText& header : request.headers) {
    if (asks_for_time(header.text)) return {};
    digest.add("header").add(header.name).add(header.text);
  }
  for (const std::string& name : request.name_expressions) digest.add("name").add(name);
  return digest.hex();
}

std::optional<Compiled> find_code(const Cache& cache, const std::string& key) {
  const auto path = cache.find(file_name(key));
  if (!path) return std::nullopt;
  const auto bytes = read_file(path->string());
  if (!bytes) return std::nullopt;
  std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  if (text.substr(0, kCodeMagic.size()) != kCodeMagic) return std::nullopt;
  text.remove_prefix(kCodeMagic.size());
  const auto inputs = take(text);
  if (!inputs || !toolchain::states_hold(*inputs)) return std::nullopt;
  const auto relocatable = take(text);
  const auto log = take(text);
  const auto code = take(text);
  if (!relocatable || !log || !code) return std::nullopt;
  Compiled compiled;
  compiled.relocatable = !relocatable->empty();
  compiled.log = *log;
  const auto code_bytes = std::as_bytes(std::span(*code));
  compiled.code.assign(code_bytes.begin(), code_bytes.end());
  while (!text.empty()) {
    const auto expression = take(text);
    const auto name = take(text);
    if (!expression || !name) return std::nullopt;
    compiled.lowered_names.emplace(*expression, *name);
  }
  compiled.succeeded = true;
  return compiled;
}

void keep_code(const Cache& cache, const std::string& key, const Compiled& compiled,
               const std::string& inputs) {
  std::string text(kCodeMagic);
  put(text, inputs);
  put(text, compiled.relocatable ? "relocatable" : "");
  put(text, compiled.log);
  put(text, {reinterpret_cast<const char*>(compiled.code.data()), compiled.code.size()});
  for (const auto& [expression, name] : compiled.lowered_names) {
    put(text, expression);
    put(text, name);
  }
  cache.store(file_name(key), text);
  cache.trim(toolchain::kCacheLimitBytes);
}

}  // namespace wavetank::hip::rtc
