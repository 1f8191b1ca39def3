#include "toolchain/bitcode.hpp"

#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

namespace wavetank::toolchain {
namespace {

/// Reads fields from the lowest bit of the first byte on; past the end everything is zero.
class BitReader {
 public:
  explicit BitReader(std::span<const unsigned char> bytes) : bytes_(bytes) {}

  std::uint32_t fixed(unsigned width) {
    std::uint32_t value = 0;
    for (unsigned i = 0; i < width; ++i, ++at_) {
      if (at_ / 8 < bytes_.size()) value |= ((bytes_[at_ / 8] >> (at_ % 8)) & 1u) << i;
    }
    return value;
  }
  /// A variable-width field in chunks of `width` bits, the highest of which says that more follow.
  std::uint32_t variable(unsigned width) {
    std::uint32_t value = 0;
    for (unsigned shift = 0; shift < 32; shift += width - 1) {
      const std::uint32_t chunk = fixed(width);
      value |= (chunk & ((1u << (width - 1)) - 1)) << shift;
      if ((chunk >> (width - 1)) == 0) break;
    }
    return value;
  }
  void align32() { at_ = (at_ + 31) / 32 * 32; }

 private:
  std::span<const unsigned char> bytes_;
  std::size_t at_ = 0;
};

// Names and numbers of BitCodeFormat ("Abbreviation IDs", "Define abbreviation").
constexpr std::uint32_t kMagic = 0xdec04342;  // 'B' 'C' 0xC0 0xDE
constexpr std::uint32_t kEnterSubblock = 1;
constexpr std::uint32_t kDefineAbbreviation = 2;
constexpr std::uint32_t kFirstAbbreviation = 4;
constexpr std::uint32_t kIdentificationBlock = 13;
constexpr std::uint32_t kStringRecord = 1;
constexpr std::uint32_t kEncodingFixed = 1;
constexpr std::uint32_t kEncodingArray = 3;
constexpr std::uint32_t kEncodingChar6 = 4;
constexpr unsigned kOuterWidth = 2;
constexpr std::string_view kChar6 =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";

/// True if the definition is [literal 1, array, char6 or fixed]; gives the width of a character.
bool read_string_abbreviation(BitReader& bits, unsigned& char_width, bool& char6) {
  if (bits.variable(5) != 3) return false;
  if (bits.fixed(1) != 1 || bits.variable(8) != kStringRecord) return false;
  if (bits.fixed(1) != 0 || bits.fixed(3) != kEncodingArray) return false;
  if (bits.fixed(1) != 0) return false;
  const std::uint32_t encoding = bits.fixed(3);
  char6 = encoding == kEncodingChar6;
  if (!char6 && encoding != kEncodingFixed) return false;
  char_width = char6 ? 6 : bits.variable(5);
  return char_width <= 8;
}

/// The producer's name, or empty.
std::string read_producer(BitReader bits) {
  if (bits.fixed(32) != kMagic) return {};
  if (bits.fixed(kOuterWidth) != kEnterSubblock) return {};
  if (bits.variable(8) != kIdentificationBlock) return {};
  const unsigned width = bits.variable(4);
  bits.align32();
  bits.fixed(32);  // the block's length in words
  unsigned char_width = 0;
  bool char6 = false;
  if (bits.fixed(width) != kDefineAbbreviation) return {};
  if (!read_string_abbreviation(bits, char_width, char6)) return {};
  if (bits.fixed(width) != kFirstAbbreviation) return {};
  constexpr std::uint32_t kLongest = 64;
  const std::uint32_t length = bits.variable(6);
  std::string producer;
  for (std::uint32_t i = 0; i < length && i < kLongest; ++i) {
    const std::uint32_t code = bits.fixed(char_width);
    producer += char6 ? kChar6[code] : static_cast<char>(code);
  }
  return producer;
}

}  // namespace

std::optional<int> bitcode_writer(const std::filesystem::path& file) {
  std::array<unsigned char, 128> head{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(reinterpret_cast<char*>(head.data()), head.size());
  const auto got = static_cast<std::size_t>(stream.gcount());
  const std::string producer = read_producer(BitReader(std::span(head).first(got)));
  constexpr std::string_view kPrefix = "LLVM";
  if (producer.rfind(kPrefix, 0) != 0) return std::nullopt;
  const int version = std::atoi(producer.c_str() + kPrefix.size());
  return version > 0 ? std::optional(version) : std::nullopt;
}

}  // namespace wavetank::toolchain
