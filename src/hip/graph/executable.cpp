#include "hip/graph/executable.hpp"

#include <algorithm>
#include <unordered_map>

#include "hip/graph/checked_nodes.hpp"
#include "hip/graph/run_node.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/event.hpp"
#include "hip/runtime/handles.hpp"
#include "hip/runtime/transfer.hpp"
#include "hip/runtime/virtual_device.hpp"

namespace wavetank::hip {
namespace {

using abi::Status;

std::unordered_map<const Executable*, std::shared_ptr<Executable>>& owned() {
  static auto* all = new std::unordered_map<const Executable*, std::shared_ptr<Executable>>;
  return *all;
}

/// Appends the nodes of a graph and its child graphs; false if there is a cycle.
bool flatten(const Graph& graph, std::vector<GraphNode*>& order) {
  const auto nodes = graph.topological_order();
  if (!nodes) return false;
  for (GraphNode* node : *nodes) {
    const auto* child = node->as<ChildPayload>();
    if (child == nullptr) {
      order.push_back(node);
    } else if (!flatten(*child->graph, order)) {
      return false;
    }
  }
  return true;
}

Event* event_of(const GraphNode& node) {
  if (const auto* wait = node.as<EventWaitPayload>()) return wait->event;
  if (const auto* record = node.as<EventRecordPayload>()) return record->event;
  return nullptr;
}

}  // namespace

bool is_executable(const Executable* executable) { return owned().contains(executable); }

Executable* own_executable(std::shared_ptr<Executable> executable) {
  Executable* handle = executable.get();
  owned().emplace(handle, std::move(executable));
  return handle;
}

bool destroy_executable(Executable* executable) { return owned().erase(executable) != 0; }

Status Executable::create(Graph& graph, unsigned long long flags,
                          std::shared_ptr<Executable>& executable) {
  const bool has_memory = graph.has_memory_nodes();
  if (has_memory && !graph.instance.expired()) return Status::kNotSupported;
  std::shared_ptr<Executable> made(new Executable(flags));
  made->graph_ = graph.clone(made->clones_);
  if (!flatten(*made->graph_, made->order_)) return Status::kInvalidValue;
  made->instance_ = std::make_shared<char>();
  if (has_memory) graph.instance = made->instance_;
  executable = std::move(made);
  return Status::kSuccess;
}

GraphNode* Executable::find(const GraphNode* original) const {
  const auto found = clones_.find(original);
  return found == clones_.end() ? nullptr : found->second;
}

Status Executable::check_launch() {
  for (const GraphNode* node : order_) {
    const Event* event = event_of(*node);
    if (event != nullptr && !event_handles().contains(event)) return Status::kInvalidHandle;
    const auto* allocating = node->as<AllocationPayload>();
    if (allocating == nullptr || !allocating->allocation->is_allocated()) continue;
    if ((flags_ & abi::kInstantiateAutoFreeOnLaunch) == 0) return Status::kInvalidValue;
    free_graph_memory(*allocating->allocation);
  }
  return Status::kSuccess;
}

/// True if work that is under way needs something that the graph owns.
bool Executable::holds_resources() const {
  return !graph_->user_objects.empty() || graph_->has_memory_nodes();
}

void Executable::submit_all(Stream& stream) {
  Checker* const checker = stream.device().checker();
  if (last_ != nullptr && (checker != nullptr || !last_->done())) stream.wait_for(last_);
  if (checker == nullptr) {
    for (const GraphNode* node : order_) run_node(*node, stream);
  } else {
    CheckedNodes(checker->order(), lines_, stream).run(*graph_);
  }
  if (!holds_resources()) {
    last_ = stream.submit(MarkerOperation{});
    return;
  }
  // The reference is dropped inside the operation, so that who waits for the stream sees it gone.
  auto reference = std::make_shared<std::shared_ptr<Executable>>(shared_from_this());
  last_ = stream.submit(HostOperation{[reference] { reference->reset(); }});
}

bool Executable::writes_pageable_memory(const Stream& stream) const {
  return std::ranges::any_of(order_, [&](const GraphNode* node) {
    const auto* copy = node->as<CopyPayload>();
    return copy != nullptr && node->enabled &&
           is_pageable(stream.device().memory(), copy->copy.target.address);
  });
}

Status Executable::launch(Stream& stream, CompletionPtr& awaited) {
  VirtualDevice& device = stream.device();
  if (const Status sticky = device.sticky_status(); sticky != Status::kSuccess) return sticky;
  if (const Status status = check_legacy_stream(stream.kind(), false); status != Status::kSuccess) {
    return status;
  }
  if (const auto capture = stream.capture()) return capture->launch_graph(stream, *graph_);
  if (const Status status = check_launch(); status != Status::kSuccess) return status;
  submit_all(stream);
  if (device.launch_blocking() || writes_pageable_memory(stream)) awaited = last_;
  return device.sticky_status();
}

UpdateOutcome Executable::update(const Graph& graph) {
  const UpdateOutcome outcome = compare_graphs(*graph_, graph);
  if (outcome.result == abi::UpdateResult::kSuccess) take_parameters(*graph_, graph);
  return outcome;
}

}  // namespace wavetank::hip
