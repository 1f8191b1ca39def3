// HIP API: memory, pools and events between processes.
#include <unistd.h>

#include <memory>
#include <utility>

#include "hip/api/entry.hpp"
#include "hip/runtime/descriptor.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/handles.hpp"
#include "hip/runtime/memory/memory_pool.hpp"
#include "hip/runtime/memory/shared_memory.hpp"
#include "hip/runtime/shared_event.hpp"

using namespace wavetank::hip;
using abi::Status;

WAVETANK_API Status hipIpcGetMemHandle(ProcessHandle* handle, void* address) {
  return api::call_with_device([&](VirtualDevice&) {
    if (handle == nullptr || address == nullptr) return Status::kInvalidValue;
    SharedObject object;
    const Status status = export_memory(address, object);
    if (status == Status::kSuccess) *handle = to_handle(object);
    return status;
  });
}

WAVETANK_API Status hipIpcOpenMemHandle(void** address, ProcessHandle handle, unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    // hipIpcMemLazyEnablePeerAccess is 0 in ROCm 5 and 1 since.
    if (address == nullptr || flags > 1) return Status::kInvalidValue;
    SharedObject object;
    if (!from_handle(handle, HandleKind::kMemory, object)) return Status::kInvalidValue;
    if (object.process_id == ::getpid()) return Status::kInvalidContext;
    return open_memory(device, object, OpenedBy::kIpcHandle, address);
  });
}

WAVETANK_API Status hipIpcCloseMemHandle(void* address) {
  return api::call_with_device([&](VirtualDevice&) {
    if (address == nullptr) return Status::kInvalidValue;
    Runtime::instance().synchronize();
    return close_memory(address, OpenedBy::kIpcHandle);
  });
}

WAVETANK_API Status hipIpcGetEventHandle(ProcessHandle* handle, Event* event) {
  return api::call_with_device([&](VirtualDevice&) {
    if (handle == nullptr || event == nullptr) return Status::kInvalidValue;
    if (!event_handles().contains(event)) return Status::kInvalidValue;
    if ((event->flags() & abi::kEventInterprocess) == 0) return Status::kInvalidConfiguration;
    auto shared = event->shared();
    if (shared == nullptr) {
      // What was recorded before nobody else could know of; from here on it counts.
      event->wait();
      shared = SharedEvent::create();
      if (shared == nullptr) return Status::kInvalidValue;
      event->share(shared);
    }
    *handle = to_handle(shared->object());
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipIpcOpenEventHandle(Event** event, ProcessHandle handle) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (event == nullptr) return Status::kInvalidValue;
    SharedObject object;
    if (!from_handle(handle, HandleKind::kEvent, object)) return Status::kInvalidValue;
    if (object.process_id == ::getpid()) return Status::kInvalidContext;
    auto shared = SharedEvent::open(object);
    if (shared == nullptr) return Status::kInvalidValue;
    auto opened =
        std::make_unique<Event>(device, abi::kEventDisableTiming | abi::kEventInterprocess);
    opened->share(std::move(shared));
    *event = event_handles().add(std::move(opened));
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPoolExportToShareableHandle(void* target, MemoryPool* pool,
                                                      abi::MemHandleType type, unsigned flags) {
  return api::call_with_device([&](VirtualDevice&) {
    if (!is_pool(pool) || target == nullptr || flags != 0) return Status::kInvalidValue;
    if (type != abi::MemHandleType::kPosixFileDescriptor || pool->handle_type() != type) {
      return Status::kInvalidValue;
    }
    const auto token = pool->token();
    if (token == nullptr) return Status::kInvalidValue;
    return export_descriptor(token->descriptor(), target) ? Status::kSuccess
                                                          : Status::kInvalidValue;
  });
}

// What a pool's descriptor brings is a pool to import pointers into; they bring their own memory.
WAVETANK_API Status hipMemPoolImportFromShareableHandle(MemoryPool** pool, void* given,
                                                        abi::MemHandleType type, unsigned flags) {
  return api::call_with_device([&](VirtualDevice& device) {
    if (pool == nullptr || given == nullptr || flags != 0) return Status::kInvalidValue;
    if (type != abi::MemHandleType::kPosixFileDescriptor) return Status::kInvalidValue;
    const auto descriptor = numbered_descriptor(given);
    if (!descriptor) return Status::kOutOfMemory;
    const auto token = wavetank::machine::PhysicalMemory::adopt(*descriptor);
    if (!token) return Status::kOutOfMemory;
    *pool = &create_pool(device, 0, abi::MemHandleType::kNone);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPoolExportPointer(ProcessHandle* handle, void* address) {
  return api::call_with_device([&](VirtualDevice&) {
    if (handle == nullptr || address == nullptr) return Status::kInvalidValue;
    SharedObject object;
    if (export_memory(address, object) != Status::kSuccess) return Status::kOutOfMemory;
    *handle = to_handle(object);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipMemPoolImportPointer(void** address, MemoryPool* pool,
                                            const ProcessHandle* handle) {
  return api::call_with_device([&](VirtualDevice&) {
    if (address == nullptr || handle == nullptr || !is_pool(pool)) return Status::kInvalidValue;
    SharedObject object;
    if (!from_handle(*handle, HandleKind::kMemory, object)) return Status::kOutOfMemory;
    const Status status = open_memory(pool->device(), object, OpenedBy::kPool, address);
    return status == Status::kSuccess ? status : Status::kOutOfMemory;
  });
}
