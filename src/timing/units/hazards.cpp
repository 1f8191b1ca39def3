#include "timing/units/hazards.hpp"

#include <algorithm>

namespace wavetank::timing {
namespace {

using machine::StepFacts;

std::uint64_t after(std::uint64_t time, std::int32_t states, std::uint32_t slot_period) {
  return time + static_cast<std::uint64_t>(states + 1) * slot_period;
}

}  // namespace

void Hazards::issued(const StepFacts& facts, std::uint64_t time, const TimingSpec& spec) {
  if (facts.row->unit == isa::Unit::kMatrix) {
    matrix_until_ = after(time, spec.matrix.farthest_wait, spec.issue.slot_period);
    matrix_[next_matrix_] = {&facts, time};
    next_matrix_ = (next_matrix_ + 1) % kMatrixWriters;
  }
  if (facts.waited_for == 0) return;
  vector_[next_vector_] = {&facts, time};
  next_vector_ = (next_vector_ + 1) % kVectorWriters;
  waited_for_ = 0;
  for (const Writer& writer : vector_) {
    if (writer.facts != nullptr) waited_for_ |= writer.facts->waited_for;
  }
}

std::uint64_t Hazards::vector_wait(const StepFacts& facts, const TimingSpec& spec) const {
  std::uint64_t ready = 0;
  for (const Writer& writer : vector_) {
    if (writer.facts == nullptr) continue;
    const std::int32_t states = vector_wait_states(*writer.facts, facts, spec.wait_states);
    if (states != 0) ready = std::max(ready, after(writer.time, states, spec.issue.slot_period));
  }
  return ready;
}

std::uint64_t Hazards::matrix_wait(const StepFacts& facts, const TimingSpec& spec) const {
  std::uint64_t ready = 0;
  for (const Writer& writer : matrix_) {
    if (writer.facts == nullptr) continue;
    const std::int32_t states = matrix_wait_states(*writer.facts, facts, spec.wait_states);
    if (states != 0) ready = std::max(ready, after(writer.time, states, spec.issue.slot_period));
  }
  return ready;
}

}  // namespace wavetank::timing
