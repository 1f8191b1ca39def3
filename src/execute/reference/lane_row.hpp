// A row of a per-lane table as plain data: where its operands come from and a function that
// evaluates its body on the bits of one lane. One loop, in run.cpp, runs them all.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "execute/reference/lane.hpp"
#include "execute/registry.hpp"
#include "isa/define.hpp"

namespace wavetank::execute::reference {

/// Bits of a lane's operands, one for each parameter of the body; what the body made of them.
struct LaneInputs {
  std::array<std::uint64_t, 4> bits = {};
};
struct LaneResult {
  std::uint64_t bits = 0;
  bool mask = false;
};
using Evaluate = LaneResult (*)(const LaneInputs&);

/// How a parameter gets its bits.
enum class From : std::uint8_t {
  kNothing,
  kRegister,     ///< a source, with op_sel, abs and neg by its type
  kPair,         ///< a packed source put together from the halves that op_sel and op_sel_hi name
  kMix,          ///< f32, or a half widened to it
  kWord,         ///< the register of a pair that op_sel names
  kAccumulator,  ///< the destination
  kMask,         ///< the lane's bit of a scalar pair
  kVcc,          ///< the lane's bit of VCC
  kLaneNumber,
};
struct Parameter {
  isa::Type type = isa::Type::kNone;
  From from = From::kNothing;
};

/// Where the result goes.
enum class To : std::uint8_t { kNothing, kRegister, kHighHalf, kByte };

struct LaneRow {
  std::array<Parameter, 4> parameters = {};
  isa::Type result = isa::Type::kNone;
  To to = To::kNothing;
  bool mask_result = false;
  bool packed = false;  ///< evaluates each half, or each register of a pair
  Evaluate evaluate = nullptr;
  Evaluate saturating = nullptr;
};

/// Runs a row on every active lane under the wave's MODE.
const Op* run_lane_by_lane(machine::Wave& wave, const Op* op, const LaneRow& row);

/// Runs the row with four result registers (v_mqsad_u32_u8), which strips do not run: clamp stops
/// each sum at the largest u32.
const Op* run_mqsad(machine::Wave& wave, const Op* op);

/// Where a parameter that is no half or word of its source comes from.
constexpr From from_of(const isa::Operand& operand) {
  switch (operand.role) {
    case isa::Role::kAccumulator: return From::kAccumulator;
    case isa::Role::kImplicitVcc: return From::kVcc;
    case isa::Role::kLaneNumber: return From::kLaneNumber;
    default: return operand.type == isa::Type::kMask ? From::kMask : From::kRegister;
  }
}

template <class P>
struct ParameterOf {
  using Value = isa::ValueOf<P>;
  static constexpr From from = from_of(isa::OperandOf<P>::value);
};
template <>
struct ParameterOf<isa::MixF32> {
  using Value = isa::F32;
  static constexpr From from = From::kMix;
};
template <>
struct ParameterOf<isa::WordOfPair> {
  using Value = isa::U32;
  static constexpr From from = From::kWord;
};

template <class T>
inline constexpr bool kIsPair =
    std::is_same_v<T, isa::PkF16> || std::is_same_v<T, isa::PkI16> || std::is_same_v<T, isa::PkU16>;

/// The lane value of a parameter's bits.
template <class P>
auto input(std::uint64_t bits) {
  using Value = typename ParameterOf<P>::Value;
  if constexpr (std::is_same_v<Value, isa::Mask>)
    return LaneMask{bits != 0};
  else
    return lane_from<Value>(bits);
}

inline LaneResult output(LaneMask mask) { return {0, mask.set}; }
template <class T>
LaneResult output(Lane<T> value) {
  return {bits_of(value), false};
}
template <class T>
LaneResult output(isa::Masked<Lane<T>, LaneMask> both) {
  return {bits_of(both.value), both.mask.set};
}

template <class Body, class... P>
LaneResult evaluate(const LaneInputs& inputs) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return output(Body{}(input<P>(inputs.bits[I])...));
  }
  (std::index_sequence_for<P...>());
}

template <class R>
constexpr To to_of() {
  if (std::is_void_v<typename isa::ResultOf<R>::Value>) return To::kNothing;
  if (std::is_same_v<R, isa::ByteResult>) return To::kByte;
  return isa::kIsHighHalf<R> ? To::kHighHalf : To::kRegister;
}

template <class Definition, class Signature>
struct LaneRowOf;
template <class Definition, class R, class... P>
struct LaneRowOf<Definition, R(P...)> {
  template <class Q>
  static constexpr Parameter parameter() {
    constexpr bool mixed = Definition::shape == isa::Shape::kMixed;
    using Value = typename ParameterOf<Q>::Value;
    if constexpr (mixed && kIsPair<Value>)
      return {Value::type, From::kPair};
    else
      return {Value::type, ParameterOf<Q>::from};
  }
  static constexpr LaneRow facts() {
    LaneRow row;
    row.parameters = {parameter<P>()...};
    row.result = isa::ResultOf<R>::operand.type;
    row.to = to_of<R>();
    row.mask_result = isa::ResultOf<R>::mask;
    row.packed = Definition::shape == isa::Shape::kPacked;
    row.evaluate = evaluate<typename Definition::Body, P...>;
    using Saturating = typename Definition::SaturatingBody;
    if constexpr (!std::is_void_v<Saturating>) row.saturating = evaluate<Saturating, P...>;
    return row;
  }
  static constexpr LaneRow kRow = facts();
  static const Op* run(machine::Wave& wave, const Op* op) {
    return run_lane_by_lane(wave, op, kRow);
  }
};

/// Handlers of a table line, for append() in registry.hpp: the exact one only.
inline constexpr auto kExact = []<class Definition>() {
  HandlerSet handlers;
  handlers.exact = LaneRowOf<Definition, typename Definition::Signature>::run;
  return handlers;
};

}  // namespace wavetank::execute::reference
