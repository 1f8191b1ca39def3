// Texture and surface objects, which the runtime's and the driver's forms of the API share.
#pragma once

#include "hip/abi/texture_types.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/image_words.hpp"

namespace wavetank::hip::api {

/// What a hipTextureObject_t or hipSurfaceObject_t points to: kernels read the words.
struct TextureObject {
  ImageWords image;
  SamplerWords sampler;
  abi::ResourceDescription resource;
  abi::TextureDescription texture;
  abi::ResourceView view;
};

/// Runs body(VirtualDevice&) on a device with images; others give hipErrorNotSupported for every
/// call about them.
template <class Body>
Status call_with_images(Body body) {
  return call_outside_capture([&](VirtualDevice& device) {
    return device.has_images() ? body(device) : Status::kNotSupported;
  });
}

/// Makes a texture object in memory that kernels can read. Gives kInvalidValue, kNotSupported (what
/// the device cannot do) or kOutOfMemory.
Status create_texture(VirtualDevice& device, TextureObject** made,
                      const abi::ResourceDescription& resource,
                      const abi::TextureDescription& texture, const abi::ResourceView* view);
/// The view that reads elements in a format; 0, the resource's own, for one that views do not have.
std::int32_t view_of_format(const abi::ChannelFormat& format);
/// Frees it; kSuccess for no object.
Status destroy_texture(TextureObject* texture);

/// Tells the program what read(texture) gives. Gives kInvalidValue for no place or no object.
template <class Description, class Read>
Status describe_texture(Description* description, const TextureObject* texture, Read read) {
  return call_with_images([&](VirtualDevice&) {
    if (description == nullptr || texture == nullptr) return Status::kInvalidValue;
    *description = read(*texture);
    return Status::kSuccess;
  });
}

}  // namespace wavetank::hip::api
