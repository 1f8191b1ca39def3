// The words of buffer, image and sampler resources, as ROCr's image library makes them for GFX9 and
// as the device library's texture functions read them (AMD "Vega" ISA guide, "Image Resource
// Definition"; hsa_ext_image.h for the words that only software reads).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "hip/abi/texture_types.hpp"

namespace wavetank::hip {

/// Eight words of resource, then channel type, channel order and width.
using ImageWords = std::array<std::uint32_t, 12>;
using SamplerWords = std::array<std::uint32_t, 8>;

/// The largest image: elements of a row or a column (WIDTH, HEIGHT), and slices or layers (DEPTH).
inline constexpr int kMostImageElements = 1 << 14;
inline constexpr int kMostImageLayers = 1 << 13;

/// How elements are converted when they are read.
struct ElementFormat {
  abi::ChannelFormat channels{};
  bool normalized = false;  ///< 8 and 16-bit integers read as [0, 1] or [-1, 1]
  bool srgb = false;        ///< of four components; fewer are never sRGB

  /// Number of components; 0 for a format that images do not have: an unknown kind, components of
  /// different sizes or with a gap, three of 8 or 16 bits.
  unsigned components() const;
  unsigned bytes() const;
};

/// A linear image.
struct ImageLayout {
  const void* address = nullptr;  ///< a multiple of 256
  std::uint32_t width = 0;        ///< elements
  std::uint32_t height = 0;       ///< 0: one dimension
  std::uint32_t depth = 0;        ///< of a 3-D image, or layers; 0: none
  bool layered = false;
  std::uint32_t pitch = 0;        ///< elements
};

/// A format with components() != 0 is asked for.
ImageWords image_words(const ElementFormat& format, const ImageLayout& layout);
/// A buffer resource, which tex1Dfetch reads through; `size_bytes` long.
ImageWords buffer_words(const ElementFormat& format, const void* address,
                        std::uint64_t size_bytes);
SamplerWords sampler_words(abi::AddressMode mode, abi::FilterMode filter, bool normalized);

}  // namespace wavetank::hip
