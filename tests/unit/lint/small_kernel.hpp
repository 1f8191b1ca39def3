// Kernels of a few assembled instructions, for tests of lints.
#pragma once

#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "assembly.hpp"
#include "isa/catalogue.hpp"
#include "lint/lint.hpp"
#include "target/load_device.hpp"

namespace wavetank::lint {

using Texts = std::vector<std::string_view>;

inline const target::Device& device_of(const isa::Target& target) {
  static const auto gfx90a = target::load_device("mi210"), gfx942 = target::load_device("mi300x");
  return target == isa::kGfx90a ? *gfx90a : *gfx942;
}

/// A kernel whose arguments are three pointers, and whose SGPR 0 and 1 point to them. On gfx90a
/// SGPR 0 to 3 are the scratch buffer and 4 and 5 point to the arguments.
inline code_object::Kernel kernel_of(const isa::Target& target) {
  code_object::Kernel kernel;
  kernel.name = "small";
  kernel.descriptor.kernarg_segment_ptr = true;
  kernel.descriptor.private_segment_buffer = target == isa::kGfx90a;
  kernel.descriptor.accum_offset = 128;
  for (std::uint32_t i = 0; i < 3; ++i) {
    kernel.arguments.push_back({"", code_object::ArgumentKind::kGlobalBuffer, 8 * i, 8});
  }
  kernel.max_flat_workgroup_size = 256;
  kernel.vgpr_count = 32;
  kernel.sgpr_count = 32;
  return kernel;
}

/// Dwords of instructions. "top:" is a place, to which "s_branch top" and its kin go.
inline std::vector<std::uint32_t> words_of(const Texts& texts, const isa::Target& target) {
  std::vector<std::uint32_t> words;
  std::map<std::string_view, std::size_t> places;
  std::vector<std::pair<std::size_t, std::string_view>> jumps;
  for (const std::string_view text : texts) {
    const std::size_t space = text.find(' ');
    if (text.ends_with(':')) {
      places[text.substr(0, text.size() - 1)] = words.size();
    } else if (text.starts_with("s_branch") || text.starts_with("s_cbranch")) {
      const isa::Row* const row = isa::find_row(text.substr(0, space), target);
      jumps.emplace_back(words.size(), text.substr(space + 1));
      words.push_back(0xbf800000u | std::uint32_t{row->encoding.opcode} << 16);
    } else {
      for (const std::uint32_t word : timing::testing::dwords_of(text, target)) {
        words.push_back(word);
      }
    }
  }
  for (const auto& [at, place] : jumps) {
    words[at] |= static_cast<std::uint32_t>(places.at(place) - at - 1) & 0xffff;
  }
  return words;
}

/// What is found in a kernel of these instructions.
inline Findings findings_of(const Texts& texts, const code_object::Kernel& kernel,
                            const isa::Target& target) {
  const encoding::Decoder decoder(target);
  Result<Code> code =
      decode_words(words_of(texts, target), kernel.descriptor.accum_offset, decoder);
  if (!code) std::abort();
  return lint_code(std::move(*code), kernel, device_of(target), target).findings;
}
inline Findings findings_of(const Texts& texts, const isa::Target& target = isa::kGfx942) {
  return findings_of(texts, kernel_of(target), target);
}

/// Instructions with another one at a place, or one more before it.
inline Texts replaced(Texts texts, std::size_t place, std::string_view text) {
  texts[place] = text;
  return texts;
}
inline Texts inserted(Texts texts, std::size_t place, std::string_view text) {
  texts.insert(texts.begin() + static_cast<std::ptrdiff_t>(place), text);
  return texts;
}

/// The names of the rules that found something, in the order of the instructions.
inline std::vector<std::string> rules_of(const Findings& findings) {
  std::vector<std::string> names;
  for (const Finding& finding : findings) names.emplace_back(finding.rule->id);
  return names;
}

using Names = std::vector<std::string>;

/// The same of a whole kernel, and of one without its end.
inline Names rules_of_kernel(const Texts& texts) { return rules_of(findings_of(texts)); }
inline Names rules_in(Texts texts) {
  texts.push_back("s_endpgm");
  return rules_of_kernel(texts);
}

}  // namespace wavetank::lint
