#include "timing/hazards.hpp"

#include <algorithm>

namespace wavetank::timing {
namespace {

using machine::RegisterRange;
using machine::StepFacts;

constexpr std::uint16_t kVcc = 106, kExec = 126;
constexpr RegisterRange kVccRange{kVcc, 2}, kExecRange{kExec, 2};

template <class Ranges>
bool touches(const Ranges& ranges, const RegisterRange& range) {
  for (const RegisterRange& own : ranges) {
    if (own.overlaps(range)) return true;
  }
  return false;
}

template <class Writes, class Reads>
bool meet(const Writes& writes, const Reads& reads) {
  for (const RegisterRange& range : reads) {
    if (touches(writes, range)) return true;
  }
  return false;
}

bool is_matrix(const StepFacts& facts) { return facts.row->unit == isa::Unit::kMatrix; }
bool is_valu(const StepFacts& facts) { return facts.row->unit == isa::Unit::kValu; }
bool is_transcendental(const StepFacts& facts) {
  return facts.row->rate == isa::Rate::kTranscendental;
}

/// Wait states between a VALU writer and a later user, the most of all rules that apply.
std::uint32_t vector_wait_states(const StepFacts& writer, const StepFacts& user,
                                 const HazardSpec& spec) {
  std::uint32_t states = 0;
  const auto need = [&](bool applies, std::uint32_t count) {
    if (applies) states = std::max(states, count);
  };
  const bool scalar_use = meet(writer.scalar_writes, user.scalar_reads);
  const bool vector_use = meet(writer.vector_writes, user.vector_reads);
  const bool writes_exec = touches(writer.scalar_writes, kExecRange);
  if (user.port == machine::Port::kVectorMemory) need(scalar_use, spec.valu_sgpr_to_vmem);
  if (is_valu(user)) {
    need(user.implicit_vcc && touches(writer.scalar_writes, kVccRange), spec.valu_vcc_to_div_fmas);
    need(user.selects_lane && scalar_use, spec.valu_sgpr_to_lane_select);
    need(user.selects_lane && vector_use, spec.vgpr_to_readlane);
    need(user.selects_lane && writes_exec, spec.exec_to_lane);
    need(user.lane_crossing && vector_use, spec.vgpr_to_dpp);
    need(user.lane_crossing && writes_exec, spec.exec_to_dpp);
    need(is_transcendental(writer) && !is_transcendental(user) && vector_use, spec.trans_to_valu);
    need(scalar_use, spec.sgpr_to_valu);
  }
  if (is_matrix(user)) {
    need(vector_use, spec.valu_to_mfma);
    need(writes_exec, spec.exec_to_mfma);
  }
  return states;
}

/// Registers of A and B: what a matrix instruction reads besides C.
bool reads_as_factor(const StepFacts& user, const RegisterRange& d) {
  for (const RegisterRange& range : user.vector_reads) {
    const bool is_c = range.first == user.matrix_c.first && range.count == user.matrix_c.count;
    if (!is_c && range.overlaps(d)) return true;
  }
  return false;
}

isa::MatrixUse use_of_result(const StepFacts& user, const RegisterRange& d) {
  if (is_matrix(user)) {
    if (reads_as_factor(user, d)) return isa::MatrixUse::kFactor;
    const bool same = user.matrix_c.first == d.first && user.matrix_c.count == d.count;
    return same ? isa::MatrixUse::kSameC : isa::MatrixUse::kOverlappingC;
  }
  return user.port == machine::Port::kVector ? isa::MatrixUse::kVector : isa::MatrixUse::kMemory;
}

std::int32_t matrix_wait_states(const StepFacts& writer, isa::MatrixUse use,
                                const MatrixSpec& spec) {
  const isa::MatrixShape& shape = writer.row->matrix;
  const auto wait = isa::matrix_wait(shape, use);
  if (!wait) return 0;
  const std::int32_t passes = isa::kMatrixWaits[*wait].after_passes ? shape.passes : 0;
  return passes + spec.wait_states[*wait];
}

std::uint64_t after(std::uint64_t time, std::int64_t states, std::uint32_t slot_period) {
  return time + static_cast<std::uint64_t>(std::max<std::int64_t>(states, 0) + 1) * slot_period;
}

}  // namespace

void Hazards::issued(const StepFacts& facts, std::uint64_t time) {
  if (is_matrix(facts)) {
    any_matrix_ = true;
    matrix_[next_matrix_] = {&facts, time};
    next_matrix_ = (next_matrix_ + 1) % kMatrixWriters;
  } else if (is_valu(facts)) {
    vector_[next_vector_] = {&facts, time};
    next_vector_ = (next_vector_ + 1) % kVectorWriters;
  }
}

std::uint64_t Hazards::vector_ready(const StepFacts& facts, const TimingSpec& spec) const {
  std::uint64_t ready = 0;
  const bool concerned =
      facts.port == machine::Port::kVector
          ? (facts.scalar_reads.count != 0 && spec.hazard.sgpr_to_valu != 0) ||
                facts.implicit_vcc || facts.lane_crossing || facts.selects_lane ||
                is_matrix(facts) || spec.hazard.trans_to_valu != 0
          : facts.port == machine::Port::kVectorMemory && facts.scalar_reads.count != 0;
  if (!concerned) return 0;
  for (const Writer& writer : vector_) {
    if (writer.facts == nullptr) continue;
    const std::uint32_t states = vector_wait_states(*writer.facts, facts, spec.hazard);
    if (states != 0) ready = std::max(ready, after(writer.time, states, spec.issue.slot_period));
  }
  return ready;
}

std::uint64_t Hazards::matrix_ready(const StepFacts& facts, const TimingSpec& spec) const {
  std::uint64_t ready = 0;
  if (!any_matrix_) return ready;
  for (const Writer& writer : matrix_) {
    if (writer.facts == nullptr || writer.facts->vector_writes.count == 0) continue;
    const RegisterRange d = writer.facts->vector_writes.range[0];
    const std::uint32_t period = spec.issue.slot_period;
    if (touches(facts.vector_reads, d) || touches(facts.vector_writes, d)) {
      const isa::MatrixUse use = use_of_result(facts, d);
      const std::int32_t states = matrix_wait_states(*writer.facts, use, spec.matrix);
      ready = std::max(ready, after(writer.time, states, period));
    }
    const RegisterRange c = writer.facts->matrix_c;
    if (c.count != 0 && !is_matrix(facts) && touches(facts.vector_writes, c)) {
      const std::int32_t states =
          matrix_wait_states(*writer.facts, isa::MatrixUse::kOverwritesC, spec.matrix);
      ready = std::max(ready, after(writer.time, states, period));
    }
  }
  return ready;
}

}  // namespace wavetank::timing
