#include "lint/numbering.hpp"

#include <algorithm>

#include "isa/meaning.hpp"
#include "lint/constant.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using isa::Meaning;
using machine::RegisterRange;
using machine::StepFacts;
namespace code = encoding::operand;

/// Calls visit(reg, word) for each register that an instruction writes, in the order of its
/// result's dwords.
template <class Visit>
void each_written(const StepFacts& facts, const Visit& visit) {
  unsigned word = 0;
  for (const RegisterRange& range : facts.scalar_writes) {
    for (unsigned i = 0; i < range.count; ++i) visit(unsigned{range.first} + i, word++);
  }
  for (const RegisterRange& range : facts.vector_writes) {
    for (unsigned i = 0; i < range.count; ++i) visit(vector_register(range.first + i), word++);
  }
}

ArgumentRegisters argument_registers(const code_object::KernelDescriptor& descriptor) {
  ArgumentRegisters registers;
  unsigned next = 0;
  if (descriptor.private_segment_buffer) next += 4;
  if (descriptor.dispatch_ptr) next += 2;
  if (descriptor.queue_ptr) next += 2;
  if (descriptor.kernarg_segment_ptr) {
    registers.pointer = next;
    next += 2;
  }
  if (descriptor.dispatch_id) next += 2;
  if (descriptor.flat_scratch_init) next += 2;
  registers.preloaded = next;
  registers.preloaded_dwords = std::min(descriptor.kernarg_preload_dwords, 16u);
  return registers;
}

/// True if the first result is EXEC as it was.
bool saves_lanes(Meaning meaning) {
  return meaning == Meaning::kAndSaveExec || meaning == Meaning::kAndNotSaveExec ||
         meaning == Meaning::kNotAndSaveExec || meaning == Meaning::kOrSaveExec;
}

bool is_register(std::uint16_t source) {
  return source < code::kIntegerZero || code::is_vgpr(source) || code::is_agpr(source);
}

}  // namespace

Numbering::Numbering(Values& values, const code_object::KernelDescriptor& descriptor)
    : values_(values),
      code_(*values.code_),
      blocks_(*values.blocks_),
      descriptor_(descriptor),
      arguments_at_(argument_registers(descriptor)),
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

void Numbering::find_written() {
  written_.resize(blocks_.blocks.size());
  for (std::uint32_t b = 0; b < blocks_.blocks.size(); ++b) {
    const Block& block = blocks_.blocks[b];
    for (std::uint32_t step = block.first; step < block.end; ++step) {
      const bool any = code_.flow[step].leaves;
      if (any) written_[b].set();
      each_written(code_.flow[step].facts, [&](unsigned reg, unsigned) { written_[b].set(reg); });
      if (isa::meaning_of(code_.row(step)) == Meaning::kSwap) written_[b].set();
    }
  }
}

/// Registers that may change before the wave comes to a block again. Where that is no loop's
/// header, all are taken to.
Numbering::Registers Numbering::written_in_rounds(std::uint32_t block) const {
  const std::uint32_t loop = blocks_.blocks[block].loop;
  Registers all;
  if (blocks_.irreducible || loop == kNone || blocks_.loops[loop].header != block) {
    return all.set();
  }
  for (const std::uint32_t b : blocks_.loops[loop].blocks) all |= written_[b];
  return all;
}

void Numbering::start() {
  for (unsigned reg = 0; reg < values_.registers_; ++reg) {
    const unsigned preloaded = reg - arguments_at_.preloaded;
    const bool is_argument = preloaded < arguments_at_.preloaded_dwords && reg < kFirstVector;
    const Value value = is_argument
                            ? Value{Value::Kind::kArgument,
                                    4 * (descriptor_.kernarg_preload_offset_dwords + preloaded), 0}
                            : Value{Value::Kind::kEntry, reg, 0};
    state_[reg] = {number(value), kNone};
    if (is_argument) arguments_.emplace(value.a, state_[reg].value);
  }
}

void Numbering::join(std::uint32_t block) {
  const Block& b = blocks_.blocks[block];
  state_.resize(values_.registers_);
  const bool again = !std::ranges::all_of(b.before, [&](auto from) { return done_[from]; });
  const bool is_entry = block == blocks_.order.front();
  if (is_entry) start();
  const Registers changes = again ? written_in_rounds(block) : Registers();
  for (unsigned reg = 0; reg < values_.registers_; ++reg) {
    if (is_entry) {
      if (changes[reg]) state_[reg] = {number({Value::Kind::kJoin, block, reg}), kNone};
    } else {
      join_register(block, reg, changes[reg]);
    }
  }
}

void Numbering::join_register(std::uint32_t block, unsigned reg, bool in_rounds) {
  const Content* same = nullptr;
  bool differs = in_rounds;
  for (const std::uint32_t from : blocks_.blocks[block].before) {
    if (differs) break;
    if (!done_[from]) continue;
    const Content& content = values_.at_end(from, reg);
    differs = same != nullptr && !(*same == content);
    same = &content;
  }
  state_[reg] =
      differs || same == nullptr ? Content{number({Value::Kind::kJoin, block, reg}), kNone} : *same;
}

void Numbering::run_step(std::uint32_t step) {
  step_ = step;
  values_.exec_[step] = lanes();
  const std::size_t first = values_.reads_.size();
  note_reads(step);
  values_.reads_of_[step] = {static_cast<std::uint32_t>(first),
                             static_cast<std::uint32_t>(values_.reads_.size() - first)};
  const isa::Row& row = code_.row(step);
  const Meaning meaning = isa::meaning_of(row);
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
  if (values_.were_active(step_, content.writer)) return content.value;
  const auto [at, is_new] = mixed_.try_emplace({content.writer, reg}, 0);
  if (is_new) at->second = number({Value::Kind::kMixed, content.writer, reg});
  return at->second;
}

/// True if what the instruction writes depends on nothing but what it is known to read.
bool Numbering::is_pure(std::uint32_t step) const {
  const Instruction& in = code_.instructions[step];
  const isa::Row& row = *in.row;
  if (row.unit != isa::Unit::kSalu && row.unit != isa::Unit::kValu) return false;
  if (in.form == encoding::Form::kSdwa || in.form == encoding::Form::kDpp) return false;
  if (row.keeps_high_half || row.lane_result || row.scalar_result || row.mask_result) return false;
  const Meaning meaning = isa::meaning_of(row);
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
  if (pointer == kNone || !loads || code_.flow[step].facts.space != machine::MemorySpace::kScalar) {
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
  const bool saves_exec = saves_lanes(isa::meaning_of(row));
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
