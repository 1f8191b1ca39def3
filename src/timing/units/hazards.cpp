#include "timing/units/hazards.hpp"

#include <algorithm>

namespace wavetank::timing {
namespace {

using machine::StepFacts;

std::uint64_t after(std::uint64_t time, std::int32_t states, std::uint32_t slot_period) {
  return time + static_cast<std::uint64_t>(states + 1) * slot_period;
}

/// The first cycle in which an instruction may issue that lies `states_of(writer)` wait states
/// behind each of the writers that still matter at `now`: none asks for more than `farthest`.
template <class Writers, class StatesOf>
std::uint64_t ready_behind(const Writers& writers, std::uint64_t now, std::int32_t farthest,
                           std::uint32_t slot_period, StatesOf states_of) {
  std::uint64_t ready = 0;
  for (const auto& writer : writers) {
    if (writer.facts == nullptr || after(writer.time, farthest, slot_period) <= now) continue;
    const std::int32_t states = states_of(writer);
    if (states != 0) ready = std::max(ready, after(writer.time, states, slot_period));
  }
  return ready;
}

}  // namespace

void Hazards::remember(const StepFacts& facts, std::uint64_t time, const TimingSpec& spec) {
  if (facts.is_matrix()) {
    matrix_until_ = after(time, spec.matrix.farthest_wait, spec.issue.slot_period);
    matrix_[next_matrix_] = {&facts, time};
    next_matrix_ = (next_matrix_ + 1) % kMatrixWriters;
  }
  if (facts.waited_for == 0) return;
  if (time >= vector_until_) waited_for_ = 0;
  waited_for_ |= facts.waited_for;
  vector_until_ = after(time, spec.issue.farthest_wait, spec.issue.slot_period);
  vector_[next_vector_] = {&facts, time};
  next_vector_ = (next_vector_ + 1) % kVectorWriters;
}

std::uint64_t Hazards::vector_wait(const StepFacts& facts, std::uint64_t now,
                                   const TimingSpec& spec, KnownWaits& known) const {
  const auto states_of = [&](const Writer& writer) -> std::int32_t {
    if ((writer.facts->waited_for & facts.waits) == 0) return 0;
    return known.between(*writer.facts, facts, spec.wait_states).vector;
  };
  return ready_behind(vector_, now, spec.issue.farthest_wait, spec.issue.slot_period, states_of);
}

std::uint64_t Hazards::matrix_wait(const StepFacts& facts, std::uint64_t now,
                                   const TimingSpec& spec, KnownWaits& known) const {
  const auto states_of = [&](const Writer& writer) -> std::int32_t {
    return known.between(*writer.facts, facts, spec.wait_states).matrix;
  };
  return ready_behind(matrix_, now, spec.matrix.farthest_wait, spec.issue.slot_period, states_of);
}

}  // namespace wavetank::timing
