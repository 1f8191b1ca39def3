// What is known of floats' arithmetic, and of sequences of it that compilers write.
#include <iterator>
#include <utility>

#include "execute/jit/graph.hpp"
#include "number/types.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr std::uint32_t kSign = 0x80000000u;
constexpr std::uint64_t kOne = 0x3f800000, kWideOne = 0x3ff0000000000000;  // 1.0
constexpr std::uint64_t kWideHalf = 0x3fe0000000000000;

/// The default NaN's bits.
template <class T>
std::uint64_t default_nan(bool negative) {
  using F = number::Format<T>;
  return F::kDefaultNan | (negative ? F::kSign : 0);
}

/// Is the node `c - a * b`, of floats?
bool is_error(const Node& node, Id a, Id b, Id c) {
  return node.what == Do::kFma && node.variant == kNegatesProduct && node.in[2] == c &&
         ((node.in[0] == a && node.in[1] == b) || (node.in[0] == b && node.in[1] == a));
}

}  // namespace

/// Is the value another with its sign flipped?
bool Graph::flips_sign(Id id) const {
  const Node& node = nodes_[id];
  if (node.what == Do::kXor) return is(node.in[1], kSign);
  if (node.what != Do::kJoin) return false;
  const Node& upper = nodes_[node.in[1]];
  return upper.what == Do::kXor && is(upper.in[1], kSign);
}

/// Signs move into the operation, which has forms for them; a NaN's sign does not matter, because
/// strips with NaNs are left, or NaNs are taken from the operands as they were.
Id Graph::simpler_float(const Node& node) {
  const auto [a, b, c] = node.in;
  if (node.what == Do::kJoin) {
    const Node low = nodes_[a], high = nodes_[b];
    if (low.what == Do::kGiven && high.what == Do::kGiven && low.in[1] == high.in[1]) {
      return given(make(Do::kJoin, Kind::kDouble, low.in[0], high.in[0]), low.in[1]);
    }
    if (nodes_[a].what == Do::kLow && nodes_[b].what == Do::kHigh &&
        nodes_[a].in[0] == nodes_[b].in[0]) {
      return nodes_[a].in[0];
    }
    if (is_constant(a) && is_constant(b)) {
      return leaf(Do::kConstant, Kind::kDouble, nodes_[b].bits << 32 | nodes_[a].bits);
    }
    if (nodes_[a].what == Do::kScalar && nodes_[b].what == Do::kScalar &&
        nodes_[b].bits == nodes_[a].bits + 4) {
      return leaf(Do::kScalar, Kind::kDouble, nodes_[a].bits);
    }
    return kNoValue;
  }
  if (node.what == Do::kGiven) return nodes_[b].what == Do::kAll ? a : kNoValue;
  if (node.what != Do::kFAdd && node.what != Do::kFSub && node.what != Do::kFma) return kNoValue;
  const auto without = [&](Id id) {
    const Node from = nodes_[id];
    if (from.what == Do::kXor) return from.in[0];
    return make(Do::kJoin, Kind::kDouble, from.in[0], nodes_[from.in[1]].in[0]);
  };
  if (node.what == Do::kFma) {
    for (const unsigned i : {0u, 1u, 2u}) {
      if (!flips_sign(node.in[i])) continue;
      std::array<Id, 3> in = node.in;
      in[i] = without(in[i]);
      const std::uint8_t sign = i == 2 ? kSubtractsAddend : kNegatesProduct;
      return make_once(Do::kFma, node.kind, in[0], in[1], in[2],
                       static_cast<std::uint8_t>(node.variant ^ sign));
    }
    return kNoValue;
  }
  const Do other = node.what == Do::kFAdd ? Do::kFSub : Do::kFAdd;
  if (flips_sign(b)) return make_once(other, node.kind, a, without(b), kNoValue, 0);
  if (node.what == Do::kFAdd && flips_sign(a)) {
    return make_once(Do::kFSub, node.kind, b, without(a), kNoValue, 0);
  }
  return kNoValue;
}

/// What cannot be a denormal, as it is.
Id Graph::simpler_flush(Id id) {
  if (is_constant(id)) {
    const number::f32 value{constant(id)};
    return number::is_denormal(value) ? word(value.bits & kSign) : id;
  }
  switch (nodes_[id].what) {
    case Do::kFlush:
    case Do::kFloatOfInt:
    case Do::kFloatOfUint: return id;
    default: return kNoValue;
  }
}

bool Graph::may_be_nan(Id id) const {
  const Node& node = nodes_[id];
  switch (node.what) {
    case Do::kConstant:
      return node.kind == Kind::kDouble
                 ? number::is_nan(number::f64{node.bits})
                 : number::is_nan(number::f32{static_cast<std::uint32_t>(node.bits)});
    case Do::kFloatOfInt:
    case Do::kFloatOfUint:
    case Do::kDoubleOfInt: return false;
    default: return true;
  }
}

Id Graph::spelled(Id result, std::initializer_list<Id> operands, bool negative) {
  if (!spells_nans_) return result;
  const Kind kind = nodes_[result].kind;
  const bool wide = kind == Kind::kDouble;
  Id chosen = leaf(Do::kConstant, kind,
                   wide ? default_nan<number::f64>(negative) : default_nan<number::f32>(negative));
  for (auto operand = std::rbegin(operands); operand != std::rend(operands); ++operand) {
    if (*operand == kNoValue || !may_be_nan(*operand)) continue;
    chosen = make_once(Do::kNanOf, kind, *operand, chosen, kNoValue, 0);
  }
  return make_once(Do::kUnlessNan, kind, result, chosen, kNoValue, 0);
}

/// LLVM corrects a root s of x (SITargetLowering::lowerFSQRTF32): it takes the number t below where
/// x - t * s is at most 0, or the one above where that is more than 0. Neither holds of a root that
/// is rounded to nearest. Be u the distance of s and t. Below, x is at least (s - u/2)^2, which is
/// more than s * (s - u). Above, x is at most (s + u/2)^2 = s * (s + u) + u^2/4, and so at most
/// s * (s + u), for x and s are multiples of u^2 and u. Roots that are drawn are of numbers so
/// large that x - t * s does not vanish.
bool Graph::corrects_root(const Node& node) const {
  const auto predicate = Predicate{node.variant};
  const bool below = predicate == Predicate::kAtMost && is(node.in[1], 0);
  const bool above = predicate == Predicate::kLess && is(node.in[0], 0);
  if (!below && !above) return false;
  const Node& error = computed(node.in[below ? 0 : 1]);
  if (error.what != Do::kFma) return false;
  for (const auto& [root, other] :
       {std::pair(error.in[0], error.in[1]), std::pair(error.in[1], error.in[0])}) {
    const Node& neighbour = nodes_[other];
    if (is_word(computed(root), Do::kFSqrt) && is_word(neighbour, Do::kAdd) &&
        neighbour.in[0] == root && is(neighbour.in[1], below ? ~0u : 1u) &&
        is_error(error, other, root, computed(root).in[0])) {
      return true;
    }
  }
  return false;
}

/// x where a value is x + (n - d * x) * factor; without a factor it is x.
Id Graph::corrected(Id id, Id n, Id d, Id factor) const {
  const Node& sum = computed(id);
  if (sum.what != Do::kFma || sum.variant != 0) return kNoValue;
  const Id before = sum.in[2], by = factor == kNoValue ? before : factor;
  for (const auto& [one, other] :
       {std::pair(sum.in[0], sum.in[1]), std::pair(sum.in[1], sum.in[0])}) {
    if (one == by && is_error(computed(other), d, before, n)) return before;
  }
  return kNoValue;
}

std::optional<Graph::Quotient> Graph::quotient(Id error, Id reciprocal, Id estimate) const {
  Id first = reciprocal;
  while (computed(first).what == Do::kFma) first = computed(first).in[2];
  const auto [one, d, none] = computed(first).in;
  const bool wide = nodes_[first].kind == Kind::kDouble;
  if (computed(first).what != Do::kFDiv || !is_constant(one)) return std::nullopt;
  if (nodes_[one].bits != (wide ? kWideOne : kOne)) return std::nullopt;
  for (Id id = reciprocal; id != first;) {
    id = corrected(id, one, d, kNoValue);
    if (id == kNoValue) return std::nullopt;
  }
  const Id n = computed(error).in[2];
  if (!is_error(computed(error), d, estimate, n)) return std::nullopt;
  const Id start = wide ? estimate : corrected(estimate, n, d, reciprocal);
  if (start == kNoValue || computed(start).what != Do::kFMul) return std::nullopt;
  const auto [a, b, c] = computed(start).in;
  const bool of_both = (a == n && b == reciprocal) || (a == reciprocal && b == n);
  return of_both ? std::optional(Quotient{n, d}) : std::nullopt;
}

std::optional<Graph::Root> Graph::root(Id error, Id half, Id estimate) const {
  const auto none = std::nullopt;
  if (spells_nans_) return none;  // its steps are there for the NaNs of negative numbers
  const auto addend = [&](Id id) { return nodes_[id].in[2]; };
  const Id x = addend(error), first = addend(estimate);
  if (x == kNoValue || first == kNoValue || addend(first) == kNoValue) return none;
  if (!is_error(nodes_[error], estimate, estimate, x)) return none;
  if (corrected(estimate, x, first, half) != first) return none;
  const Id g = addend(first), h = addend(half);
  if (h == kNoValue || nodes_[g].what != Do::kFMul || nodes_[h].what != Do::kFMul) return none;
  const Id y = nodes_[h].in[0], one_half = nodes_[h].in[1];
  if (!is_constant(one_half) || nodes_[one_half].bits != kWideHalf) return none;
  const auto [a, b, c] = nodes_[g].in;
  const bool of_both = (a == x && b == y) || (a == y && b == x);
  if (!of_both || corrected(first, one_half, h, g) != g) return none;
  return corrected(half, one_half, g, h) == h ? std::optional(Root{x, y}) : none;
}

}  // namespace wavetank::execute::jit
