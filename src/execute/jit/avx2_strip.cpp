#include "execute/jit/avx2_strip.hpp"

#include <utility>

#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::CodeGenerator;

/// Lower words of the doubles in two registers, in the order of lanes.
constexpr std::uint8_t kLowWords = 0x88;

/// The same 32 bits twice.
std::uint64_t twice(std::uint64_t word) { return word | word << 32; }

/// Do both halves of a row of 16 take their own lanes, and the same ones?
bool stays_in_strips(std::uint64_t order) {
  constexpr std::uint64_t kEights = 0x88888888;
  const std::uint64_t lower = order & 0xffffffff, upper = order >> 32;
  return (lower & kEights) == 0 && upper == (lower | kEights);
}

}  // namespace

// ---- leaves and results

void Avx2Strip::load_exec(Label* empty) {
  const int place = mask_offset(isa::operand::kExec);
  if (empty != nullptr) {
    code.cmp(code.byte[code.rcx + place], 0);
    code.je(*empty, HostCode::T_NEAR);
  }
  Slot& slot = slots_[kInactive];
  slot.busy = slot.fixed = true;
  load_bits(inactive(), code.ptr[code.rcx + place]);
  emit_not(inactive());
}

/// Eight bits as a mask.
void Avx2Strip::load_bits(Vector to, const Xbyak::Address& from) {
  const auto bits = code.ptr[code.lanes(LaneOrder::kBits)];
  code.vpbroadcastb(to, from);
  code.vpand(to, to, bits);
  code.vpcmpeqd(to, to, bits);
}

bool Avx2Strip::lies_in_memory(const Node& leaf) const {
  return leaf.what == Do::kRegister || (leaf.what == Do::kConstant && leaf.kind != Kind::kMask);
}

Xbyak::Address Avx2Strip::leaf_memory(const Node& leaf) {
  if (leaf.what == Do::kRegister) {
    return code.ptr[code.rdx + vector_offset(static_cast<unsigned>(leaf.bits))];
  }
  return code.ptr[code.whole(leaf.kind == Kind::kDouble ? leaf.bits : twice(leaf.bits))];
}

void Avx2Strip::load_leaf(Vector to, const Node& leaf) {
  const bool wide = leaf.kind == Kind::kDouble;
  if (leaf.kind == Kind::kMask) return load_mask(to, leaf);
  if (leaf.what == Do::kRowSource) return load_row_source(to, leaf);
  if (leaf.what == Do::kScalar) {
    const auto from = code.ptr[code.rdi + static_cast<int>(leaf.bits)];
    return wide ? code.vbroadcastsd(Xbyak::Ymm(to.getIdx()), from) : code.vpbroadcastd(to, from);
  }
  if (leaf.what == Do::kConstant && leaf.bits == 0) return code.vpxor(to, to, to);
  if (leaf.what == Do::kConstant && !wide && leaf.bits == 0xffffffffu) return emit_ones(to);
  move(to, leaf_memory(leaf));
}

void Avx2Strip::load_mask(Vector to, const Node& leaf) {
  switch (leaf.what) {
    case Do::kLaneMask:
      return load_bits(to, code.ptr[code.rcx + mask_offset(static_cast<unsigned>(leaf.bits))]);
    case Do::kActive:
      emit_ones(to);
      if (masked_) code.vpxor(to, to, inactive());
      return;
    case Do::kAll: return emit_ones(to);
    case Do::kNone: return code.vpxor(to, to, to);
    default: break;
  }
  // Lanes of a row of 16: strips of both halves have the same code.
  const std::uint64_t lower = leaf.bits & 0xff;
  if (leaf.what != Do::kConstant || (leaf.bits >> 8 & 0xff) != lower) failed_ = true;
  const auto bits = code.ptr[code.lanes(LaneOrder::kBits)];
  move(to, bits);
  code.vpand(to, to, code.ptr[code.whole(twice(lower))]);
  code.vpcmpeqd(to, to, bits);
}

void Avx2Strip::store_active(const Xbyak::Address& to, Vector from) {
  code.vblendvps(scratch(), from, to, inactive());
  code.vmovdqa(to, scratch());
}

// ---- integers

void Avx2Strip::emit_shift_of_halves(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0), by = in_register(node.in[1], 0);
  const Vector to = take_for(id, 0), amount = temporary();
  const auto shift = plain_instruction(node.what, false);
  const auto upper = code.ptr[code.whole(twice(0xffff0000))];
  code.vpslld(amount, by, 16);
  code.vpsrld(amount, amount, 16);
  // The lower half: beside zeros, or above them if its sign counts.
  if (node.what == Do::kShr) {
    code.vpslld(to, a, 16);
    code.vpsrld(to, to, 16);
    (code.*shift)(to, to, amount);
  } else if (node.what == Do::kShl) {
    (code.*shift)(to, a, amount);
    code.vpslld(to, to, 16);
    code.vpsrld(to, to, 16);
  } else {
    code.vpslld(to, a, 16);
    (code.*shift)(to, to, amount);
    code.vpsrld(to, to, 16);
  }
  code.vpsrld(amount, by, 16);
  code.vpand(scratch(), a, upper);
  (code.*shift)(scratch(), scratch(), amount);
  code.vpand(scratch(), scratch(), upper);
  code.vpor(to, to, scratch());
}

/// Words of both operands' even or odd lanes, by turns.
void Avx2Strip::emit_of_both(Vector to, const Node& node) {
  constexpr std::uint8_t kEven = 0x55, kOdd = 0xaa;
  const Vector a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  if (node.what == Do::kEvenOfBoth) {
    code.vpsllq(to, b, 32);
    code.vpblendd(to, to, a, kEven);
  } else {
    code.vpsrlq(to, a, 32);
    code.vpblendd(to, to, b, kOdd);
  }
}

/// A mask is -1.
void Avx2Strip::emit_add_where(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0), where = in_register(node.in[2], 0);
  if (graph_.is(node.in[1], 1)) {
    release_all(node, 0);
    return code.vpsubd(take_for(id, 0), a, where);
  }
  code.vpand(scratch(), where, source(node.in[1], 0).get());
  release_all(node, 0);
  code.vpaddd(take_for(id, 0), a, scratch());
}

void Avx2Strip::emit_permute(Id id, const Node& node) {
  if (!stays_in_strips(node.bits)) {
    failed_ = true;  // the other half of a row is another strip's
    return;
  }
  const Source a = source(node.in[0], 0);
  release_all(node, 0);
  code.vmovdqa(scratch(), code.ptr[code.nibbles(node.bits)]);
  const Vector to = take_for(id, 0);
  code.vpermd(Xbyak::Ymm(to.getIdx()), Xbyak::Ymm(scratch().getIdx()), a.get());
}

// ---- masks

void Avx2Strip::emit_not(Vector mask) {
  emit_ones(scratch());
  code.vpxor(mask, mask, scratch());
}

void Avx2Strip::compare(Vector to, const Node& node) {
  if (node.what == Do::kFCompare) return compare_floats(to, node);
  const bool any_sign = node.what == Do::kCompareU;
  const auto predicate = Predicate{node.variant};
  if (!any_sign && predicate == Predicate::kLess) {
    const Vector b = in_register(node.in[1], 0);
    return code.vpcmpgtd(to, b, source(node.in[0], 0).get());
  }
  const Vector a = in_register(node.in[0], 0);
  const Source b = source(node.in[1], 0);
  const auto equals_a = [&](VectorUnit::Three choice) {
    (code.*choice)(to, a, b.get());
    code.vpcmpeqd(to, to, a);
  };
  const auto least = any_sign ? &CodeGenerator::vpminud : &CodeGenerator::vpminsd;
  const auto most = any_sign ? &CodeGenerator::vpmaxud : &CodeGenerator::vpmaxsd;
  switch (predicate) {
    case Predicate::kEqual: return code.vpcmpeqd(to, a, b.get());
    case Predicate::kNotEqual: code.vpcmpeqd(to, a, b.get()); break;
    case Predicate::kAtMost: return equals_a(least);
    case Predicate::kNotLess: return equals_a(most);
    case Predicate::kLess: equals_a(most); break;
    default:
      if (!any_sign) return code.vpcmpgtd(to, a, b.get());
      equals_a(least);
      break;
  }
  emit_not(to);
}

void Avx2Strip::compare_floats(Vector to, const Node& node) {
  Id a = node.in[0], b = node.in[1];
  std::uint8_t predicate = kFloatPredicate[node.variant];
  if (is_leaf(graph_[a]) && !is_leaf(graph_[b]) && places_[a][0] < 0) {
    std::swap(a, b);
    predicate = kExchangedFloat[node.variant];
  }
  if (graph_[a].kind != Kind::kDouble) {
    const Vector first = in_register(a, 0);
    return code.vcmpps(to, first, source(b, 0).get(), predicate);
  }
  const Vector upper = temporary();
  for (const unsigned half : {0u, 1u}) {
    const Vector first = in_register(a, half);
    code.vcmppd(half == 0 ? to : upper, first, source(b, half).get(), predicate);
  }
  code.vshufps(to, to, upper, kLowWords);
}

void Avx2Strip::emit_mask(Id id, const Node& node) {
  if (node.what == Do::kPermuteMask) return emit_permute(id, node);
  if (node.what == Do::kMaskAnd && (is_active(node.in[0]) || is_active(node.in[1]))) {
    const Vector other = in_register(node.in[is_active(node.in[0]) ? 1 : 0], 0);
    release_all(node, 0);
    return code.vpandn(take_for(id, 0), inactive(), other);
  }
  const Vector a = in_register(node.in[0], 0);
  const Vector b = node.in[1] == kNoValue ? a : in_register(node.in[1], 0);
  release_all(node, 0);
  const Vector to = take_for(id, 0);
  switch (node.what) {
    case Do::kMaskAnd: return code.vpand(to, a, b);
    case Do::kMaskOr: return code.vpor(to, a, b);
    case Do::kMaskXor: return code.vpxor(to, a, b);
    default: break;
  }
  emit_ones(scratch());
  code.vpxor(to, a, scratch());
}

void Avx2Strip::emit_select(Id id, const Node& node) {
  if (node.kind == Kind::kDouble) return select_doubles(id, node);
  const auto [chosen, otherwise, mask] = node.in;
  const Vector where = in_register(mask, 0);
  if (graph_.is(chosen, 0) || graph_.is(otherwise, 0)) {
    const bool picks = graph_.is(otherwise, 0);
    const Source value = source(picks ? chosen : otherwise, 0);
    release_all(node, 0);
    const Vector to = take_for(id, 0);
    return picks ? code.vpand(to, where, value.get()) : code.vpandn(to, where, value.get());
  }
  const Vector other = in_register(otherwise, 0);
  const Source value = source(chosen, 0);
  release_all(node, 0);
  code.vblendvps(take_for(id, 0), other, value.get(), where);
}

void Avx2Strip::select_doubles(Id id, const Node& node) {
  const Vector where = in_register(node.in[2], 0);
  for (const unsigned half : {0u, 1u}) {
    const Vector otherwise = in_register(node.in[1], half);
    const Source chosen = source(node.in[0], half);
    half == 0 ? code.vpunpckldq(scratch(), where, where) : code.vpunpckhdq(scratch(), where, where);
    code.vblendvpd(take_for(id, half), otherwise, chosen.get(), scratch());
  }
}

// ---- tests

Vector Avx2Strip::start_collecting() {
  const unsigned number = take();
  slots_[number].busy = slots_[number].fixed = true;
  well_ = reg(number);
  return *well_;
}

void Avx2Strip::emit_require(Id mask) {
  const Vector lanes = in_register(mask, 0);
  if (well_) return code.vpand(*well_, *well_, lanes);
  move(start_collecting(), lanes);
}

void Avx2Strip::emit_required(const Node& comparison) {
  if (!well_) return compare(start_collecting(), comparison);
  const Vector lanes = temporary();
  compare(lanes, comparison);
  code.vpand(*well_, *well_, lanes);
}

bool Avx2Strip::finish_tests(Label& exit) {
  if (!well_) return false;
  if (masked_) code.vpor(*well_, *well_, inactive());
  code.vmovmskps(code.eax, *well_);
  code.cmp(code.eax, kAllLanes);
  code.jne(exit, HostCode::T_NEAR);
  return true;
}

}  // namespace wavetank::execute::jit
