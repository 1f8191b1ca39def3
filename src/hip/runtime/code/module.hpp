// A code object loaded for one device, and the handles that programs hold into it.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code_object/bundle.hpp"
#include "code_object/loader.hpp"
#include "hip/abi/texture_types.hpp"
#include "hip/runtime/memory/managed_variables.hpp"

namespace wavetank::hip {

class Module;
class VirtualDevice;

/// A kernel of a loaded module: what hipFunction_t points to.
struct Function {
  Module& module;
  const code_object::Kernel& kernel;
  std::atomic<int> max_dynamic_lds_bytes;  ///< hipFuncSetAttribute

  VirtualDevice& device() const;
};

/// False for an address that is no kernel of a module that is loaded now.
bool is_function(const Function* function);

/// A texture reference of a module: the host side, which programs fill, and the device's.
struct ModuleTexture {
  abi::TextureReference reference{};
  std::byte* on_device = nullptr;
};

/// The texture reference that a program got from a module that is loaded now, or nullptr.
const ModuleTexture* module_texture(const abi::TextureReference* reference);

/// hipModule_t. Functions and variables are looked up by their mangled names.
class Module {
 public:
  /// Picks the code object for the device from a bundle (or the one ELF) and places it in device
  /// memory. Errors: those of select_entry() and load(); kOutOfMemory.
  static Result<std::unique_ptr<Module>> load(VirtualDevice& device,
                                              const code_object::Bundle& bundle);
  ~Module();
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  VirtualDevice& device() const { return device_; }
  const std::shared_ptr<code_object::LoadedCodeObject>& code() const { return code_; }

  /// The kernel's handle, the same at every call, or nullptr.
  Function* function(std::string_view name);
  /// A variable's address and size; empty address when there is none. A managed variable's is that
  /// of its data.
  VariablePlace variable(std::string_view name) const;
  /// The texture reference of that name, the same at every call, or nullptr.
  ModuleTexture* texture(std::string_view name);

 private:
  Module(VirtualDevice& device, std::shared_ptr<code_object::LoadedCodeObject> code);
  Result<void> place_managed_variables();

  VirtualDevice& device_;
  std::shared_ptr<code_object::LoadedCodeObject> code_;
  std::vector<std::byte*> managed_;  ///< memory of managed variables that this module owns
  std::mutex mutex_;
  std::unordered_map<std::string, std::unique_ptr<Function>> functions_;
  std::unordered_map<std::string, std::unique_ptr<ModuleTexture>> textures_;
};

}  // namespace wavetank::hip
