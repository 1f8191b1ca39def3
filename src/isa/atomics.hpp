// Atomics: one line for each operation says what becomes of memory, what its operands are, and the
// rows it has in LDS, FLAT, MUBUF, SMEM and MIMG (CDNA3 ISA guide, opcode tables of "DS", "FLAT"
// and "MUBUF"; opcodes as llvm-mc-19 encodes them). atomic_rows.hpp makes the rows.
//
// A body gets the old value, the data and, of operations on two values, the second one: of a
// compare-and-swap `data` is the new value and the other the comparand, as in FLAT; DS has them the
// other way round in DATA0 and DATA1. Rounding is always to nearest even; LDS honours MODE's
// denormal bits, memory keeps denormals but for the flushing f32 add of gfx90a (LLVM
// SIISelLowering, atomics: "DS FP atomics do respect the denormal mode, but the rounding mode is
// fixed to round-to-nearest-even").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "isa/lane_functions.hpp"
#include "isa/list.hpp"
#include "isa/row.hpp"
#include "number/arithmetic.hpp"
#include "number/types.hpp"

namespace wavetank::isa {

/// Memory atomics: MODE does not reach them.
constexpr Modes memory_modes(bool flush_f32) {
  Modes modes;
  modes.f32.flush_input_denormals = modes.f32.flush_output_denormals = flush_f32;
  // A minimum or maximum prefers the number to a NaN.
  modes.f32.ieee = modes.f64_f16.ieee = false;
  return modes;
}
/// LDS atomics under a MODE register.
constexpr Modes lds_modes(std::uint32_t mode) {
  Modes modes{number::f32_mode(mode), number::f64_f16_mode(mode)};
  modes.f32.round = modes.f64_f16.round = number::Round::kNearestEven;
  modes.f32.ieee = modes.f64_f16.ieee = false;
  return modes;
}

/// One value of an atomic's body: the domain in which memory is changed.
template <class Scalar>
struct AtomicValue {
  static constexpr bool kIsFloat = number::Float<Scalar>;
  Scalar value = {};
  const Modes* modes = nullptr;

  AtomicValue(Scalar scalar, const Modes* in) : value(scalar), modes(in) {}
  AtomicValue(unsigned constant)  // NOLINT: old + 1u
    requires(!kIsFloat)
      : value(static_cast<Scalar>(constant)) {}

  friend AtomicValue operator+(const AtomicValue& a, const AtomicValue& b) {
    if constexpr (kIsFloat)
      return {number::add(a.value, b.value, (*a.modes)(a.value)), a.modes};
    else
      return {static_cast<Scalar>(a.value + b.value), a.modes};
  }
  friend AtomicValue operator-(const AtomicValue& a, const AtomicValue& b) {
    return {static_cast<Scalar>(a.value - b.value), a.modes};
  }
  friend AtomicValue operator&(const AtomicValue& a, const AtomicValue& b) {
    return {a.value & b.value, a.modes};
  }
  friend AtomicValue operator|(const AtomicValue& a, const AtomicValue& b) {
    return {a.value | b.value, a.modes};
  }
  friend AtomicValue operator^(const AtomicValue& a, const AtomicValue& b) {
    return {a.value ^ b.value, a.modes};
  }
  friend AtomicValue operator~(const AtomicValue& a) { return {~a.value, a.modes}; }
  /// Of floats as the host compares: -0 is 0, denormals are not.
  friend bool operator==(const AtomicValue& a, const AtomicValue& b) {
    if constexpr (kIsFloat)
      return number::to_host(a.value) == number::to_host(b.value);
    else
      return a.value == b.value;
  }
  friend bool operator>(const AtomicValue& a, const AtomicValue& b) { return a.value > b.value; }
  friend bool operator>=(const AtomicValue& a, const AtomicValue& b) { return a.value >= b.value; }
  friend AtomicValue select(bool condition, const AtomicValue& yes, const AtomicValue& no) {
    return condition ? yes : no;
  }
};

template <class F, class Scalar, class... Rest>
AtomicValue<Scalar> each(LaneFunction<F>, const AtomicValue<Scalar>& first, const Rest&... rest) {
  const auto result = LaneFunction<F>::on_lane(*first.modes, first.value, rest.value...);
  return {static_cast<Scalar>(result), first.modes};
}

/// Whether a body has a second value beside the data.
template <class Body, class Value>
inline constexpr bool kTakesTwo = std::is_invocable_v<Body, Value, Value, Value>;
template <class F, class Value>
inline constexpr bool kTakesTwo<LaneFunction<F>, Value> = false;

template <class Value, class Body>
Value evaluate(Body body, const Value& old, const Value& data, const Value& data2) {
  if constexpr (kTakesTwo<Body, Value>)
    return body(old, data, data2);
  else
    return body(old, data);
}

/// What an atomic's operands are: their types' names, a note for readers, and what a body gets.
template <class OfBits>
struct AtomicIntegers {
  static constexpr bool is_float = false;
  template <class T, class Body>
  static T apply(Body body, T old, T data, T data2, const Modes& modes) {
    using Scalar = typename OfBits::template Of<T>;
    const auto value = [&](T bits) {
      return AtomicValue<Scalar>(static_cast<Scalar>(bits), &modes);
    };
    return static_cast<T>(evaluate(body, value(old), value(data), value(data2)).value);
  }
};
struct AsUnsigned {
  template <class T>
  using Of = T;
};
struct AsSigned {
  template <class T>
  using Of = std::make_signed_t<T>;
};
struct Unsigned : AtomicIntegers<AsUnsigned> {
  static constexpr std::string_view type32 = "u32", type64 = "u64", note = "unsigned";
};
struct Signed : AtomicIntegers<AsSigned> {
  static constexpr std::string_view type32 = "i32", type64 = "i64", note = "signed";
};
struct Bits : AtomicIntegers<AsUnsigned> {
  static constexpr std::string_view type32 = "b32", type64 = "b64", note = "";
};
struct Floats {
  static constexpr std::string_view type32 = "f32", type64 = "f64", note = "as floats";
  static constexpr bool is_float = true;
  template <class T, class Body>
  static T apply(Body body, T old, T data, T data2, const Modes& modes) {
    using Float = std::conditional_t<sizeof(T) == 4, number::f32, number::f64>;
    const auto value = [&](T bits) {
      return AtomicValue<Float>(number::from_bits<Float>(bits), &modes);
    };
    return evaluate(body, value(old), value(data), value(data2)).value.bits;
  }
};
template <class Half>
struct Halves {
  static constexpr bool is_float = true;
  template <class T, class Body>
  static T apply(Body body, T old, T data, T data2, const Modes& modes) {
    std::uint32_t result = 0;
    for (const unsigned shift : {0u, 16u}) {
      const auto value = [&](T bits) {
        const auto half = static_cast<std::uint32_t>(bits) >> shift & 0xffffu;
        return AtomicValue<Half>(number::from_bits<Half>(half), &modes);
      };
      const auto half = evaluate(body, value(old), value(data), value(data2)).value.bits;
      result |= std::uint32_t{half} << shift;
    }
    return result;
  }
};
struct HalvesF16 : Halves<number::f16> {
  static constexpr std::string_view type32 = "f16", type64 = "", note = "in each half, f16";
};
struct HalvesBf16 : Halves<number::bf16> {
  static constexpr std::string_view type32 = "bf16", type64 = "", note = "in each half, bf16";
};

/// The encodings that have atomics.
enum class AtomicPlace : std::uint8_t { kScalar, kScalarBuffer, kLds, kFlat, kBuffer, kImage };

/// One row of an atomic.
struct AtomicForm {
  AtomicPlace place = AtomicPlace::kFlat;
  std::uint16_t opcode = 0;
  std::uint8_t bytes = 4;
  Lifetime lifetime = {};
  bool returns = false;      ///< LDS: with a result; in the other places GLC says so
  bool global_only = false;  ///< FLAT: no flat_ form
};
struct AtomicForms {
  std::array<AtomicForm, 16> all = {};
  std::size_t count = 0;
  constexpr AtomicForms& add(const AtomicForm& form) {
    all[count++] = form;
    return *this;
  }
  friend constexpr AtomicForms operator|(AtomicForms a, const AtomicForms& b) {
    for (std::size_t i = 0; i < b.count; ++i) a.add(b.all[i]);
    return a;
  }
};

/// The rows of an operation on integers in memory, which all encodings number alike.
constexpr AtomicForms in_memory(std::uint16_t number) {
  const auto at = [number](unsigned base) { return static_cast<std::uint16_t>(base + number); };
  AtomicForms forms;
  forms.add({AtomicPlace::kScalar, at(0x80)}).add({AtomicPlace::kScalar, at(0xa0), 8});
  forms.add({AtomicPlace::kScalarBuffer, at(0x40)}).add({AtomicPlace::kScalarBuffer, at(0x60), 8});
  forms.add({AtomicPlace::kFlat, at(0x40)}).add({AtomicPlace::kFlat, at(0x60), 8});
  forms.add({AtomicPlace::kBuffer, at(0x40)}).add({AtomicPlace::kBuffer, at(0x60), 8});
  return forms.add({AtomicPlace::kImage, at(16), 4, until(Version::kGfx90a)});
}
/// FLAT and MUBUF rows of one width.
constexpr AtomicForms flat_and_buffer(std::uint16_t opcode, std::uint8_t bytes,
                                      Lifetime lifetime = {}) {
  AtomicForms forms;
  forms.add({AtomicPlace::kFlat, opcode, bytes, lifetime});
  return forms.add({AtomicPlace::kBuffer, opcode, bytes, lifetime});
}
constexpr AtomicForms flat_only(std::uint16_t opcode, std::uint8_t bytes, Lifetime lifetime) {
  return AtomicForms().add({AtomicPlace::kFlat, opcode, bytes, lifetime});
}
/// gfx90a has f32 and packed adds for global memory only.
constexpr AtomicForms global_only(std::uint16_t opcode) {
  return AtomicForms().add({AtomicPlace::kFlat, opcode, 4, until(Version::kGfx90a), false, true});
}
constexpr AtomicForms buffer_only(std::uint16_t opcode, Lifetime lifetime) {
  return AtomicForms().add({AtomicPlace::kBuffer, opcode, 4, lifetime});
}
/// The LDS rows of one width, without and with a result.
constexpr AtomicForms in_lds(std::uint16_t opcode, std::uint8_t bytes, std::uint16_t returning,
                             Lifetime lifetime = {}) {
  AtomicForms forms;
  forms.add({AtomicPlace::kLds, opcode, bytes, lifetime});
  return forms.add({AtomicPlace::kLds, returning, bytes, lifetime, true});
}
/// Both widths, as most LDS rows are numbered.
constexpr AtomicForms in_lds(std::uint16_t opcode) {
  const auto at = [opcode](unsigned base) { return static_cast<std::uint16_t>(base + opcode); };
  return in_lds(opcode, 4, at(0x20)) | in_lds(at(0x40), 8, at(0x60));
}
/// LDS rows that always have a result.
constexpr AtomicForms in_lds_returning(std::uint16_t opcode, std::uint8_t bytes) {
  return AtomicForms().add({AtomicPlace::kLds, opcode, bytes, Lifetime{}, true});
}

/// What its rows are called: "smin" in memory, "min" in LDS.
struct AtomicNames {
  std::string_view memory, lds;
};

/// One table line.
template <AtomicOperation kOperation, class Operands, class B>
struct AtomicDefinition {
  static constexpr AtomicOperation operation = kOperation;
  using Kind = Operands;
  using Body = B;
  static constexpr bool takes_two = kTakesTwo<B, AtomicValue<std::uint32_t>>;
  AtomicNames names;
  std::string_view summary;
  AtomicForms forms;
};
template <AtomicOperation kOperation, class Operands, class Body>
constexpr auto atomic(AtomicNames names, std::string_view summary, AtomicForms forms, Body) {
  return AtomicDefinition<kOperation, Operands, Body>{names, summary, forms};
}

/// The words of `data` whose sign bits are set take the place of memory's, without that bit.
inline constexpr auto exchange_marked_words =
    lanes<"exchange_marked_words">([](std::uint64_t old, std::uint64_t data) {
      constexpr std::uint64_t kLow = 0x7fffffffu, kHigh = kLow << 32;
      if (data >> 31 & 1) old = (old & 0xffffffff00000000u) | (data & kLow);
      if (data >> 63 & 1) old = (old & 0xffffffffu) | (data & kHigh);
      return old;
    });

inline constexpr auto kAtomics = List(
    atomic<AtomicOperation::kSwap, Bits>(
        {"swap", "wrxchg"}, "Exchanges with memory.",
        in_memory(0) | in_lds_returning(0x2d, 4) | in_lds_returning(0x6d, 8),
        [](auto, auto data) { return data; }),
    atomic<AtomicOperation::kCompareSwap, Bits>(
        {"cmpswap", "cmpst"}, "Stores data if memory equals the comparand.",
        in_memory(1) | in_lds(0x10),
        [](auto old, auto data, auto comparand) { return select(old == comparand, data, old); }),
    atomic<AtomicOperation::kAdd, Unsigned>({"add", "add"}, "Adds to memory.",
                                            in_memory(2) | in_lds(0x00),
                                            [](auto old, auto data) { return old + data; }),
    atomic<AtomicOperation::kSub, Unsigned>({"sub", "sub"}, "Subtracts data from memory.",
                                            in_memory(3) | in_lds(0x01),
                                            [](auto old, auto data) { return old - data; }),
    atomic<AtomicOperation::kReverseSub, Unsigned>({"", "rsub"}, "Subtracts memory from data.",
                                                   in_lds(0x02),
                                                   [](auto old, auto data) { return data - old; }),
    atomic<AtomicOperation::kSignedMin, Signed>({"smin", "min"}, "Keeps the signed minimum.",
                                                in_memory(4) | in_lds(0x05), min),
    atomic<AtomicOperation::kUnsignedMin, Unsigned>({"umin", "min"}, "Keeps the unsigned minimum.",
                                                    in_memory(5) | in_lds(0x07), min),
    atomic<AtomicOperation::kSignedMax, Signed>({"smax", "max"}, "Keeps the signed maximum.",
                                                in_memory(6) | in_lds(0x06), max),
    atomic<AtomicOperation::kUnsignedMax, Unsigned>({"umax", "max"}, "Keeps the unsigned maximum.",
                                                    in_memory(7) | in_lds(0x08), max),
    atomic<AtomicOperation::kAnd, Bits>({"and", "and"}, "Bitwise and with memory.",
                                        in_memory(8) | in_lds(0x09),
                                        [](auto old, auto data) { return old & data; }),
    atomic<AtomicOperation::kOr, Bits>({"or", "or"}, "Bitwise or with memory.",
                                       in_memory(9) | in_lds(0x0a),
                                       [](auto old, auto data) { return old | data; }),
    atomic<AtomicOperation::kXor, Bits>({"xor", "xor"}, "Bitwise exclusive or with memory.",
                                        in_memory(10) | in_lds(0x0b),
                                        [](auto old, auto data) { return old ^ data; }),
    atomic<AtomicOperation::kInc, Unsigned>(
        {"inc", "inc"}, "Increments; wraps to 0 from data upwards.", in_memory(11) | in_lds(0x03),
        [](auto old, auto data) { return select(old >= data, decltype(old)(0u), old + 1u); }),
    atomic<AtomicOperation::kDec, Unsigned>(
        {"dec", "dec"}, "Decrements; wraps to data from 0 or above data.",
        in_memory(12) | in_lds(0x04),
        [](auto old, auto data) { return select((old == 0u) | (old > data), data, old - 1u); }),
    atomic<AtomicOperation::kMaskOr, Bits>(
        {"", "mskor"}, "Clears the bits of data0, sets those of data1.", in_lds(0x0c),
        [](auto old, auto data0, auto data1) { return (old & ~data0) | data1; }),
    atomic<AtomicOperation::kWrap, Bits>({"", "wrap"},
                                         "Subtracts data0 if memory reaches it, else adds data1.",
                                         in_lds_returning(0x34, 4),
                                         [](auto old, auto data0, auto data1) {
                                           return select(old >= data0, old - data0, old + data1);
                                         }),
    atomic<AtomicOperation::kConditionalSwap, Bits>(
        {"", "condxchg32"}, "Exchanges each dword whose data has bit 31 set, cleared.",
        in_lds_returning(0x7e, 8), exchange_marked_words),
    atomic<AtomicOperation::kFloatCompareSwap, Floats>(
        {"", "cmpst"}, "Stores data if memory equals the comparand as a float.", in_lds(0x11),
        [](auto old, auto data, auto comparand) { return select(old == comparand, data, old); }),
    atomic<AtomicOperation::kFloatAdd, Floats>(
        {"add", "add"}, "Adds floats, rounded to nearest even.",
        flat_and_buffer(0x4d, 4, since(Version::kGfx942)) | flat_and_buffer(0x4f, 8) |
            in_lds(0x15, 4, 0x35) | in_lds(0x5c, 8, 0x7c),
        [](auto old, auto data) { return old + data; }),
    // The L2 of gfx90a flushes f32 denormals (LLVM feature MemoryAtomicFAddF32DenormalSupport).
    atomic<AtomicOperation::kFloatAddFlush, Floats>(
        {"add", ""}, "Adds floats; denormals count as zero.",
        global_only(0x4d) | buffer_only(0x4d, until(Version::kGfx90a)),
        [](auto old, auto data) { return old + data; }),
    atomic<AtomicOperation::kFloatMin, Floats>({"min", "min"}, "Keeps the float minimum.",
                                               flat_and_buffer(0x50, 8) | in_lds(0x12), min),
    atomic<AtomicOperation::kFloatMax, Floats>({"max", "max"}, "Keeps the float maximum.",
                                               flat_and_buffer(0x51, 8) | in_lds(0x13), max),
    atomic<AtomicOperation::kPackedAddF16, HalvesF16>(
        {"pk_add", "pk_add"}, "Adds two f16.",
        global_only(0x4e) | flat_only(0x4e, 4, since(Version::kGfx942)) |
            buffer_only(0x4e, Lifetime{}) | in_lds(0x17, 4, 0xb7, since(Version::kGfx942)),
        [](auto old, auto data) { return old + data; }),
    atomic<AtomicOperation::kPackedAddBf16, HalvesBf16>(
        {"pk_add", "pk_add"}, "Adds two bf16.",
        flat_only(0x52, 4, since(Version::kGfx942)) |
            in_lds(0x18, 4, 0xb8, since(Version::kGfx942)),
        [](auto old, auto data) { return old + data; }));

/// Calls visit(line) for the line of an operation; false if it has none: kNone, and those that
/// count lanes (kAppend, kConsume).
template <class Visit>
constexpr bool visit_atomic(AtomicOperation operation, Visit visit) {
  return kAtomics.apply([&](const auto&... line) {
    return ((operation == line.operation ? (visit(line), true) : false) || ...);
  });
}
/// Calls visit.operator()<operation>() for an operation that has a line; false if it has none.
template <class Visit>
bool with_operation(AtomicOperation operation, Visit visit) {
  return visit_atomic(operation, [&](const auto& line) {
    visit.template operator()<std::remove_cvref_t<decltype(line)>::operation>();
  });
}

/// True for operations on floats.
constexpr bool is_float_operation(AtomicOperation operation) {
  bool is_float = false;
  visit_atomic(operation, [&](const auto& line) {
    is_float = std::remove_cvref_t<decltype(line)>::Kind::is_float;
  });
  return is_float;
}

/// True for operations that store a given value, as locks and flags are made of.
constexpr bool is_exchange(AtomicOperation operation) {
  return operation == AtomicOperation::kSwap || operation == AtomicOperation::kCompareSwap;
}
/// True for those that store it if memory equals a comparand.
constexpr bool compares(AtomicOperation operation) {
  return operation == AtomicOperation::kCompareSwap ||
         operation == AtomicOperation::kFloatCompareSwap;
}

/// True if an operation has a row of that width in that place.
constexpr bool exists_in(AtomicPlace place, AtomicOperation operation, std::size_t bytes) {
  bool exists = false;
  visit_atomic(operation, [&](const auto& line) {
    for (std::size_t i = 0; i < line.forms.count; ++i) {
      exists |= line.forms.all[i].place == place && line.forms.all[i].bytes == bytes;
    }
  });
  return exists;
}

/// Where an operation's line stands in kAtomics.
constexpr std::size_t line_of(AtomicOperation operation) {
  return kAtomics.apply([&](const auto&... line) {
    std::size_t before = 0;
    (void)((line.operation == operation || (++before, false)) || ...);
    return before;
  });
}

/// The value that memory holds after the operation. The line is chosen when this is compiled: a
/// lane of LDS takes a few host instructions.
template <AtomicOperation kOperation, class T>
T atomic_result(T old, T data, T data2, const Modes& modes) {
  using Line = std::remove_cvref_t<decltype(get<line_of(kOperation)>(kAtomics))>;
  return Line::Kind::template apply<T>(typename Line::Body{}, old, data, data2, modes);
}

}  // namespace wavetank::isa
