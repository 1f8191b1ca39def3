#include "base/text.hpp"

namespace wavetank {

std::vector<std::string> split_at_commas(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    if (!word.empty()) words.emplace_back(word);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return words;
}

}  // namespace wavetank
