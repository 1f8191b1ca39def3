// What atomic operations make of memory: the new value from the old one and the data. LDS, FLAT,
// MUBUF and SMEM share these definitions (CDNA3 ISA guide, "DS", "FLAT" and "MUBUF" opcode tables).
//
// Of compare-and-swap, `data` is the new value and `data2` the comparand, as in FLAT; DS has them
// the other way round in DATA0 and DATA1. Rounding is always to nearest even; LDS honours MODE's
// denormal bits, memory keeps denormals but for the flushing f32 add of gfx90a (LLVM
// SIISelLowering, atomics: "DS FP atomics do respect the denormal mode, but the rounding mode is
// fixed to round-to-nearest-even").
#pragma once

#include <cstdint>
#include <type_traits>

#include "isa/row.hpp"
#include "number/arithmetic.hpp"
#include "number/compare.hpp"
#include "number/types.hpp"

namespace wavetank::isa {

/// How an atomic treats floats.
struct AtomicModes {
  number::FloatMode f32, f16_f64;
};

/// Memory atomics: MODE does not reach them.
constexpr AtomicModes memory_modes(bool flush_f32) {
  AtomicModes modes;
  modes.f32.flush_input_denormals = modes.f32.flush_output_denormals = flush_f32;
  // A minimum or maximum prefers the number to a NaN.
  modes.f32.ieee = modes.f16_f64.ieee = false;
  return modes;
}
/// LDS atomics under a MODE register.
constexpr AtomicModes lds_modes(std::uint32_t mode) {
  AtomicModes modes{number::f32_mode(mode), number::f64_f16_mode(mode)};
  modes.f32.round = modes.f16_f64.round = number::Round::kNearestEven;
  modes.f32.ieee = modes.f16_f64.ieee = false;
  return modes;
}

namespace detail {

template <class T>
using FloatOf = std::conditional_t<sizeof(T) == 4, number::f32, number::f64>;

template <class T>
constexpr const number::FloatMode& mode_of(const AtomicModes& modes) {
  return sizeof(T) == 4 ? modes.f32 : modes.f16_f64;
}

template <class Half>
Half half_of(std::uint32_t value, unsigned index) {
  return number::from_bits<Half>((value >> (16 * index)) & 0xffffu);
}
template <class Half>
std::uint32_t packed_add(std::uint32_t a, std::uint32_t b, const number::FloatMode& mode) {
  const Half low = number::add(half_of<Half>(a, 0), half_of<Half>(b, 0), mode);
  const Half high = number::add(half_of<Half>(a, 1), half_of<Half>(b, 1), mode);
  return low.bits | std::uint32_t{high.bits} << 16;
}

template <AtomicOperation kOperation, class T>
T float_result(T old, T data, T data2, const AtomicModes& modes) {
  using Float = FloatOf<T>;
  const number::FloatMode& mode = mode_of<T>(modes);
  const Float a = number::from_bits<Float>(old), b = number::from_bits<Float>(data);
  if constexpr (kOperation == AtomicOperation::kFloatMin) return number::min(a, b, mode).bits;
  else if constexpr (kOperation == AtomicOperation::kFloatMax) return number::max(a, b, mode).bits;
  else if constexpr (kOperation == AtomicOperation::kFloatCompareSwap) {
    return number::to_host(a) == number::to_host(number::from_bits<Float>(data2)) ? data : old;
  } else {
    return number::add(a, b, mode).bits;
  }
}

}  // namespace detail

/// True for operations on floats.
constexpr bool is_float_operation(AtomicOperation operation) {
  return operation >= AtomicOperation::kFloatCompareSwap &&
         operation <= AtomicOperation::kPackedAddBf16;
}

/// True for operations that store a given value, as locks and flags are made of.
constexpr bool is_exchange(AtomicOperation operation) {
  return operation == AtomicOperation::kSwap || operation == AtomicOperation::kCompareSwap;
}

/// The value that memory holds after the operation.
template <AtomicOperation kOperation, class T>
T atomic_result(T old, T data, T data2, const AtomicModes& modes) {
  using Signed = std::make_signed_t<T>;
  using A = AtomicOperation;
  const auto signed_old = static_cast<Signed>(old), signed_data = static_cast<Signed>(data);
  if constexpr (kOperation == A::kSwap) return data;
  else if constexpr (kOperation == A::kCompareSwap) return old == data2 ? data : old;
  else if constexpr (kOperation == A::kAdd) return old + data;
  else if constexpr (kOperation == A::kSub) return old - data;
  else if constexpr (kOperation == A::kReverseSub) return data - old;
  else if constexpr (kOperation == A::kSignedMin) return signed_data < signed_old ? data : old;
  else if constexpr (kOperation == A::kUnsignedMin) return data < old ? data : old;
  else if constexpr (kOperation == A::kSignedMax) return signed_data > signed_old ? data : old;
  else if constexpr (kOperation == A::kUnsignedMax) return data > old ? data : old;
  else if constexpr (kOperation == A::kAnd) return old & data;
  else if constexpr (kOperation == A::kOr) return old | data;
  else if constexpr (kOperation == A::kXor) return old ^ data;
  else if constexpr (kOperation == A::kInc) return old >= data ? T{0} : old + 1;
  else if constexpr (kOperation == A::kDec) return old == 0 || old > data ? data : old - 1;
  else if constexpr (kOperation == A::kMaskOr) return (old & ~data) | data2;
  else if constexpr (kOperation == A::kWrap) return old >= data ? old - data : old + data2;
  else if constexpr (kOperation == A::kConditionalSwap) {
    constexpr std::uint64_t kLow = 0x7fffffffu, kHigh = kLow << 32;
    std::uint64_t value = old;
    if ((data >> 31) & 1) value = (value & 0xffffffff00000000u) | (data & kLow);
    if ((std::uint64_t{data} >> 63) & 1) value = (value & 0xffffffffu) | (data & kHigh);
    return static_cast<T>(value);
  } else if constexpr (kOperation == A::kPackedAddF16) {
    return detail::packed_add<number::f16>(static_cast<std::uint32_t>(old),
                                           static_cast<std::uint32_t>(data), modes.f16_f64);
  } else if constexpr (kOperation == A::kPackedAddBf16) {
    return detail::packed_add<number::bf16>(static_cast<std::uint32_t>(old),
                                            static_cast<std::uint32_t>(data), modes.f32);
  } else {
    return detail::float_result<kOperation, T>(old, data, data2, modes);
  }
}

/// Calls visit.operator()<operation>() for an operation that a row names; false if it is kNone or
/// counts lanes (kAppend, kConsume).
template <class Visit>
bool with_operation(AtomicOperation operation, Visit visit) {
  using A = AtomicOperation;
  const auto any = [&]<A... kOperations>(std::integer_sequence<A, kOperations...>) {
    return ((operation == kOperations ? (visit.template operator()<kOperations>(), true) : false) ||
            ...);
  };
  return any(std::integer_sequence<A, A::kSwap, A::kCompareSwap, A::kAdd, A::kSub, A::kReverseSub,
                                   A::kSignedMin, A::kUnsignedMin, A::kSignedMax, A::kUnsignedMax,
                                   A::kAnd, A::kOr, A::kXor, A::kInc, A::kDec, A::kMaskOr, A::kWrap,
                                   A::kConditionalSwap, A::kFloatCompareSwap, A::kFloatAdd,
                                   A::kFloatAddFlush, A::kFloatMin, A::kFloatMax, A::kPackedAddF16,
                                   A::kPackedAddBf16>());
}

}  // namespace wavetank::isa
