#include "hip/runtime/code/module.hpp"

#include <cstring>
#include <shared_mutex>
#include <unordered_set>
#include <utility>

#include "code_object/symbol_name.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

constexpr std::string_view kManagedSuffix = ".managed";

/// What programs may hold handles of.
struct LiveHandles {
  std::shared_mutex mutex;
  std::unordered_set<const Function*> functions;
  std::unordered_map<const abi::TextureReference*, const ModuleTexture*> textures;
};

LiveHandles& live_handles() {
  static auto* live = new LiveHandles;
  return *live;
}

}  // namespace

VirtualDevice& Function::device() const { return module.device(); }

Module::Module(VirtualDevice& device, std::shared_ptr<code_object::LoadedCodeObject> code)
    : device_(device), code_(std::move(code)) {
  device_.engine().loaded_code().add(code_);
  if (device_.checker() == nullptr) return;
  for (const auto& symbol : code_->object.symbols) {
    if (symbol.kind != code_object::Symbol::Kind::kVariable || symbol.size_bytes == 0) continue;
    device_.checker()->program_memory().add_variable(code_->address_of(symbol.address),
                                                     symbol.size_bytes,
                                                     code_object::demangled(symbol.name), false);
  }
}

bool is_function(const Function* function) {
  const std::shared_lock lock(live_handles().mutex);
  return live_handles().functions.contains(function);
}

const ModuleTexture* module_texture(const abi::TextureReference* reference) {
  const std::shared_lock lock(live_handles().mutex);
  const auto found = live_handles().textures.find(reference);
  return found == live_handles().textures.end() ? nullptr : found->second;
}

Module::~Module() {
  {
    const std::unique_lock lock(live_handles().mutex);
    for (const auto& [name, function] : functions_) {
      live_handles().functions.erase(function.get());
    }
    for (const auto& [name, texture] : textures_) {
      live_handles().textures.erase(&texture->reference);
    }
  }
  device_.engine().loaded_code().remove(*code_);
  for (std::byte* memory : managed_) (void)device_.memory().free(memory);
  (void)device_.memory().free(code_->base);
}

Result<std::unique_ptr<Module>> Module::load(VirtualDevice& device,
                                             const code_object::Bundle& bundle) {
  const auto entry = code_object::select_entry(bundle, device.target_id());
  if (!entry) return tl::unexpected(entry.error());
  code_object::LoadServices services;
  services.allocate = [&](std::size_t size_bytes) -> std::byte* {
    const auto memory =
        device.memory().allocate(size_bytes, machine::MemoryKind::kDevice, 0, device.ordinal());
    return memory ? *memory : nullptr;
  };
  auto code = code_object::load((*entry)->image, services);
  if (!code) return tl::unexpected(code.error());
  std::unique_ptr<Module> module(new Module(device, std::move(*code)));
  if (auto placed = module->place_managed_variables(); !placed) {
    return tl::unexpected(placed.error());
  }
  return module;
}

// A managed variable `v` is two symbols: the pointer `v` that kernels read, and its initial value
// `v.managed`. Registered ones already have memory, which the host side uses
// (managed_variables.hpp).
Result<void> Module::place_managed_variables() {
  for (const auto& symbol : code_->object.symbols) {
    if (!symbol.name.ends_with(kManagedSuffix)) continue;
    const std::string name = symbol.name.substr(0, symbol.name.size() - kManagedSuffix.size());
    const code_object::Symbol* pointer = code_->object.find_symbol(name);
    if (pointer == nullptr || pointer->size_bytes != sizeof(void*)) continue;
    std::byte* data = managed_memory(name);
    if (data == nullptr) {
      const auto memory = device_.memory().allocate(
          symbol.size_bytes, machine::MemoryKind::kManaged, 0, device_.ordinal());
      if (!memory) return tl::unexpected(memory.error());
      data = managed_.emplace_back(*memory);
      if (device_.checker() != nullptr) {
        device_.checker()->program_memory().add_variable(data, symbol.size_bytes, name, true);
      }
      std::memcpy(data, code_->address_of(symbol.address), symbol.size_bytes);
    }
    std::memcpy(code_->address_of(pointer->address), &data, sizeof data);
  }
  return {};
}

Function* Module::function(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = functions_.find(std::string(name));
  if (known != functions_.end()) return known->second.get();
  const code_object::Kernel* kernel = code_->object.find_kernel(name);
  if (kernel == nullptr) return nullptr;
  const auto available = static_cast<int>(device_.description().lds_bytes_per_cu) -
                         static_cast<int>(kernel->group_segment_bytes);
  auto made = std::unique_ptr<Function>(new Function{*this, *kernel, available});
  const std::unique_lock live_lock(live_handles().mutex);
  live_handles().functions.insert(made.get());
  return functions_.emplace(std::string(name), std::move(made)).first->second.get();
}

ModuleTexture* Module::texture(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto known = textures_.find(std::string(name));
  if (known != textures_.end()) return known->second.get();
  const VariablePlace place = variable(name);
  if (place.address == nullptr || place.size_bytes != sizeof(abi::TextureReference)) return nullptr;
  auto made = std::make_unique<ModuleTexture>();
  made->on_device = place.address;
  const std::unique_lock live_lock(live_handles().mutex);
  live_handles().textures.emplace(&made->reference, made.get());
  return textures_.emplace(std::string(name), std::move(made)).first->second.get();
}

VariablePlace Module::variable(std::string_view name) const {
  const code_object::Symbol* symbol = code_->object.find_symbol(name);
  if (symbol == nullptr || symbol->kind != code_object::Symbol::Kind::kVariable) return {};
  std::byte* address = code_->address_of(symbol->address);
  const auto* managed = code_->object.find_symbol(std::string(name) + std::string(kManagedSuffix));
  if (managed == nullptr) return {address, symbol->size_bytes};
  std::byte* data = nullptr;
  std::memcpy(&data, address, sizeof data);
  return {data, managed->size_bytes};
}

}  // namespace wavetank::hip
