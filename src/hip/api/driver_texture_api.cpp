// HIP API: texture objects as the driver's form of the API describes them. The conversions are
// those of AMD's runtime (ROCm/clr, hip_conversions.hpp).
#include "hip/api/texture_object.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/properties.hpp"
#include "hip/runtime/virtual_device.hpp"

using namespace wavetank::hip;
using abi::ResourceType;
using abi::Status;
using api::TextureObject;

namespace {

abi::ResourceDescription from_driver(const abi::DriverResourceDescription& driver) {
  abi::ResourceDescription resource{};
  resource.type = driver.type;
  if (driver.type == ResourceType::kLinear) {
    const auto& [address, format, channels, size_bytes] = driver.linear;
    resource.linear = {address, channel_format(format, channels), size_bytes};
  } else if (driver.type == ResourceType::kPitch2d) {
    const auto& [address, format, channels, width, height, pitch_bytes] = driver.pitch_2d;
    resource.pitch_2d = {address, channel_format(format, channels), width, height, pitch_bytes};
  } else {
    resource.array = driver.array;
  }
  return resource;
}

abi::DriverResourceDescription to_driver(const abi::ResourceDescription& resource) {
  abi::DriverResourceDescription driver{};
  driver.type = resource.type;
  if (resource.type == ResourceType::kLinear) {
    const auto& [address, format, size_bytes] = resource.linear;
    driver.linear = {address, array_format(format), channel_count(format), size_bytes};
  } else if (resource.type == ResourceType::kPitch2d) {
    const auto& [address, format, width, height, pitch_bytes] = resource.pitch_2d;
    driver.pitch_2d = {address, array_format(format), channel_count(format), width,
                       height,  pitch_bytes};
  } else {
    driver.array = resource.array;
  }
  return driver;
}

abi::TextureDescription from_driver(const abi::DriverTextureDescription& driver) {
  const bool integers = (driver.flags & abi::kReadAsInteger) != 0;
  return {.address_mode = driver.address_mode,
          .filter_mode = driver.filter_mode,
          .read_mode = integers ? abi::ReadMode::kElementType : abi::ReadMode::kNormalizedFloat,
          .srgb = (driver.flags & abi::kSrgb) != 0,
          .border_colour = driver.border_colour,
          .normalized_coordinates = (driver.flags & abi::kNormalizedCoordinates) != 0,
          .max_anisotropy = driver.max_anisotropy,
          .mipmap_filter_mode = driver.mipmap_filter_mode,
          .mipmap_level_bias = driver.mipmap_level_bias,
          .min_mipmap_level_clamp = driver.min_mipmap_level_clamp,
          .max_mipmap_level_clamp = driver.max_mipmap_level_clamp};
}

abi::DriverTextureDescription to_driver(const abi::TextureDescription& texture) {
  std::uint32_t flags = 0;
  if (texture.read_mode == abi::ReadMode::kElementType) flags |= abi::kReadAsInteger;
  if (texture.srgb != 0) flags |= abi::kSrgb;
  if (texture.normalized_coordinates != 0) flags |= abi::kNormalizedCoordinates;
  return {.address_mode = texture.address_mode,
          .filter_mode = texture.filter_mode,
          .flags = flags,
          .max_anisotropy = texture.max_anisotropy,
          .mipmap_filter_mode = texture.mipmap_filter_mode,
          .mipmap_level_bias = texture.mipmap_level_bias,
          .min_mipmap_level_clamp = texture.min_mipmap_level_clamp,
          .max_mipmap_level_clamp = texture.max_mipmap_level_clamp,
          .border_colour = texture.border_colour,
          .reserved = {}};
}

}  // namespace

WAVETANK_API Status hipTexObjectCreate(TextureObject** made,
                                       const abi::DriverResourceDescription* resource,
                                       const abi::DriverTextureDescription* texture,
                                       const abi::DriverResourceView* view) {
  return api::call_with_images([&](VirtualDevice& device) {
    if (made == nullptr || resource == nullptr || texture == nullptr) return Status::kInvalidValue;
    return api::create_texture(device, made, from_driver(*resource), from_driver(*texture),
                               view == nullptr ? nullptr : &view->view);
  });
}

WAVETANK_API Status hipTexObjectDestroy(TextureObject* texture) {
  return api::call_with_images([&](VirtualDevice&) { return api::destroy_texture(texture); });
}

WAVETANK_API Status hipTexObjectGetResourceDesc(abi::DriverResourceDescription* resource,
                                                const TextureObject* texture) {
  return api::describe_texture(
      resource, texture, [](const TextureObject& object) { return to_driver(object.resource); });
}

WAVETANK_API Status hipTexObjectGetResourceViewDesc(abi::DriverResourceView* view,
                                                    const TextureObject* texture) {
  return api::describe_texture(view, texture, [](const TextureObject& object) {
    return abi::DriverResourceView{.view = object.view, .reserved = {}};
  });
}

WAVETANK_API Status hipTexObjectGetTextureDesc(abi::DriverTextureDescription* description,
                                               const TextureObject* texture) {
  return api::describe_texture(
      description, texture, [](const TextureObject& object) { return to_driver(object.texture); });
}

// A device without images answers, as in AMD's runtime: its textures have no elements.
WAVETANK_API Status hipDeviceGetTexture1DLinearMaxWidth(std::size_t* elements,
                                                        const abi::ChannelFormat* format,
                                                        int ordinal) {
  return api::call([&] {
    if (elements == nullptr || format == nullptr) return Status::kInvalidValue;
    const VirtualDevice* device = Runtime::instance().device(ordinal);
    if (device == nullptr) return Status::kInvalidDevice;
    const int element_bytes = (format->x + format->y + format->z + format->w) / 8;
    if (element_bytes <= 0) return Status::kInvalidValue;
    const int most_bytes = properties_of(*device).maxTexture1DLinear;
    *elements = static_cast<std::size_t>(most_bytes / element_bytes);
    return Status::kSuccess;
  });
}
