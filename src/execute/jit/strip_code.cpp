#include "execute/jit/strip_code.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "execute/jit/bitwise.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::CodeGenerator, Xbyak::Operand;

constexpr std::uint64_t kUpperHalf = 0xffffffff00000000, kLowerHalf = 0xffffffff;
/// A | (B & C): vpternlog's truth table.
constexpr std::uint8_t kOrMasked = 0xf8;
/// Predicates of vpcmpd and vpcmpud, and with operands exchanged.
constexpr std::uint8_t kIntegerPredicate[] = {0, 1, 2, 4, 5, 6, 7, 3};
constexpr std::uint8_t kExchangedInteger[] = {0, 6, 5, 4, 2, 1, 7, 3};
/// Of vcmpps: equal, less, at most, not equal, not less, not at most, ordered, unordered.
constexpr std::uint8_t kFloatPredicate[] = {0x00, 0x11, 0x12, 0x04, 0x15, 0x16, 0x07, 0x03};
constexpr std::uint8_t kExchangedFloat[] = {0x00, 0x1e, 0x1d, 0x04, 0x1a, 0x19, 0x07, 0x03};

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
    // The comparison goes straight to the lanes that are well.
    Opmask among;
    const Opmask well = next_collector(among);
    emit_compare(well, node, among);
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
    if (node.what != Do::kRegister) continue;
    for (const Plan::Result& other : plan_.vectors) {
      if (other.name == node.bits) in_register(result.value, 0);
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
      const Zmm words = in_register(node.in[0], 0);
      release_all(node, 0);
      return code.vmovshdup(take_for(id, 0), words);
    }
    case Do::kMulEven:
    case Do::kMulEvenU:
    case Do::kAddPairs: return emit_pairs(id, node);
    case Do::kTernary: return emit_ternary(id, node);
    case Do::kAddWhere: return emit_add_where(id, node);
    case Do::kFma: return emit_fma(id, node);
    case Do::kFmaToOdd: return emit_fma_to_odd(id, node);
    case Do::kFRound:
    case Do::kFSqrt: return emit_round(id, node);
    case Do::kFloatOfInt:
    case Do::kFloatOfUint:
    case Do::kIntOfFloat:
    case Do::kUintOfFloat:
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
      const Zmm to = take_for(id, 0);
      return emit_part(to, node.in[0], node.what == Do::kHigh);
    }
    case Do::kCompare:
    case Do::kCompareU:
    case Do::kFCompare: {
      const Opmask to = take_mask(id);
      return emit_compare(to, node, Opmask(0));
    }
    case Do::kMaskAnd:
    case Do::kMaskOr:
    case Do::kMaskXor:
    case Do::kMaskNot:
    case Do::kPermuteMask: return emit_mask(id, node);
    case Do::kSelect: return emit_select(id, node);
    case Do::kPermute: return emit_permute(id, node);
    case Do::kRequire: return emit_require(node);
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
  const Three instruction = plain_instruction(node.what, halves);
  if (instruction == nullptr) return false;
  const Zmm a = in_register(node.in[0], 0);
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
StripCode::Three StripCode::plain_instruction(Do what, bool halves) {
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
    case Do::kAnd: return &CodeGenerator::vpandd;
    case Do::kOr: return &CodeGenerator::vpord;
    case Do::kXor: return &CodeGenerator::vpxord;
    case Do::kSumHalves: return &CodeGenerator::vpmaddwd;
    default: return nullptr;
  }
}

/// By a constant; other shifts are plain instructions.
bool StripCode::emit_shift(Id id, const Node& node) {
  if (node.kind == Kind::kHalves || !graph_.is_constant(node.in[1])) return emit_plain(id, node);
  const Zmm value = in_register(node.in[0], 0);
  const auto amount = static_cast<std::uint8_t>(graph_.constant(node.in[1]));
  release_all(node, 0);
  const Zmm to = take_for(id, 0);
  switch (node.what) {
    case Do::kShl: code.vpslld(to, value, amount); break;
    case Do::kShr: code.vpsrld(to, value, amount); break;
    default: code.vpsrad(to, value, amount); break;
  }
  return true;
}

/// Words of both operands' even or odd lanes, by turns.
void StripCode::emit_of_both(Zmm to, const Node& node) {
  const bool even = node.what == Do::kEvenOfBoth;
  const Zmm a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  if (even)
    code.vpsllq(to, b, 32);
  else
    code.vpsrlq(to, a, 32);
  const auto rest = code.ptr_b[code.constant(even ? kLowerHalf : kUpperHalf)];
  code.vpternlogq(to, even ? a : b, rest, kOrMasked);
}

void StripCode::emit_pairs(Id id, const Node& node) {
  const Zmm a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  release_all(node, 0);
  const Zmm to = take_for(id, 0);
  switch (node.what) {
    case Do::kMulEven: return code.vpmuldq(to, a, b);
    case Do::kMulEvenU: return code.vpmuludq(to, a, b);
    default: return code.vpaddq(to, a, b);
  }
}

/// The host writes over the first operand: best one that nobody asks for any more. The last one may
/// be in memory.
void StripCode::emit_ternary(Id id, const Node& node) {
  std::array<Id, 3> in = node.in;
  auto table = static_cast<TruthTable>(node.bits);
  const auto exchange = [&](unsigned a, unsigned b) {
    std::swap(in[a], in[b]);
    table = exchanged(table, a, b);
  };
  const auto can_go = [&](Id operand) {
    return !is_leaf(graph_[operand]) && dies(operand) && places_[operand][0] >= 0;
  };
  if (!can_go(in[0])) {
    if (can_go(in[1]))
      exchange(0, 1);
    else if (can_go(in[2]))
      exchange(0, 2);
  }
  if (is_leaf(graph_[in[1]]) && !is_leaf(graph_[in[2]])) exchange(1, 2);
  const Zmm to = result_over(id, in[0], 0);
  const Zmm second = in_register(in[1], 0);
  code.vpternlogd(to, second, source(in[2], 0).get(), table);
}

void StripCode::emit_add_where(Id id, const Node& node) {
  const Opmask where = mask_in(node.in[2]);
  const Zmm to = result_over(id, node.in[0], 0);
  code.vpaddd(to | where, to, source(node.in[1], 0).get());
}

// ---- masks

/// to = the comparison, in the lanes of `among` unless it is k0.
void StripCode::emit_compare(Opmask to, const Node& node, Opmask among) {
  const bool real = node.what == Do::kFCompare;
  const bool wide = graph_[node.in[0]].kind == Kind::kDouble;
  Id a = node.in[0], b = node.in[1];
  std::uint8_t predicate = (real ? kFloatPredicate : kIntegerPredicate)[node.variant];
  if (is_leaf(graph_[a]) && !is_leaf(graph_[b]) && places_[a][0] < 0) {
    std::swap(a, b);
    predicate = (real ? kExchangedFloat : kExchangedInteger)[node.variant];
  }
  const auto one = [&](Opmask mask, unsigned half) {
    const Zmm first = in_register(a, half);
    const Source second = source(b, half);
    const Opmask dst = among.getIdx() == 0 || wide ? mask : mask | among;
    if (wide) return code.vcmppd(dst, first, second.get(), predicate);
    if (real) return code.vcmpps(dst, first, second.get(), predicate);
    if (node.what == Do::kCompare) return code.vpcmpd(dst, first, second.get(), predicate);
    return code.vpcmpud(dst, first, second.get(), predicate);
  };
  if (!wide) return one(to, 0);
  const Opmask upper = mask_temporary(), lower = among.getIdx() == 0 ? to : mask_temporary();
  one(lower, 0);
  one(upper, 1);
  code.kunpckbw(lower, upper, lower);
  if (among.getIdx() != 0) code.kandw(to, lower, among);
}

void StripCode::emit_mask(Id id, const Node& node) {
  const Opmask a = mask_in(node.in[0]);
  const Opmask b = node.in[1] == kNoValue ? a : mask_in(node.in[1]);
  for (const Id in : node.in) {
    if (in != kNoValue) release_mask(in);
  }
  const Opmask to = take_mask(id);
  switch (node.what) {
    case Do::kMaskAnd: return code.kandw(to, a, b);
    case Do::kMaskOr: return code.korw(to, a, b);
    case Do::kMaskXor: return code.kxorw(to, a, b);
    case Do::kMaskNot: return code.knotw(to, a);
    default: break;
  }
  const Zmm lanes = temporary(), order(static_cast<int>(kScratch));
  code.vpmovm2d(lanes, a);
  code.vmovdqa32(order, code.ptr[code.nibbles(node.bits)]);
  code.vpermd(lanes, order, lanes);
  code.vpmovd2m(to, lanes);
}

void StripCode::emit_select(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  Opmask where = mask_in(node.in[2]);
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    if (half == 1) {
      const Opmask upper = mask_temporary();
      code.kshiftrw(upper, where, 8);
      where = upper;
    }
    const Zmm otherwise = in_register(node.in[1], half);
    const Source chosen = source(node.in[0], half);
    release_all(node, half);
    const Zmm to = take_for(id, half);
    if (wide)
      code.vpblendmq(to | where, otherwise, chosen.get());
    else
      code.vpblendmd(to | where, otherwise, chosen.get());
  }
}

// ---- tests

/// Each test waits for the one before it in the same register, so two registers take turns, unless
/// another strip has the second one. The first in each is not restricted to lanes that are well.
Opmask StripCode::next_collector(Opmask& among) {
  const bool second = !shares_ && tests_ % 2 != 0;
  const Opmask collector = second ? Opmask(static_cast<int>(kSecondWell)) : well();
  among = tests_++ < (shares_ ? 1u : 2u) ? Opmask(0) : collector;
  return collector;
}

void StripCode::emit_require(const Node& node) {
  Opmask among;
  const Opmask lanes = mask_in(node.in[0]), well = next_collector(among);
  if (among.getIdx() == 0)
    code.kmovw(well, lanes);
  else
    code.kandw(well, well, lanes);
}

void StripCode::emit_ordered(Id a, Id b) {
  Node node;
  node.what = Do::kFCompare;
  node.variant = static_cast<std::uint8_t>(Predicate::kOrdered);
  node.in = {a, b, kNoValue};
  Opmask among;
  const Opmask well = next_collector(among);
  emit_compare(well, node, among);
}

void StripCode::require_equal(Zmm a, const Operand& b) {
  Opmask among;
  const Opmask well = next_collector(among);
  code.vpcmpd(among.getIdx() == 0 ? well : well | among, a, b, 0);
}

bool StripCode::finish_tests() {
  if (!shares_ && tests_ > 1) code.kandw(well(), well(), Opmask(static_cast<int>(kSecondWell)));
  return tests_ > 0;
}

// ---- results

/// A result in its register, or in the scratch register.
Zmm StripCode::stored_value(Id value) {
  const Node& node = graph_[value];
  if (places_[value][0] >= 0) return Zmm(places_[value][0]);
  const Zmm to(static_cast<int>(kScratch));
  if (spills_[value][0] >= 0) {
    code.vmovdqa32(to, spilled(value, 0));
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

void StripCode::store_results() {
  for (const Plan::Result& result : plan_.vectors) {
    const Node& node = graph_[result.value];
    const bool taken_apart =
        !is_leaf(node) && places_[result.value][0] < 0 && spills_[result.value][0] < 0;
    const auto to = code.ptr[code.rdx + vector_offset(result.name)];
    const Zmm from = stored_value(result.value);
    if (masked_)
      code.vmovdqa32(to | Opmask(static_cast<int>(kExec)), from);
    else
      code.vmovdqa32(to, from);
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
