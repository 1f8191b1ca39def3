// HIP API: how texture references sample. A setting counts from the next binding on.
#include "hip/api/texture_object.hpp"

using namespace wavetank::hip;
using abi::Status;
using abi::TextureReference;

namespace {

/// Runs change(TextureReference&) on a device with images.
template <class Change>
Status set(TextureReference* reference, Change change) {
  return api::call_with_images([&](VirtualDevice&) {
    if (reference == nullptr) return Status::kInvalidValue;
    change(*reference);
    return Status::kSuccess;
  });
}

/// Stores what read(const TextureReference&) gives.
template <class Value, class Read>
Status get(Value* value, const TextureReference* reference, Read read) {
  return api::call_with_images([&](VirtualDevice&) {
    if (value == nullptr || reference == nullptr) return Status::kInvalidValue;
    *value = static_cast<Value>(read(*reference));
    return Status::kSuccess;
  });
}

}  // namespace

WAVETANK_API Status hipTexRefSetFormat(TextureReference* reference, abi::ArrayFormat format,
                                       int channels) {
  return set(reference, [&](TextureReference& texture) {
    texture.element_format = format;
    texture.channels = channels;
  });
}

WAVETANK_API Status hipTexRefGetFormat(abi::ArrayFormat* format, int* channels,
                                       const TextureReference* reference) {
  const Status status =
      get(format, reference, [](const TextureReference& t) { return t.element_format; });
  if (status != Status::kSuccess) return status;
  return get(channels, reference, [](const TextureReference& t) { return t.channels; });
}

WAVETANK_API Status hipTexRefSetFlags(TextureReference* reference, unsigned flags) {
  return set(reference, [&](TextureReference& texture) {
    texture.read_mode = (flags & abi::kReadAsInteger) != 0 ? abi::ReadMode::kElementType
                                                           : abi::ReadMode::kNormalizedFloat;
    texture.normalized_coordinates = (flags & abi::kNormalizedCoordinates) != 0;
    texture.srgb = (flags & abi::kSrgb) != 0;
  });
}

WAVETANK_API Status hipTexRefGetFlags(unsigned* flags, const TextureReference* reference) {
  return get(flags, reference, [](const TextureReference& texture) {
    return (texture.read_mode == abi::ReadMode::kElementType ? abi::kReadAsInteger : 0u) |
           (texture.normalized_coordinates != 0 ? abi::kNormalizedCoordinates : 0u) |
           (texture.srgb != 0 ? abi::kSrgb : 0u);
  });
}

WAVETANK_API Status hipTexRefSetFilterMode(TextureReference* reference, abi::FilterMode mode) {
  return set(reference, [&](TextureReference& texture) { texture.filter_mode = mode; });
}
WAVETANK_API Status hipTexRefGetFilterMode(abi::FilterMode* mode,
                                           const TextureReference* reference) {
  return get(mode, reference, [](const TextureReference& texture) { return texture.filter_mode; });
}

WAVETANK_API Status hipTexRefSetAddressMode(TextureReference* reference, int dimension,
                                            abi::AddressMode mode) {
  if (dimension < 0 || dimension > 2) return api::remember(Status::kInvalidValue);
  const auto place = static_cast<std::size_t>(dimension);
  return set(reference, [&](TextureReference& texture) { texture.address_mode[place] = mode; });
}
WAVETANK_API Status hipTexRefGetAddressMode(abi::AddressMode* mode,
                                            const TextureReference* reference, int dimension) {
  if (dimension < 0 || dimension > 2) return api::remember(Status::kInvalidValue);
  const auto place = static_cast<std::size_t>(dimension);
  return get(mode, reference,
             [&](const TextureReference& texture) { return texture.address_mode[place]; });
}

// AMD's devices filter without anisotropy: a binding with any other number than 0 is refused.
WAVETANK_API Status hipTexRefSetMaxAnisotropy(TextureReference* reference, unsigned samples) {
  return set(reference, [&](TextureReference& texture) { texture.max_anisotropy = samples; });
}
WAVETANK_API Status hipTexRefGetMaxAnisotropy(int* samples, const TextureReference* reference) {
  return get(samples, reference,
             [](const TextureReference& texture) { return texture.max_anisotropy; });
}

// Mipmaps: what a reference says of them is kept; there are none to sample.
WAVETANK_API Status hipTexRefSetMipmapFilterMode(TextureReference* reference,
                                                 abi::FilterMode mode) {
  return set(reference, [&](TextureReference& texture) { texture.mipmap_filter_mode = mode; });
}
WAVETANK_API Status hipTexRefGetMipmapFilterMode(abi::FilterMode* mode,
                                                 const TextureReference* reference) {
  return get(mode, reference,
             [](const TextureReference& texture) { return texture.mipmap_filter_mode; });
}

WAVETANK_API Status hipTexRefSetMipmapLevelBias(TextureReference* reference, float bias) {
  return set(reference, [&](TextureReference& texture) { texture.mipmap_level_bias = bias; });
}
WAVETANK_API Status hipTexRefGetMipmapLevelBias(float* bias, const TextureReference* reference) {
  return get(bias, reference,
             [](const TextureReference& texture) { return texture.mipmap_level_bias; });
}

WAVETANK_API Status hipTexRefSetMipmapLevelClamp(TextureReference* reference, float least,
                                                 float most) {
  return set(reference, [&](TextureReference& texture) {
    texture.min_mipmap_level_clamp = least;
    texture.max_mipmap_level_clamp = most;
  });
}
WAVETANK_API Status hipTexRefGetMipmapLevelClamp(float* least, float* most,
                                                 const TextureReference* reference) {
  const Status status =
      get(least, reference, [](const TextureReference& t) { return t.min_mipmap_level_clamp; });
  if (status != Status::kSuccess) return status;
  return get(most, reference, [](const TextureReference& t) { return t.max_mipmap_level_clamp; });
}
