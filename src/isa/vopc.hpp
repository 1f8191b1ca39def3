// VOPC: comparisons that write a lane mask (CDNA3 ISA guide, "VOPC Instructions"). v_cmpx writes
// EXEC too. No row has a DPP form, those of 64 bits no SDWA form. A type has 16 predicates (floats)
// or 8 at consecutive opcodes, and so has v_cmpx 16 opcodes behind.
#pragma once

#include "isa/lane_functions.hpp"

namespace wavetank::isa {

/// A predicate as instructions spell it, what it says, and its body.
template <FixedName kName, FixedName kSummary, class Body>
struct Predicate {
  static constexpr auto name = kName, summary = kSummary;
  Body body;
};
template <FixedName kName, FixedName kSummary, class Body>
constexpr Predicate<kName, kSummary, Body> predicate(Body body) {
  return {body};
}

inline constexpr auto never = [](auto a, auto) { return as_false(a); };
inline constexpr auto always = [](auto a, auto) { return !as_false(a); };

/// At the opcodes of floats from the first one on. Those whose name begins with n are true for NaN.
inline constexpr auto kFloatPredicates = table(
    predicate<"f", "False everywhere">(never),
    predicate<"lt", "src0 < src1">([](auto a, auto b) { return a < b; }),
    predicate<"eq", "src0 == src1">([](auto a, auto b) { return a == b; }),
    predicate<"le", "src0 <= src1">([](auto a, auto b) { return a <= b; }),
    predicate<"gt", "src0 > src1">([](auto a, auto b) { return a > b; }),
    predicate<"lg", "src0 < src1 or src0 > src1">([](auto a, auto b) { return (a < b) | (b < a); }),
    predicate<"ge", "src0 >= src1">([](auto a, auto b) { return a >= b; }),
    predicate<"o", "Neither is a NaN">([](auto a, auto b) { return !unordered(a, b); }),
    predicate<"u", "Either is a NaN">(unordered),
    predicate<"nge", "Not src0 >= src1">([](auto a, auto b) { return !(a >= b); }),
    predicate<"nlg", "Equal, or either is a NaN">(
        [](auto a, auto b) { return !((a < b) | (b < a)); }),
    predicate<"ngt", "Not src0 > src1">([](auto a, auto b) { return !(a > b); }),
    predicate<"nle", "Not src0 <= src1">([](auto a, auto b) { return !(a <= b); }),
    predicate<"neq", "Not src0 == src1">([](auto a, auto b) { return !(a == b); }),
    predicate<"nlt", "Not src0 < src1">([](auto a, auto b) { return !(a < b); }),
    predicate<"tru", "True everywhere">(always));

/// The same of integers.
inline constexpr auto kIntegerPredicates =
    table(predicate<"f", "False everywhere">(never),
          predicate<"lt", "src0 < src1">([](auto a, auto b) { return a < b; }),
          predicate<"eq", "src0 == src1">([](auto a, auto b) { return a == b; }),
          predicate<"le", "src0 <= src1">([](auto a, auto b) { return a <= b; }),
          predicate<"gt", "src0 > src1">([](auto a, auto b) { return a > b; }),
          predicate<"ne", "src0 != src1">([](auto a, auto b) { return !(a == b); }),
          predicate<"ge", "src0 >= src1">([](auto a, auto b) { return a >= b; }),
          predicate<"t", "True everywhere">(always));

/// The class test, a family of one; its v_cmpx comes next.
inline constexpr auto kClassPredicates =
    table(predicate<"class", "src0 is of a class in src1">(is_class));

/// Names put together, as one that lasts.
template <FixedName... kParts>
struct Joined {
  static constexpr auto kText = [] {
    std::array<char, (kParts.view().size() + ...)> text{};
    std::size_t at = 0;
    for (const std::string_view part : {kParts.view()...}) {
      for (const char letter : part) text[at++] = letter;
    }
    return text;
  }();
  static constexpr std::string_view view{kText.data(), kText.size()};
};

/// Where a compare writes its mask, and how name and sentence say so.
struct ToMask {
  static constexpr bool exec = false;
  static constexpr FixedName name = "v_cmp_";
  static constexpr FixedName end = ".";
};
struct ToExec {
  static constexpr bool exec = true;
  static constexpr FixedName name = "v_cmpx_";
  static constexpr FixedName end = "; to EXEC.";
};

/// A line of a family: of numbers of type T with U.
template <class To, class T, class U, FixedName kName, FixedName kSummary, class Body>
constexpr auto compare(std::uint16_t op, const Predicate<kName, kSummary, Body>& predicate) {
  using Name = Joined<To::name, kName, "_", word_of(T::type)>;
  const Encoding encoding = vopc(op).without_dpp();
  const auto line = valu<Mask(T, U)>(Name::view, Joined<kSummary, To::end>::view,
                                     dwords_of(T::type) == 2 ? encoding.without_sdwa() : encoding,
                                     predicate.body);
  const auto written = (To::exec ? line.to_exec() : line).means(Meaning::kCompare);
  constexpr bool is_class_test = !std::is_same_v<T, U>;
  return is_class_test ? written.keeps_denormals() : written;
}
/// Compares by all of the predicates, at opcodes from `first` on.
template <class To, class T, class U = T, class... Predicates>
constexpr auto compares(std::uint16_t first, const List<Predicates...>& predicates) {
  return predicates.apply(
      [op = first](const auto&... each) mutable { return List{compare<To, T, U>(op++, each)...}; });
}

inline constexpr auto kVopcTables = tables(
    compares<ToMask, F32, U32>(16, kClassPredicates),
    compares<ToMask, F64, U32>(18, kClassPredicates),
    compares<ToMask, F16, U32>(20, kClassPredicates),
    compares<ToExec, F32, U32>(17, kClassPredicates),
    compares<ToExec, F64, U32>(19, kClassPredicates),
    compares<ToExec, F16, U32>(21, kClassPredicates), compares<ToMask, F16>(32, kFloatPredicates),
    compares<ToExec, F16>(48, kFloatPredicates), compares<ToMask, F32>(64, kFloatPredicates),
    compares<ToExec, F32>(80, kFloatPredicates), compares<ToMask, F64>(96, kFloatPredicates),
    compares<ToExec, F64>(112, kFloatPredicates), compares<ToMask, I16>(160, kIntegerPredicates),
    compares<ToExec, I16>(176, kIntegerPredicates), compares<ToMask, U16>(168, kIntegerPredicates),
    compares<ToExec, U16>(184, kIntegerPredicates), compares<ToMask, I32>(192, kIntegerPredicates),
    compares<ToExec, I32>(208, kIntegerPredicates), compares<ToMask, U32>(200, kIntegerPredicates),
    compares<ToExec, U32>(216, kIntegerPredicates), compares<ToMask, I64>(224, kIntegerPredicates),
    compares<ToExec, I64>(240, kIntegerPredicates), compares<ToMask, U64>(232, kIntegerPredicates),
    compares<ToExec, U64>(248, kIntegerPredicates));

}  // namespace wavetank::isa
