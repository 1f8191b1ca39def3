// The nodes of a graph: what each kind does when the graph runs, and the parameters the program
// gave for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "hip/abi/graph_types.hpp"
#include "hip/runtime/memory/graph_memory.hpp"
#include "hip/runtime/operation.hpp"

namespace wavetank::hip {

class Event;
class Graph;
struct Function;

/// A node's own copy of its kernel's explicit arguments. `values` points into `segment`, which is
/// laid out as the kernel's metadata says; programs may read and write through the pointers.
struct KernelArguments {
  std::vector<std::byte> segment;
  std::vector<void*> values;
};

/// hipLaunchAttributeValue of each attribute that a kernel node has.
struct KernelAttributes {
  abi::AccessPolicyWindow window{};
  std::int32_t cooperative = 0;
  std::int32_t priority = 0;
};

struct KernelPayload {
  void* handle = nullptr;  ///< as the program gave it: host function or hipFunction_t
  Function* function = nullptr;
  Dim3 grid_work_items;
  Dim3 block;
  std::uint32_t shared_bytes = 0;
  std::shared_ptr<KernelArguments> arguments;
  KernelAttributes attributes;
  KernelOperation operation;  ///< made from the above, ready to run any number of times
};

/// Which function made a copy node; ROCm 5 gives each form a type of its own.
enum class CopyForm : std::uint8_t { k3d, k1d, kFromSymbol, kToSymbol };

struct CopyPayload {
  CopyForm form = CopyForm::k3d;
  abi::MemcpyKind kind = abi::MemcpyKind::kDefault;
  CopyOperation copy;
  abi::Memcpy3d parameters{};                          ///< hipGraphMemcpyNodeGetParams
  std::optional<abi::DriverMemcpy3dWide> driver = {};  ///< hipDrvGraphMemcpyNodeGetParams
};

struct FillPayload {
  FillOperation fill;
  abi::MemsetNodeParameters parameters{};
};

struct HostPayload {
  HostOperation operation;
  abi::HostNodeParameters parameters{};  ///< null for a captured callback
};

/// Runs a graph that the node owns.
struct ChildPayload {
  std::shared_ptr<Graph> graph;
};

struct EmptyPayload {};

struct EventWaitPayload {
  Event* event = nullptr;
};

struct EventRecordPayload {
  Event* event = nullptr;
};

struct AllocationPayload {
  std::shared_ptr<GraphAllocation> allocation;
  abi::MemAllocNodeParameters parameters{};  ///< with the program's own list of access
};

struct FreePayload {
  std::shared_ptr<GraphAllocation> allocation;
};

/// Writes and waits for values in memory, in order.
struct BatchPayload {
  std::vector<abi::BatchOperation> operations;
  abi::BatchNodeParameters parameters{};
};

using Payload = std::variant<EmptyPayload, KernelPayload, CopyPayload, FillPayload, HostPayload,
                             ChildPayload, EventWaitPayload, EventRecordPayload, AllocationPayload,
                             FreePayload, BatchPayload>;

/// hipGraphNode_t. Made by Graph::add(); all of it is guarded by graph_mutex().
struct GraphNode {
  Graph* graph = nullptr;  ///< the graph it is in
  std::uint64_t id = 0;    ///< the same in clones
  Payload payload;
  std::vector<GraphNode*> dependencies = {};  ///< nodes that must have ended before it begins
  std::vector<GraphNode*> dependents = {};
  bool captured = false;  ///< made by stream capture, not by the program
  bool enabled = true;    ///< hipGraphNodeSetEnabled

  template <class Kind>
  Kind* as() {
    return std::get_if<Kind>(&payload);
  }
  template <class Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&payload);
  }
};

/// hipGraphNodeType as the soname's generation numbers it: from 1 in ROCm 5, from 0 since ROCm 6.
std::int32_t node_type_number(const GraphNode& node);

/// True for a live node of any graph.
bool is_node(const GraphNode* node);

}  // namespace wavetank::hip
