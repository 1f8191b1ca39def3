// HIP API: texture and surface objects of devices with image instructions (gfx90a). What is
// refused, and how, follows AMD's runtime (ROCm/clr, hip_texture.cpp and hip_surface.cpp).
#include <cstring>
#include <limits>
#include <new>
#include <optional>

#include "hip/api/texture_object.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/memory/deallocation.hpp"
#include "hip/runtime/virtual_device.hpp"

using namespace wavetank::hip;
using abi::Status;
using api::TextureObject;

namespace {

constexpr std::size_t kAlignmentBytes = 256;

bool is_aligned(const void* address) {
  return reinterpret_cast<std::uintptr_t>(address) % kAlignmentBytes == 0;
}

/// The words of an array whose elements are read as `channels` says.
std::optional<ImageWords> words_of_array(const abi::Array& array,
                                         const abi::ChannelFormat& channels, bool normalized,
                                         bool srgb) {
  const ElementFormat format{channels, normalized, srgb};
  if (format.bytes() != element_bytes(array)) return {};
  return image_words(format, {.address = array.data,
                              .width = array.width,
                              .height = array.height,
                              .depth = array.depth,
                              .layered = (array.type & abi::kArrayLayered) != 0,
                              .pitch = array.width});
}

std::optional<ImageWords> words_of_linear(const abi::LinearResource& linear, bool normalized,
                                          bool srgb) {
  const ElementFormat format{linear.format, normalized, srgb};
  if (linear.address == nullptr || !is_aligned(linear.address)) return {};
  if (format.components() == 0 || linear.size_bytes < format.bytes()) return {};
  if (linear.size_bytes > std::numeric_limits<std::uint32_t>::max()) return {};
  return buffer_words(format, linear.address, linear.size_bytes);
}

std::optional<ImageWords> words_of_pitch_2d(const abi::Pitch2dResource& pitch, bool normalized,
                                            bool srgb) {
  const ElementFormat format{pitch.format, normalized, srgb};
  if (pitch.address == nullptr || !is_aligned(pitch.address)) return {};
  if (format.components() == 0 || pitch.pitch_bytes % kAlignmentBytes != 0) return {};
  const std::size_t elements = pitch.pitch_bytes / format.bytes();
  const bool fits = pitch.width >= 1 && pitch.width <= kMostImageElements && pitch.height >= 1 &&
                    pitch.height <= kMostImageElements && elements >= pitch.width &&
                    elements <= 4 * kMostImageElements && pitch.pitch_bytes % format.bytes() == 0;
  if (!fits) return {};
  return image_words(format, {.address = pitch.address,
                              .width = static_cast<std::uint32_t>(pitch.width),
                              .height = static_cast<std::uint32_t>(pitch.height),
                              .pitch = static_cast<std::uint32_t>(elements)});
}

/// The format that a view gives to elements; one without bits for a format that textures do not
/// have.
constexpr std::int32_t kViewFormats = 24;
abi::ChannelFormat view_format(std::int32_t view) {
  using enum abi::ArrayFormat;
  constexpr abi::ArrayFormat kFormats[] = {kUnsignedInt8, kSignedInt8,    kUnsignedInt16,
                                           kSignedInt16,  kUnsignedInt32, kSignedInt32,
                                           kHalf,         kFloat};
  constexpr unsigned kChannels[] = {1, 2, 4};
  if (view < 1 || view > kViewFormats) return {};
  const auto index = static_cast<unsigned>(view - 1);
  return channel_format(kFormats[index / 3], kChannels[index % 3]);
}

/// How the elements of a resource are read. The caller has checked its type and array.
abi::ChannelFormat read_format(const abi::ResourceDescription& resource,
                               const abi::ResourceView* view) {
  if (view != nullptr && view->format != 0) return view_format(view->format);
  if (resource.type == abi::ResourceType::kArray) return resource.array->format;
  return resource.type == abi::ResourceType::kLinear ? resource.linear.format
                                                     : resource.pitch_2d.format;
}

/// What must hold between the three descriptions.
Status check_texture(const abi::ResourceDescription& resource,
                     const abi::TextureDescription& texture, const abi::ResourceView* view) {
  using Type = abi::ResourceType;
  const bool is_array_resource = resource.type == Type::kArray;
  if (resource.type == Type::kMipmappedArray) return Status::kNotSupported;
  if (view != nullptr && !is_array_resource) return Status::kInvalidValue;
  if (resource.type > Type::kPitch2d || resource.type < Type::kArray) return Status::kInvalidValue;
  const bool normalizes = texture.read_mode == abi::ReadMode::kNormalizedFloat;
  const bool linear = texture.filter_mode == abi::FilterMode::kLinear;
  if (is_array_resource) {
    if (!is_array(resource.array)) return Status::kInvalidValue;
    // gfx90a does not filter 3-D textures.
    if (resource.array->depth > 0 && linear) return Status::kNotSupported;
  }
  const abi::ChannelFormat format = read_format(resource, view);
  if (texture.srgb != 0 && channel_count(format) == 4) {
    // Buffer resources have no sRGB, and only 8-bit fractions are.
    const bool bytes = format.kind == abi::ChannelKind::kUnsigned && format.x == 8;
    if (resource.type == Type::kLinear || !bytes || !normalizes) return Status::kInvalidValue;
  }
  const bool integers = format.kind != abi::ChannelKind::kFloat && !(normalizes && format.x < 32);
  if (linear && integers && resource.type != Type::kLinear) return Status::kInvalidValue;
  if (texture.max_anisotropy != 0 || texture.mipmap_level_bias != 0) return Status::kNotSupported;
  return Status::kSuccess;
}

SamplerWords sampler_of(const abi::ResourceDescription& resource,
                        const abi::TextureDescription& texture) {
  using abi::AddressMode;
  const bool normalized = texture.normalized_coordinates != 0;
  AddressMode mode = texture.address_mode[0];
  const bool repeats = mode == AddressMode::kWrap || mode == AddressMode::kMirror;
  if (!normalized && repeats) mode = AddressMode::kClamp;
  const bool linear = resource.type == abi::ResourceType::kLinear;
  return sampler_words(linear ? AddressMode::kClamp : mode,
                       linear ? abi::FilterMode::kPoint : texture.filter_mode, normalized);
}

std::optional<ImageWords> words_of(const abi::ResourceDescription& resource,
                                   const abi::ResourceView* view, bool normalized, bool srgb) {
  switch (resource.type) {
    case abi::ResourceType::kArray:
      return words_of_array(*resource.array, read_format(resource, view), normalized, srgb);
    case abi::ResourceType::kLinear: return words_of_linear(resource.linear, normalized, srgb);
    case abi::ResourceType::kPitch2d: return words_of_pitch_2d(resource.pitch_2d, normalized, srgb);
    case abi::ResourceType::kMipmappedArray: break;
  }
  return {};
}

Status put_into_memory(VirtualDevice& device, const TextureObject& object, TextureObject** made) {
  void* address = nullptr;
  const Status status =
      allocate_memory(device, &address, sizeof object, wavetank::machine::MemoryKind::kHostPinned);
  if (status == Status::kSuccess) *made = new (address) TextureObject(object);
  return status;
}

}  // namespace

namespace wavetank::hip::api {

Status create_texture(VirtualDevice& device, TextureObject** made,
                      const abi::ResourceDescription& resource,
                      const abi::TextureDescription& texture, const abi::ResourceView* view) {
  const Status checked = check_texture(resource, texture, view);
  if (checked != Status::kSuccess) return checked;
  const bool normalized = texture.read_mode == abi::ReadMode::kNormalizedFloat;
  const auto words = words_of(resource, view, normalized, texture.srgb != 0);
  if (!words) return Status::kInvalidValue;
  return put_into_memory(device,
                         {*words, sampler_of(resource, texture), resource, texture,
                          view == nullptr ? abi::ResourceView{} : *view},
                         made);
}

std::int32_t view_of_format(const abi::ChannelFormat& format) {
  for (std::int32_t view = kViewFormats; view > 0; --view) {
    if (view_format(view) == format) return view;
  }
  return 0;
}

Status destroy_texture(TextureObject* texture) {
  return texture == nullptr ? Status::kSuccess : free_memory(texture);
}

}  // namespace wavetank::hip::api

WAVETANK_API Status hipCreateTextureObject(TextureObject** made,
                                           const abi::ResourceDescription* resource,
                                           const abi::TextureDescription* texture,
                                           const abi::ResourceView* view) {
  return api::call_with_images([&](VirtualDevice& device) {
    if (made == nullptr || resource == nullptr || texture == nullptr) return Status::kInvalidValue;
    return api::create_texture(device, made, *resource, *texture, view);
  });
}

WAVETANK_API Status hipDestroyTextureObject(TextureObject* texture) {
  return api::call_with_images([&](VirtualDevice&) { return api::destroy_texture(texture); });
}

WAVETANK_API Status hipGetTextureObjectResourceDesc(abi::ResourceDescription* resource,
                                                    const TextureObject* texture) {
  return api::describe_texture(resource, texture,
                               [](const TextureObject& object) { return object.resource; });
}

WAVETANK_API Status hipGetTextureObjectResourceViewDesc(abi::ResourceView* view,
                                                        const TextureObject* texture) {
  return api::describe_texture(view, texture,
                               [](const TextureObject& object) { return object.view; });
}

WAVETANK_API Status hipGetTextureObjectTextureDesc(abi::TextureDescription* description,
                                                   const TextureObject* texture) {
  return api::describe_texture(description, texture,
                               [](const TextureObject& object) { return object.texture; });
}

WAVETANK_API Status hipCreateSurfaceObject(TextureObject** made,
                                           const abi::ResourceDescription* resource) {
  return api::call_with_images([&](VirtualDevice& device) {
    if (made == nullptr || resource == nullptr) return Status::kInvalidValue;
    if (resource->type != abi::ResourceType::kArray || !is_array(resource->array)) {
      return Status::kInvalidValue;
    }
    const std::uint32_t flags = resource->array->type;
    if (flags != 0 && (flags & abi::kArraySurfaceLoadStore) == 0) return Status::kInvalidValue;
    const auto words = words_of_array(*resource->array, resource->array->format, false, false);
    if (!words) return Status::kInvalidValue;
    return put_into_memory(device, {*words, {}, *resource, {}, {}}, made);
  });
}

WAVETANK_API Status hipDestroySurfaceObject(TextureObject* surface) {
  return api::call_with_images(
      [&](VirtualDevice&) { return surface == nullptr ? Status::kSuccess : free_memory(surface); });
}

// ROCm 5 exports the two under their C++ names.
WAVETANK_API Status
create_surface_rocm5(TextureObject** made, const abi::ResourceDescription* resource) __asm__(
    "_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc");
WAVETANK_API Status destroy_surface_rocm5(TextureObject* surface) __asm__(
    "_Z23hipDestroySurfaceObjectP13__hip_surface");
Status create_surface_rocm5(TextureObject** made, const abi::ResourceDescription* resource) {
  return hipCreateSurfaceObject(made, resource);
}
Status destroy_surface_rocm5(TextureObject* surface) { return hipDestroySurfaceObject(surface); }
