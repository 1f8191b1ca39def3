// HIP API: nodes that run kernels, fill memory, call the host, run graphs, or use events.
#include "hip/api/graph_entry.hpp"
#include "hip/runtime/handles.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

/// Where new nodes go; every function below is told it by the same four arguments.
using api::NewNode;

abi::MemsetNodeParameters common(const abi::DriverMemsetNodeParameters& p) {
  return {.target = p.target,
          .element_bytes = p.element_bytes,
          .height = p.height,
          .pitch = p.pitch,
          .value = p.value,
          .width = p.width};
}

Status add_fill(const NewNode& where, const abi::MemsetNodeParameters& parameters) {
  return api::add_node<FillPayload>(where, [&](VirtualDevice& device, FillPayload& fill) {
    return make_fill(parameters, device, fill);
  });
}

Status set_attribute(KernelPayload& kernel, abi::LaunchAttribute attribute,
                     const abi::LaunchAttributeValue& value) {
  KernelAttributes attributes = kernel.attributes;
  switch (attribute) {
    case abi::LaunchAttribute::kAccessPolicyWindow: {
      // No device has a window of its own (accessPolicyMaxWindowSize is 0).
      constexpr std::int32_t kPersisting = 2;
      const abi::AccessPolicyWindow& window = value.window;
      const bool ratio_is_valid = window.hit_ratio >= 0 && window.hit_ratio <= 1;
      if (!ratio_is_valid || window.size_bytes != 0 || window.miss_property == kPersisting) {
        return Status::kInvalidValue;
      }
      attributes.window = window;
      break;
    }
    case abi::LaunchAttribute::kCooperative: attributes.cooperative = value.cooperative; break;
    case abi::LaunchAttribute::kPriority:
      if (value.priority < -1 || value.priority > 1) return Status::kInvalidValue;
      attributes.priority = value.priority;
      break;
    default: return Status::kInvalidValue;
  }
  return change_attributes(attributes, kernel);
}

Status get_attribute(const KernelPayload& kernel, abi::LaunchAttribute attribute,
                     abi::LaunchAttributeValue& value) {
  switch (attribute) {
    case abi::LaunchAttribute::kAccessPolicyWindow: value.window = kernel.attributes.window; break;
    case abi::LaunchAttribute::kCooperative:
      value.cooperative = kernel.attributes.cooperative;
      break;
    case abi::LaunchAttribute::kPriority: value.priority = kernel.attributes.priority; break;
    default: return Status::kInvalidValue;
  }
  return Status::kSuccess;
}

/// The two kinds of event nodes have functions of the same shape.
template <class Kind>
Status add_event(const NewNode& where, Event* event) {
  return api::add_node<Kind>(where, [&](VirtualDevice&, Kind& payload) {
    if (!event_handles().contains(event)) return Status::kInvalidValue;
    payload.event = event;
    return Status::kSuccess;
  });
}

template <class Kind>
Status get_event(GraphNode* node, Event** event) {
  return api::call_with_payload<Kind>(node, [&](VirtualDevice&, const Kind& payload) {
    if (event == nullptr) return Status::kInvalidValue;
    *event = payload.event;
    return Status::kSuccess;
  });
}

template <class Kind>
auto event_setter(Event* event) {
  return [event](VirtualDevice&, Kind& payload) {
    if (!event_handles().contains(event)) return Status::kInvalidValue;
    payload.event = event;
    return Status::kSuccess;
  };
}

}  // namespace

WAVETANK_API Status hipGraphAddEmptyNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                         std::size_t count) {
  return api::add_node<EmptyPayload>(
      {node, graph, behind, count}, [](VirtualDevice&, EmptyPayload&) { return Status::kSuccess; });
}

WAVETANK_API Status hipGraphAddKernelNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                          std::size_t count,
                                          const abi::KernelNodeParameters* parameters) {
  return api::add_node<KernelPayload>({node, graph, behind, count},
                                      [&](VirtualDevice& device, KernelPayload& kernel) {
                                        if (parameters == nullptr) return Status::kInvalidValue;
                                        return make_kernel(*parameters, device, {}, kernel);
                                      });
}

WAVETANK_API Status hipGraphKernelNodeGetParams(GraphNode* node,
                                                abi::KernelNodeParameters* parameters) {
  return api::call_with_payload<KernelPayload>(node,
                                               [&](VirtualDevice&, const KernelPayload& kernel) {
                                                 if (parameters == nullptr)
                                                   return Status::kInvalidValue;
                                                 *parameters = parameters_of(kernel);
                                                 return Status::kSuccess;
                                               });
}

WAVETANK_API Status hipGraphKernelNodeSetParams(GraphNode* node,
                                                const abi::KernelNodeParameters* parameters) {
  return api::call_with_payload<KernelPayload>(
      node, [&](VirtualDevice& device, KernelPayload& kernel) {
        if (parameters == nullptr) return Status::kInvalidValue;
        return make_kernel(*parameters, device, kernel.attributes, kernel);
      });
}

WAVETANK_API Status hipGraphExecKernelNodeSetParams(Executable* executable, GraphNode* node,
                                                    const abi::KernelNodeParameters* parameters) {
  return api::change_executable<KernelPayload>(
      executable, node, [&](VirtualDevice& device, KernelPayload& kernel) {
        if (parameters == nullptr) return Status::kInvalidValue;
        return make_kernel(*parameters, device, kernel.attributes, kernel);
      });
}

WAVETANK_API Status hipGraphKernelNodeSetAttribute(GraphNode* node, abi::LaunchAttribute attribute,
                                                   const abi::LaunchAttributeValue* value) {
  return api::call_with_payload<KernelPayload>(node, [&](VirtualDevice&, KernelPayload& kernel) {
    return value == nullptr ? Status::kInvalidValue : set_attribute(kernel, attribute, *value);
  });
}

WAVETANK_API Status hipGraphKernelNodeGetAttribute(GraphNode* node, abi::LaunchAttribute attribute,
                                                   abi::LaunchAttributeValue* value) {
  return api::call_with_payload<KernelPayload>(node, [&](VirtualDevice&, KernelPayload& kernel) {
    return value == nullptr ? Status::kInvalidValue : get_attribute(kernel, attribute, *value);
  });
}

WAVETANK_API Status hipGraphKernelNodeCopyAttributes(GraphNode* source, GraphNode* target) {
  return api::call_with_payload<KernelPayload>(target, [&](VirtualDevice&, KernelPayload& kernel) {
    const auto* other = is_node(source) ? source->as<KernelPayload>() : nullptr;
    if (other == nullptr) return Status::kInvalidValue;
    return change_attributes(other->attributes, kernel);
  });
}

WAVETANK_API Status hipGraphAddMemsetNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                          std::size_t count,
                                          const abi::MemsetNodeParameters* parameters) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  return add_fill({node, graph, behind, count}, *parameters);
}

WAVETANK_API Status hipDrvGraphAddMemsetNode(GraphNode** node, Graph* graph,
                                             GraphNode* const* behind, std::size_t count,
                                             const abi::DriverMemsetNodeParameters* parameters,
                                             void*) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  return add_fill({node, graph, behind, count}, common(*parameters));
}

WAVETANK_API Status hipGraphMemsetNodeGetParams(GraphNode* node,
                                                abi::MemsetNodeParameters* parameters) {
  return api::call_with_payload<FillPayload>(node, [&](VirtualDevice&, const FillPayload& fill) {
    if (parameters == nullptr) return Status::kInvalidValue;
    *parameters = fill.parameters;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphMemsetNodeSetParams(GraphNode* node,
                                                const abi::MemsetNodeParameters* parameters) {
  return api::call_with_payload<FillPayload>(node, [&](VirtualDevice& device, FillPayload& fill) {
    return parameters == nullptr ? Status::kInvalidValue : make_fill(*parameters, device, fill);
  });
}

WAVETANK_API Status hipGraphExecMemsetNodeSetParams(Executable* executable, GraphNode* node,
                                                    const abi::MemsetNodeParameters* parameters) {
  return api::change_executable<FillPayload>(
      executable, node, [&](VirtualDevice& device, FillPayload& fill) {
        return parameters == nullptr ? Status::kInvalidValue : make_fill(*parameters, device, fill);
      });
}

WAVETANK_API Status
hipDrvGraphExecMemsetNodeSetParams(Executable* executable, GraphNode* node,
                                   const abi::DriverMemsetNodeParameters* parameters, void*) {
  if (parameters == nullptr) return api::remember(Status::kInvalidValue);
  const abi::MemsetNodeParameters wanted = common(*parameters);
  return hipGraphExecMemsetNodeSetParams(executable, node, &wanted);
}

WAVETANK_API Status hipGraphAddHostNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                        std::size_t count,
                                        const abi::HostNodeParameters* parameters) {
  return api::add_node<HostPayload>(
      {node, graph, behind, count}, [&](VirtualDevice&, HostPayload& host) {
        return parameters == nullptr ? Status::kInvalidValue : make_host(*parameters, host);
      });
}

WAVETANK_API Status hipGraphHostNodeGetParams(GraphNode* node,
                                              abi::HostNodeParameters* parameters) {
  return api::call_with_payload<HostPayload>(node, [&](VirtualDevice&, const HostPayload& host) {
    if (parameters == nullptr) return Status::kInvalidValue;
    *parameters = host.parameters;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphHostNodeSetParams(GraphNode* node,
                                              const abi::HostNodeParameters* parameters) {
  return api::call_with_payload<HostPayload>(node, [&](VirtualDevice&, HostPayload& host) {
    return parameters == nullptr ? Status::kInvalidValue : make_host(*parameters, host);
  });
}

WAVETANK_API Status hipGraphExecHostNodeSetParams(Executable* executable, GraphNode* node,
                                                  const abi::HostNodeParameters* parameters) {
  return api::change_executable<HostPayload>(
      executable, node, [&](VirtualDevice&, HostPayload& host) {
        return parameters == nullptr ? Status::kInvalidValue : make_host(*parameters, host);
      });
}

WAVETANK_API Status hipGraphAddEventRecordNode(GraphNode** node, Graph* graph,
                                               GraphNode* const* behind, std::size_t count,
                                               Event* event) {
  return add_event<EventRecordPayload>({node, graph, behind, count}, event);
}
WAVETANK_API Status hipGraphEventRecordNodeGetEvent(GraphNode* node, Event** event) {
  return get_event<EventRecordPayload>(node, event);
}
WAVETANK_API Status hipGraphEventRecordNodeSetEvent(GraphNode* node, Event* event) {
  return api::call_with_payload<EventRecordPayload>(node, event_setter<EventRecordPayload>(event));
}
WAVETANK_API Status hipGraphExecEventRecordNodeSetEvent(Executable* executable, GraphNode* node,
                                                        Event* event) {
  return api::change_executable<EventRecordPayload>(executable, node,
                                                    event_setter<EventRecordPayload>(event));
}

WAVETANK_API Status hipGraphAddEventWaitNode(GraphNode** node, Graph* graph,
                                             GraphNode* const* behind, std::size_t count,
                                             Event* event) {
  return add_event<EventWaitPayload>({node, graph, behind, count}, event);
}
WAVETANK_API Status hipGraphEventWaitNodeGetEvent(GraphNode* node, Event** event) {
  return get_event<EventWaitPayload>(node, event);
}
WAVETANK_API Status hipGraphEventWaitNodeSetEvent(GraphNode* node, Event* event) {
  return api::call_with_payload<EventWaitPayload>(node, event_setter<EventWaitPayload>(event));
}
WAVETANK_API Status hipGraphExecEventWaitNodeSetEvent(Executable* executable, GraphNode* node,
                                                      Event* event) {
  return api::change_executable<EventWaitPayload>(executable, node,
                                                  event_setter<EventWaitPayload>(event));
}
