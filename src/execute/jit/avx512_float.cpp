// Floats and conversions of AVX-512.
#include <cstddef>

#include "execute/jit/avx512_strip.hpp"

namespace wavetank::execute::jit {
namespace {

constexpr std::uint32_t kOne = 0x3f800000;   // 1.0f
constexpr std::uint64_t kHalf = 0x3f000000;  // 0.5f
constexpr std::uint64_t kAllButMantissa = 0xff800000;
/// Tables of vfixupimm. A NaN, quieted, instead of anything.
constexpr std::uint64_t kNans = 2 | 2 << 4;
/// What takes an estimate's place of a zero and of infinities, which make it a NaN: of reciprocals
/// an infinity or zero of their sign, of roots the operand itself. The reciprocal of a NaN is one,
/// whatever a correction of its bits made of it.
constexpr std::uint64_t kReciprocals = kNans | 6 << 8 | 7 << 16 | 8 << 20;
constexpr std::uint64_t kRoots = 1 << 8 | 1 << 20;
constexpr std::uint8_t kUnordered = 3;

}  // namespace

/// vrange takes the sign of what it chooses.
void Avx512Strip::emit_choice(Vector to, const Node& node, Vector a, const Source& b) {
  constexpr std::uint8_t kSmaller = 4, kLarger = 5;
  const std::uint8_t choice = node.what == Do::kFMin ? kSmaller : kLarger;
  node.kind == Kind::kDouble ? code.vrangepd(to, a, b.get(), choice)
                             : code.vrangeps(to, a, b.get(), choice);
}

bool Avx512Strip::emit_estimate(Id id, const Node& node) {
  const bool divides = node.what == Do::kFDiv;
  const bool fits = divides ? graph_.is(node.in[0], kOne) : node.kind != Kind::kDouble;
  if (!fits || divider_is_free()) return false;
  divides ? emit_reciprocal(id, node) : emit_square_root(id, node);
  return true;
}

/// Quotients and roots go on in the host's divider beside other work, about 17 cycles for a
/// register (Intel's Xeons since Ice Lake). Those that come sooner after the last one are estimates
/// with corrections, 10 instructions of the others.
bool Avx512Strip::divider_is_free() {
  // Tried, not derived: what a host does beside a division depends on the code. The sequences of
  // bench_interpreter were quickest with this; with 100 or 200 bytes they were little slower.
  constexpr std::size_t kBytesMeanwhile = 144;
  // Of two strips node by node each has its own.
  const std::size_t meanwhile = part_ ? 2 * kBytesMeanwhile : kBytesMeanwhile;
  const std::size_t now = code.position();
  if (divided_at_ != 0 && now < divided_at_ + meanwhile) return false;
  divided_at_ = now;
  return true;
}

void Avx512Strip::fix_up(Vector estimate, Vector operand, std::uint64_t table) {
  code.vfixupimmps(estimate, operand, code.ptr_b[code.constant(table | table << 32)], 0);
}

/// The estimate of 14 bits, twice corrected by its error, is the quotient rounded to nearest (P. W.
/// Markstein, "Computation of elementary functions on the IBM RISC System/6000 processor", IBM J.
/// Res. Dev. 34, 1990; a test tries every mantissa). A division takes three times as long.
void Avx512Strip::emit_reciprocal(Id id, const Node& node) {
  const Vector a = in_register(node.in[1], 0), one = in_register(node.in[0], 0);
  const Vector y = take_for(id, 0), error = temporary();
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
  fix_up(y, a, kReciprocals);
}

/// The same of a root and of half its reciprocal, and the root's own error at last.
void Avx512Strip::emit_square_root(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0);
  const Vector root = take_for(id, 0), half = temporary(), error = temporary();
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
  fix_up(root, a, kRoots);
}

/// The product of two f16 is exact. Down and up are the same where the sum is, too, and otherwise
/// neighbours, one of which is odd. (The exact zero of two that cancel is -0 down and +0 up, and
/// has to be +0: even ones are taken from above.)
void Avx512Strip::emit_fma_to_odd(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  const Vector c = in_register(node.in[2], 0);
  const Vector down = take_for(id, 0), up = temporary();
  const Opmask even = mask_temporary();
  code.vmulps(down, a, b);
  code.vaddps(up, down, zmm(c) | Xbyak::util::T_ru_sae);
  code.vaddps(down, down, zmm(c) | Xbyak::util::T_rd_sae);
  code.vptestnmd(even, down, code.ptr_b[code.constant(std::uint64_t{1} << 32 | 1)]);
  code.vmovdqa32(down | even, up);
}

void Avx512Strip::emit_nan_of(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  const auto table = code.ptr_b[code.constant(wide ? kNans : kNans | kNans << 32)];
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Vector operand = in_register(node.in[0], half);
    const Vector to = result_over(id, node.in[1], half);
    wide ? code.vfixupimmpd(to, operand, table, 0) : code.vfixupimmps(to, operand, table, 0);
  }
}

void Avx512Strip::emit_unless_nan(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  const Opmask nans = mask_temporary();
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Vector to = result_over(id, node.in[0], half);
    const Source nan = source(node.in[1], half);
    wide ? code.vcmppd(nans, to, to, kUnordered) : code.vcmpps(nans, to, to, kUnordered);
    wide ? code.vpblendmq(to | nans, to, nan.get()) : code.vpblendmd(to | nans, to, nan.get());
  }
}

void Avx512Strip::emit_conversion(Id id, const Node& node) {
  if (node.what == Do::kFlush) {
    const Opmask small = mask_temporary();
    const Vector to = result_over(id, node.in[0], 0);
    code.vptestnmd(small, to, code.ptr_b[code.constant(kExponents)]);
    return code.vpandd(to | small, to, code.ptr_b[code.constant(kSigns)]);
  }
  if (node.what == Do::kFloatOfHalf) {
    const Vector a = in_register(node.in[0], 0);
    release_all(node, 0);
    const Vector to = take_for(id, 0);
    code.vpmovdw(ymm(to), a);
    return code.vcvtph2ps(to, ymm(to));
  }
  if (node.what == Do::kRoundToHalf) {
    const Vector a = in_register(node.in[0], 0);
    release_all(node, 0);
    const Vector to = take_for(id, 0);
    code.vcvtps2ph(ymm(to), a, 0);
    return code.vcvtph2ps(to, ymm(to));
  }
  if (node.what == Do::kHalfOfFloat) {
    const Vector a = in_register(node.in[0], 0);
    release_all(node, 0);
    const Vector to = take_for(id, 0);
    constexpr std::uint8_t kTruncates = 3;
    const bool to_zero = Rounding{node.variant} == Rounding::kTowardsZero;
    code.vcvtps2ph(ymm(to), a, to_zero ? kTruncates : 0);
    return code.vpmovzxwd(to, ymm(to));
  }
  const Source a = source(node.in[0], 0);
  release_all(node, 0);
  const Vector to = take_for(id, 0);
  switch (node.what) {
    case Do::kFloatOfInt: return code.vcvtdq2ps(to, a.get());
    case Do::kFloatOfUint: return code.vcvtudq2ps(to, a.get());
    case Do::kIntOfFloat: return code.vcvttps2dq(to, a.get());
    default: return code.vcvttps2udq(to, a.get());
  }
}

/// Halves as f32 and back.
void Avx512Strip::emit_halves(Id id, const Node& node) {
  if (node.what == Do::kNarrow) {
    const Vector lower = in_register(node.in[0], 0), upper = in_register(node.in[1], 0);
    const Vector to = take_for(id, 0);
    const Ymm rest = ymm(scratch());
    code.vcvtps2ph(ymm(to), lower, 0);
    code.vcvtps2ph(rest, upper, 0);
    return code.vinserti64x4(zmm(to), zmm(to), rest, 1);
  }
  const bool upper = node.what == Do::kWidenUpper;
  const Node& from = graph_[node.in[0]];
  if (from.what == Do::kRegister && places_[node.in[0]][0] < 0 && !pinned(from)) {
    constexpr int kHalfStrip = 32;
    const int offset = vector_offset(static_cast<unsigned>(from.bits)) + (upper ? kHalfStrip : 0);
    return code.vcvtph2ps(take_for(id, 0), code.ptr[code.rdx + offset]);
  }
  const Vector a = in_register(node.in[0], 0);
  release_all(node, 0);
  const Vector to = take_for(id, 0);
  if (!upper) return code.vcvtph2ps(to, ymm(a));
  code.vextracti64x4(ymm(to), zmm(a), 1);
  code.vcvtph2ps(to, ymm(to));
}

void Avx512Strip::emit_to_double(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0);
  const Vector upper = take_for(id, 1), lower = take_for(id, 0);
  code.vextracti64x4(ymm(upper), zmm(a), 1);
  if (node.what == Do::kDoubleOfInt) {
    code.vcvtdq2pd(upper, ymm(upper));
    code.vcvtdq2pd(lower, ymm(a));
  } else {
    code.vcvtps2pd(upper, ymm(upper));
    code.vcvtps2pd(lower, ymm(a));
  }
}

void Avx512Strip::emit_from_double(Id id, const Node& node) {
  const Vector lower = in_register(node.in[0], 0), upper = in_register(node.in[0], 1);
  const Vector to = take_for(id, 0), rest = temporary();
  if (node.what == Do::kIntOfDouble) {
    code.vcvttpd2dq(ymm(to), lower);
    code.vcvttpd2dq(ymm(rest), upper);
  } else {
    code.vcvtpd2ps(ymm(to), lower);
    code.vcvtpd2ps(ymm(rest), upper);
  }
  code.vinserti64x4(zmm(to), zmm(to), ymm(rest), 1);
}

/// Lanes 0 to 7 and 8 to 15 of two words, side by side.
void Avx512Strip::emit_join(Id id, const Node& node) {
  const Vector low = in_register(node.in[0], 0), high = in_register(node.in[1], 0);
  for (const unsigned half : {0u, 1u}) {
    const Vector to = take_for(id, half);
    code.vmovdqa32(to,
                   code.ptr[code.lanes(half == 0 ? LaneOrder::kJoinLower : LaneOrder::kJoinUpper)]);
    code.vpermi2d(to, low, high);
  }
}

void Avx512Strip::emit_part(Vector to, Id from, bool high) {
  const Vector lower = in_register(from, 0);
  const Source upper = source(from, 1);
  code.vmovdqa32(to, code.ptr[code.lanes(high ? LaneOrder::kOdd : LaneOrder::kEven)]);
  code.vpermi2d(to, lower, upper.get());
}

void Avx512Strip::emit_permute(Id id, const Node& node) {
  const Source a = source(node.in[0], 0);
  release_all(node, 0);
  const Vector to = take_for(id, 0);
  // One word for all lanes needs no order; registers and values that found none have one for each.
  const Node& from = graph_[node.in[0]];
  if (a.in_memory && is_leaf(from) && from.what != Do::kRegister) return load_leaf(to, from);
  const bool overlaps = !a.in_memory && a.reg.getIdx() == to.getIdx();
  const Vector order = overlaps ? scratch() : to;
  code.vmovdqa32(order, code.ptr[code.nibbles(node.bits)]);
  code.vpermd(zmm(to), zmm(order), a.get());
}

}  // namespace wavetank::execute::jit
