// Changes of graphs and of executable graphs.
#include "runtime/graph_support.hpp"

#include <cstdlib>

namespace wavetank::test {
namespace {

/// With two devices.
class GraphUpdate : public GraphTest {
 protected:
  static void SetUpTestSuite() { setenv("WAVETANK_DEVICE", "mi210,mi210", 1); }
};

TEST_F(GraphUpdate, ANodeCanBeChangedInTheGraphOrInTheExecutableGraph) {
  const ScopedGraph graph;
  const hipGraphNode_t node = add_fill(graph, 1);
  const ScopedExecutable before(graph);
  hipMemsetParams params = fill(2);
  ASSERT_EQ(hipGraphMemsetNodeSetParams(node, &params), hipSuccess);
  const ScopedExecutable after(graph);
  run(before);
  EXPECT_EQ(byte(), 1) << "instantiated before the change";
  run(after);
  EXPECT_EQ(byte(), 2);
  params = fill(3);
  ASSERT_EQ(hipGraphExecMemsetNodeSetParams(before, node, &params), hipSuccess);
  run(before);
  EXPECT_EQ(byte(), 3);
  hipMemsetParams in_graph{};
  ASSERT_EQ(hipGraphMemsetNodeGetParams(node, &in_graph), hipSuccess);
  EXPECT_EQ(in_graph.value, 2u) << "the graph is not changed with it";
}

TEST_F(GraphUpdate, ARefusedChangeChangesNothing) {
  const ScopedGraph graph;
  const hipGraphNode_t node = add_fill(graph, 1);
  const ScopedExecutable executable(graph);
  hipMemsetParams params = fill(2);
  params.elementSize = 5;
  EXPECT_EQ(hipGraphExecMemsetNodeSetParams(executable, node, &params), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, &params), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, nullptr), hipErrorInvalidValue);
  run(executable);
  EXPECT_EQ(byte(), 1);
}

TEST_F(GraphUpdate, CopiesKeepTheirDirectionInAnExecutableGraph) {
  const ScopedGraph graph;
  unsigned char a = 1, b = 2;
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, memory, &a, 1, hipMemcpyHostToDevice),
            hipSuccess);
  const ScopedExecutable executable(graph);
  EXPECT_EQ(
      hipGraphExecMemcpyNodeSetParams1D(executable, node, &b, memory, 1, hipMemcpyDeviceToHost),
      hipErrorInvalidValue);
  EXPECT_EQ(
      hipGraphExecMemcpyNodeSetParams1D(executable, node, memory, memory, 1, hipMemcpyHostToDevice),
      hipErrorInvalidValue);
  ASSERT_EQ(
      hipGraphExecMemcpyNodeSetParams1D(executable, node, memory, &b, 1, hipMemcpyHostToDevice),
      hipSuccess);
  run(executable);
  EXPECT_EQ(byte(), 2);
}

TEST_F(GraphUpdate, ACopysKindIsTheDirectionBetweenPageableAndOtherMemory) {
  const ScopedGraph graph;
  unsigned char a = 1;
  hipGraphNode_t node = nullptr;
  const auto add = [&](void* target, void* source, hipMemcpyKind kind) {
    return hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, target, source, 1, kind);
  };
  EXPECT_EQ(add(memory, &a, hipMemcpyDeviceToDevice), hipErrorInvalidValue);
  EXPECT_EQ(add(&a, memory, hipMemcpyHostToDevice), hipErrorInvalidValue);
  EXPECT_EQ(add(&a, memory, hipMemcpyDefault), hipSuccess);
  EXPECT_EQ(add(memory, &a, hipMemcpyHostToDevice), hipSuccess);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, memory, &a, 1, hipMemcpyDeviceToHost),
            hipErrorInvalidValue);
  EXPECT_EQ(hipGraphMemcpyNodeSetParams1D(node, memory, &a, 1, static_cast<hipMemcpyKind>(-1)),
            hipErrorInvalidMemcpyDirection);
}

TEST_F(GraphUpdate, AFillKeepsItsDeviceInAnExecutableGraph) {
  const ScopedGraph graph;
  const hipGraphNode_t node = add_fill(graph, 1);
  const ScopedExecutable executable(graph);
  void* elsewhere = nullptr;
  ASSERT_EQ(hipSetDevice(1), hipSuccess);
  ASSERT_EQ(hipMalloc(&elsewhere, kBytes), hipSuccess);
  ASSERT_EQ(hipSetDevice(0), hipSuccess);
  hipMemsetParams params = fill(2);
  params.dst = elsewhere;
  EXPECT_EQ(hipGraphExecMemsetNodeSetParams(executable, node, &params), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphMemsetNodeSetParams(node, &params), hipSuccess) << "the graph itself may";
  EXPECT_EQ(hipFree(elsewhere), hipSuccess);
}

TEST_F(GraphUpdate, HostAndEventNodesCanBeChanged) {
  const ScopedGraph graph;
  Letters letters;
  hipEvent_t first = nullptr, second = nullptr, given = nullptr;
  ASSERT_EQ(hipEventCreate(&first), hipSuccess);
  ASSERT_EQ(hipEventCreate(&second), hipSuccess);
  const hipGraphNode_t host = letters.add(graph, 'a');
  hipGraphNode_t record = nullptr;
  ASSERT_EQ(hipGraphAddEventRecordNode(&record, graph, &host, 1, first), hipSuccess);
  const ScopedExecutable executable(graph);
  const hipHostNodeParams params = letters.params('b');
  ASSERT_EQ(hipGraphExecHostNodeSetParams(executable, host, &params), hipSuccess);
  ASSERT_EQ(hipGraphExecEventRecordNodeSetEvent(executable, record, second), hipSuccess);
  ASSERT_EQ(hipGraphEventRecordNodeGetEvent(record, &given), hipSuccess);
  EXPECT_EQ(given, first);
  EXPECT_EQ(hipGraphEventWaitNodeSetEvent(record, first), hipErrorInvalidValue) << "no wait node";
  run(executable);
  EXPECT_EQ(letters.take(), "b");
  float milliseconds = -1;
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, first, second), hipErrorInvalidHandle)
      << "the first was never recorded";
  EXPECT_EQ(hipEventElapsedTime(&milliseconds, second, second), hipSuccess);
  EXPECT_EQ(hipEventDestroy(first), hipSuccess);
  EXPECT_EQ(hipEventDestroy(second), hipSuccess);
}

TEST_F(GraphUpdate, AWholeExecutableGraphTakesTheParametersOfAnother) {
  const ScopedGraph graph, changed;
  Letters letters;
  letters.add(graph, 'a', {add_fill(graph, 1)});
  letters.add(changed, 'b', {add_fill(changed, 2)});
  const ScopedExecutable executable(graph);
  hipGraphNode_t error_node = nullptr;
  hipGraphExecUpdateResult result{};
  ASSERT_EQ(hipGraphExecUpdate(executable, changed, &error_node, &result), hipSuccess);
  EXPECT_EQ(result, hipGraphExecUpdateSuccess);
  run(executable);
  EXPECT_EQ(byte(), 2);
  EXPECT_EQ(letters.take(), "b");
}

TEST_F(GraphUpdate, AGraphOfAnotherShapeIsRefusedWithTheReason) {
  const ScopedGraph graph, fewer, other_type, other_edges;
  Letters letters;
  letters.add(graph, 'a', {add_fill(graph, 1)});
  add_fill(fewer, 2);
  const hipGraphNode_t host = letters.add(other_type, 'b');
  add_fill(other_type, 2, {host});
  add_fill(other_edges, 2);
  const hipGraphNode_t loose = letters.add(other_edges, 'b');
  const ScopedExecutable executable(graph);
  hipGraphNode_t error_node = nullptr;
  hipGraphExecUpdateResult result{};
  const auto update = [&](hipGraph_t with) {
    return hipGraphExecUpdate(executable, with, &error_node, &result);
  };
  EXPECT_EQ(update(fewer), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(error_node, nullptr);
  EXPECT_EQ(update(other_type), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorNodeTypeChanged);
  EXPECT_EQ(error_node, host);
  EXPECT_EQ(update(other_edges), hipErrorGraphExecUpdateFailure);
  EXPECT_EQ(result, hipGraphExecUpdateErrorTopologyChanged);
  EXPECT_EQ(error_node, loose);
  EXPECT_EQ(hipGraphExecUpdate(executable, graph, nullptr, &result), hipErrorInvalidValue);
  run(executable);
  EXPECT_EQ(byte(), 1);
  EXPECT_EQ(letters.take(), "a");
}

TEST_F(GraphUpdate, AChildGraphTakesTheParametersOfOneOfItsShape) {
  const ScopedGraph graph, child, changed, larger;
  add_fill(child, 1);
  add_fill(changed, 2);
  add_fill(larger, 3, {add_fill(larger, 3)});
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, child), hipSuccess);
  const ScopedExecutable executable(graph);
  EXPECT_EQ(hipGraphExecChildGraphNodeSetParams(executable, node, larger), hipErrorUnknown);
  ASSERT_EQ(hipGraphExecChildGraphNodeSetParams(executable, node, changed), hipSuccess);
  run(executable);
  EXPECT_EQ(byte(), 2);
}

}  // namespace
}  // namespace wavetank::test
