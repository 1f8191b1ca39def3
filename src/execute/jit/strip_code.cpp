#include "execute/jit/strip_code.hpp"

#include <algorithm>
#include <cstddef>

namespace wavetank::execute::jit {
namespace {

using Xbyak::CodeGenerator;

}  // namespace

bool StripCode::emit() {
  while (!at_end()) {
    if (!emit_next()) return false;
  }
  return settle();
}

bool StripCode::emit_next() {
  const Id id = plan_.order[at_];
  const Node node = graph_[id];
  lock(node);
  if (is_required(id, at_)) {
    emit_required(node);
    ++at_;
  } else {
    emit_node(id, node);
  }
  failed_op_ = node.op;
  if (!failed_) end_node(node);
  ++at_;
  return !failed_;
}

bool StripCode::settle() {
  load_moved_registers();
  return !failed_;
}

/// Is the node a comparison that nothing asks for but the requirement behind it?
bool StripCode::is_required(Id id, std::size_t at) const {
  const Do what = graph_[id].what;
  if (what != Do::kCompare && what != Do::kCompareU && what != Do::kFCompare) return false;
  if (at + 1 >= plan_.order.size() || plan_.uses[id] != 1) return false;
  const Node& next = graph_[plan_.order[at + 1]];
  return next.what == Do::kRequire && next.in[0] == id;
}

/// Registers that others take the values of, before they get new ones.
void StripCode::load_moved_registers() {
  for (const Plan::Result& result : plan_.vectors) {
    const Node& node = graph_[result.value];
    const bool of_rows = node.what == Do::kRowSource;
    if (node.what != Do::kRegister && !of_rows) continue;
    const std::uint64_t name = of_rows ? RowSource::of(node.bits).name : node.bits;
    for (const Plan::Result& other : plan_.vectors) {
      if (other.name == name) in_register(result.value, 0);
    }
  }
}

void StripCode::emit_node(Id id, const Node& node) {
  switch (node.what) {
    case Do::kShl:
    case Do::kShr:
    case Do::kSar: emit_shift(id, node); return;
    case Do::kEvenOfBoth:
    case Do::kOddOfBoth: return emit_of_both(take_for(id, 0), node);
    case Do::kOddFirst: {
      const Vector words = in_register(node.in[0], 0);
      release_all(node, 0);
      return code.vmovshdup(take_for(id, 0), words);
    }
    case Do::kMulEven:
    case Do::kMulEvenU:
    case Do::kAddPairs: return emit_pairs(id, node);
    case Do::kTernary: return emit_ternary(id, node);
    case Do::kAddWhere: return emit_add_where(id, node);
    case Do::kGiven:
      result_over(id, node.in[0], 0);
      if (node.kind == Kind::kDouble) result_over(id, node.in[0], 1);
      return;
    case Do::kFma: return emit_fma(id, node);
    case Do::kFmaToOdd: return emit_fma_to_odd(id, node);
    case Do::kNanOf: return emit_nan_of(id, node);
    case Do::kUnlessNan: return emit_unless_nan(id, node);
    case Do::kFRound:
    case Do::kFSqrt: return emit_round(id, node);
    case Do::kFloatOfInt:
    case Do::kFloatOfUint:
    case Do::kIntOfFloat:
    case Do::kUintOfFloat:
    case Do::kFlush:
    case Do::kFloatOfHalf:
    case Do::kRoundToHalf:
    case Do::kHalfOfFloat: return emit_conversion(id, node);
    case Do::kWidenLower:
    case Do::kWidenUpper:
    case Do::kNarrow: return emit_halves(id, node);
    case Do::kDoubleOfInt:
    case Do::kDoubleOfFloat: return emit_to_double(id, node);
    case Do::kFloatOfDouble:
    case Do::kIntOfDouble: return emit_from_double(id, node);
    case Do::kJoin: return emit_join(id, node);
    case Do::kLow:
    case Do::kHigh: {
      const Vector to = take_for(id, 0);
      return emit_part(to, node.in[0], node.what == Do::kHigh);
    }
    case Do::kCompare:
    case Do::kCompareU:
    case Do::kFCompare: return emit_compare(id, node);
    case Do::kMaskAnd:
    case Do::kMaskOr:
    case Do::kMaskXor:
    case Do::kMaskNot:
    case Do::kPermuteMask: return emit_mask(id, node);
    case Do::kLaneNumber: return emit_lane_number(take_for(id, 0));
    case Do::kSelect: return emit_select(id, node);
    case Do::kPermute: return emit_permute(id, node);
    case Do::kRequire: return emit_require(node.in[0]);
    case Do::kOrdered: return emit_ordered(node.in[0], node.in[1]);
    case Do::kPlace: return moves_->emit_load(*this, id, node);
    case Do::kLoad: return release(id, 0);  // its place has loaded it
    default:
      if (!emit_plain(id, node) && !emit_arithmetic(id, node)) failed_ = true;
  }
}

// ---- integers

/// Operations that the host has as one instruction of two words.
bool StripCode::emit_plain(Id id, const Node& node) {
  const bool halves = node.kind == Kind::kHalves || node.what == Do::kSumHalves;
  const VectorUnit::Three instruction = plain_instruction(node.what, halves);
  if (instruction == nullptr) return false;
  const Vector a = in_register(node.in[0], 0);
  // Halves have no instructions that take one word of memory for all lanes.
  const bool uniform = graph_[node.in[1]].what != Do::kRegister;
  const Source b = halves && uniform && is_leaf(graph_[node.in[1]])
                       ? Source{false, in_register(node.in[1], 0)}
                       : source(node.in[1], 0);
  release_all(node, 0);
  (code.*instruction)(take_for(id, 0), a, b.get());
  return true;
}

/// The host's instruction of an operation on words or on their halves, if it is one.
VectorUnit::Three StripCode::plain_instruction(Do what, bool halves) const {
  switch (what) {
    case Do::kAdd: return halves ? &CodeGenerator::vpaddw : &CodeGenerator::vpaddd;
    case Do::kSub: return halves ? &CodeGenerator::vpsubw : &CodeGenerator::vpsubd;
    case Do::kMul: return halves ? &CodeGenerator::vpmullw : &CodeGenerator::vpmulld;
    case Do::kMin: return halves ? &CodeGenerator::vpminsw : &CodeGenerator::vpminsd;
    case Do::kMax: return halves ? &CodeGenerator::vpmaxsw : &CodeGenerator::vpmaxsd;
    case Do::kMinU: return halves ? &CodeGenerator::vpminuw : &CodeGenerator::vpminud;
    case Do::kMaxU: return halves ? &CodeGenerator::vpmaxuw : &CodeGenerator::vpmaxud;
    case Do::kAddStop: return &CodeGenerator::vpaddsw;
    case Do::kAddStopU: return &CodeGenerator::vpaddusw;
    case Do::kSubStop: return &CodeGenerator::vpsubsw;
    case Do::kSubStopU: return &CodeGenerator::vpsubusw;
    case Do::kShl: return halves ? &CodeGenerator::vpsllvw : &CodeGenerator::vpsllvd;
    case Do::kShr: return halves ? &CodeGenerator::vpsrlvw : &CodeGenerator::vpsrlvd;
    case Do::kSar: return halves ? &CodeGenerator::vpsravw : &CodeGenerator::vpsravd;
    case Do::kAnd: return unit_.bit_and;
    case Do::kOr: return unit_.bit_or;
    case Do::kXor: return unit_.bit_xor;
    case Do::kSumHalves: return &CodeGenerator::vpmaddwd;
    default: return nullptr;
  }
}

/// By a constant; other shifts are plain instructions.
void StripCode::emit_shift(Id id, const Node& node) {
  if (node.kind == Kind::kHalves) return emit_shift_of_halves(id, node);
  if (!graph_.is_constant(node.in[1])) {
    emit_plain(id, node);
    return;
  }
  const Vector value = in_register(node.in[0], 0);
  const auto amount = static_cast<std::uint8_t>(graph_.constant(node.in[1]));
  release_all(node, 0);
  const Vector to = take_for(id, 0);
  switch (node.what) {
    case Do::kShl: code.vpslld(to, value, amount); break;
    case Do::kShr: code.vpsrld(to, value, amount); break;
    default: code.vpsrad(to, value, amount); break;
  }
}

/// Spoils eax.
void StripCode::emit_lane_number(Vector to) {
  const Xbyak::Xmm first(to.getIdx());
  code.mov(code.eax, code.edx);
  code.sub(code.eax, code.ptr[code.rdi + offsetof(machine::Wave, vgpr)]);
  code.shr(code.eax, 2);
  if (strip_ != 0) code.add(code.eax, strip_ * unit_.lanes);
  code.vmovd(first, code.eax);
  code.vpbroadcastd(to, first);
  code.vpaddd(to, to, code.ptr[code.multiples(1)]);
}

void StripCode::emit_pairs(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  release_all(node, 0);
  const Vector to = take_for(id, 0);
  switch (node.what) {
    case Do::kMulEven: return code.vpmuldq(to, a, b);
    case Do::kMulEvenU: return code.vpmuludq(to, a, b);
    default: return code.vpaddq(to, a, b);
  }
}

// ---- tests

void StripCode::emit_ordered(Id a, Id b) {
  Node node;
  node.what = Do::kFCompare;
  node.variant = static_cast<std::uint8_t>(Predicate::kOrdered);
  node.in = {a, b, kNoValue};
  emit_required(node);
}

// ---- results

/// A result in its register, or in the scratch register.
Vector StripCode::stored_value(Id value) {
  const Node& node = graph_[value];
  if (const int place = places_[value][0]; place >= 0) return reg(static_cast<unsigned>(place));
  const Vector to = scratch();
  if (spills_[value][0] >= 0) {
    move(to, spilled(value, 0));
    return to;
  }
  if (is_leaf(node)) {
    load_leaf(to, node);
  } else if (node.what == Do::kLow || node.what == Do::kHigh) {
    emit_part(to, node.in[0], node.what == Do::kHigh);
  } else if (node.what == Do::kEvenOfBoth || node.what == Do::kOddOfBoth) {
    emit_of_both(to, node);
  } else {
    failed_ = true;  // a value that was never computed: the plan is wrong
  }
  return to;
}

void StripCode::keep_results() {
  load_moved_registers();
  // What registers held is taken from them before they get anything new.
  std::vector<Vector> values;
  for (const Plan::Result& result : plan_.vectors) {
    const auto held = pinned(graph_[result.value]);
    if (held) {
      values.push_back(temporary());
      move(values.back(), *held);
    } else {
      values.push_back(Vector());
    }
  }
  for (std::size_t i = 0; i < plan_.vectors.size(); ++i) {
    const auto [name, value] = plan_.vectors[i];
    const bool held = pinned(graph_[value]).has_value();
    const Vector from = held ? values[i] : stored_value(value);
    if (const auto to = pinned(name))
      move(*to, from);
    else
      (code.*unit_.store)(code.ptr[code.rdx + vector_offset(name)], from);
  }
}

void StripCode::store_results() {
  // Stores and tests since settle() may have taken their places.
  load_moved_registers();
  for (const Plan::Result& result : plan_.vectors) {
    const Node& node = graph_[result.value];
    const bool taken_apart =
        !is_leaf(node) && places_[result.value][0] < 0 && spills_[result.value][0] < 0;
    const auto to = code.ptr[code.rdx + vector_offset(result.name)];
    const Vector from = stored_value(result.value);
    if (masked_)
      store_active(to, from);
    else
      (code.*unit_.store)(to, from);
    --left_[result.value];
    release(result.value, 0);
    if (!taken_apart) continue;
    for (const Id in : node.in) {
      if (in == kNoValue) continue;
      --left_[in];
      for (const unsigned half : {0u, 1u}) release(in, half);
    }
  }
}

}  // namespace wavetank::execute::jit
