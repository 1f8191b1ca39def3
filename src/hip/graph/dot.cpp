#include "hip/graph/dot.hpp"

#include <fstream>

#include <fmt/format.h>

#include "hip/graph/payload.hpp"
#include "hip/runtime/code/module.hpp"
#include "hip/runtime/memory/allocation.hpp"
#include "hip/runtime/runtime.hpp"

namespace wavetank::hip {
namespace {

bool shows(unsigned flags, unsigned flag) { return (flags & (flag | abi::kDotVerbose)) != 0; }

enum class Part : std::uint8_t { kSource, kTarget };

/// The letter that AMD's runtime has for a side of a copy: A for an array, D for memory that a
/// device can use, H for other memory.
char side_of(const CopyPayload& copy, Part part) {
  const bool source = part == Part::kSource;
  const abi::Memcpy3d& p = copy.parameters;
  if ((source ? p.source_array : p.target_array) != nullptr) return 'A';
  if (copy.driver) {
    const std::int32_t type = source ? copy.driver->source_type : copy.driver->target_type;
    if (abi::memory_type_of(type) == abi::MemoryType::kArray) return 'A';
  }
  const std::byte* address = source ? copy.copy.source.address : copy.copy.target.address;
  return find_allocation(Runtime::instance().memory(), address) ? 'D' : 'H';
}

/// The label of a node, one overload for each kind; lines are separated by \n as DOT writes it.
struct NodeLabel {
  unsigned flags;

  std::string operator()(const EmptyPayload&) const { return "EMPTY"; }
  std::string operator()(const KernelPayload& kernel) const {
    std::string label = kernel.function->kernel.name;
    if (shows(flags, abi::kDotKernelAttributes)) {
      label = fmt::format("KERNEL\\n{}\\ncooperative {}\\npriority {}", label,
                          kernel.attributes.cooperative, kernel.attributes.priority);
    }
    if (!shows(flags, abi::kDotKernelParameters)) return label;
    const abi::KernelNodeParameters p = parameters_of(kernel);
    return fmt::format("{}\\ngrid {} {} {}\\nblock {} {} {}\\nshared {} bytes", label, p.grid.x,
                       p.grid.y, p.grid.z, p.block.x, p.block.y, p.block.z, p.shared_bytes);
  }
  std::string operator()(const CopyPayload& copy) const {
    const std::string label = fmt::format("MEMCPY\\n({}to{})", side_of(copy, Part::kSource),
                                          side_of(copy, Part::kTarget));
    if (!shows(flags, abi::kDotMemcpyParameters)) return label;
    return fmt::format("{}\\n{} to {}\\n{} bytes x {} x {}", label,
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
