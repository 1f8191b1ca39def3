// HIP API: mipmapped arrays. AMD's runtime makes none on these devices (ROCm/clr, hip_memory.cpp,
// ihipMipmapArrayCreate), so what makes one checks its arguments and refuses, and what uses one has
// been given none.
#include "hip/abi/texture_types.hpp"
#include "hip/api/entry.hpp"
#include "hip/api/stub.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

Status destroy() {
  return api::call([] { return Status::kInvalidValue; });
}

/// The status of a call that asks for a level of an array.
Status find_level(const void* level, const void* mipmaps) {
  return api::call([&] {
    return level != nullptr && mipmaps == nullptr ? Status::kInvalidHandle : Status::kInvalidValue;
  });
}

}  // namespace

WAVETANK_API Status hipMallocMipmappedArray(void** mipmaps, const abi::ChannelFormat* format,
                                            abi::Extent, unsigned, unsigned) {
  if (mipmaps == nullptr || format == nullptr) return api::remember(Status::kInvalidValue);
  static StubState state;
  return static_cast<Status>(not_supported("hipMallocMipmappedArray", state));
}
WAVETANK_API Status hipFreeMipmappedArray(const void*) { return destroy(); }
WAVETANK_API Status hipGetMipmappedArrayLevel(abi::Array** level, const void* mipmaps, unsigned) {
  return find_level(level, mipmaps);
}

/// The driver's form refuses before it looks at its arguments.
WAVETANK_API Status hipMipmappedArrayCreate(void**, const abi::Array3dDescriptor*, unsigned) {
  static StubState state;
  return static_cast<Status>(not_supported("hipMipmappedArrayCreate", state));
}
WAVETANK_API Status hipMipmappedArrayDestroy(const void*) { return destroy(); }
WAVETANK_API Status hipMipmappedArrayGetLevel(abi::Array** level, const void* mipmaps, unsigned) {
  return find_level(level, mipmaps);
}
