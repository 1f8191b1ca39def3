#include "cli/command.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "profile/change.hpp"
#include "profile/metrics.hpp"

namespace wavetank::cli {
namespace {

/// A word of --pmc: the name of a counter, of its reduction, or of a metric.
bool is_counter_word(std::string_view word) {
  return std::ranges::any_of(isa::targets(), [&](const isa::Target& target) {
    return profile::counters_of(word, target).has_value();
  });
}

}  // namespace

int first_word_of_program(int argc, char** argv) {
  // Options that take a word of their own; --pmc and --set take all words that can be theirs.
  constexpr std::string_view kWithValue[] = {"--device",
                                             "--threads",
                                             "-o",
                                             "-d",
                                             "-f",
                                             "--output",
                                             "--output-directory",
                                             "--output-format",
                                             "--trace",
                                             "--cu",
                                             "--clocks",
                                             "--terms",
                                             "--json",
                                             "--sarif",
                                             "--junit",
                                             "--suppressions",
                                             "--kernel",
                                             "--top"};
  int at = 2;
  while (at < argc) {
    const std::string_view word = argv[at];
    if (word == "--") return at;
    if (word.empty() || word[0] != '-') break;
    const bool value =
        std::find(std::begin(kWithValue), std::end(kWithValue), word) != std::end(kWithValue);
    at += value ? 2 : 1;
    while (word == "--pmc" && at < argc && is_counter_word(argv[at])) ++at;
    if (word == "--set") ++at;
    while (word == "--set" && at < argc && profile::names_change(argv[at])) ++at;
  }
  return std::min(at, argc);
}

}  // namespace wavetank::cli
