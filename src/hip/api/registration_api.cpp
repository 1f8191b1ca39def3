// HIP API: what compiler-made start-up code calls (clang's HIP host code generation).
#include <cstring>

#include "hip/abi/texture_types.hpp"
#include "hip/api/entry.hpp"
#include "hip/runtime/code/fat_binary.hpp"

using namespace wavetank::hip;

namespace {

/// __CudaFatBinaryWrapper as clang emits it into .hipFatBinSegment.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const void* binary;
  void* unused;
};

constexpr std::uint32_t kWrapperMagic = 0x48495046;  // "HIPF"

FatBinary* binary_of(void** handle) { return reinterpret_cast<FatBinary*>(handle); }

}  // namespace

WAVETANK_API void** __hipRegisterFatBinary(const void* data) {
  FatBinaryWrapper wrapper;
  std::memcpy(&wrapper, data, sizeof wrapper);
  const void* image = wrapper.magic == kWrapperMagic ? wrapper.binary : data;
  return reinterpret_cast<void**>(Registry::instance().add_binary(image));
}

WAVETANK_API void __hipUnregisterFatBinary(void** handle) {
  if (Runtime::exists()) Runtime::instance().synchronize();
  Registry::instance().remove_binary(binary_of(handle));
}

WAVETANK_API int __hipRegisterFunction(void** handle, const void* host_function, char*,
                                       const char* name, unsigned, void*, void*, void*, void*,
                                       int*) {
  Registry::instance().add_function(binary_of(handle), host_function, name);
  return 0;
}

WAVETANK_API void __hipRegisterVar(void** handle, void* host_variable, char*, char* name, int,
                                   std::size_t size_bytes, int, int) {
  Registry::instance().add_variable(binary_of(handle), host_variable, name, size_bytes);
}

WAVETANK_API void __hipRegisterManagedVar(void** handle, void** host_pointer, void* initial_value,
                                          const char* name, std::size_t size_bytes, unsigned) {
  *host_pointer = add_managed_variable(name, initial_value, size_bytes);
  Registry::instance().add_variable(binary_of(handle), host_pointer, name, size_bytes);
}

// A texture reference is a variable that binding writes to the device.
WAVETANK_API void __hipRegisterTexture(void** handle, void* host_variable, char*, char* name, int,
                                       int, int) {
  Registry::instance().add_variable(binary_of(handle), host_variable, name,
                                    sizeof(abi::TextureReference));
}

// A surface reference has the size of its descriptor pointer; no function fills it.
WAVETANK_API void __hipRegisterSurface(void** handle, void* host_variable, char*, char* name, int,
                                       int) {
  Registry::instance().add_variable(binary_of(handle), host_variable, name, sizeof(void*));
}
