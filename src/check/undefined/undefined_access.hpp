// An instruction that touches memory, as the check of undefined data looks at it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "check/findings.hpp"
#include "check/lane_ranges.hpp"
#include "check/undefined/register_bytes.hpp"
#include "check/undefined/undefined_bytes.hpp"
#include "isa/row.hpp"
#include "machine/step.hpp"
#include "machine/undefined_registers.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

/// What is undefined in a workgroup's LDS and in its waves' registers.
struct UndefinedGroup {
  std::unique_ptr<UndefinedBytes> lds;
  std::vector<machine::UndefinedRegisters> waves;
  std::uint64_t index = 0;
  Findings* findings = nullptr;
  std::vector<LaneRange> ranges;  ///< of the present instruction
};

/// An instruction and who executes it.
struct UndefinedAccess {
  UndefinedGroup& group;
  machine::Wave& wave;
  const machine::StepFacts& facts;
  const machine::Step& step;
  /// Those of the wave, nullptr if all are defined.
  machine::UndefinedRegisters* registers;

  isa::MemoryAction action() const { return facts.row->memory.action; }
  bool is_scalar() const { return facts.space == machine::MemorySpace::kScalar; }
  unsigned lane_bytes() const {
    return std::min(4 * kMostAccessDwords, step.access_bytes * step.access_count);
  }
  /// Where the lane's `access`th access begins.
  std::uint64_t address(unsigned lane, unsigned access) const {
    return step.address[lane] +
           static_cast<std::uint64_t>(step.access_stride * std::int64_t{access});
  }
  /// Scalar registers for a scalar access.
  const machine::RegisterRange& results() const {
    return is_scalar() ? facts.scalar_writes.range[0] : facts.vector_writes.range[0];
  }
};

}  // namespace wavetank::check
