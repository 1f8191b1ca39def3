#include "machine/edge.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/text.hpp"

namespace wavetank::machine {
namespace {

/// In the order of EdgeKind.
constexpr std::array<std::string_view, 4> kNames = {"barrier", "fence", "atomic", "grid_barrier"};

std::optional<Edge> edge_of(std::string_view word) {
  const std::size_t first = word.find('@');
  const std::size_t second = first == word.npos ? first : word.find('@', first + 1);
  if (second == word.npos || second + 1 == word.size()) return std::nullopt;
  const auto name = std::ranges::find(kNames, word.substr(0, first));
  if (name == kNames.end()) return std::nullopt;
  Edge edge;
  edge.kind = static_cast<EdgeKind>(name - kNames.begin());
  const auto read =
      std::from_chars(word.data() + first + 1, word.data() + second, edge.offset_bytes);
  if (read.ec != std::errc() || read.ptr != word.data() + second) return std::nullopt;
  edge.kernel = word.substr(second + 1);
  return edge;
}

}  // namespace

std::string to_text(const std::vector<Edge>& edges) {
  std::string text;
  for (const Edge& edge : edges) {
    if (!text.empty()) text += ',';
    text += kNames[static_cast<std::size_t>(edge.kind)];
    text += '@' + std::to_string(edge.offset_bytes) + '@' + edge.kernel;
  }
  return text;
}

Result<std::vector<Edge>> parse_edges(std::string_view text) {
  std::vector<Edge> edges;
  for (const std::string& word : split_at_commas(text)) {
    auto edge = edge_of(word);
    if (!edge) return fail(ErrorCode::kUsage, "\"" + word + "\" is no edge");
    edges.push_back(std::move(*edge));
  }
  return edges;
}

}  // namespace wavetank::machine
