// HIP API: texture references (texture<> of a program or a module) and what is bound to them. A
// binding is a texture object, which the reference names on the host and on the device. What is
// refused, and how, follows AMD's runtime (ROCm/clr, hip_texture.cpp and hip_module.cpp).
#include "hip/api/texture_object.hpp"
#include "hip/runtime/code/fat_binary.hpp"
#include "hip/runtime/code/module.hpp"
#include "hip/runtime/handles.hpp"
#include "hip/runtime/memory/array.hpp"
#include "hip/runtime/transfer.hpp"

using namespace wavetank::hip;
using abi::ResourceType;
using abi::Status;
using abi::TextureReference;
using api::TextureObject;

namespace {

TextureObject* object_of(const TextureReference& reference) {
  return static_cast<TextureObject*>(reference.object);
}

abi::TextureDescription description_of(const TextureReference& reference) {
  return {.address_mode = reference.address_mode,
          .filter_mode = reference.filter_mode,
          .read_mode = reference.read_mode,
          .srgb = reference.srgb,
          .border_colour = {},
          .normalized_coordinates = reference.normalized_coordinates,
          .max_anisotropy = reference.max_anisotropy,
          .mipmap_filter_mode = reference.mipmap_filter_mode,
          .mipmap_level_bias = reference.mipmap_level_bias,
          .min_mipmap_level_clamp = reference.min_mipmap_level_clamp,
          .max_mipmap_level_clamp = reference.max_mipmap_level_clamp};
}

Status unbind(TextureReference& reference) {
  const Status status = api::destroy_texture(object_of(reference));
  if (status == Status::kSuccess) reference.object = nullptr;
  return status;
}

/// Binds a resource instead of what was bound before, and tells the device.
Status bind_resource(VirtualDevice& device, TextureReference& reference, std::byte* on_device,
                     const abi::ResourceDescription& resource, const abi::ResourceView* view) {
  if (const Status status = unbind(reference); status != Status::kSuccess) return status;
  TextureObject* object = nullptr;
  const Status status =
      api::create_texture(device, &object, resource, description_of(reference), view);
  if (status != Status::kSuccess) return status;
  reference.object = object;
  const auto source = reinterpret_cast<std::byte*>(&reference);
  return submit_copy(
      Runtime::instance().streams(device).null_stream(),
      {.target = {on_device, 0, 0}, .source = {source, 0, 0}, .width_bytes = sizeof reference},
      abi::MemcpyKind::kHostToDevice, Blocking::kYes);
}

/// Binds a resource to a texture<> that the compiler registered.
Status bind_registered(const TextureReference* reference, const abi::ResourceDescription& resource,
                       const abi::ResourceView* view = nullptr) {
  return api::call_with_images([&](VirtualDevice& device) {
    if (reference == nullptr) return Status::kInvalidValue;
    const auto place = Registry::instance().variable(reference, device);
    if (!place) return Status::kInvalidSymbol;
    return bind_resource(device, const_cast<TextureReference&>(*reference), place->address,
                         resource, view);
  });
}

/// Binds a resource to a texture reference that hipModuleGetTexRef gave.
Status bind_of_module(TextureReference* reference, const abi::ResourceDescription& resource) {
  return api::call_with_images([&](VirtualDevice& device) {
    if (reference == nullptr) return Status::kInvalidValue;
    const ModuleTexture* texture = module_texture(reference);
    if (texture == nullptr) return Status::kNotFound;
    return bind_resource(device, *reference, texture->on_device, resource, nullptr);
  });
}

abi::ResourceDescription linear_resource(const void* address, const abi::ChannelFormat& format,
                                         std::size_t size_bytes) {
  abi::ResourceDescription resource{};
  resource.type = ResourceType::kLinear;
  resource.linear = {const_cast<void*>(address), format, size_bytes};
  return resource;
}

abi::ResourceDescription pitched_resource(const void* address, const abi::ChannelFormat& format,
                                          std::size_t width, std::size_t height,
                                          std::size_t pitch_bytes) {
  abi::ResourceDescription resource{};
  resource.type = ResourceType::kPitch2d;
  resource.pitch_2d = {const_cast<void*>(address), format, width, height, pitch_bytes};
  return resource;
}

abi::ResourceDescription array_resource(const abi::Array* array) {
  abi::ResourceDescription resource{};
  resource.type = ResourceType::kArray;
  resource.array = const_cast<abi::Array*>(array);
  return resource;
}

/// Memory that is bound is aligned, as all that HIP allocates, so no fetch needs an offset.
void give_offset(std::size_t* offset, Status bound) {
  if (offset != nullptr && bound == Status::kSuccess) *offset = 0;
}

/// Runs body(const abi::ResourceDescription&) for what is bound to a reference.
template <class Body>
Status call_with_bound(const TextureReference* reference, Body body) {
  return api::call_with_images([&](VirtualDevice&) {
    if (reference == nullptr || reference->object == nullptr) return Status::kInvalidValue;
    return body(object_of(*reference)->resource);
  });
}

}  // namespace

WAVETANK_API Status hipBindTexture(std::size_t* offset, const TextureReference* reference,
                                   const void* address, const abi::ChannelFormat* format,
                                   std::size_t size_bytes) {
  if (format == nullptr) return api::remember(Status::kInvalidValue);
  const Status status = bind_registered(reference, linear_resource(address, *format, size_bytes));
  give_offset(offset, status);
  return status;
}

WAVETANK_API Status hipBindTexture2D(std::size_t* offset, const TextureReference* reference,
                                     const void* address, const abi::ChannelFormat* format,
                                     std::size_t width, std::size_t height,
                                     std::size_t pitch_bytes) {
  if (format == nullptr) return api::remember(Status::kInvalidValue);
  const Status status =
      bind_registered(reference, pitched_resource(address, *format, width, height, pitch_bytes));
  give_offset(offset, status);
  return status;
}

WAVETANK_API Status hipBindTextureToArray(const TextureReference* reference,
                                          const abi::Array* array,
                                          const abi::ChannelFormat* format) {
  if (format == nullptr) return api::remember(Status::kInvalidValue);
  abi::ResourceView view{};
  view.format = api::view_of_format(*format);
  return bind_registered(reference, array_resource(array), &view);
}

WAVETANK_API Status hipUnbindTexture(const TextureReference* reference) {
  return api::call_with_images([&](VirtualDevice&) {
    if (reference == nullptr) return Status::kInvalidValue;
    return unbind(const_cast<TextureReference&>(*reference));
  });
}

WAVETANK_API Status hipGetTextureAlignmentOffset(std::size_t* offset,
                                                 const TextureReference* reference) {
  return api::call_with_images([&](VirtualDevice&) {
    if (offset == nullptr || reference == nullptr) return Status::kInvalidValue;
    *offset = 0;
    return Status::kSuccess;
  });
}

// The host side of a texture<> is the reference itself.
WAVETANK_API Status hipGetTextureReference(const TextureReference** reference, const void* symbol) {
  return api::call_with_images([&](VirtualDevice&) {
    if (reference == nullptr) return Status::kInvalidValue;
    *reference = static_cast<const TextureReference*>(symbol);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipModuleGetTexRef(TextureReference** reference, Module* module,
                                       const char* name) {
  if (reference == nullptr || name == nullptr || *name == '\0') {
    return api::remember(Status::kInvalidValue);
  }
  if (!module_handles().contains(module)) return api::remember(Status::kInvalidHandle);
  return api::call_with_images([&](VirtualDevice&) {
    ModuleTexture* texture = module->texture(name);
    if (texture == nullptr) return Status::kNotFound;
    *reference = &texture->reference;
    (*reference)->read_mode = abi::ReadMode::kNormalizedFloat;
    (*reference)->element_format = abi::ArrayFormat::kFloat;
    (*reference)->channels = 1;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipTexRefSetAddress(std::size_t* offset, TextureReference* reference,
                                        void* address, std::size_t size_bytes) {
  if (reference == nullptr) return api::remember(Status::kInvalidValue);
  const abi::ChannelFormat format =
      channel_format(reference->element_format, static_cast<unsigned>(reference->channels));
  const Status status = bind_of_module(reference, linear_resource(address, format, size_bytes));
  give_offset(offset, status);
  return status;
}

WAVETANK_API Status hipTexRefSetAddress2D(TextureReference* reference,
                                          const abi::ArrayDescriptor* wanted, void* address,
                                          std::size_t pitch_bytes) {
  if (wanted == nullptr) return api::remember(Status::kInvalidValue);
  return bind_of_module(reference,
                        pitched_resource(address, channel_format(wanted->format, wanted->channels),
                                         wanted->width, wanted->height, pitch_bytes));
}

WAVETANK_API Status hipTexRefSetArray(TextureReference* reference, const abi::Array* array,
                                      unsigned flags) {
  constexpr unsigned kOverrideFormat = 1;  // HIP_TRSA_OVERRIDE_FORMAT
  if (reference == nullptr || !is_array(array) || flags != kOverrideFormat) {
    return api::remember(Status::kInvalidValue);
  }
  reference->element_format = array->element_format;
  reference->channels = static_cast<std::int32_t>(array->channels);
  return bind_of_module(reference, array_resource(array));
}

WAVETANK_API Status hipTexRefGetAddress(void** address, const TextureReference* reference) {
  return call_with_bound(reference, [&](const abi::ResourceDescription& resource) {
    if (address == nullptr || resource.type == ResourceType::kArray) return Status::kInvalidValue;
    *address = resource.type == ResourceType::kLinear ? resource.linear.address
                                                      : resource.pitch_2d.address;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipTexRefGetArray(abi::Array** array, const TextureReference* reference) {
  return call_with_bound(reference, [&](const abi::ResourceDescription& resource) {
    if (array == nullptr || resource.type != ResourceType::kArray) return Status::kInvalidValue;
    *array = resource.array;
    return Status::kSuccess;
  });
}
