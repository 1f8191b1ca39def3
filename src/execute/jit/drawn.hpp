// The domain in which bodies of isa/ tables are drawn: evaluated on values of a graph, they add to
// it what they compute. Functions of lanes that have neither a drawing nor a form by others
// (isa/lane_forms.hpp) decline: such rows stay with the handlers (a test lists them).
#pragma once

#include <cstdint>
#include <type_traits>

#include "execute/jit/graph.hpp"
#include "isa/lane_forms.hpp"

namespace wavetank::execute::jit {

using isa::F16, isa::F32, isa::F64, isa::I16, isa::I32, isa::I64, isa::U16, isa::U32, isa::U64;

/// What bodies on this thread draw into; whoever draws sets it.
struct Pen {
  Graph* graph = nullptr;
  bool declined = false;  ///< a body asked for what cannot be drawn
  bool ieee = true;       ///< MODE.IEEE: minimum and maximum quiet signalling NaNs
};
inline thread_local Pen pen;

template <class T>
inline constexpr bool kIsHalfWord =
    std::is_same_v<T, U16> || std::is_same_v<T, I16> || std::is_same_v<T, F16>;
template <class T>
inline constexpr bool kIsFloat = number::Float<isa::Scalar<T>>;
template <class T>
inline constexpr bool kIsSigned = !kIsFloat<T> && std::is_signed_v<isa::Scalar<T>>;
/// A 64-bit integer: two words.
template <class T>
inline constexpr bool kIsTwoWords = std::is_same_v<T, U64> || std::is_same_v<T, I64>;

inline Graph& graph() { return *pen.graph; }
inline Id word(std::uint32_t bits) { return graph().word(bits); }
inline Id word_of(Do what, Id a, Id b = kNoValue, Id c = kNoValue) {
  return graph().word_of(what, a, b, c);
}

/// Lanes of a mask.
struct DrawnMask {
  Id id = 0;
  friend DrawnMask operator&(DrawnMask a, DrawnMask b) { return of(Do::kMaskAnd, a, b); }
  friend DrawnMask operator|(DrawnMask a, DrawnMask b) { return of(Do::kMaskOr, a, b); }
  friend DrawnMask operator^(DrawnMask a, DrawnMask b) { return of(Do::kMaskXor, a, b); }
  friend DrawnMask operator!(DrawnMask a) { return {graph().mask_of(Do::kMaskNot, a.id)}; }

 private:
  static DrawnMask of(Do what, DrawnMask a, DrawnMask b) {
    return {graph().mask_of(what, a.id, b.id)};
  }
};

/// A value of an operand type. 16-bit types stand zero-extended (I16: sign-extended) in words.
template <class T>
struct Drawn {
  using Type = T;
  static constexpr Kind kKind = std::is_same_v<T, F64> ? Kind::kDouble : Kind::kWord;
  Id id = 0;
  Id high = 0;  ///< of two words the upper one

  Drawn() = default;
  explicit Drawn(Id low) : id(low) {}
  Drawn(Id low, Id upper) : id(low), high(upper) {}
  /// A constant: an integer's value, a float's bits.
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, Id>)
  Drawn(I value) {  // NOLINT: b & 31u
    const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
    const Id low = word(static_cast<std::uint32_t>(bits));
    const Id upper = word(static_cast<std::uint32_t>(bits >> 32));
    if constexpr (std::is_same_v<T, F64>) {
      id = graph().make(Do::kJoin, Kind::kDouble, low, upper);
    } else {
      id = low;
      high = upper;
    }
  }

  /// 64-bit integers of the even and of the odd lanes.
  struct Pairs {
    Id even, odd;
  };
  static Drawn of_pairs(Pairs pairs) {
    return {word_of(Do::kEvenOfBoth, pairs.even, pairs.odd),
            word_of(Do::kOddOfBoth, pairs.even, pairs.odd)};
  }
  Pairs pairs() const {
    return {word_of(Do::kEvenOfBoth, id, high), word_of(Do::kOddOfBoth, id, high)};
  }
  bool comes_from_pairs() const {
    return graph()[id].what == Do::kEvenOfBoth && graph()[high].what == Do::kOddOfBoth &&
           graph()[id].in == graph()[high].in;
  }

  /// Brings a 16-bit integer result back into range.
  static Drawn wrap(Id id) {
    if constexpr (std::is_same_v<T, U16>) return Drawn(word_of(Do::kAnd, id, word(0xffff)));
    if constexpr (std::is_same_v<T, I16>) {
      return Drawn(word_of(Do::kSar, word_of(Do::kShl, id, word(16)), word(16)));
    }
    return Drawn(id);
  }

  friend Drawn operator+(Drawn a, Drawn b) {
    if constexpr (kIsTwoWords<T>) {
      // A product's words have yet to be found.
      if (a.comes_from_pairs() || b.comes_from_pairs()) return of_pairs(sum(a.pairs(), b.pairs()));
      const Id low = word_of(Do::kAdd, a.id, b.id);
      const Id carry = graph().compare(Do::kCompareU, Predicate::kLess, low, b.id);
      const Id upper = word_of(Do::kAdd, a.high, b.high);
      return {low, word_of(Do::kAdd, upper, graph().select(carry, word(1), word(0)))};
    } else {
      return arithmetic(Do::kAdd, Do::kFAdd, a, b);
    }
  }
  friend Drawn operator-(Drawn a, Drawn b) {
    if constexpr (kIsTwoWords<T>) {
      const Id borrow = graph().compare(Do::kCompareU, Predicate::kLess, a.id, b.id);
      const Id upper = word_of(Do::kSub, a.high, b.high);
      return {word_of(Do::kSub, a.id, b.id),
              word_of(Do::kAdd, upper, graph().select(borrow, word(~0u), word(0)))};
    } else {
      return arithmetic(Do::kSub, Do::kFSub, a, b);
    }
  }
  friend Drawn operator*(Drawn a, Drawn b) {
    static_assert(!kIsTwoWords<T>, "no row multiplies 64-bit integers");
    return arithmetic(Do::kMul, Do::kFMul, a, b);
  }
  friend Drawn operator&(Drawn a, Drawn b) { return bitwise(Do::kAnd, a, b); }
  friend Drawn operator|(Drawn a, Drawn b) { return bitwise(Do::kOr, a, b); }
  friend Drawn operator^(Drawn a, Drawn b) { return bitwise(Do::kXor, a, b); }
  friend Drawn operator~(Drawn a) {
    const Id ones = word(~0u);
    if constexpr (kIsTwoWords<T>) {
      return {word_of(Do::kXor, a.id, ones), word_of(Do::kXor, a.high, ones)};
    }
    return wrap(word_of(Do::kXor, a.id, ones));
  }
  /// Shifts by each lane's amount, which must be below the width.
  friend Drawn operator<<(Drawn a, Drawn amount) {
    if constexpr (kIsTwoWords<T>) {
      const Id n = amount.id, rest = word_of(Do::kSub, word(32), n);
      const Id beyond = word_of(Do::kSub, n, word(32));
      const Id upper =
          word_of(Do::kOr, word_of(Do::kShl, a.high, n), word_of(Do::kShr, a.id, rest));
      return {word_of(Do::kShl, a.id, n), word_of(Do::kOr, upper, word_of(Do::kShl, a.id, beyond))};
    }
    return wrap(word_of(Do::kShl, a.id, amount.id));
  }
  /// Keeps the sign of signed types.
  friend Drawn operator>>(Drawn a, Drawn amount) {
    if constexpr (kIsTwoWords<T>) {
      const Id n = amount.id, rest = word_of(Do::kSub, word(32), n);
      const Id beyond = word_of(Do::kSub, n, word(32));
      const Id lower =
          word_of(Do::kOr, word_of(Do::kShr, a.id, n), word_of(Do::kShl, a.high, rest));
      if constexpr (kIsSigned<T>) {
        const Id all_upper = word_of(Do::kSar, a.high, beyond);
        const Id low =
            graph().is_constant(n)
                ? (graph().constant(n) < 32 ? lower : all_upper)
                : graph().select(graph().compare(Do::kCompareU, Predicate::kLess, n, word(32)),
                                 lower, all_upper);
        return {low, word_of(Do::kSar, a.high, n)};
      }
      return {word_of(Do::kOr, lower, word_of(Do::kShr, a.high, beyond)),
              word_of(Do::kShr, a.high, n)};
    }
    return Drawn(word_of(kIsSigned<T> ? Do::kSar : Do::kShr, a.id, amount.id));
  }
  friend DrawnMask operator==(Drawn a, Drawn b) { return compare(Predicate::kEqual, a, b); }
  friend DrawnMask operator<(Drawn a, Drawn b) { return compare(Predicate::kLess, a, b); }
  friend DrawnMask operator>(Drawn a, Drawn b) { return b < a; }
  friend DrawnMask operator<=(Drawn a, Drawn b) {
    if constexpr (kIsTwoWords<T>) return !(b < a);
    return compare(Predicate::kAtMost, a, b);
  }
  friend DrawnMask operator>=(Drawn a, Drawn b) { return b <= a; }
  friend Drawn select(DrawnMask mask, Drawn a, Drawn b) {
    const Id low = graph().select(mask.id, a.id, b.id);
    if constexpr (kIsTwoWords<T>) return {low, graph().select(mask.id, a.high, b.high)};
    return Drawn(low);
  }
  friend DrawnMask as_false(Drawn) { return {graph().leaf(Do::kNone, Kind::kMask)}; }

 private:
  static Pairs sum(Pairs a, Pairs b) {
    return {word_of(Do::kAddPairs, a.even, b.even), word_of(Do::kAddPairs, a.odd, b.odd)};
  }
  static Id widened(Id half) { return word_of(Do::kFloatOfHalf, half); }
  static Drawn arithmetic(Do integer, Do real, Drawn a, Drawn b) {
    if constexpr (std::is_same_v<T, F16>) {
      return Drawn(word_of(Do::kHalfOfFloat, word_of(real, widened(a.id), widened(b.id))));
    }
    if constexpr (kIsFloat<T>) return Drawn(graph().make(real, kKind, a.id, b.id));
    return wrap(word_of(integer, a.id, b.id));
  }
  static Drawn bitwise(Do what, Drawn a, Drawn b) {
    if constexpr (kIsTwoWords<T>) {
      return {word_of(what, a.id, b.id), word_of(what, a.high, b.high)};
    }
    return Drawn(word_of(what, a.id, b.id));
  }
  static DrawnMask compare(Predicate predicate, Drawn a, Drawn b) {
    if constexpr (std::is_same_v<T, F16>) {
      return {graph().compare(Do::kFCompare, predicate, widened(a.id), widened(b.id))};
    } else if constexpr (kIsFloat<T>) {
      return {graph().compare(Do::kFCompare, predicate, a.id, b.id)};
    } else if constexpr (kIsTwoWords<T>) {
      if (kIsSigned<T> && predicate == Predicate::kLess && graph().is(b.id, 0) &&
          graph().is(b.high, 0)) {
        return {graph().compare(Do::kCompare, predicate, a.high, b.high)};
      }
      const DrawnMask same{graph().compare(Do::kCompareU, Predicate::kEqual, a.high, b.high)};
      const DrawnMask low{graph().compare(Do::kCompareU, predicate, a.id, b.id)};
      if (predicate == Predicate::kEqual) return same & low;
      const Do upper = kIsSigned<T> ? Do::kCompare : Do::kCompareU;
      return DrawnMask{graph().compare(upper, predicate, a.high, b.high)} | (same & low);
    } else {
      return {graph().compare(kIsSigned<T> ? Do::kCompare : Do::kCompareU, predicate, a.id, b.id)};
    }
  }
};

/// The same bits as another type of the same width.
template <class To, class T>
Drawn<To> as(Drawn<T> a) {
  if constexpr (std::is_same_v<To, T>) {
    return a;
  } else if constexpr (std::is_same_v<T, F64>) {
    return {word_of(Do::kLow, a.id), word_of(Do::kHigh, a.id)};
  } else if constexpr (std::is_same_v<To, F64>) {
    return Drawn<F64>(graph().make(Do::kJoin, Kind::kDouble, a.id, a.high));
  } else if constexpr (std::is_same_v<To, I16>) {
    // Amounts of shifts, mostly: what is small keeps its bits.
    const Node& node = graph()[a.id];
    const bool small = node.what == Do::kAnd && graph().is_constant(node.in[1]) &&
                       graph().constant(node.in[1]) < 0x8000;
    return small ? Drawn<To>(a.id) : Drawn<To>::wrap(a.id);
  } else if constexpr (std::is_same_v<T, I16>) {
    return Drawn<To>(word_of(Do::kAnd, a.id, word(0xffff)));
  } else {
    return {a.id, a.high};
  }
}

/// A value of a result that cannot be drawn.
template <class Scalar>
struct DeclinedResult {
  using Type = Drawn<typename isa::TypeOf<Scalar>::Tag>;
};
template <>
struct DeclinedResult<bool> {
  using Type = DrawnMask;
};
template <class Scalar>
struct DeclinedResult<isa::Masked<Scalar, bool>> {
  using Type = isa::Masked<typename DeclinedResult<Scalar>::Type, DrawnMask>;
};

template <class V>
struct ScalarOfDrawn {
  using Type = bool;
};
template <class T>
struct ScalarOfDrawn<Drawn<T>> {
  using Type = isa::Scalar<T>;
};

/// Functions of lanes without a drawing of their own: by others, if they have such a form.
template <class F, class... V>
auto each(isa::LaneFunction<F> function, V... values) {
  if constexpr (isa::HasForm<isa::LaneFunction<F>, V...>) {
    return form(function, values...);
  } else {
    pen.declined = true;
    using Result =
        decltype(isa::LaneFunction<F>::on_lane(isa::Modes{}, typename ScalarOfDrawn<V>::Type{}...));
    return typename DeclinedResult<Result>::Type{};
  }
}

}  // namespace wavetank::execute::jit
