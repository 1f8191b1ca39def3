// What the compiler's start-up code registers: fat binaries, and the kernels and variables in them.
// Registration only writes tables; a bundle is read and a code object loaded at first use, once per
// device.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code_object/bundle.hpp"
#include "hip/runtime/code/module.hpp"

namespace wavetank::hip {

class Runtime;

/// One registered `__hip_fatbin`.
class FatBinary {
 public:
  explicit FatBinary(const void* image) : image_(image) {}

  /// Its bundle, read at the first call. Errors: kBadBundle, kBadElf.
  Result<const code_object::Bundle*> bundle();
  /// Its module on a device, loaded at the first call. Errors: those of Module::load().
  Result<Module*> module_for(VirtualDevice& device);

 private:
  const void* image_;
  std::mutex mutex_;
  std::optional<Result<code_object::Bundle>> bundle_;
  std::map<int, std::unique_ptr<Module>> modules_;  ///< by device ordinal
};

/// A registered kernel: host stub's address -> name in the fat binary.
struct StaticFunction {
  FatBinary* binary;
  const char* name;
};

/// A registered device, constant or managed variable.
struct StaticVariable {
  FatBinary* binary;
  const char* name;
  std::size_t size_bytes;
};

/// All that is registered in the process. Safe from any thread, and before main.
class Registry {
 public:
  static Registry& instance();

  FatBinary* add_binary(const void* image);
  /// Forgets a binary and all that was registered for it.
  void remove_binary(FatBinary* binary);
  void add_function(FatBinary* binary, const void* host_function, const char* name);
  void add_variable(FatBinary* binary, const void* host_variable, const char* name,
                    std::size_t size_bytes);

  /// The kernel behind a host function on a device. Errors: kUsage when nothing is registered
  /// there; those of FatBinary::module_for(); kUndefinedSymbol.
  Result<Function*> function(const void* host_function, VirtualDevice& device);
  /// A variable's place on a device. Errors: as function().
  Result<VariablePlace> variable(const void* host_variable, VirtualDevice& device);
  /// The registered kernel's name, or nullptr.
  const char* function_name(const void* host_function);
  /// The processors ("gfx90a") that every registered binary has code for; empty when none is
  /// registered.
  std::set<std::string> common_processors();

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<FatBinary>> binaries_;
  std::unordered_map<const void*, StaticFunction> functions_;
  std::unordered_map<const void*, StaticVariable> variables_;
};

}  // namespace wavetank::hip
