// What counters tell issued instructions apart by. A CU counts by class as it runs; what that is in
// counters is worked out when a launch ends (IssueCounting).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "isa/counter_class.hpp"
#include "isa/matrix_shape.hpp"
#include "machine/step.hpp"

namespace wavetank::timing {

enum class IssueClass : std::uint8_t {
  kSalu,
  kBranch,
  kMessage,
  kInternal,  ///< done in the instruction buffer
  kEnd,       ///< of a program
  kSkipped,   ///< a vector instruction that was passed over
  kScalarMemory,
  kScalarCache,  ///< write-backs and invalidations
  kLds,
  kVectorRead,
  kVectorWrite,
  kVectorCache,
  kFlatRead,
  kFlatWrite,
  kFlatCache,
  kValu,  ///< the first of those of isa::CounterClass, in its order
  kMatrix =
      kValu + static_cast<unsigned>(isa::CounterClass::kConvert) + 1,  ///< of isa::MatrixElement
  kCount = kMatrix + static_cast<unsigned>(isa::MatrixElement::kI32) + 1
};

IssueClass issue_class(const machine::StepFacts& facts);

/// What instructions of a class did.
struct IssuedSum {
  std::uint64_t instructions = 0;
  std::uint64_t cycles = 0;       ///< that they took their port for ...
  std::uint64_t lane_cycles = 0;  ///< ... times active lanes
  std::uint64_t operations = 0;   ///< arithmetic ones, of all lanes
};
using IssuedSums = std::array<IssuedSum, static_cast<std::size_t>(IssueClass::kCount)>;

}  // namespace wavetank::timing
