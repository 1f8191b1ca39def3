// What the exported graph functions share: the lock, checks of handles, lists that are given back.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "hip/api/entry.hpp"
#include "hip/graph/executable.hpp"
#include "hip/graph/graph.hpp"
#include "hip/graph/payload.hpp"

namespace wavetank::hip::api {

/// Runs a body that uses graphs: body(VirtualDevice& current).
template <class Body>
Status call_graph(Body body) {
  return call_with_device([&](VirtualDevice& device) {
    const std::lock_guard lock(graph_mutex());
    return body(device);
  });
}

/// Where a new node goes, as every hipGraphAdd...Node function is told.
struct NewNode {
  GraphNode** node;
  Graph* graph;
  GraphNode* const* dependencies;
  std::size_t dependency_count;
};

/// Adds a node with the payload that make(VirtualDevice&, Kind&) fills.
template <class Kind, class Make>
Status add_node(const NewNode& where, Make make) {
  return call_graph([&](VirtualDevice& device) {
    if (where.node == nullptr || !is_graph(where.graph)) return Status::kInvalidValue;
    if (where.dependency_count != 0 && where.dependencies == nullptr) return Status::kInvalidValue;
    Kind payload;
    const Status status = make(device, payload);
    if (status != Status::kSuccess) return status;
    return where.graph->add(std::move(payload), {where.dependencies, where.dependency_count},
                            where.node);
  });
}

/// Runs body(VirtualDevice&, Kind&) for the payload of a node of that kind; others give
/// kInvalidValue.
template <class Kind, class Body>
Status call_with_payload(GraphNode* node, Body body) {
  return call_graph([&](VirtualDevice& device) {
    Kind* payload = is_node(node) ? node->as<Kind>() : nullptr;
    return payload == nullptr ? Status::kInvalidValue : body(device, *payload);
  });
}

/// The same for the node of an executable graph that stands for `original`; the payload is
/// replaced when the executable graph can take the changed one.
template <class Kind, class Make>
Status change_executable(Executable* executable, GraphNode* original, Make make) {
  return call_graph([&](VirtualDevice& device) {
    if (!is_executable(executable) || !is_node(original)) return Status::kInvalidValue;
    GraphNode* node = executable->find(original);
    if (node == nullptr || node->as<Kind>() == nullptr) return Status::kInvalidValue;
    Kind changed = *node->as<Kind>();
    const Status status = make(device, changed);
    if (status != Status::kSuccess) return status;
    Payload payload(std::move(changed));
    if (compare_payloads(node->payload, payload) != abi::UpdateResult::kSuccess) {
      return Status::kInvalidValue;
    }
    node->payload = std::move(payload);
    return Status::kSuccess;
  });
}

/// Gives a list back as HIP's queries do: without `target` only the count; else up to `count`
/// items, with null in the places beyond them.
template <class Item>
Status give_list(const std::vector<Item>& found, Item* target, std::size_t* count) {
  if (target != nullptr) {
    const std::span places(target, *count);
    const std::size_t given = std::min(found.size(), places.size());
    std::copy_n(found.begin(), given, places.begin());
    std::fill(places.begin() + static_cast<std::ptrdiff_t>(given), places.end(), nullptr);
    *count = given;
  } else {
    *count = found.size();
  }
  return Status::kSuccess;
}

}  // namespace wavetank::hip::api
