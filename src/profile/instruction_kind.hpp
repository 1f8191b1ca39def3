// What an instruction of a profile is, and how its lanes access memory.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/source_access.hpp"
#include "isa/counter_class.hpp"
#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// True for what the VALU or the matrix unit does.
inline bool is_vector(const InstructionProfile& i) {
  return i.row != nullptr && (i.row->unit == isa::Unit::kValu || i.row->unit == isa::Unit::kMatrix);
}

/// What an instruction does to memory; kNone for all others.
inline isa::MemoryAction action_of(const InstructionProfile& i) {
  return i.row == nullptr ? isa::MemoryAction::kNone : i.row->memory.action;
}

/// True for accesses of memory by lanes: loads, stores and atomics, not of the LDS.
inline bool is_vector_memory(const InstructionProfile& i) {
  return i.row != nullptr && action_of(i) != isa::MemoryAction::kCacheControl &&
         (i.row->unit == isa::Unit::kVectorMemory || i.row->unit == isa::Unit::kFlat);
}

/// True for accesses of the LDS by its own instructions.
inline bool is_of_lds(const InstructionProfile& i) {
  return i.row != nullptr && i.row->unit == isa::Unit::kLds &&
         action_of(i) != isa::MemoryAction::kNone;
}

/// True for arithmetic whose result, or whose comparands, are doubles.
inline bool is_f64(const InstructionProfile& i) {
  return is_vector(i) &&
         (i.row->result.type == isa::Type::kF64 || i.row->sources[0].type == isa::Type::kF64);
}

/// True for a float that becomes a double.
inline bool widens_f32(const InstructionProfile& i) {
  return is_f64(i) && i.row->result.type == isa::Type::kF64 &&
         i.row->sources[0].type == isa::Type::kF32;
}

/// "loads", for a sentence.
inline std::string_view kind_of(const InstructionProfile& i) {
  switch (action_of(i)) {
    case isa::MemoryAction::kAtomic: return "atomics";
    case isa::MemoryAction::kStore: return "stores";
    default: return "loads";
  }
}

/// " of row[k * 32] in a" for an access that is known, and the array that it goes to if that has
/// another name.
inline std::string array_of(const InstructionProfile& i) {
  if (i.access.empty()) return i.array.empty() ? std::string() : " of " + i.array;
  const bool is_named = i.array.empty() || name_of_access(i.access) == i.array;
  return " of " + i.access + (is_named ? std::string() : " in " + i.array);
}

/// True for accesses whose lanes are always as far apart, at least from their first to their second
/// and on average.
inline bool has_one_stride(const InstructionProfile& i) {
  return i.strided_accesses > 0 && i.stride.least == i.stride.greatest;
}

/// ", stride 8192 bytes" for accesses that have one.
inline std::string stride_of(const InstructionProfile& i) {
  if (!has_one_stride(i)) return {};
  return ", stride " + std::to_string(static_cast<std::int64_t>(i.stride.least)) + " bytes";
}

/// True if what one lane accesses is as wide as this, or wider, and lies side by side with the next
/// lane's.
inline bool is_row(const InstructionProfile& i) {
  return has_one_stride(i) && i.row != nullptr && i.stride.least == i.row->memory.element_bytes;
}

/// Bytes that a lane can load or store with one instruction.
inline constexpr unsigned kWidestBytes = 16;

/// Loads and stores of a quarter of that at most, side by side.
inline bool is_narrow(const InstructionProfile& i) {
  return is_vector_memory(i) && action_of(i) != isa::MemoryAction::kAtomic && is_row(i) &&
         i.private_accesses == 0 && i.row->memory.element_bytes <= kWidestBytes / 4;
}

/// Loads by lanes of what is the same for all of them.
inline bool is_uniform_load(const InstructionProfile& i) {
  return is_vector_memory(i) && action_of(i) == isa::MemoryAction::kLoad && has_one_stride(i) &&
         i.stride.least == 0;
}

/// True for a multiplication and addition of floats in one vector instruction.
inline bool multiplies_and_adds(const InstructionProfile& i) {
  if (i.row == nullptr || i.row->unit != isa::Unit::kValu) return false;
  switch (isa::counter_class(*i.row)) {
    case isa::CounterClass::kFmaF16:
    case isa::CounterClass::kFmaF32:
    case isa::CounterClass::kFmaF64: return true;
    default: return false;
  }
}

}  // namespace wavetank::profile
