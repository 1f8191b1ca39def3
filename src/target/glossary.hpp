// The words that HIP, CUDA and Vulkan have for the same things, so that every report can be read in
// the reader's own.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wavetank::target {

/// Whose words to use.
enum class Vocabulary : std::uint8_t { kHip, kCuda, kVulkan };

/// What has a different name in each. The keys in text are thread, wave, workgroup, grid and lds.
enum class Term : std::uint8_t { kThread, kWave, kWorkgroup, kGrid, kLds };
inline constexpr std::size_t kTermCount = 5;

/// One line of the glossary.
struct GlossaryLine {
  Term term;
  std::string_view key;  ///< "wave"
  /// Singular and plural by Vocabulary.
  std::array<std::string_view, 3> singular;
  std::array<std::string_view, 3> plural;
  std::string_view executes_on;  ///< "SIMD"
};

/// The whole glossary, in the order of Term (source: AMDGPU Kernel Optimization Guide, Glossary).
const std::array<GlossaryLine, kTermCount>& glossary();

/// "hip", "cuda" or "vulkan"; nothing for any other text.
std::optional<Vocabulary> vocabulary_named(std::string_view name);

/// "wave", "warp" or "subgroup"; with count other than 1 "waves" and so on.
std::string_view word(Term term, Vocabulary vocabulary, std::uint64_t count = 1);

/// `text` with each {key} and {keys} replaced: in_terms("{waves} per {workgroup}", kCuda) is
/// "warps per thread block". A capital ({Wave}) gives a capital. Other braces stay as they are.
std::string in_terms(std::string_view text, Vocabulary vocabulary);

}  // namespace wavetank::target
