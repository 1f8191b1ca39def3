// Which of the SQ_INSTS_VALU_* counters an instruction goes to (ROCm documentation, "MI300 and
// MI200 series performance counters": class counts of add, multiply, FMA, transcendental, integer,
// convert).
#pragma once

#include <cstdint>

#include "isa/row.hpp"

namespace wavetank::isa {

enum class CounterClass : std::uint8_t {
  kNone,
  kAddF16,
  kMulF16,
  kFmaF16,
  kTransF16,
  kAddF32,
  kMulF32,
  kFmaF32,
  kTransF32,
  kAddF64,
  kMulF64,
  kFmaF64,
  kTransF64,
  kInt32,
  kInt64,
  kConvert,
};

/// The class of a VALU row, by its meaning or its arithmetic; kNone for moves, compares,
/// lane operations and whatever the hardware counts in no class. Packed rows count once.
CounterClass counter_class(const Row& row);

/// Floating-point operations that an active lane does: 1, 2 for an FMA, twice that for packed rows.
unsigned operations_per_lane(const Row& row);

}  // namespace wavetank::isa
