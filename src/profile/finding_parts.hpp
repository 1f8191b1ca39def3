// What the rules of findings are made of: shares, and the instruction that is worst.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/source_access.hpp"
#include "isa/counter_class.hpp"
#include "profile/finding.hpp"
#include "profile/hot_lines.hpp"
#include "profile/stall_stack.hpp"

namespace wavetank::profile {

using Found = std::optional<Finding>;

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

/// A part of a whole in percent; 0 of nothing.
inline double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

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

/// Cycles that waves spent at an instruction and in waiting for it.
inline double cycles_at(const InstructionProfile& i) {
  return static_cast<double>(total_cycles(i.cycles));
}

/// Where the kernel begins: its first instruction that has a line.
inline std::string place_of_kernel(const LaunchProfile& launch) {
  for (const InstructionProfile& i : launch.instructions) {
    if (static_cast<std::int64_t>(i.offset) >= 0 && i.line != 0) return place_of(i);
  }
  return {};
}

/// The place of an instruction, or of the one before it that has a line: what the compiler adds by
/// itself, spills above all, has none.
inline std::string place_near(const LaunchProfile& launch, const InstructionProfile& instruction) {
  const InstructionProfile* near = &instruction;
  while (near->line == 0 && near != launch.instructions.data()) --near;
  return place_of(near->line != 0 ? *near : instruction);
}

/// Percent of the cycles of resident waves that passed for a reason.
inline double share_of_resident(const FindingInput& in, Reason reason) {
  return percent(static_cast<double>(in.launch.cycles_by_reason[static_cast<std::size_t>(reason)]),
                 static_cast<double>(resident_cycles(in.launch.cycles_by_reason)));
}

/// The instruction for which `amount` is largest; none if it is 0 for all.
template <class Amount>
const InstructionProfile* most(const LaunchProfile& launch, Amount amount) {
  const InstructionProfile* best = nullptr;
  for (const InstructionProfile& i : launch.instructions) {
    if (amount(i) > (best != nullptr ? amount(*best) : 0)) best = &i;
  }
  return best;
}

/// The place where waves spend the most cycles on a reason.
inline std::string place_of_reason(const LaunchProfile& launch, Reason reason) {
  const InstructionProfile* worst = worst_instruction(launch, reason);
  return worst != nullptr ? place_of(*worst) : std::string();
}

/// A finding whose gain is estimated: no change of the device removes its cause.
inline Finding estimated(Finding finding, double gain_percent) {
  finding.gain_percent = gain_percent;
  finding.is_estimated = true;
  return finding;
}

/// Workgroups of a launch.
inline std::uint64_t workgroups(const LaunchProfile& l) {
  const auto groups = [](std::uint64_t items, std::uint64_t size) {
    return (items + size - 1) / std::max<std::uint64_t>(size, 1);
  };
  return groups(l.grid_work_items.x, l.workgroup_work_items.x) *
         groups(l.grid_work_items.y, l.workgroup_work_items.y) *
         groups(l.grid_work_items.z, l.workgroup_work_items.z);
}

/// The part of the lanes of all waves that have a work-item.
inline double lanes_with_items(const LaunchProfile& l) {
  const auto items = static_cast<double>(l.workgroup_work_items.count());
  const double waves = std::ceil(items / 64);
  return waves > 0 ? items / (64 * waves) : 0;
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
