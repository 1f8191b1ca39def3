// How a table of instructions is written. A table line is the instruction: name, sentence,
// encoding, operand types and the arithmetic. The body is generic in its number type: the executor
// evaluates it on one lane (reference, any MODE) and on strips of lanes (fast path).
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "isa/list.hpp"
#include "isa/row.hpp"

namespace wavetank::isa {

template <class T>
struct OperandOf {
  static constexpr Operand value{T::type, Role::kSource};
};
template <class T>
struct OperandOf<Accumulate<T>> {
  static constexpr Operand value{T::type, Role::kAccumulator};
};
template <class T>
struct OperandOf<Literal<T>> {
  static constexpr Operand value{T::type, Role::kLiteral};
};

template <class T>
struct OperandOf<HighHalf<T>> {
  static constexpr Operand value{T::type, Role::kSource};
};
template <ImmediateKind K>
struct OperandOf<Immediate<K>> {
  static constexpr Operand value{Type::kI32, Role::kImmediate, K};
};
template <class T>
struct OperandOf<Acc<T>> {
  static constexpr Operand value{T::type, Role::kSource, ImmediateKind::kNone,
                                 RegisterClass::kAgpr};
};
template <class T>
struct OperandOf<Vgpr<T>> {
  static constexpr Operand value{T::type, Role::kSource, ImmediateKind::kNone,
                                 RegisterClass::kVgpr};
};
template <class T>
struct OperandOf<Uniform<T>> {
  static constexpr Operand value{T::type, Role::kSource, ImmediateKind::kNone,
                                 RegisterClass::kScalar};
};
template <class T>
struct OperandOf<Sgpr<T>> {
  static constexpr Operand value{T::type, Role::kSource, ImmediateKind::kNone,
                                 RegisterClass::kSgpr};
};
/// Shorthands of the immediates that scalar rows have.
using SignedImmediate = Immediate<ImmediateKind::kSigned>;
using UnsignedImmediate = Immediate<ImmediateKind::kUnsigned>;
using BranchOffset = Immediate<ImmediateKind::kBranch>;
using HwregField = Immediate<ImmediateKind::kHwreg>;
template <>
struct OperandOf<ImplicitVcc> {
  static constexpr Operand value{Type::kMask, Role::kImplicitVcc};
};
template <>
struct OperandOf<LaneNumber> {
  static constexpr Operand value{Type::kU32, Role::kLaneNumber};
};

/// The type of a parameter's value: what it says beside is where the value is from.
template <class P>
struct ValueOfParameter {
  using Type = P;
};
template <class P>
  requires requires { typename P::Value; }
struct ValueOfParameter<P> {
  using Type = typename P::Value;
};
template <class P>
using ValueOf = typename ValueOfParameter<P>::Type;

/// The encoded source that `parameter` of a body with parameters P... is, or the next one.
template <class... P>
constexpr unsigned source_of_parameter(unsigned parameter) {
  constexpr bool encoded[] = {is_encoded(OperandOf<P>::value.role)..., false};
  unsigned index = 0;
  for (unsigned i = 0; i < parameter; ++i) index += encoded[i] ? 1 : 0;
  return index;
}

/// What a result type says: the operand that the row writes and the type of its value (void: none),
/// and whether there is a lane mask, too.
template <class R>
struct ResultOf {
  using Value = ValueOf<R>;
  static constexpr Operand operand = OperandOf<R>::value;
  static constexpr bool mask = false;
};
template <>
struct ResultOf<void> {
  using Value = void;
  static constexpr Operand operand{};
  static constexpr bool mask = false;
};
template <>
struct ResultOf<Mask> : ResultOf<void> {
  static constexpr bool mask = true;
};
template <class T>
struct ResultOf<WithMask<T>> : ResultOf<T> {
  static constexpr bool mask = true;
};
template <class R>
inline constexpr bool kIsHighHalf = false;
template <class T>
inline constexpr bool kIsHighHalf<HighHalf<T>> = true;

/// Splits a function type into the row's operand facts.
template <class Signature>
struct SignatureFacts;
template <class R, class... A>
struct SignatureFacts<R(A...)> {
  static constexpr void apply(Row& row) {
    row.result = ResultOf<R>::operand;
    row.mask_result = ResultOf<R>::mask;
    row.sources = {OperandOf<A>::value...};
  }
};

/// What the body of a WithMask row returns.
template <class V, class M>
struct Masked {
  V value;
  M mask;
};
template <class V, class M>
constexpr Masked<V, M> with_mask(V value, M mask) {
  return {value, mask};
}

/// One table line. Saturating is the body under the clamp bit of an integer row, or void.
template <Shape S, class Sig, class B, class Saturating = void>
struct Definition {
  static constexpr Shape shape = S;
  using Signature = Sig;
  using Body = B;
  using SaturatingBody = Saturating;
  Row row;

  /// Facts that differ from the default, chainable: .since(Version::kGfx942).at(Rate::kQuarter).
  constexpr Definition since(Version first) const {
    return with([&](Row& r) { r.lifetime.since = first; });
  }
  constexpr Definition until(Version last) const {
    return with([&](Row& r) { r.lifetime.until = last; });
  }
  constexpr Definition during(Lifetime lifetime) const {
    return with([&](Row& r) { r.lifetime = lifetime; });
  }
  constexpr Definition at(Rate rate) const {
    return with([&](Row& r) { r.rate = rate; });
  }
  constexpr Definition in(Unit unit) const {
    return with([&](Row& r) { r.unit = unit; });
  }
  constexpr Definition ends_flow() const { return goes_on_if(0, 1); }
  constexpr Definition goes_on_if(std::uint16_t mask, std::uint16_t value) const {
    return with([=](Row& r) { r.goes_on = {mask, value}; });
  }
  constexpr Definition pauses(Pause pause) const {
    return with([&](Row& r) { r.pause = pause; });
  }
  constexpr Definition jumps_indirectly() const {
    return with([](Row& r) { r.indirect_flow = true; });
  }
  constexpr Definition to_exec() const {
    return with([](Row& r) { r.exec_result = true; });
  }
  constexpr Definition means(Meaning meaning) const {
    return with([=](Row& r) { r.meaning = meaning; });
  }
  constexpr Definition counts_as(Arithmetic arithmetic) const {
    return with([=](Row& r) { r.arithmetic = arithmetic; });
  }
  constexpr Definition selects(OpSel chosen) const {
    return with([=](Row& r) { r.op_sel = chosen; });
  }
  constexpr Definition counts_slots() const {
    return with([](Row& r) { r.counts_slots = true; });
  }
  constexpr Definition keeps_denormals() const {
    return with([](Row& r) { r.keeps_denormals = true; });
  }
  constexpr Definition sets_priority() const {
    return with([](Row& r) { r.sets_priority = true; });
  }
  constexpr Definition indexing(RegisterIndexing step) const {
    return with([=](Row& r) { r.indexing = step; });
  }
  constexpr Definition to_sgpr() const {
    return with([](Row& r) { r.scalar_result = true; });
  }
  constexpr Definition sums_products() const {
    return with([](Row& r) { r.dot_product = true; });
  }
  constexpr Definition to_lane() const {
    return with([](Row& r) { r.lane_result = true; });
  }
  constexpr Definition keeps_high_half() const {
    return with([](Row& r) { r.keeps_high_half = true; });
  }
  /// The body of an integer row under the clamp bit: the exact result, stopped at the type's ends.
  template <class F>
  constexpr Definition<S, Sig, B, F> saturates_with(F) const {
    Definition<S, Sig, B, F> copy{row};
    copy.row.integer_clamp = IntegerClamp::kSaturates;
    return copy;
  }

 private:
  template <class Change>
  constexpr Definition with(Change change) const {
    Definition copy = *this;
    change(copy.row);
    return copy;
  }
};

template <Shape S, class Signature, class Body>
constexpr auto define(std::string_view name, std::string_view summary, Encoding encoding, Unit unit,
                      Body) {
  Definition<S, Signature, Body> definition{Row{name, summary, encoding}};
  SignatureFacts<Signature>::apply(definition.row);
  definition.row.unit = unit;
  definition.row.shape = S;
  return definition;
}

/// A per-lane vector instruction.
template <class Signature, class Body>
constexpr auto valu(std::string_view name, std::string_view summary, Encoding encoding, Body body) {
  return define<Shape::kValu, Signature>(name, summary, encoding, Unit::kValu, body);
}

/// A packed instruction (VOP3P): the body sees one half, typed by the signature.
template <class Signature, class Body>
constexpr auto packed(std::string_view name, std::string_view summary, Encoding encoding,
                      Body body) {
  auto definition = define<Shape::kPacked, Signature>(name, summary, encoding, Unit::kValu, body);
  definition.row.result.type = packed_type(definition.row.result.type);
  for (Operand& source : definition.row.sources) source.type = packed_type(source.type);
  return definition;
}

/// A VOP3P instruction whose sources are whole: dot products, v_fma_mix.
template <class Signature, class Body>
constexpr auto mixed(std::string_view name, std::string_view summary, Encoding encoding,
                     Body body) {
  return define<Shape::kMixed, Signature>(name, summary, encoding, Unit::kValu, body);
}

/// A vector instruction that needs the whole wave: body(lanes) does the work.
template <class Signature, class Body>
constexpr auto whole_wave(std::string_view name, std::string_view summary, Encoding encoding,
                          Body body) {
  return define<Shape::kWave, Signature>(name, summary, encoding, Unit::kValu, body);
}

/// A scalar instruction: body(wave, uniform sources...) returns the result, if any.
template <class Signature, class Body>
constexpr auto scalar(std::string_view name, std::string_view summary, Encoding encoding,
                      Body body) {
  return define<Shape::kScalar, Signature>(name, summary, encoding, Unit::kSalu, body);
}

/// An instruction that decides what runs next: body(wave, op) returns it.
template <class Signature, class Body>
constexpr auto control(std::string_view name, std::string_view summary, Encoding encoding,
                       Body body) {
  return define<Shape::kControl, Signature>(name, summary, encoding, Unit::kBranch, body);
}

/// A memory instruction: its shape says what moves.
constexpr auto memory(std::string_view name, std::string_view summary, Encoding encoding, Unit unit,
                      MemoryShape shape) {
  auto definition = define<Shape::kMemory, void()>(name, summary, encoding, unit, [] {});
  definition.row.memory = shape;
  return definition;
}

/// The type of `dwords` registers that hold parts of a matrix.
constexpr Type matrix_type(unsigned dwords) {
  switch (dwords) {
    case 1: return Type::kU32;
    case 2: return Type::kU64;
    case 4: return Type::kB128;
    case 8: return Type::kB256;
    case 16: return Type::kB512;
    default: return Type::kB1024;
  }
}

/// A matrix instruction: operands A, B, then C, or the index of a sparse A with D as C.
constexpr auto matrix(std::string_view name, std::string_view summary, Encoding encoding,
                      MatrixShape shape) {
  auto definition = define<Shape::kMatrix, void()>(name, summary, encoding, Unit::kMatrix, [] {});
  Row& row = definition.row;
  row.matrix = shape;
  row.result.type = matrix_type(shape.c_dwords());
  row.sources = {OperandOf<Vgpr<U32>>::value, OperandOf<Vgpr<U32>>::value};
  row.sources[0].type = matrix_type(shape.a_dwords());
  row.sources[1].type = matrix_type(shape.b_dwords());
  if (shape.sparse) {
    row.sources[2] = OperandOf<Vgpr<U32>>::value;
    row.sources[3] = {row.result.type, Role::kAccumulator};
  } else {
    row.sources[2].type = row.result.type;
  }
  return definition;
}

/// A table of definitions; at most about 64 lines each.
template <class... Definitions>
constexpr auto table(Definitions... definitions) {
  return List<Definitions...>(definitions...);
}

/// A table of rows that mean the same.
template <class... Definitions>
constexpr auto table_of(Meaning meaning, Definitions... definitions) {
  return table(definitions.means(meaning)...);
}

/// A table of dot products.
template <class... Definitions>
constexpr auto dot_products(Definitions... definitions) {
  return table(definitions.sums_products()...);
}

/// The tables of a header as one: what decodes, runs, compiles and documents instructions walks it.
template <class... Tables>
constexpr auto tables(const Tables&... table) {
  return List<Tables...>(table...);
}
/// Calls visit(line) for every line of a table: of a list, or an array of lines of one type.
template <class... Lines, class Visit>
constexpr void for_each_line_of(const List<Lines...>& table, Visit& visit) {
  table.apply([&](const auto&... line) { (visit(line), ...); });
}
template <class Line, std::size_t kSize, class Visit>
constexpr void for_each_line_of(const std::array<Line, kSize>& table, Visit& visit) {
  for (const Line& line : table) visit(line);
}
/// Calls visit(line) for every line of a list of tables.
template <class... Tables, class Visit>
constexpr void for_each_line(const List<Tables...>& list, Visit visit) {
  list.apply([&](const auto&... table) { (for_each_line_of(table, visit), ...); });
}

}  // namespace wavetank::isa
