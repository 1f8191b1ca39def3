// Functions that bodies of vector rows call. Each is defined once, on the scalars of one lane, by
// number/; a domain (strips of lanes, the lane-by-lane reference) evaluates it through its own
// `each`, found by argument-dependent lookup, and may substitute a faster form of equal results.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>
#include <type_traits>

#include "isa/define.hpp"
#include "isa/type.hpp"
#include "number/arithmetic.hpp"
#include "number/compare.hpp"
#include "number/convert.hpp"
#include "number/divide.hpp"
#include "number/dot.hpp"
#include "number/integer.hpp"
#include "number/pack.hpp"
#include "number/round.hpp"
#include "number/transcendental.hpp"

namespace wavetank::isa {

/// The float modes of a wave: MODE has one for f32 and one for f64 and f16.
struct Modes {
  number::FloatMode f32 = {};
  number::FloatMode f64_f16 = {};
  bool fp16_overflow = false;  ///< MODE.fp16_ovfl: 8-bit floats stop at their largest value
  /// The mode that governs a value's format.
  template <class Scalar>
  constexpr const number::FloatMode& operator()(Scalar) const {
    if constexpr (std::same_as<Scalar, number::f32>)
      return f32;
    else
      return f64_f16;
  }
};

/// A function of lane scalars, F(values...) or F(values..., modes), lifted to a domain's values.
template <class F>
struct LaneFunction {
  template <class... Scalars>
  static constexpr auto on_lane(const Modes& modes, Scalars... scalars) {
    if constexpr (std::is_invocable_v<F, Scalars..., const Modes&>)
      return F{}(scalars..., modes);
    else
      return F{}(scalars...);
  }
  template <class... Values>
  constexpr auto operator()(Values... values) const {
    return each(LaneFunction{}, values...);
  }
};
template <class F>
constexpr LaneFunction<F> lanes(F) {
  return {};
}

/// A name as a template argument.
template <std::size_t kSize>
struct FixedName {
  char text[kSize] = {};
  constexpr FixedName(const char (&name)[kSize]) {  // NOLINT: lanes<"fma">
    for (std::size_t i = 0; i < kSize; ++i) text[i] = name[i];
  }
  constexpr std::string_view view() const { return {text, kSize - 1}; }
};
/// A function of lane scalars and what it is called in formulas (formula.hpp).
template <FixedName kName, class F>
struct Named : F {
  static constexpr std::string_view name = kName.view();
};
template <FixedName kName, class F>
constexpr LaneFunction<Named<kName, F>> lanes(F) {
  return {};
}
/// What conversions to a type are called.
constexpr FixedName<4> word_of(Type type) {
  switch (type) {
    case Type::kU16: return "u16";
    case Type::kI16: return "i16";
    case Type::kF16: return "f16";
    case Type::kU32: return "u32";
    case Type::kI32: return "i32";
    case Type::kF32: return "f32";
    case Type::kU64: return "u64";
    case Type::kI64: return "i64";
    default: return "f64";
  }
}

/// The scalar of a lane for an operand type; 64-bit and packed types are plain integers.
template <class T>
struct ScalarOf {
  using Scalar = typename T::Bits;
};
template <>
struct ScalarOf<I16> {
  using Scalar = std::int16_t;
};
template <>
struct ScalarOf<I32> {
  using Scalar = std::int32_t;
};
template <>
struct ScalarOf<I64> {
  using Scalar = std::int64_t;
};
template <>
struct ScalarOf<F16> {
  using Scalar = number::f16;
};
template <>
struct ScalarOf<F32> {
  using Scalar = number::f32;
};
template <>
struct ScalarOf<F64> {
  using Scalar = number::f64;
};
template <class T>
using Scalar = typename ScalarOf<T>::Scalar;

/// The operand type of a scalar.
template <class Scalar>
struct TypeOf;
template <>
struct TypeOf<std::uint16_t> {
  using Tag = U16;
};
template <>
struct TypeOf<std::int16_t> {
  using Tag = I16;
};
template <>
struct TypeOf<number::f16> {
  using Tag = F16;
};
template <>
struct TypeOf<std::uint32_t> {
  using Tag = U32;
};
template <>
struct TypeOf<std::int32_t> {
  using Tag = I32;
};
template <>
struct TypeOf<number::f32> {
  using Tag = F32;
};
template <>
struct TypeOf<std::uint64_t> {
  using Tag = U64;
};
template <>
struct TypeOf<std::int64_t> {
  using Tag = I64;
};
template <>
struct TypeOf<number::f64> {
  using Tag = F64;
};

/// a * b + c, rounded once.
inline constexpr auto fma =
    lanes<"fma">([](auto a, auto b, auto c, const Modes& m) { return number::fma(a, b, c, m(a)); });

/// Product and sum rounded separately; f32 denormals are flushed.
inline constexpr auto mad =
    lanes<"mad">([](auto a, auto b, auto c, const Modes& m) { return number::mad(a, b, c, m(a)); });

/// v_min_*, v_max_*, v_med3_* of floats (number/compare.hpp) and integers.
inline constexpr auto min = lanes<"min">([](auto a, auto b, const Modes& m) {
  if constexpr (number::Float<decltype(a)>)
    return number::min(a, b, m(a));
  else
    return a < b ? a : b;
});
inline constexpr auto max = lanes<"max">([](auto a, auto b, const Modes& m) {
  if constexpr (number::Float<decltype(a)>)
    return number::max(a, b, m(a));
  else
    return a < b ? b : a;
});
inline constexpr auto med3 = lanes<"med3">([](auto a, auto b, auto c, const Modes& m) {
  if constexpr (number::Float<decltype(a)>)
    return number::med3(a, b, c, m(a));
  else
    return number::med3_integer(a, b, c);
});

/// True where either is a NaN.
inline constexpr auto unordered =
    lanes<"unordered">([](auto a, auto b) { return number::is_nan(a) || number::is_nan(b); });
/// v_cmp_class_*.
inline constexpr auto is_class =
    lanes<"is_class">([](auto a, auto mask) { return number::cmp_class(a, mask); });

inline constexpr auto trunc =
    lanes<"trunc">([](auto a, const Modes& m) { return number::trunc(a, m(a)); });
inline constexpr auto ceil =
    lanes<"ceil">([](auto a, const Modes& m) { return number::ceil(a, m(a)); });
inline constexpr auto floor =
    lanes<"floor">([](auto a, const Modes& m) { return number::floor(a, m(a)); });
inline constexpr auto rndne =
    lanes<"rndne">([](auto a, const Modes& m) { return number::rndne(a, m(a)); });
inline constexpr auto fract =
    lanes<"fract">([](auto a, const Modes& m) { return number::fract(a, m(a)); });

inline constexpr auto rcp =
    lanes<"rcp">([](auto a, const Modes& m) { return number::rcp(a, m(a)); });
inline constexpr auto rsq =
    lanes<"rsq">([](auto a, const Modes& m) { return number::rsq(a, m(a)); });
inline constexpr auto sqrt =
    lanes<"sqrt">([](auto a, const Modes& m) { return number::sqrt(a, m(a)); });
inline constexpr auto exp2 =
    lanes<"exp2">([](auto a, const Modes& m) { return number::exp2(a, m(a)); });
inline constexpr auto log2 =
    lanes<"log2">([](auto a, const Modes& m) { return number::log2(a, m(a)); });
inline constexpr auto sin =
    lanes<"sin">([](auto a, const Modes& m) { return number::sin(a, m(a)); });
inline constexpr auto cos =
    lanes<"cos">([](auto a, const Modes& m) { return number::cos(a, m(a)); });

inline constexpr auto ldexp = lanes<"ldexp">(
    [](auto a, auto exponent, const Modes& m) { return number::ldexp(a, exponent, m(a)); });
inline constexpr auto frexp_mant =
    lanes<"frexp_mant">([](auto a, const Modes& m) { return number::frexp_mant(a, m(a)); });
/// The exponent as a signed integer of type To.
template <class To>
inline constexpr auto frexp_exp = lanes<"frexp_exp">(
    [](auto a, const Modes& m) { return static_cast<Scalar<To>>(number::frexp_exp(a, m(a))); });

inline constexpr auto trig_preop =
    lanes<"trig_preop">([](auto a, auto segment) { return number::trig_preop(a, segment); });
inline constexpr auto div_scale =
    lanes<"div_scale">([](auto a, auto denominator, auto numerator, const Modes& m) {
      const auto scaled = number::div_scale(a, denominator, numerator, m(a));
      return with_mask(scaled.value, scaled.vcc);
    });
inline constexpr auto div_fmas =
    lanes<"div_fmas">([](auto a, auto b, auto c, bool vcc, const Modes& m) {
      return number::div_fmas(a, b, c, vcc, m(a));
    });
inline constexpr auto div_fixup =
    lanes<"div_fixup">([](auto quotient, auto denominator, auto numerator, const Modes& m) {
      return number::div_fixup(quotient, denominator, numerator, m(quotient));
    });

/// Sums, differences and products that stop at the ends of their type: integer clamp.
inline constexpr auto add_saturate =
    lanes<"add_saturate">([](auto a, auto b) { return number::add_saturate(a, b); });
inline constexpr auto sub_saturate =
    lanes<"sub_saturate">([](auto a, auto b) { return number::sub_saturate(a, b); });
inline constexpr auto mad_saturate =
    lanes<"mad_saturate">([](auto a, auto b, auto c) { return number::mad_saturate(a, b, c); });

/// The low 24 bits, zero- or sign-extended.
inline constexpr auto low_24 = [](auto a) { return ((a << decltype(a)(8)) >> decltype(a)(8)); };
inline constexpr auto mul_hi = lanes<"mul_hi">([](auto a, auto b) {
  if constexpr (std::is_signed_v<decltype(a)>)
    return number::mul_hi_i32(a, b);
  else
    return number::mul_hi_u32(a, b);
});
/// The 64-bit product.
inline constexpr auto mul_wide = lanes<"mul_wide">([](auto a, auto b) {
  if constexpr (std::is_signed_v<decltype(a)>)
    return std::int64_t{a} * b;
  else
    return std::uint64_t{a} * b;
});
inline constexpr auto bfe = lanes<"bfe">([](auto a, auto offset, auto width) {
  if constexpr (std::is_signed_v<decltype(a)>) {
    return number::bfe_i32(a, offset, width);
  } else {
    return number::bfe_u32(a, offset, width);
  }
});
inline constexpr auto alignbit =
    lanes<"alignbit">([](auto a, auto b, auto shift) { return number::alignbit_b32(a, b, shift); });
inline constexpr auto perm =
    lanes<"perm">([](auto a, auto b, auto selector) { return number::perm_b32(a, b, selector); });
inline constexpr auto bitreverse =
    lanes<"bitreverse">([](auto a) { return number::bitreverse(a); });
inline constexpr auto popcount =
    lanes<"popcount">([](auto a) { return static_cast<std::uint32_t>(std::popcount(a)); });
inline constexpr auto ffbh = lanes<"ffbh">([](auto a) {
  if constexpr (std::is_signed_v<decltype(a)>)
    return number::ffbh_i32(a);
  else
    return number::ffbh_u32(a);
});
inline constexpr auto ffbl = lanes<"ffbl">([](auto a) { return number::ffbl_b32(a); });

namespace detail {
template <class To, class From>
constexpr Scalar<To> convert_lane(From a, const Modes& m) {
  using Target = Scalar<To>;
  if constexpr (number::Float<Target> && number::Float<From>) {
    // v_cvt_f32_f64 rounds as the f64 mode says (LLVM, FPDPRounding).
    if constexpr (std::same_as<From, number::f16> && std::same_as<Target, number::f32>) {
      return number::f16_to_f32(a);
    }
    number::FloatMode result = m(Target{});
    if constexpr (std::same_as<From, number::f64>) result.round = m.f64_f16.round;
    return number::convert<Target>(a, m(a), result);
  } else if constexpr (number::Float<Target>) {
    if constexpr (std::is_signed_v<From>)
      return number::from_i32<Target>(a, m(Target{}));
    else
      return number::from_u32<Target>(a, m(Target{}));
  } else if constexpr (number::Float<From>) {
    if constexpr (std::same_as<Target, std::int16_t>)
      return number::f16_to_i16(a);
    else if constexpr (std::same_as<Target, std::uint16_t>)
      return number::f16_to_u16(a);
    else if constexpr (std::same_as<Target, std::int32_t>)
      return number::to_i32(a);
    else
      return number::to_u32(a);
  } else {
    return static_cast<Target>(a);
  }
}
}  // namespace detail

/// To another type by value: floats round as MODE says, floats to integers truncate and saturate,
/// integers extend by their own signedness or drop high bits.
template <class To>
inline constexpr auto convert =
    lanes<word_of(To::type)>([](auto a, const Modes& m) { return detail::convert_lane<To>(a, m); });

/// Products of halves, summed up with c; sums of integers wrap, or stop at the ends of their type.
inline constexpr auto dot2_f32_f16 = lanes<"dot2_f32_f16">(
    [](auto a, auto b, auto c, const Modes& m) { return number::dot2_f32_f16(a, b, c, m.f32); });
inline constexpr auto dot2_i32_i16 =
    lanes<"dot2_i32_i16">([](auto a, auto b, auto c, bool stops = false) {
      return number::dot2_i32_i16(a, b, c, stops);
    });
inline constexpr auto dot2_u32_u16 =
    lanes<"dot2_u32_u16">([](auto a, auto b, auto c, bool stops = false) {
      return number::dot2_u32_u16(a, b, c, stops);
    });
/// Products of bytes and of nibbles, summed up with c; the sum wraps, or stops.
inline constexpr auto dot4_i32_i8 = lanes<"dot4_i32_i8">(
    [](auto a, auto b, auto c, bool stops = false) { return number::dot4_i32_i8(a, b, c, stops); });
inline constexpr auto dot4_u32_u8 = lanes<"dot4_u32_u8">(
    [](auto a, auto b, auto c, bool stops = false) { return number::dot4_u32_u8(a, b, c, stops); });
inline constexpr auto dot8_i32_i4 = lanes<"dot8_i32_i4">(
    [](auto a, auto b, auto c, bool stops = false) { return number::dot8_i32_i4(a, b, c, stops); });
inline constexpr auto dot8_u32_u4 = lanes<"dot8_u32_u4">(
    [](auto a, auto b, auto c, bool stops = false) { return number::dot8_u32_u4(a, b, c, stops); });

/// Two results in one word, the first one in its low half: f16 rounded towards zero, and integers
/// that stop at the ends of 16 bits.
inline constexpr auto cvt_pkrtz_f16_f32 =
    lanes<"cvt_pkrtz_f16_f32">([](auto a, auto b, const Modes& m) {
      return number::cvt_pkrtz_f16_f32(a, b, m.f32, m.f64_f16);
    });
inline constexpr auto cvt_pk_u16_u32 =
    lanes<"cvt_pk_u16_u32">([](auto a, auto b) { return number::cvt_pk_u16_u32(a, b); });
inline constexpr auto cvt_pk_i16_i32 =
    lanes<"cvt_pk_i16_i32">([](auto a, auto b) { return number::cvt_pk_i16_i32(a, b); });

}  // namespace wavetank::isa
