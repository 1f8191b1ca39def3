#include "execute/wait_rules.hpp"

#include "isa/sources.hpp"
#include "isa/vector_wait.hpp"

namespace wavetank::execute {
namespace {

using encoding::Form;
using encoding::Instruction;
using isa::Unit;
using isa::WaitAfter;
using isa::WaitBefore;
using machine::StepFacts;
namespace code = encoding::operand;

constexpr std::uint8_t kWholeDword = 6;  // DST_SEL of SDWA

/// What an instruction's form adds to what its row tells.
bool has_form(const Instruction& instruction, const StepFacts& facts, WaitAfter after) {
  switch (after) {
    case WaitAfter::kPartOfVgpr:
      if (instruction.form == Form::kSdwa) return instruction.dst_sel != kWholeDword;
      return instruction.form != Form::kDpp && (instruction.op_sel & 8) != 0;
    case WaitAfter::kWideStore: return facts.wide_data.count != 0;
    case WaitAfter::kM0OfSalu: return instruction.dst == code::kM0;
    default: return true;
  }
}

bool uses_m0(const Instruction& instruction, const StepFacts& facts) {
  const isa::Row& row = *instruction.row;
  return row.sources[0].immediate == isa::ImmediateKind::kMessage || instruction.gds ||
         facts.to_lds || row.memory.special == isa::MemorySpecial::kThreadAddress;
}

bool is_f64_fma(const StepFacts& facts) {
  return facts.counter_class == isa::CounterClass::kFmaF64 && facts.row->rate == isa::Rate::kFull;
}

bool waits_as(const Instruction& instruction, const StepFacts& facts, WaitBefore before) {
  const isa::Row& row = *instruction.row;
  const bool valu = row.unit == Unit::kValu;
  switch (before) {
    case WaitBefore::kVectorMemory: return facts.port == machine::Port::kVectorMemory;
    case WaitBefore::kDivFmas: return isa::has_source(row, isa::Role::kImplicitVcc);
    case WaitBefore::kLaneSelect: return facts.lane_select.count != 0;
    case WaitBefore::kReadLane: return valu && row.scalar_result;
    case WaitBefore::kLane: return valu && (row.scalar_result || row.lane_result);
    case WaitBefore::kDpp: return valu && instruction.form == Form::kDpp;
    case WaitBefore::kMatrix: return row.unit == Unit::kMatrix;
    case WaitBefore::kValu: return valu;
    case WaitBefore::kNotTranscendental: return valu && row.rate != isa::Rate::kTranscendental;
    case WaitBefore::kVectorUser:
      return valu || facts.port == machine::Port::kVectorMemory ||
             facts.port == machine::Port::kLds;
    case WaitBefore::kF64Fma: return valu && is_f64_fma(facts);
    case WaitBefore::kM0: return uses_m0(instruction, facts);
    case WaitBefore::kHardwareRegister:
      return row.sources[0].immediate == isa::ImmediateKind::kHwreg;
  }
  return false;
}

}  // namespace

void note_wait_rules(const Instruction& instruction, StepFacts& facts) {
  for (std::size_t i = 0; i < isa::kVectorWaits.size(); ++i) {
    const isa::VectorWait& rule = isa::kVectorWaits[i];
    const std::uint32_t bit = std::uint32_t{1} << i;
    if (isa::may_make_wait(*instruction.row, rule.after) &&
        has_form(instruction, facts, rule.after)) {
      facts.waited_for |= bit;
    }
    if (waits_as(instruction, facts, rule.before)) facts.waits |= bit;
  }
}

}  // namespace wavetank::execute
