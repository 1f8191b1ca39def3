#include "assembly.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <string>

#include "encoding/decoder.hpp"
#include "execute/step_facts.hpp"
#include "target/load_device.hpp"
#include "timing/spec_reader.hpp"

namespace wavetank::timing::testing {
namespace {

using isa::Target;

constexpr isa::Lifetime kAlways = {};
constexpr isa::Lifetime kUntilGfx90a = isa::until(isa::Version::kGfx90a);
constexpr isa::Lifetime kSinceGfx942 = isa::since(isa::Version::kGfx942);

struct Assembled {
  std::string_view text;
  isa::Lifetime lifetime;
  unsigned count;
  std::array<std::uint32_t, 2> dwords;
};

constexpr Assembled kInstructions[] = {
#include "instructions.inc"
};

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  std::fprintf(stderr, "%.*s: %.*s\n", static_cast<int>(text.size()), text.data(),
               static_cast<int>(why.size()), why.data());
  std::abort();
}

}  // namespace

const TimingSpec& spec_of(std::string_view device) {
  static std::map<std::string, TimingSpec, std::less<>> known;
  const auto found = known.find(device);
  if (found != known.end()) return found->second;
  auto loaded = target::load_device(device);
  if (!loaded) refuse(device, loaded.error().message);
  auto spec = read_spec(*loaded);
  if (!spec) refuse(device, spec.error().message);
  return known.emplace(std::string(device), *spec).first->second;
}

std::vector<std::uint32_t> dwords_of(std::string_view text, const Target& target) {
  for (const Assembled& one : kInstructions) {
    if (one.text != text || !target.has(one.lifetime)) continue;
    return {one.dwords.begin(), one.dwords.begin() + one.count};
  }
  refuse(text, "not in instructions.inc for this target; run assemble.py");
}

machine::StepFacts assembled(std::string_view text, const TimingSpec& spec) {
  const encoding::Decoder& decoder = encoding::decoder_of(*spec.target);
  const std::vector<std::uint32_t> dwords = dwords_of(text, decoder.target());
  auto decoded = decoder.decode(dwords, 0);
  if (!decoded) refuse(text, decoded.error().message);
  return execute::step_facts(*decoded, /*accum_offset=*/256);
}

}  // namespace wavetank::timing::testing
