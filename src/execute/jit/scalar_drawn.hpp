// The domain in which bodies of scalar rows are drawn: numbers of 32 and 64 bits that a wave has
// once, and the wave whose SCC and EXEC they read and write.
#pragma once

#include <cstddef>
#include <type_traits>

#include "execute/jit/graph.hpp"
#include "isa/lane_functions.hpp"
#include "isa/operand_code.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute::jit {

/// What one scalar instruction computes: its result, what SCC and EXEC become, the condition under
/// which it jumps, and what one lane of a vector register becomes; kNoValue where it leaves them
/// alone.
struct ScalarSketch {
  Graph graph;
  Id result = kNoValue, scc = kNoValue, exec = kNoValue, jumps = kNoValue;
  Id lane = kNoValue, lane_value = kNoValue;
  bool declined = false;  ///< a body asked for what cannot be drawn
  void clear() {
    graph.clear();
    result = scc = exec = jumps = lane = lane_value = kNoValue;
    declined = false;
  }
};
/// What bodies on this thread draw into.
inline thread_local ScalarSketch* scalar_pen = nullptr;
inline Graph& scalar_graph() { return scalar_pen->graph; }

/// A condition.
struct DrawnBit {
  Id id = 0;
  friend DrawnBit operator!(DrawnBit a) { return {scalar_graph().mask_of(Do::kMaskNot, a.id)}; }
};

/// A number of bits and signedness of T: U32, I32, U64 or I64.
template <class T>
struct DrawnScalar {
  using Type = T;
  static constexpr bool kLong = sizeof(typename T::Bits) == 8;
  static constexpr bool kSigned = std::is_signed_v<isa::Scalar<T>>;
  static constexpr Kind kKind = kLong ? Kind::kLong : Kind::kWord;
  Id id = 0;

  DrawnScalar() = default;
  explicit DrawnScalar(Id node) : id(node) {}
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, Id>)
  DrawnScalar(I value)  // NOLINT: b & 31
      : id(scalar_graph().leaf(
            Do::kConstant, kKind,
            static_cast<std::uint64_t>(value) & (kLong ? ~0ull : 0xffffffffull))) {}
  friend DrawnScalar operator~(DrawnScalar a) {
    return DrawnScalar(scalar_graph().make(Do::kXor, kKind, a.id, DrawnScalar(-1).id));
  }
};

template <class V>
inline constexpr bool kIsDrawnScalar = false;
template <class T>
inline constexpr bool kIsDrawnScalar<DrawnScalar<T>> = true;

/// The same number with as many bits as another type has, extended by its own signedness.
template <class To, class From>
DrawnScalar<To> extended(DrawnScalar<From> a) {
  if constexpr (DrawnScalar<To>::kLong == DrawnScalar<From>::kLong) {
    return DrawnScalar<To>(a.id);
  } else {
    constexpr Do what = DrawnScalar<From>::kSigned ? Do::kSignExtend : Do::kZeroExtend;
    return DrawnScalar<To>(scalar_graph().make(what, Kind::kLong, a.id));
  }
}

/// The type of an operation on two numbers, as of C++'s integers; plain integers take the other's.
template <class A, class B>
struct Common {
  using Type = std::conditional_t<(DrawnScalar<B>::kLong && !DrawnScalar<A>::kLong), B, A>;
};
template <class A, class B>
using CommonOf = typename Common<A, B>::Type;

template <class A, class B>
auto drawn_binary(Do what, DrawnScalar<A> a, DrawnScalar<B> b) {
  using T = CommonOf<A, B>;
  return DrawnScalar<T>(
      scalar_graph().make(what, DrawnScalar<T>::kKind, extended<T>(a).id, extended<T>(b).id));
}
template <class A, class B>
DrawnBit drawn_compare(Predicate predicate, DrawnScalar<A> a, DrawnScalar<B> b) {
  using T = CommonOf<A, B>;
  const Do what = DrawnScalar<T>::kSigned ? Do::kCompare : Do::kCompareU;
  return {scalar_graph().compare(what, predicate, extended<T>(a).id, extended<T>(b).id)};
}

#define WAVETANK_DRAWN_BINARY(op, what)                  \
  template <class A, class B>                            \
  auto operator op(DrawnScalar<A> a, DrawnScalar<B> b) { \
    return drawn_binary(what, a, b);                     \
  }                                                      \
  template <class A, class I>                            \
    requires std::is_integral_v<I>                       \
  auto operator op(DrawnScalar<A> a, I b) {              \
    return drawn_binary(what, a, DrawnScalar<A>(b));     \
  }
WAVETANK_DRAWN_BINARY(+, Do::kAdd)
WAVETANK_DRAWN_BINARY(-, Do::kSub)
WAVETANK_DRAWN_BINARY(*, Do::kMul)
WAVETANK_DRAWN_BINARY(&, Do::kAnd)
WAVETANK_DRAWN_BINARY(|, Do::kOr)
WAVETANK_DRAWN_BINARY(^, Do::kXor)
#undef WAVETANK_DRAWN_BINARY

#define WAVETANK_DRAWN_COMPARE(op, predicate, first, second) \
  template <class A, class B>                                \
  DrawnBit operator op(DrawnScalar<A> a, DrawnScalar<B> b) { \
    return drawn_compare(predicate, first, second);          \
  }                                                          \
  template <class A, class I>                                \
    requires std::is_integral_v<I>                           \
  DrawnBit operator op(DrawnScalar<A> a, I constant) {       \
    const DrawnScalar<A> b(constant);                        \
    return drawn_compare(predicate, first, second);          \
  }
WAVETANK_DRAWN_COMPARE(==, Predicate::kEqual, a, b)
WAVETANK_DRAWN_COMPARE(!=, Predicate::kNotEqual, a, b)
WAVETANK_DRAWN_COMPARE(<, Predicate::kLess, a, b)
WAVETANK_DRAWN_COMPARE(<=, Predicate::kAtMost, a, b)
WAVETANK_DRAWN_COMPARE(>, Predicate::kLess, b, a)
WAVETANK_DRAWN_COMPARE(>=, Predicate::kAtMost, b, a)
#undef WAVETANK_DRAWN_COMPARE

/// Shifts keep the type of what is shifted.
template <class A>
DrawnScalar<A> drawn_shift(Do what, DrawnScalar<A> a, Id amount) {
  return DrawnScalar<A>(scalar_graph().make(what, DrawnScalar<A>::kKind, a.id, amount));
}
template <class A, class B>
DrawnScalar<A> operator<<(DrawnScalar<A> a, DrawnScalar<B> n) {
  return drawn_shift(Do::kShl, a, n.id);
}
template <class A>
DrawnScalar<A> operator<<(DrawnScalar<A> a, int n) {
  return drawn_shift(Do::kShl, a, DrawnScalar<isa::U32>(n).id);
}
template <class I, class B>
  requires std::is_integral_v<I>
auto operator<<(I a, DrawnScalar<B> n) {
  using T = std::conditional_t<sizeof(I) == 8, isa::U64, isa::U32>;
  return drawn_shift(Do::kShl, DrawnScalar<T>(a), n.id);
}
template <class A, class B>
DrawnScalar<A> operator>>(DrawnScalar<A> a, DrawnScalar<B> n) {
  return drawn_shift(DrawnScalar<A>::kSigned ? Do::kSar : Do::kShr, a, n.id);
}
template <class A>
DrawnScalar<A> operator>>(DrawnScalar<A> a, int n) {
  return a >> DrawnScalar<isa::U32>(n);
}

// ---- what bodies call (isa/sop.hpp)

template <class T>
DrawnScalar<T> select(DrawnBit condition, DrawnScalar<T> yes, DrawnScalar<T> no) {
  return DrawnScalar<T>(scalar_graph().select(condition.id, yes.id, no.id));
}
template <class T>
auto wide(DrawnScalar<T> a) {
  return extended<std::conditional_t<DrawnScalar<T>::kSigned, isa::I64, isa::U64>>(a);
}
template <class T>
auto low_word(DrawnScalar<T> a) {
  using Word = std::conditional_t<DrawnScalar<T>::kSigned, isa::I32, isa::U32>;
  if constexpr (!DrawnScalar<T>::kLong) return DrawnScalar<Word>(a.id);
  return DrawnScalar<Word>(scalar_graph().make(Do::kLow, Kind::kWord, a.id));
}
inline DrawnScalar<isa::U32> as_unsigned(DrawnScalar<isa::I32> a) {
  return DrawnScalar<isa::U32>(a.id);
}
inline DrawnScalar<isa::I32> as_signed(DrawnScalar<isa::U32> a) {
  return DrawnScalar<isa::I32>(a.id);
}
inline DrawnScalar<isa::U32> low_half(DrawnScalar<isa::I32> a) { return as_unsigned(a) & 0xffff; }
inline DrawnScalar<isa::U32> sign_extended_8(DrawnScalar<isa::U32> a) {
  return as_unsigned(as_signed(a << 24) >> 24);
}
inline DrawnScalar<isa::U32> sign_extended_16(DrawnScalar<isa::U32> a) {
  return as_unsigned(as_signed(a << 16) >> 16);
}
inline DrawnScalar<isa::I32> magnitude(DrawnScalar<isa::I32> a) {
  const DrawnScalar<isa::U32> negative = DrawnScalar<isa::U32>(0) - as_unsigned(a);
  return select(a < 0, as_signed(negative), a);
}
template <class T>
DrawnScalar<isa::U32> counted(Do what, DrawnScalar<T> a) {
  return DrawnScalar<isa::U32>(scalar_graph().make(what, Kind::kWord, a.id));
}
template <class T>
DrawnScalar<isa::U32> count_ones(DrawnScalar<T> a) {
  return counted(Do::kCountOnes, a);
}
template <class T>
DrawnScalar<isa::U32> first_one(DrawnScalar<T> a) {
  return select(a == 0, DrawnScalar<isa::U32>(-1), counted(Do::kTrailingZeros, a));
}
template <class T>
DrawnScalar<isa::U32> leading_zeros(DrawnScalar<T> a) {
  return select(a == 0, DrawnScalar<isa::U32>(-1), counted(Do::kLeadingZeros, a));
}
template <class T>
DrawnScalar<isa::U32> leading_signs(DrawnScalar<T> a) {
  const int top = DrawnScalar<T>::kLong ? 63 : 31;
  const DrawnScalar<T> sign = drawn_shift(Do::kSar, a, DrawnScalar<isa::U32>(top).id);
  return leading_zeros(a ^ sign);
}
template <class T, class N>
DrawnScalar<T> extract_bits(DrawnScalar<T> a, N offset, N width) {
  constexpr int kBits = DrawnScalar<T>::kLong ? 64 : 32;
  const DrawnScalar<T> field = a >> offset, one(1);
  return select(width >= kBits, field, field & ((one << (width & (kBits - 1))) - 1));
}
/// Width 0 leaves nothing; other fields lose what is above them and get their sign there.
template <class T, class N>
DrawnScalar<T> extract_signed(DrawnScalar<T> a, N offset, N width) {
  constexpr int kBits = DrawnScalar<T>::kLong ? 64 : 32;
  const DrawnScalar<T> field = drawn_shift(Do::kSar, a, offset.id);
  const N up = (N(kBits) - width) & (kBits - 1);
  const DrawnScalar<T> moved = drawn_shift(Do::kSar, field << up, up.id);
  return select(width == 0, DrawnScalar<T>(0), select(width >= kBits, field, moved));
}
/// Functions that are not drawn.
template <class T>
T declined(T a) {
  scalar_pen->declined = true;
  return a;
}
template <class T>
DrawnScalar<isa::U64> whole_quads(DrawnScalar<T> a) {
  return declined(extended<isa::U64>(a));
}
template <class T>
DrawnScalar<isa::U64> quad_mask(DrawnScalar<T> a) {
  return declined(extended<isa::U64>(a));
}
inline DrawnScalar<isa::U64> replicate_bits(DrawnScalar<isa::U32> a) {
  return declined(extended<isa::U64>(a));
}

// ---- the wave

/// SCC, 0 or 1.
struct DrawnScc {
  static DrawnScalar<isa::U32> value() {
    const auto place = static_cast<std::uint64_t>(offsetof(machine::Wave, scc));
    return DrawnScalar<isa::U32>(scalar_graph().leaf(Do::kScalar, Kind::kWord, place));
  }
  DrawnScc& operator=(DrawnBit bit) {
    scalar_pen->scc = bit.id;
    return *this;
  }
  friend DrawnBit operator!(DrawnScc) { return value() == 0; }
  friend DrawnBit operator!=(DrawnScc, int) { return value() != 0; }
  template <class T>
  friend auto operator+(DrawnScalar<T> a, DrawnScc) {
    return a + value();
  }
  template <class T>
  friend auto operator-(DrawnScalar<T> a, DrawnScc) {
    return a - value();
  }
};
struct DrawnWave {
  DrawnScc scc;
  static DrawnScalar<isa::U64> pair(unsigned sgpr) {
    return DrawnScalar<isa::U64>(
        scalar_graph().leaf(Do::kScalar, Kind::kLong, std::uint64_t{4} * sgpr));
  }
  DrawnScalar<isa::U64> exec() const { return pair(isa::operand::kExec); }
  DrawnScalar<isa::U64> vcc() const { return pair(isa::operand::kVcc); }
  void set_exec(DrawnScalar<isa::U64> mask) { scalar_pen->exec = mask.id; }
};

/// What bodies of isa/whole_wave.hpp call.
inline DrawnScalar<isa::U32> first_lane(DrawnScalar<isa::U64> exec) {
  return select(exec == 0, DrawnScalar<isa::U32>(0), counted(Do::kTrailingZeros, exec));
}

/// An op as bodies of branches see it.
struct DrawnOp {};
inline const DrawnOp* next(const DrawnOp* op) { return op; }
inline const DrawnOp* branch_if(DrawnWave&, const DrawnOp* op, DrawnBit condition) {
  scalar_pen->jumps = condition.id;
  return op;
}
inline const DrawnOp* branch_if(DrawnWave& wave, const DrawnOp* op, DrawnScc scc) {
  return branch_if(wave, op, scc != 0);
}
inline const DrawnOp* branch_if(DrawnWave& wave, const DrawnOp* op, bool always) {
  return branch_if(wave, op,
                   DrawnBit{scalar_graph().leaf(always ? Do::kAll : Do::kNone, Kind::kMask)});
}

}  // namespace wavetank::execute::jit
