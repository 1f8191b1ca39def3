// Floats and conversions of a strip.
#include <algorithm>
#include <array>
#include <cstddef>

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::CodeGenerator, Xbyak::Operand, Xbyak::Xmm, Xbyak::Ymm;

constexpr std::uint32_t kOne = 0x3f800000;   // 1.0f
constexpr std::uint64_t kHalf = 0x3f000000;  // 0.5f
constexpr std::uint64_t kAllButMantissa = 0xff800000;

/// The lower eight words.
Ymm low_of(Zmm value) { return Ymm(value.getIdx()); }

}  // namespace

// ---- floats

/// Quotients and roots go on in the host's divider beside other work, about 17 cycles for a
/// register (Intel's Xeons since Ice Lake). Those that come sooner after the last one are estimates
/// with corrections, 10 instructions of the others.
bool StripCode::divider_is_free() {
  // Tried, not derived: what a host does beside a division depends on the code. The sequences of
  // bench_interpreter were quickest with this; with 100 or 200 bytes they were little slower.
  constexpr std::size_t kBytesMeanwhile = 144;
  // Of two strips node by node each has its own.
  const std::size_t meanwhile = shares_ ? 2 * kBytesMeanwhile : kBytesMeanwhile;
  const std::size_t now = code.position();
  if (divided_at_ != 0 && now < divided_at_ + meanwhile) return false;
  divided_at_ = now;
  return true;
}

bool StripCode::emit_arithmetic(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  if (node.what == Do::kFDiv && graph_.is(node.in[0], kOne) && !divider_is_free()) {
    emit_reciprocal(id, node);
    return true;
  }
  ThreeFree instruction = nullptr;
  switch (node.what) {
    case Do::kFAdd: instruction = wide ? &CodeGenerator::vaddpd : &CodeGenerator::vaddps; break;
    case Do::kFSub: instruction = wide ? &CodeGenerator::vsubpd : &CodeGenerator::vsubps; break;
    case Do::kFMul: instruction = wide ? &CodeGenerator::vmulpd : &CodeGenerator::vmulps; break;
    case Do::kFDiv: instruction = wide ? &CodeGenerator::vdivpd : &CodeGenerator::vdivps; break;
    case Do::kFMin:
    case Do::kFMax: break;
    default: return false;
  }
  constexpr std::uint8_t kSmaller = 4, kLarger = 5;  // vrange: the sign of what is chosen
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Zmm a = in_register(node.in[0], half);
    const Source b = source(node.in[1], half);
    release_all(node, half);
    const Zmm to = take_for(id, half);
    const std::uint8_t choice = node.what == Do::kFMin ? kSmaller : kLarger;
    if (instruction != nullptr) {
      (code.*instruction)(to, a, b.get());
    } else if (wide) {
      code.vrangepd(to, a, b.get(), choice);
    } else {
      code.vrangeps(to, a, b.get(), choice);
    }
  }
  return true;
}

/// The estimate of 14 bits, twice corrected by its error, is the quotient rounded to nearest (P. W.
/// Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", IBM J.
/// Res. Dev. 34, 1990; a test tries every mantissa). A division takes three times as long.
void StripCode::emit_reciprocal(Id id, const Node& node) {
  const Zmm a = in_register(node.in[1], 0), one = in_register(node.in[0], 0);
  const Zmm y = take_for(id, 0), error = temporary();
  code.vrcp14ps(y, a);
  for (unsigned step = 0; step < 2; ++step) {
    code.vmovdqa32(error, one);
    code.vfnmadd231ps(error, a, y);
    code.vfmadd231ps(y, y, error);
  }
  // Markstein's exception, whose quotient lies next to the middle of two numbers.
  const Opmask all_ones = mask_temporary();
  code.vpord(error, a, code.ptr_b[code.constant(kAllButMantissa | kAllButMantissa << 32)]);
  code.vpcmpeqd(all_ones, error, code.ptr_b[code.constant(~std::uint64_t{0})]);
  code.vpaddd(y | all_ones, y, code.ptr_b[code.constant(std::uint64_t{1} << 32 | 1)]);
}

/// The same of a root and of half its reciprocal, and the root's own error at last.
void StripCode::emit_square_root(Id id, const Node& node) {
  const Zmm a = in_register(node.in[0], 0);
  const Zmm root = take_for(id, 0), half = temporary(), error = temporary();
  const auto one_half = code.ptr_b[code.constant(kHalf | kHalf << 32)];
  code.vrsqrt14ps(half, a);
  code.vmulps(root, a, half);
  code.vmulps(half, half, one_half);
  code.vmovaps(error, half);
  code.vfnmadd213ps(error, root, one_half);
  code.vfmadd231ps(root, root, error);
  code.vfmadd231ps(half, half, error);
  code.vmovaps(error, root);
  code.vfnmadd213ps(error, root, a);
  code.vfmadd231ps(root, half, error);
}

/// The addend's register becomes the result's, or a factor's does.
void StripCode::emit_fma(Id id, const Node& node) {
  using Fused = void (CodeGenerator::*)(const Xmm&, const Xmm&, const Operand&);
  // By width, and by the node's variant.
  static constexpr Fused kAddendOver[2][4] = {
      {&CodeGenerator::vfmadd231ps, &CodeGenerator::vfnmadd231ps, &CodeGenerator::vfmsub231ps,
       &CodeGenerator::vfnmsub231ps},
      {&CodeGenerator::vfmadd231pd, &CodeGenerator::vfnmadd231pd, &CodeGenerator::vfmsub231pd,
       &CodeGenerator::vfnmsub231pd}};
  static constexpr Fused kFactorOver[2][4] = {
      {&CodeGenerator::vfmadd213ps, &CodeGenerator::vfnmadd213ps, &CodeGenerator::vfmsub213ps,
       &CodeGenerator::vfnmsub213ps},
      {&CodeGenerator::vfmadd213pd, &CodeGenerator::vfnmadd213pd, &CodeGenerator::vfmsub213pd,
       &CodeGenerator::vfnmsub213pd}};
  const unsigned wide = node.kind == Kind::kDouble ? 1 : 0;
  for (unsigned half = 0; half <= wide; ++half) {
    const auto [a, b, c] = node.in;
    const auto may_go = [&, operands = node.in](Id value) {
      return dies(value) && places_[value][half] >= 0 && !is_leaf(graph_[value]) &&
             std::count(operands.begin(), operands.end(), value) == 1;
    };
    // Which operand's register the result takes: one that nobody needs any more, if there is one.
    Id over = c;
    if (!may_go(c) && may_go(a)) over = a;
    if (!may_go(c) && !may_go(a) && may_go(b)) over = b;
    if (over == c) {
      const Zmm to = result_over(id, c, half), factor = in_register(a, half);
      (code.*kAddendOver[wide][node.variant])(to, factor, source(b, half).get());
    } else {
      const Id other = over == a ? b : a;
      const Zmm to = result_over(id, over, half), factor = in_register(other, half);
      (code.*kFactorOver[wide][node.variant])(to, factor, source(c, half).get());
    }
  }
}

/// The product of two f16 is exact. Down and up are the same where the sum is, too, and otherwise
/// neighbours, one of which is odd. (The exact zero of two that cancel is -0 down and +0 up, and
/// has to be +0: even ones are taken from above.)
void StripCode::emit_fma_to_odd(Id id, const Node& node) {
  const Zmm a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  const Zmm c = in_register(node.in[2], 0);
  const Zmm down = take_for(id, 0), up = temporary();
  const Opmask even = mask_temporary();
  code.vmulps(down, a, b);
  code.vaddps(up, down, c | Xbyak::util::T_ru_sae);
  code.vaddps(down, down, c | Xbyak::util::T_rd_sae);
  code.vptestnmd(even, down, code.ptr_b[code.constant(std::uint64_t{1} << 32 | 1)]);
  code.vmovdqa32(down | even, up);
}

void StripCode::emit_round(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  if (node.what == Do::kFSqrt && !wide && !divider_is_free()) return emit_square_root(id, node);
  constexpr std::uint8_t kNoException = 8;
  const auto mode = static_cast<std::uint8_t>(kNoException | node.variant);
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Source a = source(node.in[0], half);
    release_all(node, half);
    const Zmm to = take_for(id, half);
    if (node.what == Do::kFSqrt) {
      wide ? code.vsqrtpd(to, a.get()) : code.vsqrtps(to, a.get());
    } else {
      wide ? code.vrndscalepd(to, a.get(), mode) : code.vrndscaleps(to, a.get(), mode);
    }
  }
}

// ---- conversions

void StripCode::emit_conversion(Id id, const Node& node) {
  if (node.what == Do::kFloatOfHalf) {
    const Zmm a = in_register(node.in[0], 0);
    release_all(node, 0);
    const Zmm to = take_for(id, 0);
    code.vpmovdw(low_of(to), a);
    return code.vcvtph2ps(to, low_of(to));
  }
  if (node.what == Do::kRoundToHalf) {
    const Zmm a = in_register(node.in[0], 0);
    release_all(node, 0);
    const Zmm to = take_for(id, 0);
    code.vcvtps2ph(low_of(to), a, 0);
    return code.vcvtph2ps(to, low_of(to));
  }
  if (node.what == Do::kHalfOfFloat) {
    const Zmm a = in_register(node.in[0], 0);
    release_all(node, 0);
    const Zmm to = take_for(id, 0);
    constexpr std::uint8_t kTruncates = 3;
    const bool to_zero = Rounding{node.variant} == Rounding::kTowardsZero;
    code.vcvtps2ph(low_of(to), a, to_zero ? kTruncates : 0);
    return code.vpmovzxwd(to, low_of(to));
  }
  const Source a = source(node.in[0], 0);
  release_all(node, 0);
  const Zmm to = take_for(id, 0);
  switch (node.what) {
    case Do::kFloatOfInt: return code.vcvtdq2ps(to, a.get());
    case Do::kFloatOfUint: return code.vcvtudq2ps(to, a.get());
    case Do::kIntOfFloat: return code.vcvttps2dq(to, a.get());
    default: return code.vcvttps2udq(to, a.get());
  }
}

/// Halves as f32 and back.
void StripCode::emit_halves(Id id, const Node& node) {
  if (node.what == Do::kNarrow) {
    const Zmm lower = in_register(node.in[0], 0), upper = in_register(node.in[1], 0);
    const Zmm to = take_for(id, 0);
    const Ymm rest(static_cast<int>(kScratch));
    code.vcvtps2ph(low_of(to), lower, 0);
    code.vcvtps2ph(rest, upper, 0);
    return code.vinserti64x4(to, to, rest, 1);
  }
  const bool upper = node.what == Do::kWidenUpper;
  const Node& from = graph_[node.in[0]];
  if (from.what == Do::kRegister && places_[node.in[0]][0] < 0) {
    constexpr int kHalfStrip = 32;
    const int offset = vector_offset(static_cast<unsigned>(from.bits)) + (upper ? kHalfStrip : 0);
    return code.vcvtph2ps(take_for(id, 0), code.ptr[code.rdx + offset]);
  }
  const Zmm a = in_register(node.in[0], 0);
  release_all(node, 0);
  const Zmm to = take_for(id, 0);
  if (!upper) return code.vcvtph2ps(to, low_of(a));
  code.vextracti64x4(low_of(to), a, 1);
  code.vcvtph2ps(to, low_of(to));
}

void StripCode::emit_to_double(Id id, const Node& node) {
  const Zmm a = in_register(node.in[0], 0);
  const Zmm upper = take_for(id, 1), lower = take_for(id, 0);
  code.vextracti64x4(low_of(upper), a, 1);
  if (node.what == Do::kDoubleOfInt) {
    code.vcvtdq2pd(upper, low_of(upper));
    code.vcvtdq2pd(lower, low_of(a));
  } else {
    code.vcvtps2pd(upper, low_of(upper));
    code.vcvtps2pd(lower, low_of(a));
  }
}

void StripCode::emit_from_double(Id id, const Node& node) {
  const Zmm lower = in_register(node.in[0], 0), upper = in_register(node.in[0], 1);
  const Zmm to = take_for(id, 0), rest = temporary();
  if (node.what == Do::kIntOfDouble) {
    code.vcvttpd2dq(low_of(to), lower);
    code.vcvttpd2dq(low_of(rest), upper);
  } else {
    code.vcvtpd2ps(low_of(to), lower);
    code.vcvtpd2ps(low_of(rest), upper);
  }
  code.vinserti64x4(to, to, low_of(rest), 1);
}

/// Lanes 0 to 7 and 8 to 15 of two words, side by side.
void StripCode::emit_join(Id id, const Node& node) {
  const Zmm low = in_register(node.in[0], 0), high = in_register(node.in[1], 0);
  for (const unsigned half : {0u, 1u}) {
    const Zmm to = take_for(id, half);
    code.vmovdqa32(to,
                   code.ptr[code.lanes(half == 0 ? LaneOrder::kJoinLower : LaneOrder::kJoinUpper)]);
    code.vpermi2d(to, low, high);
  }
}
void StripCode::emit_part(Zmm to, Id from, bool high) {
  const Zmm lower = in_register(from, 0);
  const Source upper = source(from, 1);
  code.vmovdqa32(to, code.ptr[code.lanes(high ? LaneOrder::kOdd : LaneOrder::kEven)]);
  code.vpermi2d(to, lower, upper.get());
}

void StripCode::emit_permute(Id id, const Node& node) {
  const Source a = source(node.in[0], 0);
  release_all(node, 0);
  const Zmm to = take_for(id, 0);
  const bool overlaps = !a.in_memory && a.reg.getIdx() == to.getIdx();
  const Zmm order = overlaps ? Zmm(static_cast<int>(kScratch)) : to;
  code.vmovdqa32(order, code.ptr[code.nibbles(node.bits)]);
  // One word for all lanes needs no order.
  if (graph_[node.in[0]].what == Do::kRegister || !a.in_memory) {
    code.vpermd(to, order, a.get());
  } else {
    code.vpbroadcastd(to, code.ptr[a.memory.getRegExp()]);
  }
}

}  // namespace wavetank::execute::jit
