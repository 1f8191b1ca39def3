// The domain of packed rows: bodies evaluated on both 16-bit halves of a word at once.
#pragma once

#include "execute/jit/drawn_function.hpp"

namespace wavetank::execute::jit {

/// Two halves of an operand type in a word.
template <class T>
struct DrawnHalves {
  using Type = T;
  Id id = 0;

  DrawnHalves() = default;
  explicit DrawnHalves(Id word) : id(word) {}
  /// A constant in both halves.
  template <class I>
    requires(std::is_integral_v<I> && !std::is_same_v<I, Id>)
  DrawnHalves(I value)  // NOLINT: a & 15u
      : id(word((static_cast<std::uint32_t>(value) & 0xffffu) * 0x10001u)) {}

  friend DrawnHalves operator+(DrawnHalves a, DrawnHalves b) {
    return arithmetic(Do::kAdd, Do::kFAdd, a, b);
  }
  friend DrawnHalves operator-(DrawnHalves a, DrawnHalves b) {
    return arithmetic(Do::kSub, Do::kFSub, a, b);
  }
  friend DrawnHalves operator*(DrawnHalves a, DrawnHalves b) {
    return arithmetic(Do::kMul, Do::kFMul, a, b);
  }
  friend DrawnHalves operator&(DrawnHalves a, DrawnHalves b) {
    return DrawnHalves(word_of(Do::kAnd, a.id, b.id));
  }
  friend DrawnHalves operator<<(DrawnHalves a, DrawnHalves amount) {
    return of(Do::kShl, a, amount);
  }
  friend DrawnHalves operator>>(DrawnHalves a, DrawnHalves amount) {
    return of(kIsSigned<T> ? Do::kSar : Do::kShr, a, amount);
  }
  friend DrawnHalves operator^(DrawnHalves a, DrawnHalves b) {
    return DrawnHalves(word_of(Do::kXor, a.id, b.id));
  }

  static DrawnHalves of(Do what, DrawnHalves a, DrawnHalves b) {
    return DrawnHalves(graph().make(what, Kind::kHalves, a.id, b.id));
  }

 private:
  static DrawnHalves arithmetic(Do integer, Do real, DrawnHalves a, DrawnHalves b) {
    if constexpr (!kIsFloat<T>) return of(integer, a, b);
    const auto one = [&](Do widen) {
      return word_of(real, word_of(widen, a.id), word_of(widen, b.id));
    };
    return DrawnHalves(word_of(Do::kNarrow, one(Do::kWidenLower), one(Do::kWidenUpper)));
  }
};

template <class To, class T>
DrawnHalves<To> as(DrawnHalves<T> a) {
  return DrawnHalves<To>(a.id);
}

template <class T>
  requires(!kIsFloat<T>)
DrawnHalves<T> each(decltype(isa::min), DrawnHalves<T> a, DrawnHalves<T> b) {
  return DrawnHalves<T>::of(kIsSigned<T> ? Do::kMin : Do::kMinU, a, b);
}
template <class T>
  requires(!kIsFloat<T>)
DrawnHalves<T> each(decltype(isa::max), DrawnHalves<T> a, DrawnHalves<T> b) {
  return DrawnHalves<T>::of(kIsSigned<T> ? Do::kMax : Do::kMaxU, a, b);
}
template <class T>
  requires(!kIsFloat<T>)
DrawnHalves<T> each(decltype(isa::add_saturate), DrawnHalves<T> a, DrawnHalves<T> b) {
  return DrawnHalves<T>::of(kIsSigned<T> ? Do::kAddStop : Do::kAddStopU, a, b);
}
template <class T>
  requires(!kIsFloat<T>)
DrawnHalves<T> each(decltype(isa::sub_saturate), DrawnHalves<T> a, DrawnHalves<T> b) {
  return DrawnHalves<T>::of(kIsSigned<T> ? Do::kSubStop : Do::kSubStopU, a, b);
}

/// A function of f32 on both sides of each lane.
template <class F, class... H>
DrawnHalves<F16> by_floats(F function, H... halves) {
  const auto one = [&](Do widen) { return function(Drawn<F32>(word_of(widen, halves.id))...); };
  const Drawn<F32> lower = one(Do::kWidenLower), upper = one(Do::kWidenUpper);
  return DrawnHalves<F16>(word_of(Do::kNarrow, lower.id, upper.id));
}
inline DrawnHalves<F16> each(decltype(isa::fma), DrawnHalves<F16> a, DrawnHalves<F16> b,
                             DrawnHalves<F16> c) {
  return by_floats(fma_for_half, a, b, c);
}
/// Declined where NaNs are spelled: as f32 signalling ones look like others.
template <class F>
DrawnHalves<F16> extremum_by_floats(F function, DrawnHalves<F16> a, DrawnHalves<F16> b) {
  pen.declined = graph().spells_nans();
  return pen.declined ? a : by_floats(function, a, b);
}
inline DrawnHalves<F16> each(decltype(isa::min), DrawnHalves<F16> a, DrawnHalves<F16> b) {
  return extremum_by_floats(isa::min, a, b);
}
inline DrawnHalves<F16> each(decltype(isa::max), DrawnHalves<F16> a, DrawnHalves<F16> b) {
  return extremum_by_floats(isa::max, a, b);
}

/// What all other functions of lanes give: such a body has no form of halves.
struct NotHalves {};
template <class F, class T, class... H>
NotHalves each(isa::LaneFunction<F>, DrawnHalves<T>, H...) {
  return {};
}

}  // namespace wavetank::execute::jit
