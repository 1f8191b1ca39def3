// One lane: the domain in which the reference evaluates the bodies of isa/ tables, under the MODE
// of the wave. All arithmetic is number/'s or plain integers.
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/lane_functions.hpp"

namespace wavetank::execute::reference {

/// The modes under which bodies evaluate on this thread; the runner sets them for each op.
inline thread_local isa::Modes current_modes;

/// A lane's bit of a mask.
struct LaneMask {
  bool set = false;
  friend LaneMask operator&(LaneMask a, LaneMask b) { return {a.set && b.set}; }
  friend LaneMask operator|(LaneMask a, LaneMask b) { return {a.set || b.set}; }
  friend LaneMask operator^(LaneMask a, LaneMask b) { return {a.set != b.set}; }
  friend LaneMask operator!(LaneMask a) { return {!a.set}; }
};

/// One value of an operand type.
template <class T>
struct Lane {
  using Type = T;
  using Scalar = isa::Scalar<T>;
  static constexpr bool kIsFloat = number::Float<Scalar>;
  Scalar value = {};

  Lane() = default;
  Lane(Scalar scalar) : value(scalar) {}  // NOLINT: results of lane functions are lanes
  /// A constant: an integer's value, a float's bits.
  template <class I>
  requires(std::is_integral_v<I> && !std::is_same_v<I, Scalar>) Lane(I constant)
      : value{static_cast<typename T::Bits>(constant)} {}  // NOLINT: b & 31u

  friend Lane operator+(Lane a, Lane b) {
    if constexpr (kIsFloat)
      return number::add(a.value, b.value, current_modes(a.value));
    else
      return integer(wide(a) + wide(b));
  }
  friend Lane operator-(Lane a, Lane b) {
    if constexpr (kIsFloat)
      return number::sub(a.value, b.value, current_modes(a.value));
    else
      return integer(wide(a) - wide(b));
  }
  friend Lane operator*(Lane a, Lane b) {
    if constexpr (kIsFloat)
      return number::mul(a.value, b.value, current_modes(a.value));
    else
      return integer(wide(a) * wide(b));
  }
  friend Lane operator&(Lane a, Lane b) { return integer(wide(a) & wide(b)); }
  friend Lane operator|(Lane a, Lane b) { return integer(wide(a) | wide(b)); }
  friend Lane operator^(Lane a, Lane b) { return integer(wide(a) ^ wide(b)); }
  friend Lane operator~(Lane a) { return integer(~wide(a)); }
  friend Lane operator<<(Lane a, Lane amount) { return integer(wide(a) << wide(amount)); }
  /// Keeps the sign of signed types.
  friend Lane operator>>(Lane a, Lane amount) {
    return static_cast<Scalar>(a.value >> wide(amount));
  }
  friend LaneMask operator==(Lane a, Lane b) { return compare(a, b, number::FloatCompare::kEq); }
  friend LaneMask operator<(Lane a, Lane b) { return compare(a, b, number::FloatCompare::kLt); }
  friend LaneMask operator>(Lane a, Lane b) { return compare(a, b, number::FloatCompare::kGt); }
  friend LaneMask operator<=(Lane a, Lane b) { return compare(a, b, number::FloatCompare::kLe); }
  friend LaneMask operator>=(Lane a, Lane b) { return compare(a, b, number::FloatCompare::kGe); }

  friend Lane select(LaneMask mask, Lane a, Lane b) { return mask.set ? a : b; }
  friend LaneMask as_false(Lane) { return {}; }

 private:
  static std::uint64_t wide(Lane a) { return static_cast<std::uint64_t>(a.value); }
  static Lane integer(std::uint64_t bits) { return static_cast<Scalar>(bits); }
  /// The first seven float predicates mean the same for integers.
  static LaneMask compare(Lane a, Lane b, number::FloatCompare predicate) {
    if constexpr (kIsFloat) {
      return {number::compare(predicate, a.value, b.value, current_modes(a.value))};
    } else {
      return {number::compare(static_cast<number::IntegerCompare>(predicate), a.value, b.value)};
    }
  }
};

/// A lane's bits, zero-extended, and a lane from bits.
template <class T>
std::uint64_t bits_of(Lane<T> a) {
  if constexpr (Lane<T>::kIsFloat)
    return a.value.bits;
  else
    return static_cast<std::make_unsigned_t<typename T::Bits>>(a.value);
}
template <class T>
Lane<T> lane_from(std::uint64_t bits) {
  const auto narrow = static_cast<typename T::Bits>(bits);
  if constexpr (Lane<T>::kIsFloat)
    return isa::Scalar<T>{narrow};
  else
    return static_cast<isa::Scalar<T>>(narrow);
}
/// The same bits as another type of the same width.
template <class To, class T>
Lane<To> as(Lane<T> a) {
  return lane_from<To>(bits_of(a));
}

template <class T>
auto unwrap(Lane<T> a) {
  return a.value;
}
inline bool unwrap(LaneMask mask) { return mask.set; }
template <class Scalar>
Lane<typename isa::TypeOf<Scalar>::Tag> wrap(Scalar scalar) {
  return scalar;
}
inline LaneMask wrap(bool bit) { return {bit}; }
template <class Scalar>
auto wrap(isa::Masked<Scalar, bool> both) {
  return isa::with_mask(wrap(both.value), wrap(both.mask));
}

/// A lane function on one lane.
template <class F, class... Values>
auto each(isa::LaneFunction<F>, Values... values) {
  return wrap(isa::LaneFunction<F>::on_lane(current_modes, unwrap(values)...));
}

}  // namespace wavetank::execute::reference
