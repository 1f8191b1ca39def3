#include "execute/jit/graph.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace wavetank::execute::jit {
namespace {

constexpr std::size_t kTableSize = 4096, kMostNodes = 3072;
/// Pairs and widened halves, two registers each, are made again where so many ops lie between: to
/// keep them costs more.
constexpr unsigned kNear = 32;

bool is_of_lanes_of_its_own(Do what) {
  switch (what) {
    case Do::kOddFirst:
    case Do::kMulEven:
    case Do::kMulEvenU:
    case Do::kAddPairs:
    case Do::kSumHalves:
    case Do::kWidenLower:
    case Do::kWidenUpper: return true;
    default: return false;
  }
}

std::size_t hash_of(const Node& node) {
  std::uint64_t h = static_cast<std::uint64_t>(node.what) |
                    static_cast<std::uint64_t>(node.kind) << 8 | std::uint64_t{node.variant} << 16;
  h ^= (std::uint64_t{node.in[0]} << 20) ^ (std::uint64_t{node.in[1]} << 34) ^
       (std::uint64_t{node.in[2]} << 48);
  h ^= node.bits * 0x9e3779b97f4a7c15u;
  h *= 0xff51afd7ed558ccdu;
  return static_cast<std::size_t>(h >> 40);
}

bool commutes(Do what) {
  switch (what) {
    case Do::kAdd:
    case Do::kMul:
    case Do::kMulEven:
    case Do::kMulEvenU:
    case Do::kAddPairs:
    case Do::kAnd:
    case Do::kOr:
    case Do::kXor:
    case Do::kMin:
    case Do::kMax:
    case Do::kMinU:
    case Do::kMaxU:
    case Do::kFAdd:
    case Do::kFMul:
    case Do::kFMin:
    case Do::kFMax:
    case Do::kMaskAnd:
    case Do::kMaskOr:
    case Do::kMaskXor: return true;
    default: return false;
  }
}

/// What an operation on two constants gives, of those that are worth it.
std::optional<std::uint32_t> folded(Do what, std::uint32_t a, std::uint32_t b) {
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  switch (what) {
    case Do::kAdd: return a + b;
    case Do::kSub: return a - b;
    case Do::kMul: return a * b;
    case Do::kAnd: return a & b;
    case Do::kOr: return a | b;
    case Do::kXor: return a ^ b;
    case Do::kShl: return b > 31 ? 0 : a << b;
    case Do::kShr: return b > 31 ? 0 : a >> b;
    case Do::kSar: return static_cast<std::uint32_t>(sa >> std::min(b, 31u));
    case Do::kMin: return static_cast<std::uint32_t>(std::min(sa, sb));
    case Do::kMax: return static_cast<std::uint32_t>(std::max(sa, sb));
    case Do::kMinU: return std::min(a, b);
    case Do::kMaxU: return std::max(a, b);
    default: return std::nullopt;
  }
}

/// What a comparison of two constants gives.
bool compare_words(const Node& node, std::uint32_t a, std::uint32_t b) {
  const bool less = node.what == Do::kCompareU
                        ? a < b
                        : static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b);
  switch (Predicate{node.variant}) {
    case Predicate::kEqual: return a == b;
    case Predicate::kLess: return less;
    case Predicate::kAtMost: return less || a == b;
    case Predicate::kNotEqual: return a != b;
    case Predicate::kNotLess: return !less;
    case Predicate::kNotAtMost: return !less && a != b;
    default: return false;
  }
}

}  // namespace

bool carries_nan(Do what) {
  switch (what) {
    case Do::kFAdd:
    case Do::kFSub:
    case Do::kFMul:
    case Do::kFDiv:
    case Do::kFSqrt:
    case Do::kFma:
    case Do::kFmaToOdd:
    case Do::kFRound: return true;
    default: return false;
  }
}

Graph::Graph() : table_(kTableSize, kNoValue) { nodes_.reserve(256); }

void Graph::clear() {
  nodes_.clear();
  among_.clear();
  for (const std::uint16_t place : taken_) table_[place] = kNoValue;
  taken_.clear();
  op_ = 0;
  all_active_ = spells_nans_ = full_ = impossible_ = false;
}

Id Graph::add(const Node& node) {
  for (std::size_t at = hash_of(node) % kTableSize;; at = (at + 1) % kTableSize) {
    if (table_[at] == kNoValue) {
      full_ = full_ || nodes_.size() >= kMostNodes;
      if (full_ && !nodes_.empty()) return 0;
      table_[at] = static_cast<Id>(nodes_.size());
      taken_.push_back(static_cast<std::uint16_t>(at));
      nodes_.push_back(node);
      nodes_.back().op = op_;
      return table_[at];
    }
    const Node& known = nodes_[table_[at]];
    if (known == node && (!is_of_lanes_of_its_own(node.what) || op_ - known.op < kNear)) {
      return table_[at];
    }
  }
}

Id Graph::word(std::uint32_t bits) { return leaf(Do::kConstant, Kind::kWord, bits); }

Id Graph::lanes(std::uint32_t bits) {
  if ((bits & 0xffff) == 0xffff) return leaf(Do::kAll, Kind::kMask);
  if (bits == 0) return leaf(Do::kNone, Kind::kMask);
  return leaf(Do::kConstant, Kind::kMask, bits);
}

Id Graph::leaf(Do what, Kind kind, std::uint64_t bits) {
  if (what == Do::kActive && all_active_) what = Do::kAll;
  Node node;
  node.what = what;
  node.kind = kind;
  node.bits = bits;
  return add(node);
}

Id Graph::fresh(Do what, Kind kind, std::uint8_t variant, std::uint64_t bits) {
  full_ = full_ || nodes_.size() >= kMostNodes;
  if (full_) return 0;
  Node node;
  node.what = what;
  node.kind = kind;
  node.variant = variant;
  node.bits = bits;
  node.op = op_;
  nodes_.push_back(node);
  return static_cast<Id>(nodes_.size() - 1);
}

void Graph::require(Do what, Id a, Id b) {
  if (nodes_[a].what == Do::kAll) return;
  impossible_ = impossible_ || nodes_[a].what == Do::kNone;
  Node node;
  node.what = what;
  node.kind = Kind::kEffect;
  node.in = {a, b, kNoValue};
  add(node);
}

Id Graph::given(Id value, Id mask) {
  const Id id = make(Do::kGiven, nodes_[value].kind, value, mask);
  if (id != value) require_for(id, mask);
  return id;
}

void Graph::require_for(Id value, Id mask) {
  if (nodes_[mask].what == Do::kAll) return;
  Node node;
  node.what = Do::kRequire;
  node.kind = Kind::kEffect;
  node.in = {mask, value, kNoValue};
  add(node);
}

void Graph::require_among(Id word, const Words& words) {
  if (is_among(word, words)) return;
  const Id distance = word_of(Do::kSub, word, this->word(words.low));
  require(Do::kRequire,
          compare(Do::kCompareU, Predicate::kLess, distance, this->word(words.count)));
  among_.push_back({word, words});
}

bool Graph::is_among(Id word, const Words& words) const {
  return std::any_of(among_.begin(), among_.end(), [&](const Among& known) {
    const std::uint32_t before = known.words.low - words.low;
    return known.word == word && before <= words.count && known.words.count <= words.count - before;
  });
}

void Graph::effect(Do what, Id a, Id b, std::uint64_t bits) {
  const Id id = fresh(what, Kind::kEffect, 0, bits);
  if (!full_) nodes_[id].in = {a, b, kNoValue};
}

/// What holds of a value must hold where it is selected.
Id Graph::select(Id mask, Id a, Id b) {
  const Node first = nodes_[a], second = nodes_[b];
  if (second.what == Do::kGiven) {
    return given(select(mask, a, second.in[0]), mask_of(Do::kMaskOr, mask, second.in[1]));
  }
  if (first.what == Do::kGiven) {
    const Id others = mask_of(Do::kMaskNot, mask);
    return given(select(mask, first.in[0], b), mask_of(Do::kMaskOr, others, first.in[1]));
  }
  return make(Do::kSelect, first.kind, a, b, mask);
}

Id Graph::make(Do what, Kind kind, Id a, Id b, Id c, std::uint8_t variant, std::uint64_t bits) {
  const Id result = make_once(what, kind, a, b, c, variant, bits);
  if (!spells_nans_ || !carries_nan(what)) return result;
  return spelled(result, {a, b, c}, what == Do::kFSqrt);
}

Id Graph::make_once(Do what, Kind kind, Id a, Id b, Id c, std::uint8_t variant,
                    std::uint64_t bits) {
  Node node;
  node.what = what;
  node.kind = kind;
  node.variant = variant;
  node.in = {a, b, c};
  node.bits = bits;
  // Constants come last, where hosts take them from memory; otherwise one order of both.
  if (commutes(what) && !is_constant(b) && (is_constant(a) || a > b))
    std::swap(node.in[0], node.in[1]);
  const Id known = simpler(node);
  return known != kNoValue ? known : add(node);
}

/// A value that is the same and cheaper, if there is one.
Id Graph::simpler(const Node& node) {
  switch (node.kind) {
    case Kind::kMask: return simpler_mask(node);
    case Kind::kDouble: return simpler_float(node);
    case Kind::kHalves:
    case Kind::kLong: return kNoValue;
    default: break;
  }
  const Id known = simpler_float(node);
  return known != kNoValue ? known : simpler_word(node);
}

Id Graph::same_words(Do what, Id a, Id b) {
  if (a != b) return kNoValue;
  switch (what) {
    case Do::kAnd:
    case Do::kOr:
    case Do::kMin:
    case Do::kMax:
    case Do::kMinU:
    case Do::kMaxU: return a;
    case Do::kXor:
    case Do::kSub: return word(0);
    default: return kNoValue;
  }
}

Id Graph::simpler_pairs(const Node& node) {
  const auto [a, b, c] = node.in;
  const auto is_uniform = [&](Id id) { return is_constant(id) || nodes_[id].what == Do::kScalar; };
  switch (node.what) {
    case Do::kOddFirst: return is_uniform(a) ? a : kNoValue;
    case Do::kAddPairs: return is(b, 0) ? a : kNoValue;
    case Do::kEvenOfBoth:
    case Do::kOddOfBoth:
      if (a == b && is_uniform(a)) return a;
      // There and back.
      if (nodes_[a].what != Do::kEvenOfBoth || nodes_[b].what != Do::kOddOfBoth) return kNoValue;
      if (nodes_[a].in != nodes_[b].in) return kNoValue;
      return nodes_[a].in[node.what == Do::kEvenOfBoth ? 0 : 1];
    default: return kNoValue;
  }
}

/// f16 results that are operands again need not be packed between.
Id Graph::simpler_half(const Node& node) {
  const Do from = node.in[0] == kNoValue ? node.what : nodes_[node.in[0]].what;
  const auto rounded = [&](unsigned side) {
    return word_of(Do::kRoundToHalf, nodes_[node.in[0]].in[side]);
  };
  switch (node.what) {
    case Do::kFloatOfHalf:
      if (from != Do::kHalfOfFloat || nodes_[node.in[0]].variant != 0) return kNoValue;
      return rounded(0);
    case Do::kWidenLower: return from == Do::kNarrow ? rounded(0) : kNoValue;
    case Do::kWidenUpper: return from == Do::kNarrow ? rounded(1) : kNoValue;
    default: return kNoValue;
  }
}

Id Graph::simpler_word(const Node& node) {
  const auto [a, b, c] = node.in;
  if (const Id known = simpler_half(node); known != kNoValue) return known;
  if (node.what == Do::kFlush) return simpler_flush(a);
  if (const Id known = simpler_pairs(node); known != kNoValue) return known;
  if (node.what == Do::kLow || node.what == Do::kHigh) {
    const bool low = node.what == Do::kLow;
    if (nodes_[a].what == Do::kJoin) return nodes_[a].in[low ? 0 : 1];
    if (nodes_[a].what == Do::kGiven) {
      const Node from = nodes_[a];
      return given(word_of(node.what, from.in[0]), from.in[1]);
    }
    if (is_constant(a)) return word(static_cast<std::uint32_t>(nodes_[a].bits >> (low ? 0 : 32)));
    if (nodes_[a].what == Do::kScalar) {
      return leaf(Do::kScalar, Kind::kWord, nodes_[a].bits + (low ? 0 : 4));
    }
    return kNoValue;
  }
  if (node.what == Do::kSelect) {
    if (a == b || nodes_[c].what == Do::kAll) return a;
    return nodes_[c].what == Do::kNone ? b : kNoValue;
  }
  if (b == kNoValue || c != kNoValue) return kNoValue;
  if (is_constant(a) && is_constant(b)) {
    if (const auto value = folded(node.what, constant(a), constant(b))) return word(*value);
  }
  if (const Id same = same_words(node.what, a, b); same != kNoValue) return same;
  if (node.what == Do::kAdd) {
    // A carry or another constant that is added in some lanes only. What else is selected is mostly
    // asked for otherwise, too, and would keep the mask in one of few registers.
    for (const auto& [to, what] : {std::pair(a, b), std::pair(b, a)}) {
      const Node& choice = nodes_[what];
      if (choice.what == Do::kSelect && is(choice.in[1], 0) && is_constant(choice.in[0])) {
        return make(Do::kAddWhere, Kind::kWord, to, choice.in[0], choice.in[2]);
      }
    }
  }
  if (!is_constant(b)) return kNoValue;
  const std::uint32_t value = constant(b);
  switch (node.what) {
    case Do::kAdd:
    case Do::kSub:
    case Do::kXor:
      if (value == 0) return a;
      break;
    case Do::kOr:
      if (value == 0) return a;
      if (value == ~0u) return b;
      break;
    case Do::kShl:
    case Do::kShr:
    case Do::kSar:
      if (value == 0) return a;
      if (value > 31) {
        return node.what == Do::kSar ? word_of(Do::kSar, a, word(31)) : word(0);
      }
      break;
    case Do::kMul:
      if (value == 0) return b;
      if (value == 1) return a;
      break;
    case Do::kAnd:
      if (value == ~0u) return a;
      if (value == 0) return b;
      if (nodes_[a].what == Do::kAnd && is_constant(nodes_[a].in[1])) {
        return word_of(Do::kAnd, nodes_[a].in[0], word(value & constant(nodes_[a].in[1])));
      }
      // What a shift has cleared already.
      if (is_word(nodes_[a], Do::kShr) && is_constant(nodes_[a].in[1]) &&
          (value | ~(~0u >> constant(nodes_[a].in[1]))) == ~0u) {
        return a;
      }
      if (nodes_[a].what == Do::kHalfOfFloat && (value & 0xffff) == 0xffff) return a;
      break;
    default: break;
  }
  return kNoValue;
}

Id Graph::simpler_mask(const Node& node) {
  const auto [a, b, c] = node.in;
  const bool compares = node.what == Do::kCompare || node.what == Do::kCompareU;
  if (compares && nodes_[a].kind == Kind::kWord && is_constant(a) && is_constant(b)) {
    const bool holds = compare_words(node, constant(a), constant(b));
    return leaf(holds ? Do::kAll : Do::kNone, Kind::kMask);
  }
  if (node.what == Do::kFCompare && corrects_root(node)) return leaf(Do::kNone, Kind::kMask);
  const auto what = [&](Id id) { return nodes_[id].what; };
  switch (node.what) {
    case Do::kMaskAnd:
      for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
        if (what(x) == Do::kAll) return y;
        if (what(x) == Do::kNone || x == y) return x;
      }
      break;
    case Do::kMaskOr:
    case Do::kMaskXor:
      for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
        if (what(x) == Do::kNone) return y;
      }
      // Less or greater is neither equal nor unordered: both sides of one pair.
      if (node.what == Do::kMaskOr && what(a) == what(b) &&
          (what(a) == Do::kCompare || what(a) == Do::kCompareU) &&
          nodes_[a].in[0] == nodes_[b].in[1] && nodes_[a].in[1] == nodes_[b].in[0] &&
          nodes_[a].variant == nodes_[b].variant &&
          Predicate{nodes_[a].variant} == Predicate::kLess) {
        return compare(what(a), Predicate::kNotEqual, nodes_[a].in[0], nodes_[a].in[1]);
      }
      break;
    case Do::kPermuteMask:
      if (what(a) == Do::kAll) return a;
      break;
    case Do::kMaskNot: {
      if (what(a) == Do::kAll) return leaf(Do::kNone, Kind::kMask);
      if (what(a) == Do::kNone) return leaf(Do::kAll, Kind::kMask);
      if (what(a) == Do::kMaskNot) return nodes_[a].in[0];
      if (what(a) != Do::kCompare && what(a) != Do::kCompareU && what(a) != Do::kFCompare) break;
      constexpr Predicate kNegated[] = {
          Predicate::kNotEqual, Predicate::kNotLess, Predicate::kNotAtMost, Predicate::kEqual,
          Predicate::kLess,     Predicate::kAtMost,  Predicate::kUnordered, Predicate::kOrdered};
      return compare(what(a), kNegated[nodes_[a].variant], nodes_[a].in[0], nodes_[a].in[1]);
    }
    default: break;
  }
  return kNoValue;
}

}  // namespace wavetank::execute::jit
