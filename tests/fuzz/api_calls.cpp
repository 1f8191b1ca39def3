// The calls that a fuzzed sequence is made of. Arguments that HIP itself would dereference (host
// pointers, structures) are valid or null; all else may be anything.
#include <cstring>

#include "api_session.hpp"
#include "hip/runtime/runtime.hpp"
#include "unit/hip/rocm7_copies.hpp"

namespace wavetank::fuzz {
namespace {

using Call = void (*)(Session&);

/// Waits for all devices, as a program must before it takes memory away that their streams may use,
/// a graph's included. hipDeviceSynchronize does not wait while a stream captures.
void wait_for_all() { hip::Runtime::instance().synchronize(); }

// --- memory ------------------------------------------------------------------------------------

const Call kMemoryCalls[] = {
    [](Session& s) {
      void* p = nullptr;
      s.memory.add(hipMalloc(&p, s.size()), p);
    },
    [](Session& s) {
      void* p = nullptr;
      s.memory.add(hipHostMalloc(&p, s.host_size(), s.flags()), p);
    },
    [](Session& s) {
      void* p = nullptr;
      s.memory.add(hipMallocManaged(&p, s.host_size(), s.flags()), p);
    },
    [](Session& s) {
      void* p = nullptr;
      s.memory.add(hipMallocAsync(&p, s.size(), s.stream()), p);
    },
    [](Session& s) {
      void* p = nullptr;
      std::size_t pitch = 0;
      s.memory.add(hipMallocPitch(&p, &pitch, s.size(), s.size()), p);
    },
    [](Session& s) {
      void* const p = s.address();
      s.memory.end(hipFree(p), p);
    },
    [](Session& s) {
      void* const p = s.address();
      s.memory.end(hipHostFree(p), p);
    },
    [](Session& s) {
      void* const p = s.address();
      // Nor may work behind the free use the memory.
      wait_for_all();
      s.memory.end(hipFreeAsync(p, s.stream()), p);
      wait_for_all();
    },
    [](Session& s) { (void)hipMemcpy(s.address(), s.host.data(), s.host_size(), s.kind()); },
    [](Session& s) { (void)hipMemcpy(s.host.data(), s.address(), s.host_size(), s.kind()); },
    [](Session& s) { (void)hipMemcpy(s.address(), s.address(), s.size(), s.kind()); },
    [](Session& s) {
      (void)hipMemcpyAsync(s.address(), s.address(), s.size(), s.kind(), s.stream());
    },
    [](Session& s) {
      (void)hipMemcpyAsync(s.address(), s.host.data(), s.host_size(), s.kind(), s.stream());
    },
    [](Session& s) {
      (void)hipMemcpy2D(s.address(), s.size(), s.address(), s.size(), s.size(), s.size(),
                        s.kind());
    },
    [](Session& s) { (void)hipMemset(s.address(), s.input.byte(), s.size()); },
    [](Session& s) { (void)hipMemsetAsync(s.address(), 1, s.size(), s.stream()); },
    [](Session& s) { (void)hipMemsetD32(s.address(), 7, s.size()); },
    [](Session& s) { (void)hipMemset2D(s.address(), s.size(), 3, s.size(), s.size()); },
    [](Session& s) {
      hipPointerAttribute_t attributes;
      (void)hipPointerGetAttributes(&attributes, s.address());
    },
    [](Session& s) {
      hipDeviceptr_t base = nullptr;
      std::size_t size = 0;
      (void)hipMemGetAddressRange(&base, &size, s.address());
    },
    [](Session& s) { (void)hipHostRegister(s.host.data(), s.host_size(), s.flags()); },
    [](Session& s) { (void)hipHostUnregister(s.host.data()); },
    [](Session& s) { (void)hipMemPrefetchAsync(s.address(), s.size(), s.device(), s.stream()); },
    [](Session& s) {
      (void)hipMemAdvise(s.address(), s.size(), static_cast<hipMemoryAdvise>(s.input.byte()),
                         s.device());
    },
    [](Session& s) {
      hipIpcMemHandle_t handle;
      std::memset(&handle, s.input.byte(), sizeof handle);
      (void)hipIpcGetMemHandle(&handle, s.address());
      void* opened = nullptr;
      (void)hipIpcOpenMemHandle(&opened, handle, s.flags());
      (void)hipIpcCloseMemHandle(s.address());
    },
    [](Session& s) {
      hipMemcpy3DPeerParms wanted{};
      wanted.srcPtr = {s.address(), s.size(), s.size(), s.host_size()};
      wanted.srcPos = {s.size(), s.size(), s.size()};
      wanted.srcDevice = s.device();
      wanted.dstPtr = {s.address(), s.size(), s.size(), s.host_size()};
      wanted.dstDevice = s.device();
      wanted.extent = {s.size(), s.host_size(), s.host_size()};
      (void)hipMemcpy3DPeerAsync(&wanted, s.stream());
    },
    [](Session& s) {
      void* targets[] = {s.address(), s.address()};
      void* sources[] = {s.address(), s.host.data()};
      std::size_t sizes[] = {s.size(), s.host_size()};
      const auto order = static_cast<hipMemcpySrcAccessOrder>(s.input.byte() % 5);
      hipMemcpyAttributes attributes[] = {{order, {}, {}, s.flags()}, {order, {}, {}, 0}};
      std::size_t first_copies[] = {0, s.input.byte() % std::size_t{3}};
      std::size_t failed = 0;
      (void)hipMemcpyBatchAsync(targets, sources, sizes, 2, attributes, first_copies,
                                s.input.byte() % std::size_t{4}, &failed, s.stream());
    },
    [](Session& s) { (void)hipStreamWriteValue32(s.stream(), s.address(), 1, 0); },
    [](Session& s) { (void)hipStreamWriteValue64(s.stream(), s.address(), 1, 0); },
};

// --- virtual memory and pools --------------------------------------------------------------------

hipMemcpy3DOperand operand_of(Session& s) {
  hipMemcpy3DOperand operand{};
  operand.type = static_cast<hipMemcpy3DOperandType>(s.input.byte() % 4);
  if (operand.type == hipMemcpyOperandTypeArray) {
    operand.op.array.array = s.arrays.pick(s.input);
    operand.op.array.offset = {s.size(), s.size(), s.size()};
  } else {
    operand.op.ptr.ptr = s.address();
    operand.op.ptr.rowLength = s.size();
    operand.op.ptr.layerHeight = s.size();
  }
  return operand;
}

hipMemLocation location_of(Session& s) {
  return {static_cast<hipMemLocationType>(s.input.byte() % 3), s.device()};
}

const Call kVirtualCalls[] = {
    [](Session& s) {
      void* p = nullptr;
      const std::size_t size = s.size();
      s.ranges.add(hipMemAddressReserve(&p, size, s.size(), s.ranges.pick(s.input), s.flags()), p);
    },
    [](Session& s) {
      void* const p = s.ranges.pick(s.input);
      s.ranges.end(hipMemAddressFree(p, s.size()), p);
    },
    [](Session& s) {
      hipMemAllocationProp wanted{};
      wanted.type = static_cast<hipMemAllocationType>(s.input.byte() % 3);
      wanted.location = location_of(s);
      wanted.requestedHandleType = static_cast<hipMemAllocationHandleType>(s.input.byte() % 3);
      hipMemGenericAllocationHandle_t handle = nullptr;
      s.pages.add(hipMemCreate(&handle, s.size(), &wanted, s.flags()), handle);
    },
    [](Session& s) {
      const auto handle = s.pages.pick(s.input);
      s.pages.end(hipMemRelease(handle), handle);
    },
    [](Session& s) {
      (void)hipMemMap(s.ranges.pick(s.input), s.size(), s.size(), s.pages.pick(s.input),
                      s.flags());
    },
    [](Session& s) {
      void* const p = s.ranges.pick(s.input);
      (void)hipMemMap(p, s.size(), 0, s.pages.pick(s.input), 0);
      s.memory.add(p != nullptr ? hipSuccess : hipErrorInvalidValue, p);
    },
    [](Session& s) {
      wait_for_all();
      (void)hipMemUnmap(s.ranges.pick(s.input), s.size());
    },
    [](Session& s) {
      const hipMemAccessDesc wanted = {location_of(s),
                                       static_cast<hipMemAccessFlags>(s.input.byte() % 5)};
      wait_for_all();
      (void)hipMemSetAccess(s.ranges.pick(s.input), s.size(), &wanted, s.input.byte() % 2);
    },
    [](Session& s) {
      const hipMemLocation location = location_of(s);
      unsigned long long flags = 0;
      (void)hipMemGetAccess(&flags, &location, s.ranges.pick(s.input));
    },
    [](Session& s) {
      hipMemGenericAllocationHandle_t handle = nullptr;
      s.pages.add(hipMemRetainAllocationHandle(&handle, s.ranges.pick(s.input)), handle);
    },
    [](Session& s) {
      hipMemAllocationProp properties;
      (void)hipMemGetAllocationPropertiesFromHandle(&properties, s.pages.pick(s.input));
    },
    [](Session& s) {
      hipMemPool_t pool = nullptr;
      hipMemPoolProps wanted{};
      wanted.allocType = static_cast<hipMemAllocationType>(s.input.byte() % 3);
      wanted.location = location_of(s);
      s.pools.add(hipMemPoolCreate(&pool, &wanted), pool);
    },
    [](Session& s) {
      const auto pool = s.pools.pick(s.input);
      s.pools.end(hipMemPoolDestroy(pool), pool);
    },
    [](Session& s) {
      void* p = nullptr;
      s.memory.add(hipMallocFromPoolAsync(&p, s.size(), s.pools.pick(s.input), s.stream()), p);
    },
    [](Session& s) {
      std::uint64_t value = s.size();
      (void)hipMemPoolSetAttribute(s.pools.pick(s.input),
                                   static_cast<hipMemPoolAttr>(s.input.byte() % 12), &value);
    },
    [](Session& s) {
      std::uint64_t value = 0;
      (void)hipMemPoolGetAttribute(s.pools.pick(s.input),
                                   static_cast<hipMemPoolAttr>(s.input.byte() % 12), &value);
    },
    [](Session& s) { (void)hipMemPoolTrimTo(s.pools.pick(s.input), s.size()); },
    [](Session& s) { (void)hipDeviceSetMemPool(s.device(), s.pools.pick(s.input)); },
};

// --- streams and events --------------------------------------------------------------------------

void nothing(void*) {}
void stream_nothing(hipStream_t, hipError_t, void*) {}

const Call kStreamCalls[] = {
    [](Session& s) {
      hipStream_t stream = nullptr;
      s.streams.add(hipStreamCreateWithFlags(&stream, s.flags()), stream);
    },
    [](Session& s) {
      const auto stream = s.streams.pick(s.input);
      wait_for_all();
      s.streams.end(hipStreamDestroy(stream), stream);
    },
    [](Session& s) { (void)hipStreamSynchronize(s.stream()); },
    [](Session& s) { (void)hipStreamQuery(s.stream()); },
    [](Session& s) {
      hipEvent_t event = nullptr;
      s.events.add(hipEventCreateWithFlags(&event, s.flags()), event);
    },
    [](Session& s) {
      const auto event = s.events.pick(s.input);
      s.events.end(hipEventDestroy(event), event);
    },
    [](Session& s) { (void)hipEventRecord(s.events.pick(s.input), s.stream()); },
    [](Session& s) { (void)hipEventSynchronize(s.events.pick(s.input)); },
    [](Session& s) { (void)hipEventQuery(s.events.pick(s.input)); },
    [](Session& s) {
      float time = 0;
      (void)hipEventElapsedTime(&time, s.events.pick(s.input), s.events.pick(s.input));
    },
    [](Session& s) { (void)hipStreamWaitEvent(s.stream(), s.events.pick(s.input), s.flags()); },
    [](Session& s) { (void)hipLaunchHostFunc(s.stream(), nothing, nullptr); },
    [](Session& s) { (void)hipStreamAddCallback(s.stream(), stream_nothing, nullptr, s.flags()); },
    [](Session& s) {
      hipIpcEventHandle_t handle;
      std::memset(&handle, s.input.byte(), sizeof handle);
      (void)hipIpcGetEventHandle(&handle, s.events.pick(s.input));
      hipEvent_t event = nullptr;
      s.events.add(hipIpcOpenEventHandle(&event, handle), event);
    },
    [](Session& s) {
      const auto mode = static_cast<hipStreamCaptureMode>(s.input.byte() % 4);
      (void)hipStreamBeginCapture(s.stream(), mode);
    },
    [](Session& s) {
      hipGraph_t graph = nullptr;
      wait_for_all();
      s.graphs.add(hipStreamEndCapture(s.stream(), &graph), graph);
    },
    [](Session& s) { (void)hipSetDevice(s.device()); },
    [](Session&) { (void)hipDeviceSynchronize(); },
};

// --- graphs --------------------------------------------------------------------------------------

const Call kGraphCalls[] = {
    [](Session& s) {
      hipGraph_t graph = nullptr;
      s.graphs.add(hipGraphCreate(&graph, s.flags()), graph);
    },
    [](Session& s) {
      const auto graph = s.graphs.pick(s.input);
      wait_for_all();
      s.graphs.end(hipGraphDestroy(graph), graph);
    },
    [](Session& s) {
      hipGraph_t graph = nullptr;
      s.graphs.add(hipGraphClone(&graph, s.graphs.pick(s.input)), graph);
    },
    [](Session& s) {
      hipGraphNode_t node = nullptr;
      const hipGraphNode_t before = s.nodes.pick(s.input);
      s.nodes.add(hipGraphAddEmptyNode(&node, s.graphs.pick(s.input), &before,
                                       s.input.byte() % 2), node);
    },
    [](Session& s) {
      hipGraphNode_t node = nullptr;
      hipMemsetParams wanted{};
      wanted.dst = s.address();
      wanted.elementSize = s.input.byte() % 5;
      wanted.width = s.size();
      wanted.height = s.host_size();
      wanted.pitch = s.size();
      s.nodes.add(hipGraphAddMemsetNode(&node, s.graphs.pick(s.input), nullptr, 0, &wanted), node);
    },
    [](Session& s) {
      hipGraphNode_t node = nullptr;
      s.nodes.add(hipGraphAddMemcpyNode1D(&node, s.graphs.pick(s.input), nullptr, 0, s.address(),
                                          s.address(), s.size(), s.kind()), node);
    },
    [](Session& s) {
      hipGraphNode_t node = nullptr;
      const hipHostNodeParams wanted = {nothing, nullptr};
      s.nodes.add(hipGraphAddHostNode(&node, s.graphs.pick(s.input), nullptr, 0, &wanted), node);
    },
    [](Session& s) {
      hipGraphNode_t node = nullptr;
      s.nodes.add(hipGraphAddEventRecordNode(&node, s.graphs.pick(s.input), nullptr, 0,
                                             s.events.pick(s.input)), node);
    },
    [](Session& s) {
      if (++s.child_graphs > kMostChildGraphs) return;
      hipGraphNode_t node = nullptr;
      s.nodes.add(hipGraphAddChildGraphNode(&node, s.graphs.pick(s.input), nullptr, 0,
                                            s.graphs.pick(s.input)), node);
    },
    [](Session& s) {
      const auto node = s.nodes.pick(s.input);
      wait_for_all();
      s.nodes.end(hipGraphDestroyNode(node), node);
    },
    [](Session& s) {
      const hipGraphNode_t from = s.nodes.pick(s.input), to = s.nodes.pick(s.input);
      (void)hipGraphAddDependencies(s.graphs.pick(s.input), &from, &to, s.input.byte() % 2);
    },
    [](Session& s) {
      const hipGraphNode_t from = s.nodes.pick(s.input), to = s.nodes.pick(s.input);
      (void)hipGraphRemoveDependencies(s.graphs.pick(s.input), &from, &to, s.input.byte() % 2);
    },
    [](Session& s) {
      hipGraphExec_t executable = nullptr;
      s.executables.add(hipGraphInstantiate(&executable, s.graphs.pick(s.input), nullptr, nullptr,
                                            0), executable);
    },
    [](Session& s) {
      const auto executable = s.executables.pick(s.input);
      wait_for_all();
      s.executables.end(hipGraphExecDestroy(executable), executable);
    },
    [](Session& s) {
      (void)hipGraphLaunch(s.executables.pick(s.input), s.stream());
      // The memory that its nodes name must outlive the launch.
      wait_for_all();
    },
    [](Session& s) {
      hipGraphNode_t node = nullptr;
      hipGraphExecUpdateResult result;
      (void)hipGraphExecUpdate(s.executables.pick(s.input), s.graphs.pick(s.input), &node, &result);
    },
    [](Session& s) {
      hipGraphNode_t nodes[8];
      std::size_t count = s.input.byte() % 9;
      (void)hipGraphGetNodes(s.graphs.pick(s.input), nodes, &count);
      count = s.input.byte() % 9;
      (void)hipGraphNodeGetDependencies(s.nodes.pick(s.input), nodes, &count);
    },
    [](Session& s) {
      hipGraphNodeType type;
      (void)hipGraphNodeGetType(s.nodes.pick(s.input), &type);
    },
};

// --- arrays and queries --------------------------------------------------------------------------

const Call kOtherCalls[] = {
    [](Session& s) {
      hipMemcpy3DBatchOp copy = {operand_of(s), operand_of(s),
                                 {s.size(), s.host_size(), s.host_size()},
                                 hipMemcpySrcAccessOrderStream, s.flags()};
      (void)hipMemcpy3DBatchAsync(s.input.byte() % 2, &copy, nullptr, s.input.byte() / 128,
                                  s.stream());
    },
    [](Session& s) {
      HIP_RESOURCE_DESC resource{};
      resource.resType = static_cast<HIPresourcetype>(s.input.byte() % 4);
      if (resource.resType == HIP_RESOURCE_TYPE_ARRAY) {
        resource.res.array.hArray = s.arrays.pick(s.input);
      } else {
        resource.res.pitch2D = {s.address(), static_cast<hipArray_Format>(s.input.byte() % 64),
                                s.input.byte() % 6u, s.size(), s.size(), s.size()};
      }
      HIP_TEXTURE_DESC wanted{};
      wanted.flags = s.input.byte();
      wanted.filterMode = static_cast<HIPfilter_mode>(s.input.byte() % 2);
      hipTextureObject_t texture = nullptr;
      if (hipTexObjectCreate(&texture, &resource, &wanted, nullptr) != hipSuccess) return;
      (void)hipTexObjectGetResourceDesc(&resource, texture);
      (void)hipTexObjectGetTextureDesc(&wanted, texture);
      (void)hipTexObjectDestroy(texture);
    },
    [](Session& s) {
      const hipChannelFormatDesc format = {s.input.byte() % 65, s.input.byte() % 65,
                                           s.input.byte() % 65, s.input.byte() % 65,
                                           static_cast<hipChannelFormatKind>(s.input.byte() % 5)};
      hipArray* array = nullptr;
      s.arrays.add(hipMallocArray(&array, &format, s.size(), s.size(), s.flags()), array);
    },
    [](Session& s) {
      hipArray* const array = s.arrays.pick(s.input);
      s.arrays.end(hipFreeArray(array), array);
    },
    [](Session& s) {
      (void)hipMemcpy2DToArray(s.arrays.pick(s.input), s.size(), s.size(), s.address(), s.size(),
                               s.size(), s.size(), s.kind());
    },
    [](Session& s) {
      int value = 0;
      (void)hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(s.flags()), s.device());
    },
    [](Session& s) {
      std::size_t value = 0;
      (void)hipDeviceGetLimit(&value, static_cast<hipLimit_t>(s.input.byte() % 5));
    },
    [](Session& s) { (void)hipDeviceEnablePeerAccess(s.device(), s.flags()); },
    [](Session&) { (void)hipGetLastError(); },
};

template <std::size_t n>
void call_one(Session& session, const Call (&calls)[n]) {
  calls[session.input.byte() % n](session);
}

}  // namespace

void call_something(Session& session) {
  switch (session.input.byte() % 6) {
    case 0: return call_one(session, kVirtualCalls);
    case 1:
    case 2: return call_one(session, kStreamCalls);
    case 3: return call_one(session, kGraphCalls);
    case 4: return call_one(session, kOtherCalls);
    default: return call_one(session, kMemoryCalls);
  }
}

void clean_up(Session& session) {
  (void)hipSetDevice(0);
  wait_for_all();
  session.streams.clear([](hipStream_t stream) {
    hipGraph_t graph = nullptr;
    if (hipStreamEndCapture(stream, &graph) == hipSuccess) (void)hipGraphDestroy(graph);
    (void)hipStreamDestroy(stream);
  });
  for (int device = hip::Runtime::instance().device_count() - 1; device >= 0; --device) {
    (void)hipSetDevice(device);
    hipGraph_t captured = nullptr;
    if (hipStreamEndCapture(hipStreamPerThread, &captured) == hipSuccess) {
      (void)hipGraphDestroy(captured);
    }
  }
  wait_for_all();
  session.executables.clear(
      [](hipGraphExec_t executable) { (void)hipGraphExecDestroy(executable); });
  session.graphs.clear([](hipGraph_t graph) { (void)hipGraphDestroy(graph); });
  session.events.clear([](hipEvent_t event) { (void)hipEventDestroy(event); });
  session.memory.clear([](void* address) {
    if (hipFree(address) != hipSuccess) (void)hipHostFree(address);
  });
  session.arrays.clear([](hipArray* array) { (void)hipFreeArray(array); });
  session.ranges.clear([](void* address) {
    for (const std::size_t size : {4096, 8192, 12288, 65536, 1 << 20, 1 << 22}) {
      (void)hipMemUnmap(address, size);
      (void)hipMemAddressFree(address, size);
    }
  });
  session.pages.clear([](hipMemGenericAllocationHandle_t handle) { (void)hipMemRelease(handle); });
  session.pools.clear([](hipMemPool_t pool) { (void)hipMemPoolDestroy(pool); });
  (void)hipHostUnregister(session.host.data());
}

}  // namespace wavetank::fuzz
