#include "lint/numbering.hpp"

#include <algorithm>

#include "isa/row.hpp"
#include "lint/constant.hpp"
#include "lint/lane_sets.hpp"

namespace wavetank::lint {
namespace {

using isa::Meaning;
using machine::RegisterRange;
using machine::StepFacts;
namespace code = encoding::operand;

bool indexes_registers(const isa::Row& row) {
  return row.indexing != isa::RegisterIndexing::kNone || row.meaning == Meaning::kRegisterIndexed;
}

/// Registers up to the last one that the code touches.
unsigned registers_of(const Code& code) {
  unsigned registers = kFirstVector;
  for (const machine::FlowStep& step : code.flow) {
    for (const auto& range : step.facts.vector_reads) {
      registers = std::max(registers, vector_register(range.first + range.count));
    }
    for (const auto& range : step.facts.vector_writes) {
      registers = std::max(registers, vector_register(range.first + range.count));
    }
  }
  return std::min(registers, kMostRegisters);
}

}  // namespace

std::unique_ptr<Values> Numbering::values_of(const Code& code, const Blocks& blocks,
                                             const code_object::KernelDescriptor& descriptor) {
  if (code.unknown_jumps) return nullptr;
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (indexes_registers(code.row(i))) return nullptr;
  }
  const unsigned registers = registers_of(code);
  if (blocks.blocks.size() * registers > kMostContents) return nullptr;
  std::unique_ptr<Values> values(new Values(code, blocks));
  values->masks_.reset(new Values(code, blocks));
  values->masks_->registers_ = kFirstVector;
  Numbering(*values->masks_, descriptor).run();
  values->registers_ = registers;
  Numbering(*values, descriptor).run();
  return values;
}

Numbering::Numbering(Values& values, const code_object::KernelDescriptor& descriptor)
    : values_(values),
      code_(*values.code_),
      blocks_(*values.blocks_),
      descriptor_(descriptor),
      arguments_at_(code_object::argument_registers(descriptor)),
      done_(blocks_.blocks.size(), false) {}

void Numbering::run() {
  values_.exec_.resize(code_.size());
  values_.reads_of_.resize(code_.size());
  values_.ends_.resize(blocks_.blocks.size() * values_.registers_);
  find_written();
  for (const std::uint32_t block : blocks_.order) {
    join(block);
    scc_writer_ = kNone;
    for (std::uint32_t step = blocks_.blocks[block].first; step < blocks_.blocks[block].end;
         ++step) {
      run_step(step);
    }
    std::ranges::copy(state_, values_.ends_.begin() + static_cast<std::ptrdiff_t>(
                                                          std::size_t{block} * values_.registers_));
    done_[block] = true;
  }
}

void Numbering::run_step(std::uint32_t step) {
  step_ = step;
  values_.exec_[step] = lanes();
  const std::size_t first = values_.reads_.size();
  note_reads(step);
  values_.reads_of_[step] = {static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(values_.reads_.size() - first)};
  const isa::Row& row = code_.row(step);
  const Meaning meaning = row.meaning;
  if (meaning == Meaning::kAddCarry && row.unit == isa::Unit::kSalu) {
    values_.carries_[step] = scc_writer_;
  }
  if (code_.flow[step].leaves || meaning == Meaning::kSwap) {
    forget_all(step);
  } else if (meaning == Meaning::kMove && is_pure(step)) {
    write_moved(step);
  } else {
    write_results(step);
  }
  if (row.unit == isa::Unit::kSalu && meaning != Meaning::kMove) scc_writer_ = step;
}

/// EXEC, unknown if its halves were written apart.
ValueId Numbering::lanes() {
  const Content& lower = state_[code::kExec];
  if (lower.writer == state_[code::kExec + 1].writer) return lower.value;
  return number({Value::Kind::kUnknown, step_, code::kExec});
}

void Numbering::note_reads(std::uint32_t step) {
  const StepFacts& facts = code_.flow[step].facts;
  for (const RegisterRange& range : facts.scalar_reads) {
    for (unsigned i = 0; i < range.count; ++i) note_read(range.first + i);
  }
  for (const RegisterRange& range : facts.vector_reads) {
    for (unsigned i = 0; i < range.count; ++i) note_read(vector_register(range.first + i));
  }
  note_constants(step);
}

void Numbering::note_constants(std::uint32_t step) {
  for (unsigned source = 0; source < 3; ++source) {
    for (unsigned word = 0; word < 2; ++word) {
      const auto dword = constant_of(code_.instructions[step], source, word);
      if (!dword) continue;
      const auto [at, is_new] = values_.constants_.try_emplace(*dword, 0);
      if (is_new) at->second = number({Value::Kind::kConstant, *dword, 0});
    }
  }
}

void Numbering::note_read(unsigned reg) {
  if (reg >= values_.registers_) return;
  values_.reads_.push_back({static_cast<std::uint16_t>(reg), value_in(reg)});
}

/// What the active lanes read there.
ValueId Numbering::value_in(unsigned reg) {
  const Content& content = state_[reg];
  if (reg < kFirstVector || content.writer == kNone) return content.value;
  if (were_active(values_, step_, content.writer)) return content.value;
  const auto [at, is_new] = mixed_.try_emplace({content.writer, reg}, 0);
  if (is_new) at->second = number({Value::Kind::kMixed, content.writer, reg});
  return at->second;
}

void Numbering::forget_all(std::uint32_t step) {
  for (unsigned reg = 0; reg < values_.registers_; ++reg) {
    state_[reg] = {number({Value::Kind::kUnknown, step, reg}), kNone};
  }
}

ValueId Numbering::number(const Value& value) {
  values_.values_.push_back(value);
  return static_cast<ValueId>(values_.values_.size() - 1);
}

}  // namespace wavetank::lint
