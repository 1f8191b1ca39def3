#include "hip/graph/dot.hpp"

#include <fstream>

#include <fmt/format.h>

#include "hip/graph/payload.hpp"
#include "hip/runtime/module.hpp"

namespace wavetank::hip {
namespace {

bool shows(unsigned flags, unsigned flag) { return (flags & (flag | abi::kDotVerbose)) != 0; }

/// The label of a node, one overload for each kind; lines are separated by \n as DOT writes it.
struct NodeLabel {
  unsigned flags;

  std::string operator()(const EmptyPayload&) const { return "EMPTY"; }
  std::string operator()(const KernelPayload& kernel) const {
    const std::string& name = kernel.function->kernel.name;
    if (!shows(flags, abi::kDotKernelParameters)) return name;
    const abi::KernelNodeParameters p = parameters_of(kernel);
    return fmt::format("{}\\ngrid {} {} {}\\nblock {} {} {}\\nshared {} bytes", name, p.grid.x,
                       p.grid.y, p.grid.z, p.block.x, p.block.y, p.block.z, p.shared_bytes);
  }
  std::string operator()(const CopyPayload& copy) const {
    if (!shows(flags, abi::kDotMemcpyParameters)) return "MEMCPY";
    return fmt::format("MEMCPY\\n{} to {}\\n{} bytes x {} x {}",
                       fmt::ptr(copy.copy.source.address), fmt::ptr(copy.copy.target.address),
                       copy.copy.width_bytes, copy.copy.height, copy.copy.depth);
  }
  std::string operator()(const FillPayload& fill) const {
    if (!shows(flags, abi::kDotMemsetParameters)) return "MEMSET";
    return fmt::format("MEMSET\\n{}\\nvalue {:#x}, {} x {} elements of {} bytes",
                       fmt::ptr(fill.fill.target.address), fill.fill.value,
                       fill.fill.width_elements, fill.fill.height, fill.fill.element_bytes);
  }
  std::string operator()(const HostPayload& host) const {
    if (!shows(flags, abi::kDotHostParameters)) return "HOST";
    return fmt::format("HOST\\n{:#x}({})",
                       reinterpret_cast<std::uintptr_t>(host.parameters.function),
                       fmt::ptr(host.parameters.user_data));
  }
  std::string operator()(const ChildPayload& child) const {
    return fmt::format("graph_{}", child.graph->id());
  }
  std::string operator()(const EventWaitPayload& wait) const {
    return event("EVENT_WAIT", wait.event);
  }
  std::string operator()(const EventRecordPayload& record) const {
    return event("EVENT_RECORD", record.event);
  }
  std::string operator()(const AllocationPayload& allocating) const {
    return fmt::format("MEM_ALLOC\\n{} bytes", allocating.allocation->size_bytes());
  }
  std::string operator()(const FreePayload& freeing) const {
    return fmt::format("MEM_FREE\\n{}", fmt::ptr(freeing.allocation->address()));
  }
  std::string operator()(const BatchPayload& batch) const {
    return fmt::format("BATCH_MEM_OP\\n{} operations", batch.operations.size());
  }

  std::string event(const char* name, const Event* event) const {
    if (!shows(flags, abi::kDotEventParameters)) return name;
    return fmt::format("{}\\n{}", name, fmt::ptr(event));
  }
};

const char* shape_of(const GraphNode& node) {
  if (node.as<KernelPayload>() != nullptr) return "octagon";
  if (node.as<CopyPayload>() != nullptr) return "trapezium";
  if (node.as<FillPayload>() != nullptr) return "invtrapezium";
  return "rectangle";
}

void append(const Graph& graph, unsigned flags, std::string& text) {
  const auto name = [&](const GraphNode& node) {
    return fmt::format("\"graph_{}_node_{}\"", graph.id(), node.id);
  };
  text += fmt::format("subgraph cluster_{} {{\nlabel=\"graph_{}\"\n", graph.id(), graph.id());
  for (const auto& node : graph.nodes()) {
    const std::string handle =
        shows(flags, abi::kDotHandles) ? fmt::format("\\n{}", fmt::ptr(node.get())) : "";
    text += fmt::format("{}[shape=\"{}\" label=\"{}\\n{}{}\"];\n", name(*node), shape_of(*node),
                        node->id, std::visit(NodeLabel{flags}, node->payload), handle);
  }
  for (const auto& [from, to] : graph.edges()) {
    text += fmt::format("{} -> {};\n", name(*from), name(*to));
  }
  text += "}\n";
  for (const auto& node : graph.nodes()) {
    if (const auto* child = node->as<ChildPayload>()) append(*child->graph, flags, text);
  }
}

}  // namespace

std::string dot_of(const Graph& graph, unsigned flags) {
  std::string text = "digraph dot {\n";
  append(graph, flags, text);
  return text + "}\n";
}

bool write_dot(const Graph& graph, const std::string& path, unsigned flags) {
  std::ofstream file(path);
  file << dot_of(graph, flags);
  file.close();
  return file.good();
}

}  // namespace wavetank::hip
