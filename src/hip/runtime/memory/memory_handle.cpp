#include "hip/runtime/memory/memory_handle.hpp"

#include <map>
#include <mutex>
#include <utility>

namespace wavetank::hip {
namespace {

using machine::PhysicalMemory;

struct Handles {
  std::mutex mutex;
  std::map<const MemoryHandle*, std::unique_ptr<MemoryHandle>> all;
};

Handles& handles() {
  static auto* all = new Handles;
  return *all;
}

}  // namespace

MemoryHandle* add_memory_handle(std::shared_ptr<PhysicalMemory> pages,
                                const abi::MemAllocationProperties& properties) {
  const std::lock_guard lock(handles().mutex);
  auto& all = handles().all;
  std::erase_if(all, [](const auto& entry) { return entry.second->pages.expired(); });
  auto handle = std::make_unique<MemoryHandle>();
  handle->pages = pages;
  handle->held = std::move(pages);
  handle->holds = 1;
  handle->properties = properties;
  MemoryHandle* const key = handle.get();
  all.emplace(key, std::move(handle));
  return key;
}

MemoryHandle memory_handle(const MemoryHandle* handle) {
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().all.find(handle);
  return found == handles().all.end() ? MemoryHandle{} : *found->second;
}

MemoryHandle* retain_memory_handle(const std::shared_ptr<PhysicalMemory>& pages) {
  const std::lock_guard lock(handles().mutex);
  for (auto& [key, handle] : handles().all) {
    if (pages == nullptr || handle->pages.lock() != pages) continue;
    handle->held = pages;
    ++handle->holds;
    return handle.get();
  }
  return nullptr;
}

bool release_memory_handle(const MemoryHandle* handle) {
  // Declared first, so that pages whose last holder this was go after the lock.
  std::shared_ptr<PhysicalMemory> released;
  const std::lock_guard lock(handles().mutex);
  const auto found = handles().all.find(handle);
  if (found == handles().all.end() || found->second->holds == 0) return false;
  if (--found->second->holds == 0) released = std::move(found->second->held);
  return true;
}

}  // namespace wavetank::hip
