#include "execute/jit/line.hpp"

#include <tuple>
#include <utility>

#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

/// SGPRs and FLAT_SCRATCH.
constexpr unsigned kSgprs = isa::operand::kXnackMask;

/// Looks at values of a graph.
class Follower {
 public:
  explicit Follower(const Graph& graph, bool with_upper_words = false)
      : graph_(graph), with_upper_words_(with_upper_words) {}

  /// (register + SGPRs) << shift.
  std::optional<Ramp> ramp(Id id) const {
    const Node& node = graph_[id];
    if (node.what == Do::kRegister) return Ramp{static_cast<unsigned>(node.bits), {}, 0};
    if (is_word(node, Do::kAdd)) {
      const auto terms = with_scalar(node.in[0], node.in[1]);
      if (!terms) return std::nullopt;
      auto rest = ramp(terms->second);
      if (!rest || rest->shift != 0) return std::nullopt;
      rest->addends.push_back(terms->first);
      return rest;
    }
    if (!is_word(node, Do::kShl) || !graph_.is_constant(node.in[1])) return std::nullopt;
    auto rest = ramp(node.in[0]);
    if (!rest) return std::nullopt;
    rest->shift += graph_.constant(node.in[1]);
    return rest->shift <= kMostPlaces ? rest : std::nullopt;
  }

  /// The 64-bit value of two words.
  std::optional<Line> pair(Id low, Id high) const {
    if (auto line = sum(low, high)) return line;
    if (auto line = shifted(low, high)) return line;
    const auto index = ramp(low);
    if (!index) return std::nullopt;
    const Node& upper = graph_[high];
    if (graph_.is(high, 0)) return Line{*index, Extension::kZeros, 0, {}, {}};
    const bool sign = is_word(upper, Do::kSar) && upper.in[0] == low && graph_.is(upper.in[1], 31);
    if (sign && index->shift == 0) return Line{*index, Extension::kSign, 0, {}, {}};
    const bool neighbours = graph_[low].what == Do::kRegister && upper.what == Do::kRegister &&
                            upper.bits == graph_[low].bits + 1;
    if (neighbours) return Line{*index, Extension::kPair, 0, {}, {}};
    return std::nullopt;
  }

 private:
  /// Lanes of 16 bytes that follow each other.
  static constexpr unsigned kMostPlaces = 4;
  std::optional<unsigned> scalar(Id id) const {
    const Node& node = graph_[id];
    if (node.what != Do::kScalar || node.bits / 4 >= kSgprs) return std::nullopt;
    return static_cast<unsigned>(node.bits / 4);
  }
  /// Of two values the one that is an SGPR, and the other.
  std::optional<std::pair<unsigned, Id>> with_scalar(Id a, Id b) const {
    if (const auto sgpr = scalar(a)) return std::pair(*sgpr, b);
    if (const auto sgpr = scalar(b)) return std::pair(*sgpr, a);
    return std::nullopt;
  }

  /// {h, l} << k: l << k, and h << k | l >> 32 - k.
  std::optional<Line> shifted(Id low, Id high) const {
    const Node& lower = graph_[low];
    const Node& upper = graph_[high];
    if (!is_word(lower, Do::kShl) || !graph_.is_constant(lower.in[1])) return std::nullopt;
    const unsigned places = graph_.constant(lower.in[1]);
    const auto spills = [&](Id id) {
      const Node& node = graph_[id];
      return is_word(node, Do::kShr) && node.in[0] == lower.in[0] &&
             graph_.is(node.in[1], 32 - places);
    };
    std::optional<Line> line;
    if (spills(high)) line = pair_with_zero(lower.in[0]);
    if (upper.what == Do::kOr) {
      for (const auto& [moved, spilt] :
           {std::pair(upper.in[0], upper.in[1]), std::pair(upper.in[1], upper.in[0])}) {
        const Node& node = graph_[moved];
        if (is_word(node, Do::kShl) && graph_.is(node.in[1], places) && spills(spilt)) {
          line = pair(lower.in[0], node.in[0]);
        }
      }
    }
    if (!line || !line->bases.empty()) return std::nullopt;
    line->shift += places;
    return line;
  }
  std::optional<Line> pair_with_zero(Id low) const {
    const auto index = ramp(low);
    if (!index) return std::nullopt;
    return Line{*index, Extension::kZeros, 0, {}, {}};
  }

  /// A value plus an SGPR pair: the words' sums, and the carry of the lower one.
  std::optional<Line> sum(Id low, Id high) const {
    if (!is_word(graph_[low], Do::kAdd) || graph_[high].what != Do::kAddWhere) return std::nullopt;
    const Node& carry = graph_[high];
    const Node& test = graph_[carry.in[2]];
    if (!graph_.is(carry.in[1], 1) || !is_carry(test, low)) return std::nullopt;
    const auto lower = with_scalar(graph_[low].in[0], graph_[low].in[1]);
    if (!lower) return std::nullopt;
    Id rest_high = kNoValue;
    const Node& upper = graph_[carry.in[0]];
    if (is_word(upper, Do::kAdd)) {
      const auto terms = with_scalar(upper.in[0], upper.in[1]);
      if (terms && terms->first == lower->first + 1) rest_high = terms->second;
    }
    std::optional<Line> line;
    if (rest_high != kNoValue) line = pair(lower->second, rest_high);
    // The upper word of a small index is 0, which is not added.
    const auto alone = scalar(carry.in[0]);
    if (alone && *alone == lower->first + 1) line = pair_with_zero(lower->second);
    std::optional<unsigned> upper_word;
    if (!line && with_upper_words_) std::tie(line, upper_word) = above(lower->second, carry.in[0]);
    if (line && line->upper_word) return std::nullopt;
    if (line) line->bases.push_back(lower->first), line->upper_word = upper_word;
    return line;
  }
  /// The line of which `low` is the lower word, if the upper one is a vector register added to it,
  /// and that register.
  std::pair<std::optional<Line>, std::optional<unsigned>> above(Id low, Id upper) const {
    const auto name_of = [&](Id id) { return static_cast<unsigned>(graph_[id].bits); };
    if (graph_[upper].what == Do::kRegister) return {pair_with_zero(low), name_of(upper)};
    const auto& [a, b, none] = graph_[upper].in;
    if (!is_word(graph_[upper], Do::kAdd)) return {};
    for (const auto& [alone, rest] : {std::pair(a, b), std::pair(b, a)}) {
      if (graph_[alone].what != Do::kRegister) continue;
      if (auto line = pair(low, rest)) return {line, name_of(alone)};
    }
    return {};
  }
  bool is_carry(const Node& test, Id low) const {
    const Node& sum = graph_[low];
    return test.what == Do::kCompareU && Predicate{test.variant} == Predicate::kLess &&
           test.in[0] == low && (test.in[1] == sum.in[0] || test.in[1] == sum.in[1]);
  }

  const Graph& graph_;
  const bool with_upper_words_;
};

std::optional<Line> if_it_rises(std::optional<Line> line, unsigned bytes = 4) {
  return line && line->step(bytes) != 0 ? line : std::nullopt;
}

}  // namespace

std::optional<Line> line_of(const Graph& graph, Id low, Id high) {
  return if_it_rises(Follower(graph).pair(low, high));
}

std::optional<Line> line_from(const Graph& graph, unsigned base, Id low) {
  const auto ramp = Follower(graph).ramp(low);
  if (!ramp) return std::nullopt;
  return if_it_rises(Line{*ramp, Extension::kZeros, 0, {base}, {}});
}

std::optional<Line> rising_line(const Graph& graph, Id low, Id high, unsigned bytes) {
  return if_it_rises(Follower(graph, true).pair(low, high), bytes);
}

std::optional<Line> rising_word(const Graph& graph, Id low, unsigned bytes) {
  const auto ramp = Follower(graph).ramp(low);
  if (!ramp) return std::nullopt;
  return if_it_rises(Line{*ramp, Extension::kZeros, 0, {}, {}}, bytes);
}

}  // namespace wavetank::execute::jit
