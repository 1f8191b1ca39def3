// Accesses beside a work-item's private memory (scratch).
#pragma once

#include <cstdint>
#include <optional>

#include "check/group.hpp"

namespace wavetank::check {

/// True for a buffer instruction through a resource that begins in private memory.
bool touches_scratch_by_buffer(const Instruction& now);
/// True if an instruction touches private memory only.
inline bool touches_scratch(const Instruction& now) {
  if (now.facts.space == machine::MemorySpace::kScratch) return true;
  return now.wave.workgroup->scratch_bytes != 0 && touches_scratch_by_buffer(now);
}

/// True if all lanes of a flat access go to private memory.
bool addresses_scratch(const Instruction& now);

/// Which byte of a work-item's private memory lies at an address in its wave's scratch, modulo
/// 2^64.
std::uint64_t private_byte(const machine::Wave& wave, std::uint64_t address);

/// The first lane that leaves its private memory.
struct OutOfScratch {
  unsigned lane = 0;
  std::uint64_t byte = 0;  ///< of the work-item's private memory, modulo 2^64
  std::uint64_t private_bytes = 0;
};
std::optional<OutOfScratch> look_at_scratch(const Instruction& now);

}  // namespace wavetank::check
