// Executable graphs: what a launch does, and in which order.
#include "runtime/graph_support.hpp"

namespace wavetank::test {
namespace {

using GraphLaunch = GraphTest;

TEST_F(GraphLaunch, NodesRunAfterWhatTheyDependOn) {
  const ScopedGraph graph;
  Letters letters;
  const hipGraphNode_t d = letters.add(graph, 'd');
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t b = letters.add(graph, 'b', {a});
  const hipGraphNode_t c = letters.add(graph, 'c', {a});
  const hipGraphNode_t from[] = {b, c};
  const hipGraphNode_t to[] = {d, d};
  ASSERT_EQ(hipGraphAddDependencies(graph, from, to, 2), hipSuccess);
  const ScopedExecutable executable(graph);
  run(executable);
  EXPECT_EQ(letters.take(), "abcd");
  run(executable);
  EXPECT_EQ(letters.take(), "abcd") << "again";
}

TEST_F(GraphLaunch, CopiesAndFillsRunWithTheHostInBetween) {
  const ScopedGraph graph;
  std::vector<unsigned char> input(kBytes, 5), output(kBytes, 0);
  hipGraphNode_t to_device = nullptr, to_host = nullptr, host = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&to_device, graph, nullptr, 0, memory, input.data(), kBytes,
                                    hipMemcpyHostToDevice),
            hipSuccess);
  hipGraphNode_t fill_node = nullptr;
  const hipMemsetParams half = fill(9, kBytes / 2);
  ASSERT_EQ(hipGraphAddMemsetNode(&fill_node, graph, &to_device, 1, &half), hipSuccess);
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&to_host, graph, &fill_node, 1, output.data(), memory, kBytes,
                                    hipMemcpyDeviceToHost),
            hipSuccess);
  const auto twice = [](void* data) {
    for (auto& value : *static_cast<std::vector<unsigned char>*>(data)) {
      value = static_cast<unsigned char>(value * 2);
    }
  };
  const hipHostNodeParams doubles{twice, &output};
  ASSERT_EQ(hipGraphAddHostNode(&host, graph, &to_host, 1, &doubles), hipSuccess);
  const ScopedExecutable executable(graph);
  EXPECT_EQ(output[0], 0) << "nothing runs before the launch";
  run(executable);
  EXPECT_EQ(output[0], 18);
  EXPECT_EQ(output[kBytes / 2 - 1], 18);
  EXPECT_EQ(output[kBytes / 2], 10);
  input.assign(kBytes, 7);
  run(executable);
  EXPECT_EQ(output[kBytes / 2], 14) << "memory is read when the graph runs";
}

TEST_F(GraphLaunch, APitchedCopyTouchesItsBoxAlone) {
  const ScopedGraph graph;
  const std::vector<unsigned char> input(kBytes, 1);
  hipMemcpy3DParms params{};
  params.srcPtr = {const_cast<unsigned char*>(input.data()), 32, 32, 4};
  params.dstPtr = {memory, 64, 64, 4};
  params.dstPos = {3, 1, 0};
  params.extent = {5, 2, 1};
  params.kind = hipMemcpyHostToDevice;
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &params), hipSuccess);
  const ScopedExecutable executable(graph);
  run(executable);
  EXPECT_EQ(byte(64 + 2), 0);
  EXPECT_EQ(byte(64 + 3), 1);
  EXPECT_EQ(byte(64 + 7), 1);
  EXPECT_EQ(byte(64 + 8), 0);
  EXPECT_EQ(byte(128 + 7), 1);
  EXPECT_EQ(byte(192 + 3), 0);
}

TEST_F(GraphLaunch, ALaunchReturnsBeforeItsNodesHaveRun) {
  const ScopedGraph graph;
  Letters letters;
  letters.add(graph, 'a');
  const ScopedExecutable executable(graph);
  Gate gate;
  gate.put_on(stream);
  ASSERT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
  EXPECT_EQ(hipStreamQuery(stream), hipErrorNotReady);
  gate.open();
  ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(letters.take(), "a");
}

TEST_F(GraphLaunch, ALaunchThatCopiesToPageableMemoryReturnsWhenItIsDone) {
  const ScopedGraph graph;
  std::vector<unsigned char> output(kBytes, 0);
  ASSERT_EQ(hipMemset(memory, 3, kBytes), hipSuccess);
  hipGraphNode_t to_host = nullptr;
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&to_host, graph, nullptr, 0, output.data(), memory, kBytes,
                                    hipMemcpyDeviceToHost),
            hipSuccess);
  const ScopedExecutable executable(graph);
  for (int i = 0; i < 100; ++i) {
    output.assign(kBytes, 0);
    ASSERT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
    ASSERT_EQ(hipStreamQuery(stream), hipSuccess);
    ASSERT_EQ(output.back(), 3);
  }
}

TEST_F(GraphLaunch, LaunchesOfOneExecutableGraphDoNotOverlap) {
  const ScopedGraph graph;
  Letters letters;
  letters.add(graph, 'b', {letters.add(graph, 'a')});
  const ScopedExecutable executable(graph);
  Gate gate;
  gate.put_on(stream);
  ASSERT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
  ASSERT_EQ(hipGraphLaunch(executable, other), hipSuccess);
  EXPECT_EQ(hipStreamQuery(other), hipErrorNotReady);
  gate.open();
  ASSERT_EQ(hipDeviceSynchronize(), hipSuccess);
  EXPECT_EQ(letters.take(), "abab");
}

TEST_F(GraphLaunch, ChildGraphsRunInThePlaceOfTheirNode) {
  const ScopedGraph graph, child;
  Letters letters;
  letters.add(child, 'y', {letters.add(child, 'x')});
  const hipGraphNode_t a = letters.add(graph, 'a');
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&node, graph, &a, 1, child), hipSuccess);
  letters.add(graph, 'b', {node});
  const ScopedExecutable executable(graph);
  run(executable);
  EXPECT_EQ(letters.take(), "axyb");
}

TEST_F(GraphLaunch, TheExecutableGraphSurvivesItsGraph) {
  Letters letters;
  hipGraph_t graph = nullptr;
  ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  letters.add(graph, 'a');
  const ScopedExecutable executable(graph);
  letters.add(graph, 'b');
  ASSERT_EQ(hipGraphDestroy(graph), hipSuccess);
  run(executable);
  EXPECT_EQ(letters.take(), "a");
}

TEST_F(GraphLaunch, EventNodesRecordAndWaitAtEveryLaunch) {
  const ScopedGraph recording, waiting;
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  Letters letters;
  hipGraphNode_t node = nullptr;
  const hipGraphNode_t a = letters.add(recording, 'a');
  ASSERT_EQ(hipGraphAddEventRecordNode(&node, recording, &a, 1, event), hipSuccess);
  ASSERT_EQ(hipGraphAddEventWaitNode(&node, waiting, nullptr, 0, event), hipSuccess);
  letters.add(waiting, 'b', {node});
  const ScopedExecutable records(recording);
  const ScopedExecutable waits(waiting);
  Gate gate;
  gate.put_on(stream);
  ASSERT_EQ(hipGraphLaunch(records, stream), hipSuccess);
  EXPECT_EQ(hipEventQuery(event), hipErrorNotReady);
  ASSERT_EQ(hipGraphLaunch(waits, other), hipSuccess);
  EXPECT_EQ(hipStreamQuery(other), hipErrorNotReady);
  gate.open();
  ASSERT_EQ(hipStreamSynchronize(other), hipSuccess);
  EXPECT_EQ(letters.take(), "ab");
  EXPECT_EQ(hipEventQuery(event), hipSuccess);
  ASSERT_EQ(hipEventDestroy(event), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(records, stream), hipErrorInvalidHandle) << "its event is gone";
}

TEST_F(GraphLaunch, DisabledNodesDoNothing) {
  const ScopedGraph graph;
  Letters letters;
  const hipGraphNode_t node = add_fill(graph, 3);
  const hipGraphNode_t host = letters.add(graph, 'a', {node});
  const ScopedExecutable executable(graph);
  unsigned enabled = 9;
  ASSERT_EQ(hipGraphNodeSetEnabled(executable, node, 0), hipSuccess);
  ASSERT_EQ(hipGraphNodeGetEnabled(executable, node, &enabled), hipSuccess);
  EXPECT_EQ(enabled, 0u);
  run(executable);
  EXPECT_EQ(byte(), 0);
  EXPECT_EQ(letters.take(), "a") << "what depends on it still runs";
  ASSERT_EQ(hipGraphNodeSetEnabled(executable, node, 1), hipSuccess);
  run(executable);
  EXPECT_EQ(byte(), 3);
  EXPECT_EQ(hipGraphNodeSetEnabled(executable, host, 0), hipErrorInvalidValue);
}

TEST_F(GraphLaunch, BadHandlesAndFlagsAreRefused) {
  const ScopedGraph graph;
  hipGraphExec_t executable = nullptr;
  EXPECT_EQ(hipGraphLaunch(nullptr, stream), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiate(nullptr, graph, nullptr, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiate(&executable, nullptr, nullptr, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphInstantiateWithFlags(&executable, graph, 16), hipErrorInvalidValue);
  ASSERT_EQ(hipGraphInstantiateWithFlags(&executable, graph, 1), hipSuccess);
  unsigned long long flags = 0;
  EXPECT_EQ(hipGraphExecGetFlags(executable, &flags), hipSuccess);
  EXPECT_EQ(flags, 1u);
  EXPECT_EQ(hipGraphUpload(executable, stream), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream), hipSuccess) << "an empty graph";
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphLaunch(executable, stream), hipErrorInvalidValue);
}

}  // namespace
}  // namespace wavetank::test
