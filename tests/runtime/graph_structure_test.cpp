// Graphs as such: nodes, edges, queries, copies.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "runtime/graph_support.hpp"

namespace wavetank::test {
namespace {

using GraphStructure = GraphTest;
using Nodes = std::vector<hipGraphNode_t>;

Nodes nodes_of(hipGraph_t graph) {
  size_t count = 0;
  EXPECT_EQ(hipGraphGetNodes(graph, nullptr, &count), hipSuccess);
  Nodes nodes(count);
  EXPECT_EQ(hipGraphGetNodes(graph, nodes.data(), &count), hipSuccess);
  return nodes;
}

TEST_F(GraphStructure, ANewGraphIsEmpty) {
  const ScopedGraph graph;
  size_t count = 9;
  EXPECT_EQ(hipGraphGetNodes(graph, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(hipGraphGetRootNodes(graph, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(hipGraphGetEdges(graph, nullptr, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 0u);
}

TEST_F(GraphStructure, CreationAndDestructionRefuseWhatIsNoGraph) {
  hipGraph_t graph = nullptr;
  EXPECT_EQ(hipGraphCreate(nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphCreate(&graph, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroy(nullptr), hipErrorInvalidValue);
  ASSERT_EQ(hipGraphCreate(&graph, 0), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipSuccess);
  EXPECT_EQ(hipGraphDestroy(graph), hipErrorIllegalState);
}

TEST_F(GraphStructure, QueriesGiveNodesRootsAndEdges) {
  const ScopedGraph graph;
  Letters letters;
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t b = letters.add(graph, 'b', {a});
  const hipGraphNode_t c = letters.add(graph, 'c', {a});
  const hipGraphNode_t d = letters.add(graph, 'd', {b, c});
  EXPECT_EQ(nodes_of(graph), (Nodes{a, b, c, d}));

  Nodes roots(3, a);
  size_t count = roots.size();
  ASSERT_EQ(hipGraphGetRootNodes(graph, roots.data(), &count), hipSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(roots, (Nodes{a, nullptr, nullptr})) << "places beyond the list become null";

  Nodes from(4), to(4);
  count = 4;
  ASSERT_EQ(hipGraphGetEdges(graph, from.data(), to.data(), &count), hipSuccess);
  EXPECT_EQ(from, (Nodes{a, a, b, c}));
  EXPECT_EQ(to, (Nodes{b, c, d, d}));
  EXPECT_EQ(hipGraphGetEdges(graph, from.data(), nullptr, &count), hipErrorInvalidValue);

  Nodes some(2);
  count = 2;
  ASSERT_EQ(hipGraphNodeGetDependencies(d, some.data(), &count), hipSuccess);
  EXPECT_EQ(some, (Nodes{b, c}));
  count = 1;
  ASSERT_EQ(hipGraphNodeGetDependentNodes(a, some.data(), &count), hipSuccess);
  EXPECT_EQ(count, 1u);
  EXPECT_EQ(some[0], b);
}

TEST_F(GraphStructure, NodesKnowTheirTypeAsRocm5NumbersIt) {
  const ScopedGraph graph, child;
  Letters letters;
  hipEvent_t event = nullptr;
  ASSERT_EQ(hipEventCreate(&event), hipSuccess);
  char host[16] = {};
  const auto type_of = [](hipGraphNode_t node) {
    hipGraphNodeType type{};
    EXPECT_EQ(hipGraphNodeGetType(node, &type), hipSuccess);
    return type;
  };
  hipGraphNode_t node = nullptr;
  EXPECT_EQ(type_of(letters.add(graph, 'a')), hipGraphNodeTypeHost);
  EXPECT_EQ(type_of(add_fill(graph, 1)), hipGraphNodeTypeMemset);
  ASSERT_EQ(hipGraphAddEmptyNode(&node, graph, nullptr, 0), hipSuccess);
  EXPECT_EQ(type_of(node), hipGraphNodeTypeEmpty);
  ASSERT_EQ(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, child), hipSuccess);
  EXPECT_EQ(type_of(node), hipGraphNodeTypeGraph);
  ASSERT_EQ(hipGraphAddEventRecordNode(&node, graph, nullptr, 0, event), hipSuccess);
  EXPECT_EQ(type_of(node), hipGraphNodeTypeEventRecord);
  ASSERT_EQ(hipGraphAddEventWaitNode(&node, graph, nullptr, 0, event), hipSuccess);
  EXPECT_EQ(type_of(node), hipGraphNodeTypeWaitEvent);
  ASSERT_EQ(hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, host, memory, sizeof host,
                                    hipMemcpyDeviceToHost),
            hipSuccess);
  EXPECT_EQ(type_of(node), hipGraphNodeTypeMemcpy1D);
  hipMemcpy3DParms params{};
  params.srcPtr = {memory, 16, 16, 1};
  params.dstPtr = {host, 16, 16, 1};
  params.extent = {16, 1, 1};
  params.kind = hipMemcpyDeviceToHost;
  ASSERT_EQ(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &params), hipSuccess);
  EXPECT_EQ(type_of(node), hipGraphNodeTypeMemcpy);
  EXPECT_EQ(hipEventDestroy(event), hipSuccess);
}

TEST_F(GraphStructure, EdgesCanBeAddedOnceAndRemovedOnce) {
  const ScopedGraph graph, foreign;
  Letters letters;
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t b = letters.add(graph, 'b');
  const hipGraphNode_t stranger = letters.add(foreign, 'x');
  EXPECT_EQ(hipGraphAddDependencies(graph, &a, &b, 1), hipSuccess);
  EXPECT_EQ(hipGraphAddDependencies(graph, &a, &b, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddDependencies(graph, &a, &a, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddDependencies(graph, &a, &stranger, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddDependencies(graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphRemoveDependencies(graph, &a, &b, 1), hipSuccess);
  EXPECT_EQ(hipGraphRemoveDependencies(graph, &a, &b, 1), hipErrorInvalidValue);
}

TEST_F(GraphStructure, ANodeIsNotAddedBehindAForeignOrRepeatedDependency) {
  const ScopedGraph graph, foreign;
  Letters letters;
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t twice[] = {a, a};
  const hipGraphNode_t stranger = letters.add(foreign, 'x');
  hipGraphNode_t node = nullptr;
  EXPECT_EQ(hipGraphAddEmptyNode(&node, graph, twice, 2), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&node, graph, &stranger, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(&node, graph, nullptr, 1), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphAddEmptyNode(nullptr, graph, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(nodes_of(graph), (Nodes{a}));
}

TEST_F(GraphStructure, ACycleIsRefusedWhenTheGraphIsInstantiated) {
  const ScopedGraph graph;
  Letters letters;
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t b = letters.add(graph, 'b', {a});
  hipGraphExec_t executable = nullptr;
  ASSERT_EQ(hipGraphAddDependencies(graph, &b, &a, 1), hipSuccess);
  EXPECT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipErrorInvalidValue);
  EXPECT_EQ(executable, nullptr);
  ASSERT_EQ(hipGraphRemoveDependencies(graph, &b, &a, 1), hipSuccess);
  EXPECT_EQ(hipGraphInstantiate(&executable, graph, nullptr, nullptr, 0), hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipSuccess);
  EXPECT_EQ(hipGraphExecDestroy(executable), hipErrorInvalidValue);
}

TEST_F(GraphStructure, DestroyingANodeRemovesItsEdges) {
  const ScopedGraph graph;
  Letters letters;
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t b = letters.add(graph, 'b', {a});
  const hipGraphNode_t c = letters.add(graph, 'c', {b});
  ASSERT_EQ(hipGraphDestroyNode(b), hipSuccess);
  EXPECT_EQ(hipGraphDestroyNode(b), hipErrorInvalidValue);
  EXPECT_EQ(nodes_of(graph), (Nodes{a, c}));
  size_t count = 9;
  EXPECT_EQ(hipGraphGetEdges(graph, nullptr, nullptr, &count), hipSuccess);
  EXPECT_EQ(count, 0u);
}

TEST_F(GraphStructure, ACloneHasItsOwnNodesThatCanBeFound) {
  const ScopedGraph graph;
  Letters letters;
  const hipGraphNode_t a = letters.add(graph, 'a');
  const hipGraphNode_t b = letters.add(graph, 'b', {a});
  hipGraph_t clone = nullptr;
  ASSERT_EQ(hipGraphClone(&clone, graph), hipSuccess);
  hipGraphNode_t a2 = nullptr, b2 = nullptr;
  ASSERT_EQ(hipGraphNodeFindInClone(&a2, a, clone), hipSuccess);
  ASSERT_EQ(hipGraphNodeFindInClone(&b2, b, clone), hipSuccess);
  EXPECT_NE(a2, a);
  EXPECT_EQ(nodes_of(clone), (Nodes{a2, b2}));
  EXPECT_EQ(hipGraphNodeFindInClone(&a2, a, graph), hipErrorInvalidValue) << "no clone";
  const hipGraphNode_t late = letters.add(graph, 'c');
  EXPECT_EQ(hipGraphNodeFindInClone(&a2, late, clone), hipErrorInvalidValue);
  EXPECT_EQ(hipGraphDestroy(clone), hipSuccess);
  EXPECT_EQ(nodes_of(graph), (Nodes{a, late, b})) << "roots come first";
}

TEST_F(GraphStructure, AChildNodeOwnsACopyOfTheGraph) {
  const ScopedGraph graph, child;
  Letters letters;
  letters.add(child, 'a');
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, child), hipSuccess);
  letters.add(child, 'b');
  hipGraph_t inner = nullptr;
  ASSERT_EQ(hipGraphChildGraphNodeGetGraph(node, &inner), hipSuccess);
  EXPECT_NE(inner, child);
  EXPECT_EQ(nodes_of(inner).size(), 1u);
  EXPECT_EQ(hipGraphDestroy(inner), hipErrorIllegalState) << "its node owns it";
}

TEST_F(GraphStructure, AGraphThatIsAddedToItselfDoublesUntilItIsTooLarge) {
  const ScopedGraph graph;
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddEmptyNode(&node, graph, nullptr, 0), hipSuccess);
  int doublings = 0;
  while (hipGraphAddChildGraphNode(&node, graph, nullptr, 0, graph) == hipSuccess) ++doublings;
  EXPECT_EQ(hipGetLastError(), hipErrorOutOfMemory);
  // 1 node becomes 2 * 1 + 1, 2 * 3 + 1 ...: the 17th makes 2^18 - 1, below the limit of 2^18.
  EXPECT_EQ(doublings, 17);
}

TEST_F(GraphStructure, ChildGraphsNest255Deep) {
  const ScopedGraph graph;
  hipGraph_t innermost = graph;
  hipGraphNode_t node = nullptr;
  const ScopedGraph empty;
  int levels = 1;
  while (hipGraphAddChildGraphNode(&node, innermost, nullptr, 0, empty) == hipSuccess) {
    ASSERT_EQ(hipGraphChildGraphNodeGetGraph(node, &innermost), hipSuccess);
    ++levels;
  }
  EXPECT_EQ(hipGetLastError(), hipErrorOutOfMemory);
  EXPECT_EQ(levels, 256);
}

TEST_F(GraphStructure, ParametersComeBackAsTheyWereGiven) {
  const ScopedGraph graph;
  Letters letters;
  const hipHostNodeParams host = letters.params('a');
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddHostNode(&node, graph, nullptr, 0, &host), hipSuccess);
  hipHostNodeParams host_back{};
  ASSERT_EQ(hipGraphHostNodeGetParams(node, &host_back), hipSuccess);
  EXPECT_EQ(host_back.fn, host.fn);
  EXPECT_EQ(host_back.userData, host.userData);
  hipMemsetParams fill_back{};
  EXPECT_EQ(hipGraphMemsetNodeGetParams(node, &fill_back), hipErrorInvalidValue) << "a host node";
  node = add_fill(graph, 7);
  ASSERT_EQ(hipGraphMemsetNodeGetParams(node, &fill_back), hipSuccess);
  EXPECT_EQ(fill_back.dst, memory);
  EXPECT_EQ(fill_back.value, 7u);
  EXPECT_EQ(fill_back.width, kBytes);
}

TEST_F(GraphStructure, FillsAreChecked) {
  const ScopedGraph graph;
  const auto add = [&](const hipMemsetParams& params) {
    hipGraphNode_t node = nullptr;
    return hipGraphAddMemsetNode(&node, graph, nullptr, 0, &params);
  };
  hipMemsetParams params = fill(1);
  params.elementSize = 3;
  EXPECT_EQ(add(params), hipErrorInvalidValue);
  params = fill(1, kBytes + 4097);
  EXPECT_EQ(add(params), hipErrorInvalidValue) << "beyond the allocation";
  params = fill(1, 0);
  EXPECT_EQ(add(params), hipErrorInvalidValue);
  params = fill(1, 64);
  params.height = 2;
  params.pitch = 63;
  EXPECT_EQ(add(params), hipErrorInvalidValue) << "rows overlap";
  params.pitch = 64;
  EXPECT_EQ(add(params), hipSuccess);
}

/// What hipGraphDebugDotPrint writes.
std::string dot_of(hipGraph_t graph, unsigned flags) {
  const auto path = std::filesystem::temp_directory_path() / "wavetank_graph_test.dot";
  EXPECT_EQ(hipGraphDebugDotPrint(graph, path.c_str(), flags), hipSuccess);
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

TEST_F(GraphStructure, DotFilesNameTheDirectionOfCopies) {
  const ScopedGraph graph;
  std::vector<unsigned char> host(kBytes);
  hipGraphNode_t node = nullptr;
  const auto add = [&](void* target, void* source, hipMemcpyKind kind) {
    return hipGraphAddMemcpyNode1D(&node, graph, nullptr, 0, target, source, 1, kind);
  };
  ASSERT_EQ(add(memory, host.data(), hipMemcpyHostToDevice), hipSuccess);
  ASSERT_EQ(add(host.data(), memory, hipMemcpyDefault), hipSuccess);
  hipArray_t array = nullptr;
  const hipChannelFormatDesc format = hipCreateChannelDesc(8, 0, 0, 0, hipChannelFormatKindSigned);
  ASSERT_EQ(hipMallocArray(&array, &format, 16, 16), hipSuccess);
  hipMemcpy3DParms to_array{};
  to_array.srcPtr = make_hipPitchedPtr(host.data(), 16, 16, 16);
  to_array.dstArray = array;
  to_array.extent = make_hipExtent(16, 16, 1);
  to_array.kind = hipMemcpyHostToDevice;
  ASSERT_EQ(hipGraphAddMemcpyNode(&node, graph, nullptr, 0, &to_array), hipSuccess);
  for (const unsigned flags : {0u, 1u, 1u << 3}) {
    const std::string dot = dot_of(graph, flags);
    EXPECT_NE(dot.find("MEMCPY\\n(HtoD)"), std::string::npos) << dot;
    EXPECT_NE(dot.find("MEMCPY\\n(DtoH)"), std::string::npos) << dot;
    EXPECT_NE(dot.find("MEMCPY\\n(HtoA)"), std::string::npos) << dot;
  }
  EXPECT_EQ(hipFreeArray(array), hipSuccess);
}

TEST_F(GraphStructure, DotFilesNameNodesAndEdges) {
  const ScopedGraph graph, child;
  Letters letters;
  letters.add(child, 'x');
  const hipGraphNode_t a = add_fill(graph, 1);
  letters.add(graph, 'b', {a});
  hipGraphNode_t node = nullptr;
  ASSERT_EQ(hipGraphAddChildGraphNode(&node, graph, nullptr, 0, child), hipSuccess);
  const std::string dot = dot_of(graph, 1);
  EXPECT_TRUE(dot.starts_with("digraph dot {\n"));
  EXPECT_NE(dot.find("MEMSET"), std::string::npos);
  EXPECT_NE(dot.find("value 0x1, 1024 x 1 elements of 1 bytes"), std::string::npos);
  EXPECT_NE(dot.find("HOST"), std::string::npos);
  EXPECT_EQ(std::ranges::count(dot, '>'), 1) << "one edge";
  EXPECT_EQ(hipGraphDebugDotPrint(graph, "/nonexistent/file.dot", 0), hipErrorOperatingSystem);
}

}  // namespace
}  // namespace wavetank::test
