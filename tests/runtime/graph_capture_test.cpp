// Stream capture: what becomes of what capturing streams are given, and what is refused meanwhile.
#include <thread>

#include "runtime/graph_support.hpp"

namespace wavetank::test {
namespace {

using Nodes = std::vector<hipGraphNode_t>;

class GraphCapture : public GraphTest {
 protected:
  void SetUp() override {
    GraphTest::SetUp();
    ASSERT_EQ(hipEventCreate(&fork), hipSuccess);
    ASSERT_EQ(hipEventCreate(&join), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipEventDestroy(fork), hipSuccess);
    EXPECT_EQ(hipEventDestroy(join), hipSuccess);
    GraphTest::TearDown();
  }
  void begin(hipStreamCaptureMode mode = hipStreamCaptureModeGlobal) {
    ASSERT_EQ(hipStreamBeginCapture(stream, mode), hipSuccess);
  }
  hipStreamCaptureStatus status(hipStream_t of) const {
    hipStreamCaptureStatus value{};
    EXPECT_EQ(hipStreamIsCapturing(of, &value), hipSuccess);
    return value;
  }
  hipGraph_t end() {
    EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipSuccess);
    return graph;
  }
  void expect_end(hipError_t error) {
    graph = reinterpret_cast<hipGraph_t>(1);
    EXPECT_EQ(hipStreamEndCapture(stream, &graph), error);
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(status(stream), hipStreamCaptureStatusNone) << "the stream can be used again";
  }
  size_t count(hipGraph_t of) const {
    size_t nodes = 0;
    EXPECT_EQ(hipGraphGetNodes(of, nullptr, &nodes), hipSuccess);
    return nodes;
  }

  hipEvent_t fork = nullptr;
  hipEvent_t join = nullptr;
  hipGraph_t graph = nullptr;
};

TEST_F(GraphCapture, RecordsInsteadOfRunning) {
  unsigned char source = 4;
  Letters letters;
  begin();
  EXPECT_EQ(status(stream), hipStreamCaptureStatusActive);
  ASSERT_EQ(hipMemsetAsync(memory, 1, kBytes, stream), hipSuccess);
  ASSERT_EQ(hipMemcpyAsync(memory, &source, 1, hipMemcpyHostToDevice, stream), hipSuccess);
  letters.put_on(stream, 'a');
  end();
  EXPECT_EQ(status(stream), hipStreamCaptureStatusNone);
  ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  EXPECT_EQ(letters.take(), "");
  EXPECT_EQ(byte(), 0);
  EXPECT_EQ(count(graph), 3u);
  const ScopedExecutable executable(graph);
  source = 5;
  run(executable);
  EXPECT_EQ(byte(0), 5) << "pageable memory is read when the graph runs";
  EXPECT_EQ(byte(1), 1);
  EXPECT_EQ(letters.take(), "a");
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, CapturedNodesHaveParameters) {
  Letters letters;
  const hipHostNodeParams host = letters.params('a');
  begin();
  ASSERT_EQ(hipMemset2DAsync(memory, 64, 3, 16, 4, stream), hipSuccess);
  ASSERT_EQ(hipLaunchHostFunc(stream, host.fn, host.userData), hipSuccess);
  end();
  Nodes nodes(2);
  size_t number = 2;
  ASSERT_EQ(hipGraphGetNodes(graph, nodes.data(), &number), hipSuccess);
  hipMemsetParams fill_params{};
  ASSERT_EQ(hipGraphMemsetNodeGetParams(nodes[0], &fill_params), hipSuccess);
  EXPECT_EQ(fill_params.dst, memory);
  EXPECT_EQ(fill_params.pitch, 64u);
  EXPECT_EQ(fill_params.width, 16u);
  EXPECT_EQ(fill_params.height, 4u);
  hipHostNodeParams host_params{};
  ASSERT_EQ(hipGraphHostNodeGetParams(nodes[1], &host_params), hipSuccess);
  EXPECT_EQ(host_params.fn, host.fn);
  EXPECT_EQ(host_params.userData, host.userData);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, AnEventTakesAnotherStreamIntoTheCaptureAndBack) {
  Letters letters;
  begin();
  letters.put_on(stream, 'a');
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(other, fork, 0), hipSuccess);
  EXPECT_EQ(status(other), hipStreamCaptureStatusActive);
  letters.put_on(other, 'b');
  letters.put_on(stream, 'c');
  ASSERT_EQ(hipEventRecord(join, other), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(stream, join, 0), hipSuccess);
  letters.put_on(stream, 'd');
  end();
  EXPECT_EQ(status(other), hipStreamCaptureStatusNone);
  Nodes nodes(4);
  size_t number = 4;
  ASSERT_EQ(hipGraphGetNodes(graph, nodes.data(), &number), hipSuccess);
  size_t dependencies = 0;
  ASSERT_EQ(hipGraphNodeGetDependencies(nodes[3], nullptr, &dependencies), hipSuccess);
  EXPECT_EQ(dependencies, 2u) << "d waits for b and for c";
  ASSERT_EQ(hipGraphNodeGetDependencies(nodes[1], nullptr, &dependencies), hipSuccess);
  EXPECT_EQ(dependencies, 1u) << "b waits for a";
  const ScopedExecutable executable(graph);
  run(executable);
  const std::string order = letters.take();
  EXPECT_TRUE(order == "abcd" || order == "acbd") << order;
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, AForkThatDoesNotComeBackIsUnjoined) {
  Letters letters;
  begin();
  letters.put_on(stream, 'a');
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(other, fork, 0), hipSuccess);
  letters.put_on(other, 'b');
  expect_end(hipErrorStreamCaptureUnjoined);
  EXPECT_EQ(status(other), hipStreamCaptureStatusNone);
  begin();
  letters.put_on(stream, 'a');
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(other, fork, 0), hipSuccess);
  end();
  EXPECT_EQ(count(graph), 1u) << "a fork that was given nothing";
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, BeginsAndEndsOnlyWhereItMay) {
  EXPECT_EQ(hipStreamBeginCapture(nullptr, hipStreamCaptureModeGlobal),
            hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(hipStreamBeginCapture(stream, static_cast<hipStreamCaptureMode>(3)),
            hipErrorInvalidValue);
  EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipErrorIllegalState);
  begin();
  EXPECT_EQ(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal), hipErrorIllegalState);
  EXPECT_EQ(hipStreamEndCapture(stream, nullptr), hipErrorInvalidValue);
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(other, fork, 0), hipSuccess);
  EXPECT_EQ(hipStreamEndCapture(other, &graph), hipErrorStreamCaptureUnmatched);
  std::thread([&] {
    EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureWrongThread);
  }).join();
  end();
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  begin(hipStreamCaptureModeRelaxed);
  std::thread([&] { EXPECT_EQ(hipStreamEndCapture(stream, &graph), hipSuccess); }).join();
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, WaitingForACapturingStreamInvalidatesTheCapture) {
  begin();
  EXPECT_EQ(hipStreamSynchronize(stream), hipErrorStreamCaptureUnsupported);
  EXPECT_EQ(status(stream), hipStreamCaptureStatusInvalidated);
  EXPECT_EQ(hipMemsetAsync(memory, 1, 1, stream), hipErrorStreamCaptureInvalidated);
  expect_end(hipErrorStreamCaptureInvalidated);
  begin();
  EXPECT_EQ(hipStreamQuery(stream), hipErrorStreamCaptureUnsupported);
  expect_end(hipErrorStreamCaptureInvalidated);
  begin();
  EXPECT_EQ(hipDeviceSynchronize(), hipErrorStreamCaptureUnsupported);
  expect_end(hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess);
}

TEST_F(GraphCapture, WaitingForACapturedEventInvalidatesTheCapture) {
  begin();
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  EXPECT_EQ(hipEventQuery(fork), hipErrorCapturedEvent);
  expect_end(hipErrorStreamCaptureInvalidated);
  begin();
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  EXPECT_EQ(hipEventSynchronize(fork), hipErrorCapturedEvent);
  expect_end(hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipEventSynchronize(fork), hipSuccess) << "captured by no capture any more";
}

TEST_F(GraphCapture, UnsafeCallsAreRefusedByMode) {
  void* pointer = nullptr;
  begin(hipStreamCaptureModeGlobal);
  std::thread([&] {
    EXPECT_EQ(hipMalloc(&pointer, 16), hipErrorStreamCaptureUnsupported) << "in any thread";
  }).join();
  expect_end(hipErrorStreamCaptureInvalidated);

  begin(hipStreamCaptureModeThreadLocal);
  std::thread([&] {
    EXPECT_EQ(hipMalloc(&pointer, 16), hipSuccess) << "in another thread";
    EXPECT_EQ(hipFree(pointer), hipSuccess);
  }).join();
  EXPECT_EQ(status(stream), hipStreamCaptureStatusActive);
  EXPECT_EQ(hipMalloc(&pointer, 16), hipErrorStreamCaptureUnsupported);
  expect_end(hipErrorStreamCaptureInvalidated);

  begin(hipStreamCaptureModeRelaxed);
  EXPECT_EQ(hipMalloc(&pointer, 16), hipSuccess);
  EXPECT_EQ(hipFree(pointer), hipSuccess);
  end();
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, AThreadCanExchangeItsMode) {
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  ASSERT_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
  EXPECT_EQ(mode, hipStreamCaptureModeGlobal) << "what it was";
  begin(hipStreamCaptureModeGlobal);
  void* pointer = nullptr;
  EXPECT_EQ(hipMalloc(&pointer, 16), hipSuccess);
  EXPECT_EQ(hipFree(pointer), hipSuccess);
  end();
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  ASSERT_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipSuccess);
  EXPECT_EQ(mode, hipStreamCaptureModeRelaxed);
  mode = static_cast<hipStreamCaptureMode>(7);
  EXPECT_EQ(hipThreadExchangeStreamCaptureMode(&mode), hipErrorInvalidValue);
  EXPECT_EQ(hipThreadExchangeStreamCaptureMode(nullptr), hipErrorInvalidValue);
}

TEST_F(GraphCapture, TheLegacyStreamWouldSynchronizeImplicitly) {
  begin();
  EXPECT_EQ(hipMemset(memory, 1, kBytes), hipErrorStreamCaptureImplicit);
  expect_end(hipErrorStreamCaptureInvalidated);
  begin();
  hipStreamCaptureStatus value{};
  EXPECT_EQ(hipStreamIsCapturing(nullptr, &value), hipErrorStreamCaptureImplicit);
  end();
  EXPECT_EQ(hipStreamIsCapturing(nullptr, &value), hipSuccess);
  EXPECT_EQ(value, hipStreamCaptureStatusNone);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, TwoCapturesDoNotMerge) {
  begin();
  ASSERT_EQ(hipStreamBeginCapture(other, hipStreamCaptureModeGlobal), hipSuccess);
  ASSERT_EQ(hipEventRecord(fork, stream), hipSuccess);
  EXPECT_EQ(hipStreamWaitEvent(other, fork, 0), hipErrorStreamCaptureMerge);
  expect_end(hipErrorStreamCaptureInvalidated);
  EXPECT_EQ(hipStreamEndCapture(other, &graph), hipErrorStreamCaptureInvalidated);
}

TEST_F(GraphCapture, DoesNotWaitForWorkOutside) {
  Gate gate;
  gate.put_on(other);
  ASSERT_EQ(hipEventRecord(fork, other), hipSuccess);
  begin();
  EXPECT_EQ(hipStreamWaitEvent(stream, fork, 0), hipErrorStreamCaptureIsolation);
  expect_end(hipErrorStreamCaptureInvalidated);
  gate.open();
  ASSERT_EQ(hipStreamSynchronize(other), hipSuccess);
}

TEST_F(GraphCapture, InfoNamesTheGraphAndTheFrontier) {
  Letters letters;
  begin();
  letters.put_on(stream, 'a');
  hipStreamCaptureStatus value{};
  unsigned long long id = 0, id_again = 0;
  hipGraph_t building = nullptr;
  const hipGraphNode_t* frontier = nullptr;
  size_t number = 0;
  ASSERT_EQ(hipStreamGetCaptureInfo_v2(stream, &value, &id, &building, &frontier, &number),
            hipSuccess);
  EXPECT_EQ(value, hipStreamCaptureStatusActive);
  ASSERT_EQ(number, 1u);
  const hipGraphNode_t a = frontier[0];
  // A node of the program's own, which what comes next is to depend on as well.
  const hipGraphNode_t mine = letters.add(building, 'm');
  ASSERT_EQ(hipStreamUpdateCaptureDependencies(stream, const_cast<hipGraphNode_t*>(&mine), 1,
                                               hipStreamAddCaptureDependencies),
            hipSuccess);
  letters.put_on(stream, 'b');
  ASSERT_EQ(hipStreamGetCaptureInfo_v2(stream, &value, nullptr, nullptr, &frontier, &number),
            hipSuccess);
  ASSERT_EQ(number, 1u);
  Nodes behind(2);
  size_t dependencies = 2;
  ASSERT_EQ(hipGraphNodeGetDependencies(frontier[0], behind.data(), &dependencies), hipSuccess);
  EXPECT_EQ(behind, (Nodes{a, mine}));
  ASSERT_EQ(hipStreamGetCaptureInfo(stream, &value, &id_again), hipSuccess);
  EXPECT_EQ(id, id_again);
  EXPECT_EQ(end(), building);
  EXPECT_EQ(hipStreamUpdateCaptureDependencies(stream, nullptr, 0, 0), hipErrorIllegalState);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, CanContinueAGivenGraph) {
  const ScopedGraph given;
  Letters letters;
  const hipGraphNode_t a = letters.add(given, 'a');
  ASSERT_EQ(hipStreamBeginCaptureToGraph(stream, given, &a, nullptr, 1, hipStreamCaptureModeGlobal),
            hipSuccess);
  letters.put_on(stream, 'b');
  EXPECT_EQ(end(), given);
  const ScopedExecutable executable(given);
  run(executable);
  EXPECT_EQ(letters.take(), "ab");
}

TEST_F(GraphCapture, LaunchedGraphsBecomeChildGraphs) {
  const ScopedGraph inner;
  Letters letters;
  letters.add(inner, 'x');
  const ScopedExecutable launched(inner);
  begin();
  letters.put_on(stream, 'a');
  ASSERT_EQ(hipGraphLaunch(launched, stream), hipSuccess);
  letters.put_on(stream, 'b');
  end();
  EXPECT_EQ(letters.take(), "");
  const ScopedExecutable executable(graph);
  run(executable);
  EXPECT_EQ(letters.take(), "axb");
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, StreamOrderedMemoryBecomesMemoryOfTheGraph) {
  void* pointer = nullptr;
  unsigned char result = 0;
  begin();
  ASSERT_EQ(hipMallocAsync(&pointer, 64, stream), hipSuccess);
  ASSERT_EQ(hipMemsetAsync(pointer, 8, 64, stream), hipSuccess);
  ASSERT_EQ(hipMemcpyAsync(&result, pointer, 1, hipMemcpyDeviceToHost, stream), hipSuccess);
  ASSERT_EQ(hipFreeAsync(pointer, stream), hipSuccess);
  EXPECT_EQ(hipFreeAsync(memory, stream), hipErrorInvalidValue) << "not the graph's";
  end();
  EXPECT_EQ(count(graph), 4u);
  const ScopedExecutable executable(graph);
  run(executable);
  EXPECT_EQ(result, 8);
  run(executable);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
}

TEST_F(GraphCapture, AStreamCanBeDestroyedWhileItCaptures) {
  hipStream_t doomed = nullptr;
  ASSERT_EQ(hipStreamCreate(&doomed), hipSuccess);
  ASSERT_EQ(hipStreamBeginCapture(doomed, hipStreamCaptureModeGlobal), hipSuccess);
  ASSERT_EQ(hipMemsetAsync(memory, 1, 1, doomed), hipSuccess);
  ASSERT_EQ(hipEventRecord(fork, doomed), hipSuccess);
  ASSERT_EQ(hipStreamWaitEvent(other, fork, 0), hipSuccess);
  ASSERT_EQ(hipStreamDestroy(doomed), hipSuccess);
  EXPECT_EQ(status(other), hipStreamCaptureStatusNone);
  EXPECT_EQ(hipDeviceSynchronize(), hipSuccess) << "nothing captures any more";
}

}  // namespace
}  // namespace wavetank::test
