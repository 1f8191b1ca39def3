// Any bytes: the decoder must say yes or no, and what it accepts must encode to the same bytes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "encoding/decoder.hpp"
#include "encoding/disassembler.hpp"
#include "encoding/encoder.hpp"

namespace {

using wavetank::encoding::Decoder;

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const Decoder& decoder, std::span<const std::uint32_t> dwords) {
  const auto decoded = decoder.decode(dwords, 0);
  const auto lenient = decoder.decode(dwords, 0, wavetank::encoding::Reserved::kIgnore);
  if (lenient) require(!wavetank::encoding::disassemble(*lenient, decoder.target()).empty());
  if (!decoded) {
    require(!decoded.error().message.empty());
    return;
  }
  require(lenient && *lenient == *decoded);
  require(decoded->dwords >= 1 && decoded->dwords <= dwords.size());
  const auto words = wavetank::encoding::encode(*decoded, decoder.target());
  require(words.count == decoded->dwords);
  for (unsigned i = 0; i < words.count; ++i) require(words.dwords[i] == dwords[i]);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Decoder kDecoders[] = {Decoder(wavetank::isa::kGfx90a),
                                      Decoder(wavetank::isa::kGfx942)};
  // Longer inputs say nothing more: each dword is a start of its own.
  constexpr std::size_t kMostDwords = 256;
  std::vector<std::uint32_t> dwords(std::min(size / 4, kMostDwords));
  if (!dwords.empty()) std::memcpy(dwords.data(), data, 4 * dwords.size());
  for (const Decoder& decoder : kDecoders) {
    for (std::size_t i = 0; i < dwords.size(); ++i) {
      check(decoder, std::span(dwords).subspan(i));
    }
  }
  return 0;
}
