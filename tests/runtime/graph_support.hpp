// What the graph tests share, and the functions that ROCm 5's headers do not declare yet.
#pragma once

#include <gtest/gtest.h>
#include <hip/hip_runtime_api.h>

#include <future>
#include <string>
#include <vector>

extern "C" {

struct hipUserObject;
hipError_t hipUserObjectCreate(hipUserObject**, void*, hipHostFn_t, unsigned, unsigned);
hipError_t hipUserObjectRelease(hipUserObject*, unsigned);
hipError_t hipUserObjectRetain(hipUserObject*, unsigned);
hipError_t hipGraphRetainUserObject(hipGraph_t, hipUserObject*, unsigned, unsigned);
hipError_t hipGraphReleaseUserObject(hipGraph_t, hipUserObject*, unsigned);
hipError_t hipGraphDebugDotPrint(hipGraph_t, const char*, unsigned);
hipError_t hipGraphUpload(hipGraphExec_t, hipStream_t);
hipError_t hipGraphExecGetFlags(hipGraphExec_t, unsigned long long*);
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t, hipGraphNode_t, unsigned);
hipError_t hipGraphNodeGetEnabled(hipGraphExec_t, hipGraphNode_t, unsigned*);
hipError_t hipStreamBeginCaptureToGraph(hipStream_t, hipGraph_t, const hipGraphNode_t*,
                                        const void*, size_t, hipStreamCaptureMode);
hipError_t hipGraphAddMemFreeNode(hipGraphNode_t*, hipGraph_t, const hipGraphNode_t*, size_t,
                                  void*);
hipError_t hipGraphMemFreeNodeGetParams(hipGraphNode_t, void*);
hipError_t hipDeviceGetGraphMemAttribute(int, int, void*);
hipError_t hipDeviceSetGraphMemAttribute(int, int, void*);

}  // extern "C"

namespace wavetank::test {

/// A graph that is destroyed at the end of its scope.
class ScopedGraph {
 public:
  ScopedGraph() { EXPECT_EQ(hipGraphCreate(&graph_, 0), hipSuccess); }
  ~ScopedGraph() { EXPECT_EQ(hipGraphDestroy(graph_), hipSuccess); }
  ScopedGraph(const ScopedGraph&) = delete;
  ScopedGraph& operator=(const ScopedGraph&) = delete;
  operator hipGraph_t() const { return graph_; }  // NOLINT: stands for its handle

 private:
  hipGraph_t graph_ = nullptr;
};

/// An executable graph that is destroyed at the end of its scope.
class ScopedExecutable {
 public:
  explicit ScopedExecutable(hipGraph_t graph) {
    EXPECT_EQ(hipGraphInstantiate(&executable_, graph, nullptr, nullptr, 0), hipSuccess);
  }
  ~ScopedExecutable() { EXPECT_EQ(hipGraphExecDestroy(executable_), hipSuccess); }
  ScopedExecutable(const ScopedExecutable&) = delete;
  ScopedExecutable& operator=(const ScopedExecutable&) = delete;
  operator hipGraphExec_t() const { return executable_; }  // NOLINT: stands for its handle

 private:
  hipGraphExec_t executable_ = nullptr;
};

/// Host nodes that write letters, in the order in which they run. One stream at a time.
class Letters {
 public:
  hipHostNodeParams params(char letter) {
    marks_.push_back(new Mark{this, letter});
    return {[](void* mark) {
              static_cast<Mark*>(mark)->letters->text_ += static_cast<Mark*>(mark)->letter;
            },
            marks_.back()};
  }
  hipGraphNode_t add(hipGraph_t graph, char letter, std::vector<hipGraphNode_t> behind = {}) {
    hipGraphNode_t node = nullptr;
    const hipHostNodeParams host = params(letter);
    EXPECT_EQ(hipGraphAddHostNode(&node, graph, behind.data(), behind.size(), &host), hipSuccess);
    return node;
  }
  void put_on(hipStream_t stream, char letter) {
    const hipHostNodeParams host = params(letter);
    EXPECT_EQ(hipLaunchHostFunc(stream, host.fn, host.userData), hipSuccess);
  }
  /// What was written since the last call.
  std::string take() { return std::exchange(text_, {}); }
  ~Letters() {
    for (Mark* mark : marks_) delete mark;
  }

 private:
  struct Mark {
    Letters* letters;
    char letter;
  };
  std::vector<Mark*> marks_;
  std::string text_;
};

/// Blocks a stream until it is opened.
class Gate {
 public:
  void put_on(hipStream_t stream) {
    const auto wait = [](void* gate) { static_cast<Gate*>(gate)->future_.wait(); };
    EXPECT_EQ(hipLaunchHostFunc(stream, wait, this), hipSuccess);
  }
  void open() { promise_.set_value(); }

 private:
  std::promise<void> promise_;
  std::future<void> future_ = promise_.get_future();
};

/// Tests with two streams and some device memory.
class GraphTest : public ::testing::Test {
 protected:
  static constexpr size_t kBytes = 1024;

  void SetUp() override {
    ASSERT_EQ(hipStreamCreate(&stream), hipSuccess);
    ASSERT_EQ(hipStreamCreate(&other), hipSuccess);
    ASSERT_EQ(hipMalloc(&memory, kBytes), hipSuccess);
    ASSERT_EQ(hipMemset(memory, 0, kBytes), hipSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(hipStreamDestroy(stream), hipSuccess);
    EXPECT_EQ(hipStreamDestroy(other), hipSuccess);
    EXPECT_EQ(hipFree(memory), hipSuccess);
  }

  void run(hipGraphExec_t executable) {
    ASSERT_EQ(hipGraphLaunch(executable, stream), hipSuccess);
    ASSERT_EQ(hipStreamSynchronize(stream), hipSuccess);
  }
  /// The byte at `at` of the device memory.
  int byte(size_t at = 0) const {
    unsigned char value = 0;
    EXPECT_EQ(hipMemcpy(&value, static_cast<char*>(memory) + at, 1, hipMemcpyDeviceToHost),
              hipSuccess);
    return value;
  }
  hipMemsetParams fill(unsigned value, size_t width = kBytes) const {
    return {.dst = memory, .elementSize = 1, .height = 1, .pitch = 0, .value = value,
            .width = width};
  }
  hipGraphNode_t add_fill(hipGraph_t graph, unsigned value,
                          std::vector<hipGraphNode_t> behind = {}) const {
    hipGraphNode_t node = nullptr;
    const hipMemsetParams params = fill(value);
    EXPECT_EQ(hipGraphAddMemsetNode(&node, graph, behind.data(), behind.size(), &params),
              hipSuccess);
    return node;
  }

  hipStream_t stream = nullptr;
  hipStream_t other = nullptr;
  void* memory = nullptr;
};

}  // namespace wavetank::test
