// HIP API: semaphores of graphics programs. As in AMD's runtime on Linux none can be imported
// (ROCm/clr, rocdevice.cpp), so the functions that use one check their arguments and find none.
#include <cstdint>
#include <span>

#include "hip/api/graph_entry.hpp"
#include "hip/api/stub.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// hipExternalSemaphoreHandleDesc, of which nothing but the kind of handle is read.
struct SemaphoreDescription {
  std::int32_t type;  ///< hipExternalSemaphoreHandleType
  union {
    std::int32_t descriptor;
    struct {
      void* handle;
      const void* name;
    } windows;
  } handle;
  std::uint32_t flags;
};

constexpr std::int32_t kFirstHandleType = 1, kLastHandleType = 10;

/// The status of a call with `count` semaphores, each of which is null or was never imported.
Status use_semaphores(const void* const* semaphores, const void* parameters, unsigned count,
                      void* stream) {
  return api::call_with_stream(
      stream,
      [&](Stream&) {
        if (semaphores == nullptr || parameters == nullptr) return Status::kInvalidValue;
        return count == 0 ? Status::kSuccess : Status::kInvalidValue;
      },
      Status::kInvalidValue);
}

/// The same for the functions of graph nodes: no node can hold a semaphore.
Status refuse_node() {
  return api::call([] { return Status::kInvalidValue; });
}

}  // namespace

WAVETANK_API Status hipImportExternalSemaphore(void** semaphore,
                                               const SemaphoreDescription* description) {
  const Status status = api::call_with_device([&](VirtualDevice&) {
    if (semaphore == nullptr || description == nullptr) return Status::kInvalidValue;
    const bool known =
        description->type >= kFirstHandleType && description->type <= kLastHandleType;
    return known && description->handle.descriptor != 0 ? Status::kSuccess : Status::kInvalidValue;
  });
  if (status != Status::kSuccess) return status;
  static StubState state;
  return static_cast<Status>(not_supported("hipImportExternalSemaphore", state));
}

WAVETANK_API Status hipDestroyExternalSemaphore(const void*) {
  return api::call([] { return Status::kInvalidValue; });
}

WAVETANK_API Status hipSignalExternalSemaphoresAsync(const void* const* semaphores,
                                                     const void* parameters, unsigned count,
                                                     void* stream) {
  return use_semaphores(semaphores, parameters, count, stream);
}
WAVETANK_API Status hipWaitExternalSemaphoresAsync(const void* const* semaphores,
                                                   const void* parameters, unsigned count,
                                                   void* stream) {
  return use_semaphores(semaphores, parameters, count, stream);
}

WAVETANK_API Status hipGraphAddExternalSemaphoresSignalNode(GraphNode**, Graph*, GraphNode* const*,
                                                            std::size_t, const void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphAddExternalSemaphoresWaitNode(GraphNode**, Graph*, GraphNode* const*,
                                                          std::size_t, const void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphExternalSemaphoresSignalNodeGetParams(GraphNode*, void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphExternalSemaphoresSignalNodeSetParams(GraphNode*, const void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphExternalSemaphoresWaitNodeGetParams(GraphNode*, void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphExternalSemaphoresWaitNodeSetParams(GraphNode*, const void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphExecExternalSemaphoresSignalNodeSetParams(Executable*, GraphNode*,
                                                                      const void*) {
  return refuse_node();
}
WAVETANK_API Status hipGraphExecExternalSemaphoresWaitNodeSetParams(Executable*, GraphNode*,
                                                                    const void*) {
  return refuse_node();
}
