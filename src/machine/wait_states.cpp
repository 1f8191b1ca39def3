#include "machine/wait_states.hpp"

#include <algorithm>
#include <bit>

#include "machine/register_set.hpp"

namespace wavetank::machine {
namespace {

using isa::WaitMeets;

constexpr RegisterRange kVcc{kVccRegister, 2};

template <class Ranges>
bool touches(const Ranges& ranges, const RegisterRange& range) {
  for (const RegisterRange& own : ranges) {
    if (own.overlaps(range)) return true;
  }
  return false;
}

template <class Writes, class Reads>
bool meet(const Writes& writes, const Reads& reads) {
  if ((writes.numbers & reads.numbers) == 0) return false;
  for (const RegisterRange& range : reads) {
    if (touches(writes, range)) return true;
  }
  return false;
}

/// A dot product hands its sum on to the next one of its row at once.
bool uses_dot_result(const StepFacts& first, const StepFacts& second) {
  if (first.row != second.row) {
    return meet(first.vector_writes, second.vector_reads) ||
           meet(first.vector_writes, second.vector_writes);
  }
  const RegisterRange& d = first.vector_writes.range[0];
  const auto reads = static_cast<unsigned>(
      std::count_if(second.vector_reads.begin(), second.vector_reads.end(),
                    [&](const RegisterRange& range) { return range.overlaps(d); }));
  return reads > (second.sum.overlaps(d) ? 1u : 0u);
}

bool meets(const StepFacts& first, const StepFacts& second, WaitMeets how) {
  switch (how) {
    case WaitMeets::kAlways: return true;
    case WaitMeets::kScalarRead: return meet(first.scalar_writes, second.scalar_reads);
    case WaitMeets::kVcc: return touches(first.scalar_writes, kVcc);
    case WaitMeets::kLaneSelect: return touches(first.scalar_writes, second.lane_select);
    case WaitMeets::kVectorRead: return meet(first.vector_writes, second.vector_reads);
    case WaitMeets::kDotResult: return uses_dot_result(first, second);
    case WaitMeets::kStoredData: return touches(second.vector_writes, first.wide_data);
    case WaitMeets::kHardwareRegister:
      // SIMM16 of both: offset and size, and in [5:0] the register (CDNA3 ISA guide, S_GETREG).
      return ((first.immediate ^ second.immediate) & 0x3f) == 0;
  }
  return false;
}

/// Registers of A and B: what a matrix instruction reads besides C.
bool reads_as_factor(const StepFacts& user, const RegisterRange& d) {
  for (const RegisterRange& range : user.vector_reads) {
    const bool is_c = range.first == user.sum.first && range.count == user.sum.count;
    if (!is_c && range.overlaps(d)) return true;
  }
  return false;
}

isa::MatrixUse use_of_result(const StepFacts& user, const RegisterRange& d) {
  if (user.is_matrix()) {
    if (reads_as_factor(user, d)) return isa::MatrixUse::kFactor;
    const bool same = user.sum.first == d.first && user.sum.count == d.count;
    return same ? isa::MatrixUse::kSameC : isa::MatrixUse::kOverlappingC;
  }
  return user.port == Port::kVector ? isa::MatrixUse::kVector : isa::MatrixUse::kMemory;
}

std::int32_t states_of(const StepFacts& first, const StepFacts& second, isa::MatrixUse use,
                       const WaitStates& states) {
  const isa::MatrixShape& shape = first.row->matrix;
  const auto wait = isa::matrix_wait(shape, use, second.row->matrix);
  if (!wait) return 0;
  const std::int32_t passes = isa::kMatrixWaits[*wait].after_passes ? shape.passes : 0;
  return std::max(passes + states.matrix[*wait], 0);
}

}  // namespace

std::int32_t vector_wait_states(const StepFacts& first, const StepFacts& second,
                                const WaitStates& states) {
  std::int32_t most = 0;
  for (std::uint32_t rules = first.waited_for & second.waits; rules != 0; rules &= rules - 1) {
    const auto rule = static_cast<std::size_t>(std::countr_zero(rules));
    if (states.vector[rule] <= most) continue;
    if (meets(first, second, isa::kVectorWaits[rule].meets)) most = states.vector[rule];
  }
  return most;
}

std::int32_t matrix_wait_states(const StepFacts& first, const StepFacts& second,
                                const WaitStates& states) {
  if (!first.is_matrix() || first.vector_writes.count == 0) return 0;
  std::int32_t most = 0;
  const RegisterRange& d = first.vector_writes.range[0];
  if (touches(second.vector_reads, d) ||
      (!second.is_matrix() && touches(second.vector_writes, d))) {
    most = states_of(first, second, use_of_result(second, d), states);
  }
  const bool overwrites_c =
      first.sum.count != 0 && !second.is_matrix() && touches(second.vector_writes, first.sum);
  if (!overwrites_c) return most;
  return std::max(most, states_of(first, second, isa::MatrixUse::kOverwritesC, states));
}

}  // namespace wavetank::machine
