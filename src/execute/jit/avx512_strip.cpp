#include "execute/jit/avx512_strip.hpp"

#include <array>
#include <utility>

#include "execute/jit/bitwise.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::Operand;

constexpr std::uint64_t kUpperHalf = 0xffffffff00000000, kLowerHalf = 0xffffffff;
/// A | (B & C): vpternlog's truth table.
constexpr std::uint8_t kOrMasked = 0xf8;
/// Predicates of vpcmpd and vpcmpud, and with operands exchanged.
constexpr std::uint8_t kIntegerPredicate[] = {0, 1, 2, 4, 5, 6, 7, 3};
constexpr std::uint8_t kExchangedInteger[] = {0, 6, 5, 4, 2, 1, 7, 3};

const Opmask kSecond(Avx512Strip::kSecondWell), kActiveLanes(Avx512Strip::kExec);

}  // namespace

void Avx512Strip::load_exec(Label* empty) {
  code.kmovw(kActiveLanes, code.ptr[code.rcx + mask_offset(isa::operand::kExec)]);
  if (empty == nullptr) return;
  code.kortestw(kActiveLanes, kActiveLanes);
  code.je(*empty, HostCode::T_NEAR);
}

Xbyak::Address Avx512Strip::leaf_memory(const Node& leaf) {
  const bool wide = leaf.kind == Kind::kDouble;
  switch (leaf.what) {
    case Do::kRegister: return code.ptr[code.rdx + vector_offset(static_cast<unsigned>(leaf.bits))];
    case Do::kRowSource: {
      const auto [offset, one] = row_source(leaf);
      return one ? code.ptr_b[code.rdx + offset] : code.ptr[code.rdx + offset];
    }
    case Do::kScalar: return code.ptr_b[code.rdi + static_cast<int>(leaf.bits)];
    default: return code.ptr_b[code.constant(wide ? leaf.bits : leaf.bits | leaf.bits << 32)];
  }
}

void Avx512Strip::load_leaf(Vector to, const Node& leaf) {
  const bool wide = leaf.kind == Kind::kDouble;
  switch (leaf.what) {
    case Do::kRegister:
      return code.vmovdqa32(to,
                            code.ptr[code.rdx + vector_offset(static_cast<unsigned>(leaf.bits))]);
    case Do::kRowSource: return load_row_source(to, leaf);
    case Do::kScalar: {
      const auto from = code.ptr[code.rdi + static_cast<int>(leaf.bits)];
      return wide ? code.vbroadcastsd(zmm(to), from) : code.vpbroadcastd(to, from);
    }
    default: break;
  }
  if (leaf.bits == 0) return code.vpxord(to, to, to);
  if (!wide && leaf.bits == 0xffffffffu) return code.vpternlogd(to, to, to, 0xff);
  const auto from = code.ptr[code.constant(wide ? leaf.bits : leaf.bits | leaf.bits << 32)];
  return wide ? code.vbroadcastsd(zmm(to), from) : code.vpbroadcastd(to, from);
}

Opmask Avx512Strip::take_mask(Id id) {
  for (unsigned i = 0; i < kMasks; ++i) {
    if (masks_[i].busy) continue;
    masks_[i] = Slot{id, 0, true, true, false};
    if (id != kNoValue) places_[id][0] = static_cast<std::int8_t>(i);
    return Opmask(static_cast<int>(i + 1));
  }
  for (unsigned i = 0; i < kMasks; ++i) {
    Slot& slot = masks_[i];
    if (slot.locked || slot.id == kNoValue || !is_leaf(graph_[slot.id])) continue;
    places_[slot.id][0] = -1;
    slot = Slot{id, 0, true, true, false};
    if (id != kNoValue) places_[id][0] = static_cast<std::int8_t>(i);
    return Opmask(static_cast<int>(i + 1));
  }
  failed_ = true;
  return Opmask(1);
}

Opmask Avx512Strip::mask_in(Id id) {
  if (const int place = places_[id][0]; place >= 0) {
    masks_[static_cast<unsigned>(place)].locked = true;
    return Opmask(place + 1);
  }
  const Node& node = graph_[id];
  if (node.what == Do::kActive && masked_) return kActiveLanes;
  const Opmask to = take_mask(id);
  switch (node.what) {
    case Do::kLaneMask:
      code.kmovw(to, code.ptr[code.rcx + mask_offset(static_cast<unsigned>(node.bits))]);
      break;
    case Do::kActive:
    case Do::kAll: code.kxnorw(to, to, to); break;
    case Do::kNone: code.kxorw(to, to, to); break;
    case Do::kConstant: code.kmovw(to, code.ptr[code.constant(node.bits)]); break;
    default: failed_ = true; break;  // never computed
  }
  return to;
}

void Avx512Strip::emit_shift_of_halves(Id id, const Node& node) { emit_plain(id, node); }

/// Words of both operands' even or odd lanes, by turns.
void Avx512Strip::emit_of_both(Vector to, const Node& node) {
  const bool even = node.what == Do::kEvenOfBoth;
  const Vector a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  if (even)
    code.vpsllq(to, b, 32);
  else
    code.vpsrlq(to, a, 32);
  const auto rest = code.ptr_b[code.constant(even ? kLowerHalf : kUpperHalf)];
  code.vpternlogq(to, even ? a : b, rest, kOrMasked);
}

/// The host writes over the first operand: best one that nobody asks for any more. The last one may
/// be in memory.
void Avx512Strip::emit_ternary(Id id, const Node& node) {
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
  const Vector to = result_over(id, in[0], 0);
  const Vector second = in_register(in[1], 0);
  code.vpternlogd(to, second, source(in[2], 0).get(), table);
}

void Avx512Strip::emit_add_where(Id id, const Node& node) {
  const Opmask where = mask_in(node.in[2]);
  const Vector to = result_over(id, node.in[0], 0);
  code.vpaddd(to | where, to, source(node.in[1], 0).get());
}

/// to = the comparison, in the lanes of `among` unless it is k0.
void Avx512Strip::compare(Opmask to, const Node& node, Opmask among) {
  const bool real = node.what == Do::kFCompare;
  const bool wide = graph_[node.in[0]].kind == Kind::kDouble;
  Id a = node.in[0], b = node.in[1];
  std::uint8_t predicate = (real ? kFloatPredicate : kIntegerPredicate)[node.variant];
  if (is_leaf(graph_[a]) && !is_leaf(graph_[b]) && places_[a][0] < 0) {
    std::swap(a, b);
    predicate = (real ? kExchangedFloat : kExchangedInteger)[node.variant];
  }
  const auto one = [&](Opmask mask, unsigned half) {
    const Vector first = in_register(a, half);
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

void Avx512Strip::emit_compare(Id id, const Node& node) {
  const Opmask to = take_mask(id);
  compare(to, node, Opmask(0));
}

void Avx512Strip::emit_mask(Id id, const Node& node) {
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
  const Vector lanes = temporary(), order = scratch();
  code.vpmovm2d(lanes, a);
  code.vmovdqa32(order, code.ptr[code.nibbles(node.bits)]);
  code.vpermd(zmm(lanes), zmm(order), lanes);
  code.vpmovd2m(to, lanes);
}

void Avx512Strip::emit_select(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  Opmask where = mask_in(node.in[2]);
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    if (half == 1) {
      const Opmask upper = mask_temporary();
      code.kshiftrw(upper, where, 8);
      where = upper;
    }
    const Vector otherwise = in_register(node.in[1], half);
    const Source chosen = source(node.in[0], half);
    release_all(node, half);
    const Vector to = take_for(id, half);
    if (wide)
      code.vpblendmq(to | where, otherwise, chosen.get());
    else
      code.vpblendmd(to | where, otherwise, chosen.get());
  }
}

/// Each test waits for the one before it in the same register, so two registers take turns, unless
/// another strip has the second one. The first in each is not restricted to lanes that are well.
Opmask Avx512Strip::next_collector(Opmask& among) {
  const bool second = !part_ && tests_ % 2 != 0;
  const Opmask collector = second ? kSecond : well();
  among = tests_++ < (part_ ? 1u : 2u) ? Opmask(0) : collector;
  return collector;
}

void Avx512Strip::emit_require(Id mask) {
  Opmask among;
  const Opmask lanes = mask_in(mask), well = next_collector(among);
  if (among.getIdx() == 0)
    code.kmovw(well, lanes);
  else
    code.kandw(well, well, lanes);
}

/// The comparison goes straight to the lanes that are well.
void Avx512Strip::emit_required(const Node& comparison) {
  Opmask among;
  const Opmask well = next_collector(among);
  compare(well, comparison, among);
}

void Avx512Strip::require_equal(Vector a, const Operand& b) {
  Opmask among;
  const Opmask well = next_collector(among);
  code.vpcmpd(among.getIdx() == 0 ? well : well | among, a, b, 0);
}

bool Avx512Strip::finish_tests(Label& exit) {
  if (tests_ == 0) return false;
  if (!part_ && tests_ > 1) code.kandw(well(), well(), kSecond);
  if (masked_) {
    code.kandnw(code.k0, well(), kActiveLanes);
    code.kortestw(code.k0, code.k0);
    code.jne(exit, HostCode::T_NEAR);
  } else {
    code.kortestw(well(), well());
    code.jnc(exit, HostCode::T_NEAR);
  }
  return true;
}

void Avx512Strip::store_active(const Xbyak::Address& to, Vector from) {
  code.vmovdqa32(to | kActiveLanes, from);
}

}  // namespace wavetank::execute::jit
