// Memory that graphs allocate, and user objects that they keep alive.
#include "runtime/graph_support.hpp"

#include <climits>
#include <cstring>

namespace wavetank::test {
namespace {

using GraphMemory = GraphTest;

/// hipMemAllocNodeParams, which ROCm 5's headers do not have.
struct AllocationParams {
  hipMemPoolProps pool{};
  const void* access = nullptr;
  size_t access_count = 0;
  size_t bytes = 0;
  void* address = nullptr;
};

extern "C" hipError_t hipGraphAddMemAllocNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*,
                                              size_t, AllocationParams*);
extern "C" hipError_t hipGraphMemAllocNodeGetParams(hipGraphNode_t, AllocationParams*);

AllocationParams params_of(size_t bytes) {
  AllocationParams params;
  params.pool.allocType = hipMemAllocationTypePinned;
  params.pool.location = {hipMemLocationTypeDevice, 0};
  params.bytes = bytes;
  return params;
}

enum Attribute { kUsedCurrent, kUsedHigh, kReservedCurrent, kReservedHigh };

unsigned long long attribute(Attribute which) {
  unsigned long long value = 0;
  EXPECT_EQ(hipDeviceGetGraphMemAttribute(0, which, &value), hipSuccess);
  return value;
}

TEST_F(GraphMemory, TheAddressIsKnownBeforeTheGraphRuns) {
  const ScopedGraph graph;
  AllocationParams params = params_of(256);
  hipGraphNode_t node = nullptr, fill_node = nullptr, free_node = nullptr;
  ASSERT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipSuccess);
  ASSERT_NE(params.address, nullptr);
  AllocationParams back;
  ASSERT_EQ(hipGraphMemAllocNodeGetParams(node, &back), hipSuccess);
  EXPECT_EQ(back.address, params.address);
  EXPECT_EQ(back.bytes, 256u);
  const hipMemsetParams fill_params{params.address, 1, 1, 0, 6, 256};
  ASSERT_EQ(hipGraphAddMemsetNode(&fill_node, graph, &node, 1, &fill_params), hipSuccess);
  unsigned char result = 0;
  hipGraphNode_t copy = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&copy, graph, &fill_node, 1, &result, params.address, 1,
                                    hipMemcpyDeviceToHost),
            hipSuccess);
  ASSERT_EQ(hipGraphAddMemFreeNode(&free_node, graph, &copy, 1, params.address), hipSuccess);
  void* freed = nullptr;
  ASSERT_EQ(hipGraphMemFreeNodeGetParams(free_node, &freed), hipSuccess);
  EXPECT_EQ(freed, params.address);
  const ScopedExecutable executable(graph);
  run(executable);
  EXPECT_EQ(result, 6);
  run(executable);
}

TEST_F(GraphMemory, OneFreeNodeAndOneExecutableGraphAreAllowed) {
  const ScopedGraph graph;
  AllocationParams params = params_of(256);
  hipGraphNode_t node = nullptr, free_node = nullptr;
  ASSERT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipSuccess);
  EXPECT_EQ(hipGraphAddMemFreeNode(&free_node, graph, &node, 1, memory), hipErrorInvalidValue)
      << "not allocated by a graph";
  ASSERT_EQ(hipGraphAddMemFreeNode(&free_node, graph, &node, 1, params.address), hipSuccess);
  EXPECT_EQ(hipGraphAddMemFreeNode(&free_node, graph, &node, 1, params.address),
            hipErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroyNode(node), hipErrorNotSupported);
  hipGraph_t clone = nullptr;
  EXPECT_EQ(hipGraphClone(&clone, graph), hipErrorNotSupported);
  hipGraphExec_t second = nullptr;
  {
    const ScopedExecutable executable(graph);
    EXPECT_EQ(hipGraphInstantiate(&second, graph, nullptr, nullptr, 0), hipErrorNotSupported);
  }
  ASSERT_EQ(hipGraphInstantiate(&second, graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(second), hipSuccess);
}

TEST_F(GraphMemory, MemoryWithoutAFreeNodeStaysUntilTheProgramFreesIt) {
  const ScopedGraph graph;
  AllocationParams params = params_of(4096);
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipSuccess);
  const ScopedExecutable executable(graph);
  EXPECT_EQ(hipFree(params.address), hipErrorInvalidValue) << "not allocated yet";
  const auto used = attribute(kUsedCurrent);
  run(executable);
  EXPECT_EQ(attribute(kUsedCurrent), used + 4096);
  EXPECT_EQ(hipGraphLaunch(executable, stream), hipErrorInvalidValue) << "still allocated";
  ASSERT_EQ(hipMemset(params.address, 1, 4096), hipSuccess);
  ASSERT_EQ(hipFree(params.address), hipSuccess);
  EXPECT_EQ(attribute(kUsedCurrent), used);
  run(executable);
  ASSERT_EQ(hipFreeAsync(params.address, stream), hipSuccess);
  EXPECT_EQ(hipFreeAsync(params.address, stream), hipErrorInvalidValue);
  run(executable);
  ASSERT_EQ(hipFree(params.address), hipSuccess);
}

TEST_F(GraphMemory, AutoFreeAllowsTheNextLaunch) {
  const ScopedGraph graph;
  AllocationParams params = params_of(4096);
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipSuccess);
  hipGraphExec_t executable = nullptr;
  ASSERT_EQ(
      hipGraphInstantiateWithFlags(&executable, graph, hipGraphInstantiateFlagAutoFreeOnLaunch),
      hipSuccess);
  run(executable);
  run(executable);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipMemset(params.address, 1, 4096), hipSuccess) << "outlives the executable graph";
  EXPECT_EQ(hipFree(params.address), hipSuccess);
}

TEST_F(GraphMemory, ReservedMemoryGoesWithTheLastGraphThatNeedsIt) {
  const auto reserved = attribute(kReservedCurrent);
  {
    const ScopedGraph graph;
    AllocationParams params = params_of(1 << 20);
    hipGraphNode_t node = nullptr;
    ASSERT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipSuccess);
    EXPECT_EQ(attribute(kReservedCurrent), reserved + (1 << 20));
  }
  EXPECT_EQ(attribute(kReservedCurrent), reserved);
  EXPECT_GE(attribute(kReservedHigh), reserved + (1 << 20));
  unsigned long long value = 0;
  ASSERT_EQ(hipDeviceSetGraphMemAttribute(0, kReservedHigh, &value), hipSuccess);
  EXPECT_EQ(attribute(kReservedHigh), reserved);
  EXPECT_EQ(hipDeviceSetGraphMemAttribute(0, kReservedCurrent, &value), hipErrorInvalidValue);
  EXPECT_EQ(hipDeviceGetGraphMemAttribute(99, kReservedHigh, &value), hipErrorInvalidDevice);
}

TEST_F(GraphMemory, TheParametersOfAnAllocationAreThoseThatWereGiven) {
  const ScopedGraph graph;
  const hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  AllocationParams params = params_of(256), back;
  params.access = &access;
  params.access_count = 1;
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipSuccess);
  ASSERT_EQ(hipGraphMemAllocNodeGetParams(node, &back), hipSuccess);
  EXPECT_EQ(std::memcmp(&params, &back, sizeof params), 0);
}

TEST_F(GraphMemory, ImpossibleAllocationsAreRefused) {
  const ScopedGraph graph;
  hipGraphNode_t node = nullptr;
  AllocationParams params = params_of(0);
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);
  params = params_of(16);
  params.pool.location.id = 99;
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipErrorInvalidValue);
  params = params_of(size_t{1} << 50);
  EXPECT_EQ(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params), hipErrorOutOfMemory);
}

class UserObjects : public GraphTest {
 protected:
  hipUserObject* make(unsigned references) {
    hipUserObject* object = nullptr;
    EXPECT_EQ(
        hipUserObjectCreate(
            &object, &destroyed, [](void* count) { ++*static_cast<int*>(count); }, references, 1),
        hipSuccess);
    return object;
  }
  int destroyed = 0;
};

TEST_F(UserObjects, AreDestroyedWithTheirLastReference) {
  hipUserObject* object = make(1);
  ASSERT_EQ(hipUserObjectRetain(object, 2), hipSuccess);
  ASSERT_EQ(hipUserObjectRelease(object, 2), hipSuccess);
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(hipUserObjectRelease(object, 1), hipSuccess);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(hipUserObjectRelease(object, 1), hipSuccess) << "as in AMD's runtime";
  EXPECT_EQ(hipUserObjectCreate(&object, &destroyed, nullptr, 1, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipUserObjectCreate(&object, &destroyed, [](void*) {}, 1, 0), hipErrorInvalidValue);
}

TEST_F(UserObjects, LiveAsLongAsAGraphOrALaunchThatHoldsThem) {
  hipGraph_t graph = nullptr;
  hipGraphExec_t executable = nullptr;
  ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  ASSERT_EQ(hipGraphRetainUserObject(graph, make(1), 1, 1), hipSuccess);
  ASSERT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
  ASSERT_EQ(hipGraphDestroy(graph), hipSuccess);
  EXPECT_EQ(destroyed, 0);
  Gate gate;
  gate.put_on(stream);
  ASSERT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
  ASSERT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(destroyed, 0) << "the launch has not run";
  gate.open();
  ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(UserObjects, CanBeTakenFromAGraphAgain) {
  const ScopedGraph graph;
  hipUserObject* object = make(1);
  ASSERT_EQ(hipGraphRetainUserObject(graph, object, 2, 0), hipSuccess);
  ASSERT_EQ(hipUserObjectRelease(object, 1), hipSuccess);
  ASSERT_EQ(hipGraphReleaseUserObject(graph, object, 1), hipSuccess);
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(hipGraphReleaseUserObject(graph, object, 1), hipSuccess);
  EXPECT_EQ(destroyed, 1);
}

TEST_F(UserObjects, AreGoneWithTheLastReferenceEvenIfAGraphHoldsIt) {
  hipUserObject* object = make(2);
  {
    const ScopedGraph graph;
    ASSERT_EQ(hipUserObjectRetain(object, 3), hipSuccess);
    ASSERT_EQ(hipGraphRetainUserObject(graph, object, 3, 1), hipSuccess);
    const ScopedExecutable executable(graph);
    ASSERT_EQ(hipUserObjectRelease(object, 5), hipSuccess);
    EXPECT_EQ(destroyed, 0) << "the executable graph has three of its own";
    ASSERT_EQ(hipGraphReleaseUserObject(graph, object, 3), hipSuccess);
    EXPECT_EQ(destroyed, 1);
    hipUserObject* const next = make(1);
    EXPECT_NE(next, object) << "the graphs still know the old handle";
    ASSERT_EQ(hipUserObjectRelease(next, 1), hipSuccess);
    EXPECT_EQ(hipGraphReleaseUserObject(graph, object, 3), hipSuccess);
    EXPECT_EQ(hipGraphRetainUserObject(graph, object, 3, 0), hipSuccess);
  }
  EXPECT_EQ(destroyed, 2);
}

TEST_F(UserObjects, StayWhenMoreIsReleasedThanThereIs) {
  hipUserObject* object = make(1);
  {
    const ScopedGraph graph;
    ASSERT_EQ(hipGraphRetainUserObject(graph, object, INT_MAX, 1), hipSuccess);
    hipGraph_t clone = nullptr;
    ASSERT_EQ(hipGraphClone(&clone, graph), hipSuccess);
    ASSERT_EQ(hipGraphDestroy(clone), hipSuccess);
    EXPECT_EQ(hipGraphReleaseUserObject(graph, object, 4), hipSuccess);
    EXPECT_EQ(hipUserObjectRelease(object, 2), hipSuccess);
    EXPECT_EQ(destroyed, 0);
  }
  EXPECT_EQ(destroyed, 1) << "with the graph that says it has all";
  EXPECT_EQ(hipUserObjectRelease(object, 1), hipSuccess);
}

}  // namespace
}  // namespace wavetank::test
