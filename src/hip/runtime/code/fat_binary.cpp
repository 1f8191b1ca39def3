#include "hip/runtime/code/fat_binary.hpp"

#include <utility>

#include <fmt/format.h>

#include "hip/runtime/code/image_extent.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {

Result<const code_object::Bundle*> FatBinary::bundle() {
  const std::lock_guard lock(mutex_);
  if (!bundle_) bundle_ = code_object::read_bundle(image_extent(image_));
  if (!*bundle_) return tl::unexpected(bundle_->error());
  return &**bundle_;
}

Result<Module*> FatBinary::module_for(VirtualDevice& device) {
  const auto images = bundle();
  if (!images) return tl::unexpected(images.error());
  const std::lock_guard lock(mutex_);
  auto& module = modules_[device.ordinal()];
  if (module == nullptr) {
    auto loaded = Module::load(device, **images);
    if (!loaded) return tl::unexpected(loaded.error());
    module = std::move(*loaded);
  }
  return module.get();
}

Registry& Registry::instance() {
  // Never destroyed: programs unregister from exit handlers of unknown order.
  static auto* registry = new Registry;
  return *registry;
}

FatBinary* Registry::add_binary(const void* image) {
  const std::lock_guard lock(mutex_);
  return binaries_.emplace_back(std::make_unique<FatBinary>(image)).get();
}

void Registry::remove_binary(FatBinary* binary) {
  const std::lock_guard lock(mutex_);
  std::erase_if(functions_, [&](const auto& entry) { return entry.second.binary == binary; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.binary == binary; });
  std::erase_if(binaries_, [&](const auto& owned) { return owned.get() == binary; });
}

void Registry::add_function(FatBinary* binary, const void* host_function, const char* name) {
  const std::lock_guard lock(mutex_);
  functions_.insert_or_assign(host_function, StaticFunction{binary, name});
}

void Registry::add_variable(FatBinary* binary, const void* host_variable, const char* name,
                            std::size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  variables_.insert_or_assign(host_variable, StaticVariable{binary, name, size_bytes});
}

Result<Function*> Registry::function(const void* host_function, VirtualDevice& device) {
  StaticFunction entry{};
  {
    const std::lock_guard lock(mutex_);
    const auto found = functions_.find(host_function);
    if (found == functions_.end()) {
      return fail(ErrorCode::kUsage, "the launched address is no registered kernel");
    }
    entry = found->second;
  }
  const auto module = entry.binary->module_for(device);
  if (!module) return tl::unexpected(module.error());
  Function* function = (*module)->function(entry.name);
  if (function == nullptr) {
    return fail(ErrorCode::kUndefinedSymbol,
                fmt::format("the code object for {} has no kernel \"{}\"",
                            device.target_id().to_text(), entry.name));
  }
  return function;
}

Result<VariablePlace> Registry::variable(const void* host_variable, VirtualDevice& device) {
  StaticVariable entry{};
  {
    const std::lock_guard lock(mutex_);
    const auto found = variables_.find(host_variable);
    if (found == variables_.end()) {
      return fail(ErrorCode::kUsage, "the address is no registered device variable");
    }
    entry = found->second;
  }
  const auto module = entry.binary->module_for(device);
  if (!module) return tl::unexpected(module.error());
  VariablePlace place = (*module)->variable(entry.name);
  if (place.address == nullptr) {
    return fail(ErrorCode::kUndefinedSymbol,
                fmt::format("the code object for {} has no variable \"{}\"",
                            device.target_id().to_text(), entry.name));
  }
  place.size_bytes = entry.size_bytes;
  return place;
}

const char* Registry::function_name(const void* host_function) {
  const std::lock_guard lock(mutex_);
  const auto found = functions_.find(host_function);
  return found == functions_.end() ? nullptr : found->second.name;
}

std::set<std::string> Registry::common_processors() {
  std::vector<FatBinary*> binaries;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& binary : binaries_) binaries.push_back(binary.get());
  }
  std::optional<std::set<std::string>> common;
  for (FatBinary* binary : binaries) {
    const auto bundle = binary->bundle();
    if (!bundle) continue;
    std::set<std::string> processors;
    for (const auto& entry : (*bundle)->entries) {
      if (!entry.is_host) processors.insert(entry.target.processor);
    }
    if (!common) {
      common = std::move(processors);
    } else {
      std::erase_if(*common, [&](const auto& name) { return !processors.contains(name); });
    }
  }
  return common.value_or(std::set<std::string>{});
}

}  // namespace wavetank::hip
