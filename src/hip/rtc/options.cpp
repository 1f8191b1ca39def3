#include "hip/rtc/options.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string_view>

namespace wavetank::hip::rtc {
namespace {

bool take_value(const std::string& word, std::string_view prefix, std::string& value) {
  if (word.rfind(prefix, 0) != 0) return false;
  if (value.empty()) value = word.substr(prefix.size());
  return true;
}

}  // namespace

Options sort_options(const std::vector<std::string>& words) {
  Options options;
  for (const std::string& word : words) {
    if (take_value(word, "--offload-arch=", options.target)) continue;
    if (take_value(word, "--gpu-architecture=", options.target)) continue;
    if (word == "-hip-pch") continue;
    if (word == "--hiprtc-no-builtin-header") {
      options.builtin_header = false;
      continue;
    }
    if (word == "-fgpu-rdc") options.relocatable = true;
    options.words.push_back(word);
  }
  if (const char* more = std::getenv("HIPRTC_COMPILE_OPTIONS_APPEND")) {
    std::istringstream stream(more);
    options.words.insert(options.words.end(), std::istream_iterator<std::string>(stream), {});
  }
  return options;
}

std::vector<OptionWords> split_options(const std::vector<std::string>& words,
                                       const std::vector<std::string>& with_value) {
  std::vector<OptionWords> result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto option =
        std::find_if(with_value.begin(), with_value.end(),
                     [&](const std::string& name) { return word.rfind(name, 0) == 0; });
    if (option == with_value.end()) {
      result.push_back({word, {}, {word}});
    } else if (word != *option) {
      result.push_back({*option, word.substr(option->size()), {word}});
    } else {
      const std::string value = i + 1 < words.size() ? words[i + 1] : "";
      result.push_back({*option, value, {word, value}});
      ++i;
    }
  }
  return result;
}

}  // namespace wavetank::hip::rtc
