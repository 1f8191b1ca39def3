#include "lint/values.hpp"

#include "isa/row.hpp"
#include "lint/constant.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using isa::Meaning;
using Kind = Value::Kind;
namespace code = encoding::operand;

/// Values that are looked at to answer one question.
constexpr unsigned kBudget = 200;

/// True if an instruction changes source `source` before it uses it.
bool is_changed(const Instruction& in, unsigned source) {
  const unsigned bit = 1u << source;
  if (in.form == encoding::Form::kDpp) return true;
  if (in.form == encoding::Form::kSdwa) {
    return source >= 2 || in.src_sel[source] != 6 || ((in.sext | in.neg | in.abs) & bit) != 0;
  }
  return ((in.neg | in.abs | in.op_sel) & bit) != 0;
}

}  // namespace

std::optional<ValueId> Values::read(std::uint32_t step, unsigned reg) const {
  for (const Read& read : reads(step)) {
    if (read.reg == reg) return read.value;
  }
  return std::nullopt;
}

std::optional<ValueId> Values::source(std::uint32_t step, unsigned source, unsigned word) const {
  const Instruction& in = code_->instructions[step];
  if (const auto dword = constant_of(in, source, word)) {
    const auto known = constants_.find(*dword);
    return known == constants_.end() || is_changed(in, source) ? std::nullopt
                                                               : std::optional(known->second);
  }
  if (source >= in.src.size() || source >= in.row->source_count()) return std::nullopt;
  if (is_changed(in, source) || word >= isa::dwords_of(in.row->sources[source].type)) {
    return std::nullopt;
  }
  const std::uint16_t from = in.src[source];
  if (from < kFirstVector) return read(step, from + word);
  if (code::is_agpr(from)) {
    return read(step, vector_register(code_->accum_offset + from - code::kAgpr0 + word));
  }
  if (!code::is_vgpr(from)) return std::nullopt;
  return read(step, vector_register(from - code::kVgpr0 + word));
}

std::optional<std::uint32_t> Values::constant(ValueId id) const {
  return values_[id].kind == Kind::kConstant ? std::optional(values_[id].a) : std::nullopt;
}

std::uint32_t Values::result_of(ValueId id) const {
  return values_[id].kind == Kind::kResult ? values_[id].a : kNone;
}

std::uint32_t Values::carry_of(std::uint32_t step) const {
  const auto known = carries_.find(step);
  return known == carries_.end() ? kNone : known->second;
}

std::optional<std::uint32_t> Values::argument(ValueId id) const {
  return values_[id].kind == Kind::kArgument ? std::optional(values_[id].a) : std::nullopt;
}

bool Values::is_uniform(ValueId id) const {
  unsigned budget = kBudget;
  return is_uniform(id, budget);
}

bool Values::is_uniform(ValueId id, unsigned& budget) const {
  if (budget == 0) return false;
  --budget;
  const Value& value = values_[id];
  switch (value.kind) {
    case Kind::kConstant:
    case Kind::kArgument: return true;
    case Kind::kEntry: return value.a < kFirstVector;
    case Kind::kJoin:
    case Kind::kUnknown: return value.b < kFirstVector;
    case Kind::kMixed: return false;
    case Kind::kResult: return is_uniform_result(value, budget);
  }
  return false;
}

/// What a lane computes of values that all lanes share, all lanes compute.
bool Values::is_uniform_result(const Value& value, unsigned& budget) const {
  const machine::StepFacts& facts = code_->flow[value.a].facts;
  unsigned scalars = 0;
  for (const auto& range : facts.scalar_writes) scalars += range.count;
  if (value.b < scalars) return true;
  const Instruction& in = code_->instructions[value.a];
  const Meaning meaning = in.row->meaning;
  const bool lane_alone = in.row->unit == isa::Unit::kValu && meaning != Meaning::kOther &&
                          in.form != encoding::Form::kDpp;
  if (!lane_alone || in.row->lane_result) return false;
  for (unsigned source = 0; source < in.row->source_count(); ++source) {
    if (in.row->sources[source].type == isa::Type::kMask) return false;
  }
  for (const Read& read : reads(value.a)) {
    if (!is_uniform(read.value, budget)) return false;
  }
  return true;
}

}  // namespace wavetank::lint
