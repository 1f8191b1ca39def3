#include "hip/runtime/image_words.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::hip {
namespace {

using abi::ChannelKind;

/// DATA_FORMAT of 1, 2, 3 and 4 components of 8, 16 and 32 bits (0: there is none).
constexpr std::uint32_t kDataFormats[3][4] = {{1, 3, 0, 10}, {2, 5, 0, 12}, {4, 11, 13, 14}};

std::uint32_t data_format_of(const ElementFormat& format) {
  const unsigned components = format.components();
  if (components == 0) return 0;
  const int bits = format.channels.x;
  return kDataFormats[bits == 8 ? 0 : bits == 16 ? 1 : 2][components - 1];
}

std::uint32_t number_format_of(const ElementFormat& format) {
  constexpr std::uint32_t kUnorm = 0, kSnorm = 1, kUint = 4, kSint = 5, kFloat = 7, kSrgb = 9;
  if (format.channels.kind == ChannelKind::kFloat) return kFloat;
  const bool is_signed = format.channels.kind == ChannelKind::kSigned;
  // 32-bit integers stay integers, whatever the read mode.
  const bool normalized = format.normalized && format.channels.x < 32;
  if (format.srgb && format.components() == 4) return kSrgb;
  if (normalized) return is_signed ? kSnorm : kUnorm;
  return is_signed ? kSint : kUint;
}

/// DST_SEL: components that are not there read as 0, the fourth as 1.
std::uint32_t selectors(const ElementFormat& format) {
  const unsigned components = format.components();
  std::uint32_t bits = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t select = i < components ? 4 + i : i == 3 ? 1 : 0;
    bits |= select << (3 * i);
  }
  return bits;
}

/// hsa_ext_image_channel_type_t.
std::uint32_t channel_type(const ElementFormat& format) {
  const unsigned size = format.channels.x == 8 ? 0 : format.channels.x == 16 ? 1 : 2;
  if (format.channels.kind == ChannelKind::kFloat) return size == 1 ? 14 : 15;
  const bool is_signed = format.channels.kind == ChannelKind::kSigned;
  if (format.normalized && size < 2) return (is_signed ? 0u : 2u) + size;
  return (is_signed ? 8u : 11u) + size;
}

/// hsa_ext_image_channel_order_t: R, RG, RGB, RGBA and the same in sRGB.
std::uint32_t channel_order(const ElementFormat& format) {
  constexpr std::uint32_t kOrders[] = {1, 3, 6, 8}, kSrgbOrders[] = {1, 3, 12, 14};
  const unsigned index = format.components() - 1;
  return format.srgb ? kSrgbOrders[index] : kOrders[index];
}

void set_software_words(const ElementFormat& format, std::uint32_t width, ImageWords& words) {
  words[8] = channel_type(format);
  words[9] = channel_order(format);
  words[10] = width;
}

std::uint32_t type_of(const ImageLayout& layout) {
  constexpr std::uint32_t k1d = 8, k2d = 9, k3d = 10, k1dArray = 12, k2dArray = 13;
  if (layout.layered) return layout.height == 0 ? k1dArray : k2dArray;
  if (layout.depth != 0) return k3d;
  return layout.height == 0 ? k1d : k2d;
}

}  // namespace

unsigned ElementFormat::components() const {
  const int sizes[] = {channels.x, channels.y, channels.z, channels.w};
  if (channels.x != 8 && channels.x != 16 && channels.x != 32) return 0;
  if (channels.kind < ChannelKind::kSigned || channels.kind > ChannelKind::kFloat) return 0;
  if (channels.kind == ChannelKind::kFloat && channels.x == 8) return 0;
  unsigned count = 0;
  while (count < 4 && sizes[count] == channels.x) ++count;
  for (unsigned i = count; i < 4; ++i) {
    if (sizes[i] != 0) return 0;
  }
  return count == 3 && channels.x != 32 ? 0 : count;
}

unsigned ElementFormat::bytes() const {
  return components() * static_cast<unsigned>(channels.x) / 8;
}

ImageWords image_words(const ElementFormat& format, const ImageLayout& layout) {
  const auto base = std::bit_cast<std::uint64_t>(layout.address) >> 8;
  const std::uint32_t height = std::max(layout.height, 1u), depth = std::max(layout.depth, 1u);
  ImageWords words = {};
  words[0] = static_cast<std::uint32_t>(base);
  words[1] = static_cast<std::uint32_t>(base >> 32) | data_format_of(format) << 20 |
             number_format_of(format) << 26;
  words[2] = (layout.width - 1) | (height - 1) << 14;
  words[3] = selectors(format) | type_of(layout) << 28;
  words[4] = (depth - 1) | (layout.pitch - 1) << 13;
  set_software_words(format, layout.width, words);
  return words;
}

ImageWords buffer_words(const ElementFormat& format, const void* address,
                        std::uint64_t size_bytes) {
  const auto base = std::bit_cast<std::uint64_t>(address);
  ImageWords words = {};
  words[0] = static_cast<std::uint32_t>(base);
  words[1] = static_cast<std::uint32_t>(base >> 32) | format.bytes() << 16;
  words[2] = static_cast<std::uint32_t>(size_bytes / format.bytes());  // records, not bytes
  words[3] = selectors(format) | number_format_of(format) << 12 | data_format_of(format) << 15;
  set_software_words(format, static_cast<std::uint32_t>(size_bytes / format.bytes()), words);
  return words;
}

SamplerWords sampler_words(abi::AddressMode mode, abi::FilterMode filter, bool normalized) {
  // CLAMP_X: wrap, last texel, mirror, border.
  constexpr std::uint32_t kClamps[] = {0, 2, 1, 6};
  const std::uint32_t clamp = kClamps[static_cast<std::uint32_t>(mode) & 3];
  const std::uint32_t linear = filter == abi::FilterMode::kLinear ? 1 : 0;
  SamplerWords words = {};
  words[0] = clamp | clamp << 3 | clamp << 6 | (normalized ? 0u : 1u) << 15;
  words[1] = 4095u << 12;  // MAX_LOD
  words[2] = linear << 20 | linear << 22;
  return words;
}

}  // namespace wavetank::hip
