// HIP API: executable graphs.
#include "hip/abi/generation.hpp"
#include "hip/api/graph_entry.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

Status instantiate(Executable** executable, Graph* graph, unsigned long long flags) {
  return api::call_graph([&](VirtualDevice&) {
    if (executable == nullptr || !is_graph(graph)) return Status::kInvalidValue;
    std::shared_ptr<Executable> made;
    const Status status = Executable::create(*graph, flags, made);
    if (status == Status::kSuccess) *executable = own_executable(std::move(made));
    return status;
  });
}

/// ROCm 5 knows one flag only. Nodes have no priorities here that could be used or not.
bool flags_are_known(unsigned long long flags) {
  if (flags == 0 || flags == abi::kInstantiateAutoFreeOnLaunch) return true;
  return abi::generation.major >= 6 && flags == abi::kInstantiateUseNodePriority;
}

Status launch_graph(Executable* executable, void* stream_handle) {
  return api::call_with_stream(stream_handle, [&](Stream& stream) {
    CompletionPtr awaited;
    {
      const std::lock_guard lock(graph_mutex());
      if (!is_executable(executable)) return Status::kInvalidValue;
      const Status status = executable->launch(stream, awaited);
      if (status != Status::kSuccess) return status;
    }
    if (awaited != nullptr) wait_on_host(*awaited);
    return stream.device().sticky_status();
  });
}

/// There is nothing to prepare: kernels of an executable graph are ready to run.
Status upload(Executable* executable, void* stream_handle) {
  return api::call_with_stream(stream_handle, [&](Stream&) {
    const std::lock_guard lock(graph_mutex());
    return is_executable(executable) ? Status::kSuccess : Status::kInvalidValue;
  });
}

/// Runs body(GraphNode&) for the copy of a node that can be disabled.
template <class Body>
Status call_with_switchable(Executable* executable, GraphNode* original, Body body) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_executable(executable) || !is_node(original)) return Status::kInvalidValue;
    GraphNode* node = executable->find(original);
    if (node == nullptr) return Status::kInvalidValue;
    const bool switchable = node->as<KernelPayload>() != nullptr ||
                            node->as<CopyPayload>() != nullptr ||
                            node->as<FillPayload>() != nullptr;
    return switchable ? body(*node) : Status::kInvalidValue;
  });
}

// hipGraphInstantiateResult
constexpr std::int32_t kInstantiateSuccess = 0;
constexpr std::int32_t kInstantiateError = 1;

}  // namespace

// AMD's runtime leaves the error node and the log alone.
WAVETANK_API Status hipGraphInstantiate(Executable** executable, Graph* graph, GraphNode**, char*,
                                        std::size_t) {
  return instantiate(executable, graph, 0);
}

WAVETANK_API Status hipGraphInstantiateWithFlags(Executable** executable, Graph* graph,
                                                 unsigned long long flags) {
  if (!flags_are_known(flags)) return api::remember(Status::kInvalidValue);
  return instantiate(executable, graph, flags);
}

WAVETANK_API Status hipGraphInstantiateWithParams(Executable** executable, Graph* graph,
                                                  abi::InstantiateParameters* parameters) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  const unsigned long long flags = parameters->flags;
  const bool known = flags_are_known(flags) || flags == abi::kInstantiateUpload ||
                     flags == abi::kInstantiateDeviceLaunch;
  const Status status =
      known ? instantiate(executable, graph, flags) : api::remember(Status::kInvalidValue);
  parameters->result = status == Status::kSuccess ? kInstantiateSuccess : kInstantiateError;
  parameters->error_node = nullptr;
  if (status != Status::kSuccess || flags != abi::kInstantiateUpload) return status;
  return upload(*executable, parameters->upload_stream);
}

WAVETANK_API Status hipGraphExecDestroy(Executable* executable) {
  return api::call_graph([&](VirtualDevice&) {
    return destroy_executable(executable) ? Status::kSuccess : Status::kInvalidValue;
  });
}

WAVETANK_API Status hipGraphLaunch(Executable* executable, void* stream) {
  return launch_graph(executable, stream);
}
WAVETANK_API Status hipGraphLaunch_spt(Executable* executable, void* stream) {
  return launch_graph(executable, api::per_thread_handle(stream));
}

WAVETANK_API Status hipGraphUpload(Executable* executable, void* stream) {
  return upload(executable, stream);
}

WAVETANK_API Status hipGraphExecGetFlags(Executable* executable, unsigned long long* flags) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_executable(executable) || flags == nullptr) return Status::kInvalidValue;
    *flags = executable->flags();
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphExecUpdate(Executable* executable, Graph* graph, GraphNode** error_node,
                                       abi::UpdateResult* result) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_executable(executable) || !is_graph(graph)) return Status::kInvalidValue;
    if (error_node == nullptr || result == nullptr) return Status::kInvalidValue;
    const UpdateOutcome outcome = executable->update(*graph);
    *result = outcome.result;
    *error_node = outcome.error_node;
    return outcome.result == abi::UpdateResult::kSuccess ? Status::kSuccess
                                                         : Status::kGraphExecUpdateFailure;
  });
}

WAVETANK_API Status hipGraphNodeSetEnabled(Executable* executable, GraphNode* node,
                                           unsigned enabled) {
  return call_with_switchable(executable, node, [&](GraphNode& copy) {
    copy.enabled = enabled != 0;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphNodeGetEnabled(Executable* executable, GraphNode* node,
                                           unsigned* enabled) {
  return call_with_switchable(executable, node, [&](const GraphNode& copy) {
    if (enabled == nullptr) return Status::kInvalidValue;
    *enabled = copy.enabled ? 1 : 0;
    return Status::kSuccess;
  });
}
