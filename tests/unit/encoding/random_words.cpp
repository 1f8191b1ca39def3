#include "unit/encoding/random_words.hpp"

#include <iterator>

#include "encoding/encoder.hpp"
#include "isa/catalogue.hpp"
#include "unit/encoding/samples.hpp"

namespace wavetank::test {

namespace {

/// A format: its prefix, and where its opcode is (CDNA3 ISA guide, "Microcode Formats"). Stated
/// once more than in src/encoding, so that a slip there is no slip here.
struct Format {
  std::uint32_t prefix;
  unsigned opcode_low, opcode_bits;
  bool vector_source;  ///< SRC0 of 9 bits, which may ask for SDWA, DPP or a literal
};
constexpr Format kFormats[] = {
    {0x7e000000, 9, 8, true},    // VOP1
    {0x7c000000, 17, 8, true},   // VOPC
    {0x00000000, 25, 6, true},   // VOP2
    {0xbe800000, 8, 8, false},   // SOP1
    {0xbf000000, 16, 7, false},  // SOPC
    {0xbf800000, 16, 7, false},  // SOPP
    {0xb0000000, 23, 5, false},  // SOPK
    {0x80000000, 23, 7, false},  // SOP2
    {0xd3800000, 16, 7, false},  // VOP3P
    {0xd0000000, 16, 10, false}, // VOP3
    {0xc0000000, 18, 8, false},  // SMEM
    {0xd8000000, 17, 8, false},  // DS
    {0xdc000000, 18, 7, false},  // FLAT
    {0xe0000000, 18, 7, false},  // MUBUF
    {0xe8000000, 15, 4, false},  // MTBUF
    {0xf0000000, 18, 7, false},  // MIMG
};
constexpr unsigned kPrefixBits[] = {7, 7, 1, 9, 9, 9, 4, 2, 9, 6, 6, 6, 6, 6, 6, 6};
static_assert(std::size(kPrefixBits) == std::size(kFormats));

constexpr std::uint32_t low_bits(unsigned count) { return (1u << count) - 1; }

}  // namespace

RandomWords::RandomWords(const isa::Target& target, std::uint64_t seed) : random_(seed) {
  for (const isa::Row& row : isa::catalogue()) {
    if (!target.has(row.lifetime)) continue;
    for (const encoding::Instruction& sample : samples(row, target)) {
      const encoding::Words words = encoding::encode(sample, target);
      valid_.push_back({words.dwords[0], words.dwords[1]});
    }
  }
}

Dwords RandomWords::next() {
  switch (below(3)) {
    case 0: return noise();
    case 1: return opcode();
    default: return damaged();
  }
}

Dwords RandomWords::noise() {
  const std::uint32_t first = bits();
  return {first, bits()};
}

Dwords RandomWords::opcode() {
  const std::uint32_t index = below(std::size(kFormats));
  const Format& format = kFormats[index];
  Dwords item(2);
  for (std::uint32_t& word : item) {
    switch (below(4)) {
      case 0: word = 0; break;
      case 1: word = bits() & bits() & bits(); break;
      default: word = bits(); break;
    }
  }
  const std::uint32_t code_mask = low_bits(format.opcode_bits) << format.opcode_low;
  item[0] &= low_bits(32 - kPrefixBits[index]) & ~code_mask;
  item[0] |= format.prefix | (bits() << format.opcode_low & code_mask);
  constexpr std::uint32_t kSpecial[] = {0xf9, 0xfa, 0xff};  // SDWA, DPP, literal
  if (format.vector_source && below(2) == 0) {
    item[0] = (item[0] & ~low_bits(9)) | kSpecial[below(std::size(kSpecial))];
  }
  return item;
}

Dwords RandomWords::damaged() {
  Dwords item = valid_[below(static_cast<std::uint32_t>(valid_.size()))];
  for (unsigned flips = 1 + below(3); flips > 0; --flips) {
    const unsigned bit = below(64);
    item[bit / 32] ^= 1u << (bit % 32);
  }
  switch (below(4)) {
    case 0: item[1] = bits(); break;
    case 1: {
      const unsigned byte = below(8);
      item[byte / 4] ^= below(256) << (8 * (byte % 4));
      break;
    }
    default: break;
  }
  return item;
}

}  // namespace wavetank::test
