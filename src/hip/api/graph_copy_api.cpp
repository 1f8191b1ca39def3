// HIP API: nodes that copy.
#include "hip/api/graph_entry.hpp"

using namespace wavetank::hip;
using abi::MemcpyKind;
using abi::Status;

namespace {

/// Makers of payloads, for adding a node and for changing one alike.
auto copy_3d(const abi::Memcpy3d* parameters) {
  return [=](VirtualDevice& device, CopyPayload& copy) {
    return parameters == nullptr ? Status::kInvalidValue : make_copy(*parameters, device, copy);
  };
}

auto copy_1d(void* target, const void* source, std::size_t size_bytes, MemcpyKind kind) {
  return [=](VirtualDevice& device, CopyPayload& copy) {
    return make_copy_1d(target, source, size_bytes, kind, device, copy);
  };
}

/// make_symbol_copy() or change_symbol_copy().
using MakeSymbolCopy = Status (*)(CopyForm, void*, const SymbolRange&, MemcpyKind, VirtualDevice&,
                                  CopyPayload&);

auto from_symbol(MakeSymbolCopy make, void* target, const SymbolRange& range, MemcpyKind kind) {
  return [=](VirtualDevice& device, CopyPayload& copy) {
    return make(CopyForm::kFromSymbol, target, range, kind, device, copy);
  };
}

auto to_symbol(MakeSymbolCopy make, const SymbolRange& range, const void* source, MemcpyKind kind) {
  return [=](VirtualDevice& device, CopyPayload& copy) {
    return make(CopyForm::kToSymbol, const_cast<void*>(source), range, kind, device, copy);
  };
}

/// A change that keeps the kind: another kind is kInvalidValue, whatever else is wrong.
template <class Make>
auto of_same_kind(MemcpyKind kind, Make make) {
  return [=](VirtualDevice& device, CopyPayload& copy) {
    return copy.kind == kind ? make(device, copy) : Status::kInvalidValue;
  };
}

auto driver_copy(const abi::DriverMemcpy3dWide* parameters) {
  return [=](VirtualDevice& device, CopyPayload& copy) {
    if (parameters == nullptr) return Status::kInvalidValue;
    return make_driver_copy(*parameters, device, copy);
  };
}

template <class Make>
Status set(GraphNode* node, Make make) {
  return api::call_with_payload<CopyPayload>(node, make);
}

template <class Make>
Status set(Executable* executable, GraphNode* node, Make make) {
  return api::change_executable<CopyPayload>(executable, node, make);
}

}  // namespace

WAVETANK_API Status hipGraphAddMemcpyNode(GraphNode** node, Graph* graph, GraphNode* const* behind,
                                          std::size_t count, const abi::Memcpy3d* parameters) {
  return api::add_node<CopyPayload>({node, graph, behind, count}, copy_3d(parameters));
}

WAVETANK_API Status hipGraphMemcpyNodeGetParams(GraphNode* node, abi::Memcpy3d* parameters) {
  return set(node, [&](VirtualDevice&, const CopyPayload& copy) {
    if (parameters == nullptr) return Status::kInvalidValue;
    *parameters = copy.parameters;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphMemcpyNodeSetParams(GraphNode* node, const abi::Memcpy3d* parameters) {
  return set(node, copy_3d(parameters));
}

WAVETANK_API Status hipGraphExecMemcpyNodeSetParams(Executable* executable, GraphNode* node,
                                                    const abi::Memcpy3d* parameters) {
  return set(executable, node, copy_3d(parameters));
}

WAVETANK_API Status hipGraphAddMemcpyNode1D(GraphNode** node, Graph* graph,
                                            GraphNode* const* behind, std::size_t count,
                                            void* target, const void* source,
                                            std::size_t size_bytes, MemcpyKind kind) {
  return api::add_node<CopyPayload>({node, graph, behind, count},
                                    copy_1d(target, source, size_bytes, kind));
}

WAVETANK_API Status hipGraphMemcpyNodeSetParams1D(GraphNode* node, void* target, const void* source,
                                                  std::size_t size_bytes, MemcpyKind kind) {
  if (target == source) return api::remember(Status::kInvalidValue);
  return set(node, copy_1d(target, source, size_bytes, kind));
}

WAVETANK_API Status hipGraphExecMemcpyNodeSetParams1D(Executable* executable, GraphNode* node,
                                                      void* target, const void* source,
                                                      std::size_t size_bytes, MemcpyKind kind) {
  if (target == source) return api::remember(Status::kInvalidValue);
  return set(executable, node, of_same_kind(kind, copy_1d(target, source, size_bytes, kind)));
}

WAVETANK_API Status hipGraphAddMemcpyNodeFromSymbol(GraphNode** node, Graph* graph,
                                                    GraphNode* const* behind, std::size_t count,
                                                    void* target, const void* symbol,
                                                    std::size_t size_bytes,
                                                    std::size_t offset_bytes, MemcpyKind kind) {
  return api::add_node<CopyPayload>(
      {node, graph, behind, count},
      from_symbol(make_symbol_copy, target, {symbol, size_bytes, offset_bytes}, kind));
}

WAVETANK_API Status hipGraphMemcpyNodeSetParamsFromSymbol(GraphNode* node, void* target,
                                                          const void* symbol,
                                                          std::size_t size_bytes,
                                                          std::size_t offset_bytes,
                                                          MemcpyKind kind) {
  return set(node,
             from_symbol(change_symbol_copy, target, {symbol, size_bytes, offset_bytes}, kind));
}

WAVETANK_API Status hipGraphExecMemcpyNodeSetParamsFromSymbol(
    Executable* executable, GraphNode* node, void* target, const void* symbol,
    std::size_t size_bytes, std::size_t offset_bytes, MemcpyKind kind) {
  const SymbolRange range{symbol, size_bytes, offset_bytes};
  return set(executable, node,
             of_same_kind(kind, from_symbol(change_symbol_copy, target, range, kind)));
}

WAVETANK_API Status hipGraphAddMemcpyNodeToSymbol(GraphNode** node, Graph* graph,
                                                  GraphNode* const* behind, std::size_t count,
                                                  const void* symbol, const void* source,
                                                  std::size_t size_bytes, std::size_t offset_bytes,
                                                  MemcpyKind kind) {
  return api::add_node<CopyPayload>(
      {node, graph, behind, count},
      to_symbol(make_symbol_copy, {symbol, size_bytes, offset_bytes}, source, kind));
}

WAVETANK_API Status hipGraphMemcpyNodeSetParamsToSymbol(GraphNode* node, const void* symbol,
                                                        const void* source, std::size_t size_bytes,
                                                        std::size_t offset_bytes, MemcpyKind kind) {
  return set(node, to_symbol(change_symbol_copy, {symbol, size_bytes, offset_bytes}, source, kind));
}

WAVETANK_API Status hipGraphExecMemcpyNodeSetParamsToSymbol(Executable* executable, GraphNode* node,
                                                            const void* symbol, const void* source,
                                                            std::size_t size_bytes,
                                                            std::size_t offset_bytes,
                                                            MemcpyKind kind) {
  const SymbolRange range{symbol, size_bytes, offset_bytes};
  return set(executable, node,
             of_same_kind(kind, to_symbol(change_symbol_copy, range, source, kind)));
}

WAVETANK_API Status hipDrvGraphAddMemcpyNode(GraphNode** node, Graph* graph,
                                             GraphNode* const* behind, std::size_t count,
                                             const abi::DriverMemcpy3dWide* parameters,
                                             void* context) {
  if (context == nullptr) return api::remember(Status::kInvalidValue);
  return api::add_node<CopyPayload>({node, graph, behind, count}, driver_copy(parameters));
}

WAVETANK_API Status hipDrvGraphMemcpyNodeGetParams(GraphNode* node,
                                                   abi::DriverMemcpy3dWide* parameters) {
  return set(node, [&](VirtualDevice&, const CopyPayload& copy) {
    if (parameters == nullptr || !copy.driver) return Status::kInvalidValue;
    *parameters = *copy.driver;
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipDrvGraphMemcpyNodeSetParams(GraphNode* node,
                                                   const abi::DriverMemcpy3dWide* parameters) {
  return set(node, driver_copy(parameters));
}

WAVETANK_API Status hipDrvGraphExecMemcpyNodeSetParams(Executable* executable, GraphNode* node,
                                                       const abi::DriverMemcpy3dWide* parameters,
                                                       void*) {
  return set(executable, node, driver_copy(parameters));
}
