// In which order results of memory instructions arrive, and which counter of s_waitcnt tells (CDNA3
// ISA guide, "Data Dependency Resolution"; LLVM SIInsertWaitcnts.cpp for gfx9).
#pragma once

#include <cstdint>

#include "machine/step.hpp"

namespace wavetank::check {

/// Which counter an instruction is counted by until it is done.
enum class Counter : std::uint8_t { kNone, kVmcnt, kLgkmcnt };

/// `in_lds`: a FLAT instruction's lanes address LDS. Cache invalidations are not counted, as LLVM
/// does not count them either: who waits for more than is needed is right.
inline Counter counter_of(const machine::StepFacts& facts, bool in_lds) {
  if (facts.row->unit == isa::Unit::kMessage) return Counter::kLgkmcnt;
  if (facts.row->memory.action == isa::MemoryAction::kNone ||
      facts.row->memory.action == isa::MemoryAction::kCacheControl) {
    return Counter::kNone;
  }
  if (facts.port == machine::Port::kVectorMemory) {
    return in_lds ? Counter::kLgkmcnt : Counter::kVmcnt;
  }
  return Counter::kLgkmcnt;
}

/// True if instructions of its kind finish in the order of their issue, among themselves: not
/// scalar loads and messages.
inline bool is_in_order(const machine::StepFacts& facts) {
  return facts.port == machine::Port::kVectorMemory || facts.port == machine::Port::kLds;
}

}  // namespace wavetank::check
