#include "target/glossary.hpp"

#include <cctype>

namespace wavetank::target {
namespace {

constexpr std::array<GlossaryLine, kTermCount> kGlossary = {{
    {Term::kThread,
     "thread",
     {"thread", "thread", "invocation"},
     {"threads", "threads", "invocations"},
     "SIMD lane"},
    {Term::kWave, "wave", {"wave", "warp", "subgroup"}, {"waves", "warps", "subgroups"}, "SIMD"},
    {Term::kWorkgroup,
     "workgroup",
     {"workgroup", "thread block", "workgroup"},
     {"workgroups", "thread blocks", "workgroups"},
     "compute unit"},
    {Term::kGrid,
     "grid",
     {"grid", "grid", "dispatch"},
     {"grids", "grids", "dispatches"},
     "GPU"},
    {Term::kLds,
     "lds",
     {"LDS", "shared memory", "workgroup memory"},
     {"LDS", "shared memory", "workgroup memory"},
     "LDS and crossbar of a compute unit"},
}};

/// The word for what stands between two braces; empty if it is no key.
std::string word_for(std::string_view key, Vocabulary vocabulary) {
  const bool capital = !key.empty() && std::isupper(static_cast<unsigned char>(key.front())) != 0;
  std::string lower(key);
  if (capital) lower[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(lower[0])));
  for (const GlossaryLine& line : kGlossary) {
    const bool plural = lower == std::string(line.key) + "s";
    if (!plural && lower != line.key) continue;
    std::string found(word(line.term, vocabulary, plural ? 2 : 1));
    if (capital) found[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(found[0])));
    return found;
  }
  return {};
}

}  // namespace

const std::array<GlossaryLine, kTermCount>& glossary() { return kGlossary; }

std::optional<Vocabulary> vocabulary_named(std::string_view name) {
  if (name == "hip") return Vocabulary::kHip;
  if (name == "cuda") return Vocabulary::kCuda;
  if (name == "vulkan") return Vocabulary::kVulkan;
  return std::nullopt;
}

std::string_view word(Term term, Vocabulary vocabulary, std::uint64_t count) {
  const GlossaryLine& line = kGlossary[static_cast<std::size_t>(term)];
  return (count == 1 ? line.singular : line.plural)[static_cast<std::size_t>(vocabulary)];
}

std::string in_terms(std::string_view text, Vocabulary vocabulary) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    const std::size_t close = text.find('}', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) break;
    result += text.substr(0, open);
    const std::string found = word_for(text.substr(open + 1, close - open - 1), vocabulary);
    if (found.empty()) {
      result += '{';
      text.remove_prefix(open + 1);
      continue;
    }
    result += found;
    text.remove_prefix(close + 1);
  }
  return result.append(text);
}

}  // namespace wavetank::target
