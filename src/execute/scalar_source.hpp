// Uniform values as scalar handlers read and write them.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "execute/op.hpp"
#include "isa/type.hpp"

namespace wavetank::execute {

/// Source `index` of an op that is an SGPR, a special register or a constant.
inline std::uint32_t scalar_source32(const machine::Wave& wave, const Op* op, unsigned index) {
  if (op->kind[index] == Source::kConstant) return static_cast<std::uint32_t>(op->constant[index]);
  std::uint32_t value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&wave) + op->src[index], 4);
  return value;
}
inline std::uint64_t scalar_source64(const machine::Wave& wave, const Op* op, unsigned index) {
  if (op->kind[index] == Source::kConstant) return op->constant[index];
  std::uint64_t value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&wave) + op->src[index], 8);
  return value;
}

/// The same as a T, a tag of isa/type.hpp.
template <class T>
typename T::Bits scalar_source(const machine::Wave& wave, const Op* op, unsigned index) {
  if constexpr (sizeof(typename T::Bits) == 8) {
    return static_cast<typename T::Bits>(scalar_source64(wave, op, index));
  } else {
    return static_cast<typename T::Bits>(scalar_source32(wave, op, index));
  }
}

}  // namespace wavetank::execute
