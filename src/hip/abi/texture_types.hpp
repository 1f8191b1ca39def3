// Textures and surfaces as programs describe them (hip/texture_types.h, hip/driver_types.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "hip/abi/types.hpp"

namespace wavetank::hip::abi {

enum class ResourceType : std::int32_t { kArray, kMipmappedArray, kLinear, kPitch2d };
enum class AddressMode : std::int32_t { kWrap, kClamp, kMirror, kBorder };
enum class FilterMode : std::int32_t { kPoint, kLinear };
enum class ReadMode : std::int32_t { kElementType, kNormalizedFloat };

struct LinearResource {
  void* address;
  ChannelFormat format;
  std::size_t size_bytes;
};
struct Pitch2dResource {
  void* address;
  ChannelFormat format;
  std::size_t width, height;  ///< elements
  std::size_t pitch_bytes;
};
struct ResourceDescription {
  ResourceType type;
  union {
    Array* array;
    LinearResource linear;
    Pitch2dResource pitch_2d;
  };
};

struct TextureDescription {
  std::array<AddressMode, 3> address_mode;
  FilterMode filter_mode;
  ReadMode read_mode;
  std::int32_t srgb;
  std::array<float, 4> border_colour;
  std::int32_t normalized_coordinates;
  std::uint32_t max_anisotropy;
  FilterMode mipmap_filter_mode;
  float mipmap_level_bias;
  float min_mipmap_level_clamp, max_mipmap_level_clamp;
};

/// textureReference: what a texture<> of a program is, on the host and on the device.
struct TextureReference {
  std::int32_t normalized_coordinates;
  ReadMode read_mode;
  FilterMode filter_mode;
  std::array<AddressMode, 3> address_mode;
  ChannelFormat format;  ///< the element's; the driver's form of the API has the last two members
  std::int32_t srgb;
  std::uint32_t max_anisotropy;
  FilterMode mipmap_filter_mode;
  float mipmap_level_bias;
  float min_mipmap_level_clamp, max_mipmap_level_clamp;
  void* object;  ///< hipTextureObject_t, which kernels read through
  std::int32_t channels;
  ArrayFormat element_format;
};
static_assert(sizeof(TextureReference) == 88);

/// hipResourceViewDesc. Formats: 0 is the resource's own; from 1 on unsigned and signed integers of
/// 8, 16 and 32 bits, half and float, each with 1, 2 and 4 channels; from 25 on compressed blocks.
struct ResourceView {
  std::int32_t format;
  std::size_t width, height, depth;
  std::uint32_t first_mipmap_level, last_mipmap_level;
  std::uint32_t first_layer, last_layer;
};

/// The flags of HIP_TEXTURE_DESC (HIP_TRSF_*).
enum DriverTextureFlags : std::uint32_t {
  kReadAsInteger = 0x01,
  kNormalizedCoordinates = 0x02,
  kSrgb = 0x10,
};

/// HIP_TEXTURE_DESC
struct DriverTextureDescription {
  std::array<AddressMode, 3> address_mode;
  FilterMode filter_mode;
  std::uint32_t flags;
  std::uint32_t max_anisotropy;
  FilterMode mipmap_filter_mode;
  float mipmap_level_bias;
  float min_mipmap_level_clamp, max_mipmap_level_clamp;
  std::array<float, 4> border_colour;
  std::int32_t reserved[12];
};
static_assert(sizeof(DriverTextureDescription) == 104);

struct DriverLinearResource {
  void* address;
  ArrayFormat format;
  std::uint32_t channels;
  std::size_t size_bytes;
};
struct DriverPitch2dResource {
  void* address;
  ArrayFormat format;
  std::uint32_t channels;
  std::size_t width, height;  ///< elements
  std::size_t pitch_bytes;
};
/// HIP_RESOURCE_DESC
struct DriverResourceDescription {
  ResourceType type;
  union {
    Array* array;
    DriverLinearResource linear;
    DriverPitch2dResource pitch_2d;
    std::int32_t reserved[32];
  };
  std::uint32_t flags;
};
static_assert(sizeof(DriverResourceDescription) == 144);

/// HIP_RESOURCE_VIEW_DESC
struct DriverResourceView {
  ResourceView view;
  std::uint32_t reserved[16];
};
static_assert(sizeof(DriverResourceView) == 112);

}  // namespace wavetank::hip::abi
