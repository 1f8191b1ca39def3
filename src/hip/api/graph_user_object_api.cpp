// HIP API: user objects. In AMD's runtime a handle that is no live object is no error, nor is a
// release of more references than there are; both change nothing.
#include <climits>

#include "hip/api/graph_entry.hpp"

using namespace wavetank::hip;
using abi::Status;

namespace {

bool is_count(unsigned count) { return count != 0 && count <= INT_MAX; }

}  // namespace

WAVETANK_API Status hipUserObjectCreate(UserObject** made, void* object, void (*destroy)(void*),
                                        unsigned references, unsigned flags) {
  return api::call_graph([&](VirtualDevice&) {
    if (made == nullptr || destroy == nullptr || !is_count(references)) {
      return Status::kInvalidValue;
    }
    if (flags != abi::kUserObjectNoDestructorSync) return Status::kInvalidValue;
    *made = UserObject::create(object, destroy, references);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipUserObjectRetain(UserObject* object, unsigned count) {
  return api::call_graph([&](VirtualDevice&) {
    if (object == nullptr || !is_count(count)) return Status::kInvalidValue;
    if (const auto live = UserObject::find(object)) live->retain(count);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipUserObjectRelease(UserObject* object, unsigned count) {
  return api::call_graph([&](VirtualDevice&) {
    if (object == nullptr || !is_count(count)) return Status::kInvalidValue;
    const auto live = UserObject::find(object);
    if (live != nullptr && live->references() >= count) live->release(count);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphRetainUserObject(Graph* graph, UserObject* object, unsigned count,
                                             unsigned flags) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || object == nullptr || !is_count(count)) return Status::kInvalidValue;
    if (flags != 0 && flags != abi::kGraphUserObjectMove) return Status::kInvalidValue;
    auto live = UserObject::find(object);
    if (live == nullptr) return Status::kSuccess;
    if (flags == 0) live->retain(count);
    graph->user_objects.adopt(std::move(live), count);
    return Status::kSuccess;
  });
}

WAVETANK_API Status hipGraphReleaseUserObject(Graph* graph, UserObject* object, unsigned count) {
  return api::call_graph([&](VirtualDevice&) {
    if (!is_graph(graph) || object == nullptr || !is_count(count)) return Status::kInvalidValue;
    if (const auto live = UserObject::find(object)) graph->user_objects.release(live, count);
    return Status::kSuccess;
  });
}
