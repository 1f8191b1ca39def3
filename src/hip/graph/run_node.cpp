#include "hip/graph/run_node.hpp"

#include "hip/graph/graph.hpp"
#include "hip/runtime/code/module.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/memory_operation.hpp"
#include "hip/runtime/operation_run.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

/// One overload for each kind of node.
struct NodeRunner {
  Stream& stream;

  void operator()(const EmptyPayload&) const {}
  void operator()(const ChildPayload&) const {}

  void operator()(const KernelPayload& kernel) const {
    KernelOperation operation = kernel.operation;
    VirtualDevice& device = kernel.function->device();
    operation.launch.dispatch_id = device.dispatch_count.fetch_add(1);
    if (&device == &stream.device()) {
      stream.submit(std::move(operation));
      return;
    }
    // Kernels run on the device that their code is loaded for, whatever the stream's.
    stream.submit(HostOperation{[&device, id = stream.id(), operation = std::move(operation)] {
      run_operation(operation, device, id);
    }});
  }
  void operator()(const CopyPayload& copy) const { stream.submit(copy.copy); }
  void operator()(const FillPayload& fill) const { stream.submit(fill.fill); }
  void operator()(const HostPayload& host) const { stream.submit(host.operation); }

  void operator()(const EventWaitPayload& wait) const {
    CompletionPtr recorded = wait.event->recorded();
    if (recorded == nullptr) return;
    if (GraphBranch* const branch = GraphBranch::current()) {
      branch->behind().push_back(recorded->ordered());
    }
    stream.wait_for(std::move(recorded));
  }
  void operator()(const EventRecordPayload& record) const {
    record.event->record(stream.submit(MarkerOperation{}));
  }

  // The memory itself is there already: only the accounts change, in the order of submission.
  void operator()(const AllocationPayload& allocating) const {
    allocate_graph_memory(allocating.allocation);
  }
  void operator()(const FreePayload& freeing) const { free_graph_memory(*freeing.allocation); }

  void operator()(const BatchPayload& batch) const {
    for (const abi::BatchOperation& operation : batch.operations) {
      stream.submit(memory_operation(stream.device(), operation));
    }
  }
};

}  // namespace

void run_node(const GraphNode& node, Stream& stream) {
  if (node.enabled) std::visit(NodeRunner{stream}, node.payload);
}

}  // namespace wavetank::hip
