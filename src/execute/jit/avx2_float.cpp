// Floats and conversions of AVX2.
#include "execute/jit/avx2_strip.hpp"

namespace wavetank::execute::jit {
namespace {

using Xbyak::CodeGenerator, Xbyak::Xmm, Xbyak::Ymm;

constexpr std::uint64_t kOnes = std::uint64_t{1} << 32 | 1;
constexpr std::uint64_t kQuiet = 0x0040000000400000, kWideQuiet = 0x0008000000000000;
constexpr std::uint8_t kUnordered = 3;
/// Exchanges the middle two of four pairs of words: a word's lanes become those of a double's two
/// registers, and back.
constexpr std::uint8_t kOrderOfDoubles = 0xd8;

Xmm low_of(Vector value) { return Xmm(value.getIdx()); }
Ymm full(Vector value) { return Ymm(value.getIdx()); }

}  // namespace

/// Both are the same but for zeros, of which the host gives the second: signs decide.
void Avx2Strip::emit_choice(Vector to, const Node& node, Vector a, const Source& b) {
  const bool least = node.what == Do::kFMin, wide = node.kind == Kind::kDouble;
  const auto choose = [&](Vector result, Vector first, const Xbyak::Operand& second) {
    if (wide)
      return least ? code.vminpd(result, first, second) : code.vmaxpd(result, first, second);
    least ? code.vminps(result, first, second) : code.vmaxps(result, first, second);
  };
  if (b.in_memory) move(scratch(), b.memory);
  choose(scratch(), b.in_memory ? scratch() : b.reg, a);
  choose(to, a, b.get());
  least ? code.vpor(to, to, scratch()) : code.vpand(to, to, scratch());
}

/// The product of two f16 is exact, and so is the error of the sum (D. E. Knuth, "The Art of
/// Computer Programming" 2, 4.2.2), which says where the odd neighbour of an even sum lies.
void Avx2Strip::emit_fma_to_odd(Id id, const Node& node) {
  constexpr std::uint8_t kDiffers = 0x0c;
  const Vector a = in_register(node.in[0], 0), b = in_register(node.in[1], 0);
  const Vector c = in_register(node.in[2], 0);
  const Vector sum = take_for(id, 0), error = temporary(), part = temporary(), step = scratch();
  code.vmulps(error, a, b);
  code.vaddps(sum, error, c);
  code.vsubps(part, sum, error);
  code.vsubps(step, sum, part);
  code.vsubps(error, error, step);
  code.vsubps(part, c, part);
  code.vaddps(error, error, part);
  // -1 where the error has the other sign, or 1.
  code.vpxor(step, error, sum);
  code.vpsrad(step, step, 31);
  code.vpor(step, step, code.ptr[code.whole(kOnes)]);
  code.vpxor(part, part, part);
  code.vcmpps(error, error, part, kDiffers);
  code.vpand(step, step, error);
  code.vpslld(part, sum, 31);
  code.vpsrad(part, part, 31);
  code.vpandn(step, part, step);
  code.vpaddd(sum, sum, step);
}

void Avx2Strip::find_nans(Vector to, Vector floats, bool wide) {
  wide ? code.vcmppd(to, floats, floats, kUnordered) : code.vcmpps(to, floats, floats, kUnordered);
}
void Avx2Strip::emit_nan_of(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  const Vector quieted = temporary();
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Vector operand = in_register(node.in[0], half);
    const Vector otherwise = in_register(node.in[1], half);
    find_nans(scratch(), operand, wide);
    code.vpor(quieted, operand, code.ptr[code.whole(wide ? kWideQuiet : kQuiet)]);
    release_all(node, half);
    code.vblendvps(take_for(id, half), otherwise, quieted, scratch());
  }
}
void Avx2Strip::emit_unless_nan(Id id, const Node& node) {
  const bool wide = node.kind == Kind::kDouble;
  for (unsigned half = 0; half < (wide ? 2u : 1u); ++half) {
    const Vector value = in_register(node.in[0], half);
    const Source nan = source(node.in[1], half);
    find_nans(scratch(), value, wide);
    release_all(node, half);
    code.vblendvps(take_for(id, half), value, nan.get(), scratch());
  }
}

// ---- conversions

/// The sign of an exponent's field less one says whether it was zero.
void Avx2Strip::emit_flush(Vector to, Vector a) {
  const Vector sign = temporary();
  code.vpand(scratch(), a, code.ptr[code.whole(kExponents)]);
  code.vpaddd(scratch(), scratch(), code.ptr[code.whole(~std::uint64_t{0})]);
  code.vpand(sign, a, code.ptr[code.whole(kSigns)]);
  code.vblendvps(to, a, sign, scratch());
}

void Avx2Strip::emit_conversion(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0);
  const Vector to = take_for(id, 0);
  switch (node.what) {
    case Do::kFloatOfInt: return code.vcvtdq2ps(to, a);
    case Do::kFloatOfUint: return float_of_uint(to, a);
    case Do::kIntOfFloat: return code.vcvttps2dq(to, a);
    case Do::kUintOfFloat: return uint_of_float(to, a);
    case Do::kFlush: return emit_flush(to, a);
    case Do::kFloatOfHalf: pack_low_halves(to, a); return code.vcvtph2ps(to, low_of(to));
    case Do::kRoundToHalf:
      code.vcvtps2ph(low_of(to), full(a), 0);
      return code.vcvtph2ps(to, low_of(to));
    default: break;
  }
  constexpr std::uint8_t kTruncates = 3;
  const bool to_zero = Rounding{node.variant} == Rounding::kTowardsZero;
  code.vcvtps2ph(low_of(to), full(a), to_zero ? kTruncates : 0);
  code.vpmovzxwd(to, low_of(to));
}

/// The lower halves of eight words side by side.
void Avx2Strip::pack_low_halves(Vector to, Vector words) {
  constexpr std::uint64_t kBytes = 0x0d0c090805040100;
  constexpr std::uint8_t kFirstAndThird = 0x08;
  code.vpshufb(to, words, code.ptr[code.whole(kBytes)]);
  code.vpermq(full(to), full(to), kFirstAndThird);
}

/// Both halves are exact; their sum is rounded once.
void Avx2Strip::float_of_uint(Vector to, Vector a) {
  constexpr std::uint64_t k65536 = 0x4780000047800000;
  constexpr std::uint8_t kUpperHalves = 0xaa;
  code.vpxor(scratch(), scratch(), scratch());
  code.vpblendw(full(scratch()), full(a), full(scratch()), kUpperHalves);
  code.vpsrld(to, a, 16);
  code.vcvtdq2ps(scratch(), scratch());
  code.vcvtdq2ps(to, to);
  code.vfmadd132ps(to, scratch(), code.ptr[code.whole(k65536)]);
}

/// From 2^31 on the host gives the sign bit alone; what is above it is added. From 2^32 on all
/// bits.
void Avx2Strip::uint_of_float(Vector to, Vector a) {
  constexpr std::uint64_t k2To31 = 0x4f0000004f000000, k2To32 = 0x4f8000004f800000;
  constexpr std::uint8_t kNotLess = 0x1d;
  const Vector above = temporary();
  code.vcvttps2dq(to, a);
  code.vsubps(above, a, code.ptr[code.whole(k2To31)]);
  code.vcvttps2dq(above, above);
  code.vpsrad(scratch(), to, 31);
  code.vpand(above, above, scratch());
  code.vpor(to, to, above);
  code.vcmpps(above, a, code.ptr[code.whole(k2To32)], kNotLess);
  code.vpor(to, to, above);
}

/// Halves as f32 and back.
void Avx2Strip::emit_halves(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0);
  if (node.what == Do::kNarrow) {
    const Vector upper = in_register(node.in[1], 0), to = take_for(id, 0);
    code.vcvtps2ph(low_of(to), full(a), 0);
    code.vcvtps2ph(low_of(scratch()), full(upper), 0);
    return code.vinserti128(full(to), full(to), low_of(scratch()), 1);
  }
  const Vector to = take_for(id, 0);
  if (node.what == Do::kWidenLower) return code.vcvtph2ps(to, low_of(a));
  code.vextracti128(low_of(to), full(a), 1);
  code.vcvtph2ps(to, low_of(to));
}

void Avx2Strip::emit_to_double(Id id, const Node& node) {
  const Vector a = in_register(node.in[0], 0);
  const Vector upper = take_for(id, 1), lower = take_for(id, 0);
  const auto convert = [&](Vector to) {
    node.what == Do::kDoubleOfInt ? code.vcvtdq2pd(to, low_of(scratch()))
                                  : code.vcvtps2pd(to, low_of(scratch()));
  };
  code.vpermq(full(scratch()), full(a), kOrderOfDoubles);
  convert(lower);
  code.vextracti128(low_of(scratch()), full(scratch()), 1);
  convert(upper);
}

void Avx2Strip::emit_from_double(Id id, const Node& node) {
  const Vector lower = in_register(node.in[0], 0), upper = in_register(node.in[0], 1);
  const Vector to = take_for(id, 0);
  if (node.what == Do::kIntOfDouble) {
    code.vcvttpd2dq(low_of(to), full(lower));
    code.vcvttpd2dq(low_of(scratch()), full(upper));
  } else {
    code.vcvtpd2ps(low_of(to), full(lower));
    code.vcvtpd2ps(low_of(scratch()), full(upper));
  }
  code.vinserti128(full(to), full(to), low_of(scratch()), 1);
  code.vpermq(full(to), full(to), kOrderOfDoubles);
}

void Avx2Strip::emit_join(Id id, const Node& node) {
  const Vector low = in_register(node.in[0], 0), high = in_register(node.in[1], 0);
  code.vpunpckldq(take_for(id, 0), low, high);
  code.vpunpckhdq(take_for(id, 1), low, high);
}

void Avx2Strip::emit_part(Vector to, Id from, bool high) {
  constexpr std::uint8_t kEvenWords = 0x88, kOddWords = 0xdd;
  const Vector lower = in_register(from, 0);
  code.vshufps(to, lower, source(from, 1).get(), high ? kOddWords : kEvenWords);
}

}  // namespace wavetank::execute::jit
