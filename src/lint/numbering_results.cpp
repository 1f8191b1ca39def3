// What instructions write: the same value where the same is computed from the same.
#include <algorithm>

#include "isa/row.hpp"
#include "lint/numbering.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using isa::Meaning;
namespace code = encoding::operand;

/// True if the first result is EXEC as it was.
bool saves_lanes(Meaning meaning) {
  return meaning == Meaning::kAndSaveExec || meaning == Meaning::kAndNotSaveExec ||
         meaning == Meaning::kNotAndSaveExec || meaning == Meaning::kOrSaveExec;
}

bool is_register(std::uint16_t source) {
  return source < code::kIntegerZero || code::is_vgpr(source) || code::is_agpr(source);
}

}  // namespace

/// True if what the instruction writes depends on nothing but what it is known to read.
bool Numbering::is_pure(std::uint32_t step) const {
  const Instruction& in = code_.instructions[step];
  const isa::Row& row = *in.row;
  if (row.unit != isa::Unit::kSalu && row.unit != isa::Unit::kValu) return false;
  if (in.form == encoding::Form::kSdwa || in.form == encoding::Form::kDpp) return false;
  if (row.keeps_high_half || row.lane_result || row.scalar_result || row.mask_result) return false;
  const Meaning meaning = row.meaning;
  return meaning != Meaning::kOther && meaning != Meaning::kAddCarry &&
         meaning != Meaning::kProgramCounter && meaning != Meaning::kRegisterIndexed &&
         !row.exec_result;
}

std::uint64_t Numbering::digest(std::uint32_t step) const {
  const Instruction& in = code_.instructions[step];
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  const auto add = [&](std::uint64_t word) { hash = (hash ^ word) * 1099511628211u; };
  add(in.row->id);
  add(in.literal);
  add(static_cast<std::uint32_t>(in.imm));
  for (const std::uint16_t source : in.src) add(is_register(source) ? 0 : source);
  for (const Values::Read& read : values_.reads(step)) add(read.value);
  return hash;
}

/// True if two pure instructions compute the same from the same values.
bool Numbering::is_same(std::uint32_t a, std::uint32_t b) const {
  Instruction first = code_.instructions[a], second = code_.instructions[b];
  for (Instruction* in : {&first, &second}) {
    in->dst = in->sdst = code::kNone;
    in->form = encoding::Form::kPlain;
    in->dwords = 1;
    for (std::uint16_t& source : in->src) {
      if (is_register(source)) source = code::kNone;
    }
  }
  if (!(first == second)) return false;
  return std::ranges::equal(values_.reads(a), values_.reads(b), {}, &Values::Read::value,
                            &Values::Read::value);
}

/// The first instruction that computed the same; `step` itself if there is none.
std::uint32_t Numbering::same_before(std::uint32_t step) {
  if (!is_pure(step)) return step;
  const auto [at, is_new] = first_of_.try_emplace(digest(step), step);
  return is_new || !is_same(at->second, step) ? step : at->second;
}

/// The argument's dword that a load brings.
std::optional<ValueId> Numbering::argument(std::uint32_t step, unsigned word) {
  const Instruction& in = code_.instructions[step];
  const unsigned pointer = arguments_at_.pointer;
  const bool loads =
      in.row->unit == isa::Unit::kSmem && in.smem_immediate && !in.scalar_offset_enable &&
      in.offset >= 0 && in.row->memory.action == isa::MemoryAction::kLoad &&
      in.row->memory.special == isa::MemorySpecial::kNone &&
      encoding::operand::kNone != in.scalar_base && in.scalar_base + 1 < kFirstVector;
  if (pointer == arguments_at_.kNone || !loads ||
      code_.flow[step].facts.space != machine::MemorySpace::kScalar) {
    return std::nullopt;
  }
  const Value from = values_.values_[state_[in.scalar_base].value];
  if (from.kind != Value::Kind::kEntry || from.a != pointer) return std::nullopt;
  const Value upper = values_.values_[state_[in.scalar_base + 1u].value];
  if (upper.kind != Value::Kind::kEntry || upper.a != pointer + 1) return std::nullopt;
  const std::uint32_t offset = static_cast<std::uint32_t>(in.offset) + 4 * word;
  const auto [at, is_new] = arguments_.try_emplace(offset, 0);
  if (is_new) at->second = number({Value::Kind::kArgument, offset, 0});
  return at->second;
}

void Numbering::write_results(std::uint32_t step) {
  const std::uint32_t same = same_before(step);
  std::vector<std::pair<unsigned, Content>> results;
  const isa::Row& row = code_.row(step);
  const bool saves_exec = saves_lanes(row.meaning);
  each_written(code_.flow[step].facts, [&](unsigned reg, unsigned word) {
    if (reg >= values_.registers_) return;
    std::optional<ValueId> value = argument(step, word);
    if (!value && saves_exec && word < 2) {
      value = state_[code::kExec + word].value;
    }
    if (!value && same != step) {
      const auto known = pure_results_.find({same, word});
      if (known != pure_results_.end()) value = known->second;
    }
    if (!value) {
      value = number({Value::Kind::kResult, step, word});
      if (is_pure(step)) pure_results_.emplace(std::pair{step, word}, *value);
    }
    results.emplace_back(reg, Content{*value, step});
  });
  for (const auto& [reg, content] : results) write(reg, content);
}

/// A copy is the same value.
void Numbering::write_moved(std::uint32_t step) {
  std::vector<std::pair<unsigned, Content>> results;
  each_written(code_.flow[step].facts, [&](unsigned reg, unsigned word) {
    if (reg >= values_.registers_) return;
    const auto value = values_.source(step, 0, word);
    results.emplace_back(
        reg, Content{value ? *value : number({Value::Kind::kResult, step, word}), step});
  });
  for (const auto& [reg, content] : results) write(reg, content);
}

}  // namespace wavetank::lint
