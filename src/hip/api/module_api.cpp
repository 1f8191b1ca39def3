// HIP API: modules (code objects that a program loads itself).
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "hip/api/entry.hpp"
#include "hip/runtime/code/image_extent.hpp"
#include "hip/runtime/code/module.hpp"
#include "hip/runtime/failure.hpp"
#include "hip/runtime/handles.hpp"

using namespace wavetank;
using namespace wavetank::hip;
using abi::Status;

namespace {

Status add_module(VirtualDevice& device, const code_object::Bundle& bundle, Module** module) {
  auto loaded = Module::load(device, bundle);
  if (!loaded) {
    report_error(loaded.error());
    return status_of(loaded.error());
  }
  *module = module_handles().add(std::move(*loaded));
  return Status::kSuccess;
}

Status load_data(Module** module, const void* image) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (module == nullptr || image == nullptr) return Status::kInvalidValue;
    const auto bundle = code_object::read_bundle(image_extent(image));
    if (!bundle) {
      report_error(bundle.error());
      return status_of(bundle.error());
    }
    return add_module(device, *bundle, module);
  });
}

Status load_file(Module** module, const char* path) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (module == nullptr || path == nullptr || *path == '\0') return Status::kInvalidValue;
    const auto bundles = code_object::read_bundles_of_file(path);
    if (!bundles) {
      report_error(bundles.error());
      return status_of(bundles.error());
    }
    if (bundles->empty()) return Status::kInvalidImage;
    return add_module(device, bundles->front(), module);
  });
}

/// `unknown` is the status for a handle that is none, or none any more.
Status unload(Module* module, Status unknown) {
  return api::call([&] {
    if (module == nullptr) return Status::kInvalidHandle;
    if (!module_handles().contains(module)) return unknown;
    Runtime::instance().streams(module->device()).synchronize();
    return module_handles().remove(module) ? Status::kSuccess : unknown;
  });
}

Status function_by_name(Function** function, Module* module, const char* name) {
  return api::call([&] {
    if (function == nullptr || name == nullptr || *name == '\0') return Status::kInvalidValue;
    if (!module_handles().contains(module)) return Status::kInvalidHandle;
    *function = module->function(name);
    return *function == nullptr ? Status::kNotFound : Status::kSuccess;
  });
}

Status function_count(unsigned* count, Module* module) {
  return api::call([&] {
    if (count == nullptr) return Status::kInvalidValue;
    if (!module_handles().contains(module)) return Status::kInvalidHandle;
    *count = static_cast<unsigned>(module->code()->object.kernels.size());
    return Status::kSuccess;
  });
}

}  // namespace

WAVETANK_API Status hipModuleLoad(Module** module, const char* path) {
  return load_file(module, path);
}
WAVETANK_API Status hipModuleLoadData(Module** module, const void* image) {
  return load_data(module, image);
}
WAVETANK_API Status hipModuleLoadDataEx(Module** module, const void* image, unsigned, int*,
                                        void**) {
  return load_data(module, image);
}
WAVETANK_API Status hipModuleLoadFatBinary(Module** module, const void* image) {
  return load_data(module, image);
}
WAVETANK_API Status hipModuleUnload(Module* module) { return unload(module, Status::kNotFound); }

WAVETANK_API Status hipModuleGetFunction(Function** function, Module* module, const char* name) {
  return function_by_name(function, module, name);
}
WAVETANK_API Status hipModuleGetFunctionCount(unsigned* count, Module* module) {
  return function_count(count, module);
}

WAVETANK_API Status hipModuleGetGlobal(void** address, std::size_t* size_bytes, Module* module,
                                       const char* name) {
  return api::call([&] {
    if ((address == nullptr && size_bytes == nullptr) || name == nullptr || *name == '\0') {
      return Status::kInvalidValue;
    }
    if (!module_handles().contains(module)) return Status::kInvalidHandle;
    const VariablePlace place = module->variable(name);
    if (place.address == nullptr) return Status::kNotFound;
    if (address != nullptr) *address = place.address;
    if (size_bytes != nullptr) *size_bytes = place.size_bytes;
    return Status::kSuccess;
  });
}

// Libraries (ROCm 7.2) are modules whose kernels a program can list.
WAVETANK_API Status hipLibraryLoadData(Module** library, const void* image, int*, void**, unsigned,
                                       int*, void**, unsigned) {
  return load_data(library, image);
}
WAVETANK_API Status hipLibraryLoadFromFile(Module** library, const char* path, int*, void**,
                                           unsigned, int*, void**, unsigned) {
  return load_file(library, path);
}
WAVETANK_API Status hipLibraryUnload(Module* library) {
  return unload(library, Status::kInvalidHandle);
}
WAVETANK_API Status hipLibraryGetKernel(Function** kernel, Module* library, const char* name) {
  return function_by_name(kernel, library, name);
}
WAVETANK_API Status hipLibraryGetKernelCount(unsigned* count, Module* library) {
  return function_count(count, library);
}

WAVETANK_API Status hipLibraryEnumerateKernels(Function** kernels, unsigned count,
                                               Module* library) {
  return api::call([&] {
    if (kernels == nullptr || count == 0) return Status::kInvalidValue;
    if (!module_handles().contains(library)) return Status::kInvalidHandle;
    const auto& all = library->code()->object.kernels;
    for (std::size_t i = 0; i < all.size() && i < count; ++i) {
      kernels[i] = library->function(all[i].name);
    }
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipKernelGetName(const char** name, Function* kernel) {
  return api::call([&] {
    if (name == nullptr || kernel == nullptr) return Status::kInvalidValue;
    *name = kernel->kernel.name.c_str();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipKernelGetLibrary(Module** library, Function* kernel) {
  return api::call([&] {
    if (library == nullptr || kernel == nullptr) return Status::kInvalidValue;
    *library = &kernel->module;
    return Status::kSuccess;
  });
}
