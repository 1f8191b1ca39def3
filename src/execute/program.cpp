#include "execute/program.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include <fmt/format.h>

#include "execute/invalid_op.hpp"
#include "execute/jit/blocks.hpp"
#include "execute/step_facts.hpp"
#include "execute/translate.hpp"
#include "execute/turns.hpp"
#include "isa/flow.hpp"

namespace wavetank::execute {
namespace {

using isa::MemoryAction;

/// True for stores and atomics of any memory but LDS, which no other workgroup sees.
bool writes_memory(const isa::Row& row) {
  const MemoryAction action = row.memory.action;
  return (action == MemoryAction::kStore || action == MemoryAction::kAtomic) &&
         row.encoding.format != isa::Format::kDs;
}

std::uint64_t next_number() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(1, std::memory_order_relaxed);
}

bool ends_wave(const isa::Row& row) { return row.pause == isa::Pause::kEnd; }

}  // namespace

Program::Program(const ProgramSpec& spec)
    : number_(next_number()),
      spec_(spec),
      decoder_(encoding::decoder_of(*spec.target)),
      has_barrier_(spec.barrier_elsewhere) {}

Result<std::shared_ptr<Program>> Program::translate(const ProgramSpec& spec) {
  auto program = make(spec, nullptr);
  if (!program) return tl::unexpected(program.error());
  return std::shared_ptr<Program>(std::move(*program));
}

Result<std::unique_ptr<Program>> Program::make(const ProgramSpec& spec, ProgramFamily* family) {
  std::unique_ptr<Program> program(new Program(spec));
  if (family == nullptr) program->own_family_ = std::make_unique<ProgramFamily>(*program);
  program->family_ = family == nullptr ? program->own_family_.get() : family;
  if (auto done = program->reserve(); !done) return tl::unexpected(done.error());
  if (spec.entry == 0) return program;
  if (auto done = program->translate_all(); !done) return tl::unexpected(done.error());
  return program;
}

/// Translates what is known to be the kernel's.
Result<void> Program::translate_all() {
  if (auto done = translate_from(spec_.entry, true); !done) return done;
  if (has_indirect_flow_) {
    for (const std::uint64_t function : spec_.functions) {
      if (auto done = translate_from(function, false); !done) return done;
    }
  }
  std::sort(slots_.begin(), slots_.end());
  find_only_store();
  mark_turns();
  mark_indexing(0);
  add_listening(0);
  compile_blocks(0);
  return {};
}

Program::~Program() {
  if (ops_ != nullptr) munmap(ops_, reserved_bytes_);
}

bool Program::does_nothing() const { return ends_wave(row_of(*entry())); }

/// A kernel's only store, if s_endpgm follows it: no later access of the wave can be ordered
/// behind it, and no earlier store before it.
void Program::find_only_store() {
  if (has_indirect_flow_) return;
  Op* only = nullptr;
  for (const std::size_t slot : slots_) {
    const isa::Row& row = row_of(ops_[slot]);
    if (!writes_memory(row)) continue;
    if (only != nullptr) return;
    only = &ops_[slot];
  }
  if (only == nullptr || row_of(*only).memory.action != MemoryAction::kStore) return;
  const Op& following = only[only->dwords];
  only->memory.ends_wave = following.run != nullptr && ends_wave(row_of(following));
}

void Program::mark_turns() {
  std::vector<std::size_t> functions;
  if (has_indirect_flow_) {
    for (const std::uint64_t function : spec_.functions)
      functions.push_back((function - base()) / 4);
  }
  mark_turns(program_ops(slots_, functions));
}

void Program::mark_turns(const ProgramOps& program) {
  execute::mark_turns(program);
  if (mark_polls(program)) family_->polls = true;
}

/// Marks the ops in regions that s_set_gpr_idx_on's handler executes as a whole (control.cpp): it
/// runs copies of them, with other operands, by their handlers. Of sorted slots from `first_slot`.
void Program::mark_indexing(std::size_t first_slot) {
  bool inside = false;
  for (const std::size_t slot : std::span(slots_).subspan(first_slot)) {
    const isa::RegisterIndexing indexing = row_of(ops_[slot]).indexing;
    inside = inside && indexing != isa::RegisterIndexing::kEnds;
    ops_[slot].under_indexing = inside;
    inside = inside || indexing == isa::RegisterIndexing::kBegins;
  }
}

/// Compiles what was translated since there were `first_slot` ops, if the program is to be
/// compiled.
void Program::compile_blocks(std::size_t first_slot) {
  if (spec_.compiled == Compiled::kNothing || spec_.is_for_handlers()) return;
  std::vector<std::size_t> fresh;
  for (const std::size_t slot : std::span(slots_).subspan(first_slot)) {
    if (!ops_[slot].under_indexing) fresh.push_back(slot);
  }
  if (fresh.empty()) return;
  std::sort(leaders_.begin(), leaders_.end());
  auto blocks =
      jit::Blocks::compile({ops_, spec_.code_bytes / 4}, fresh, leaders_, facts(), spec_.compiled);
  if (blocks != nullptr) blocks_.push_back(std::move(blocks));
}

Result<encoding::Instruction> Program::decoded(std::size_t slot) const {
  const auto* const code = reinterpret_cast<const std::uint32_t*>(spec_.code) + slot;
  return decoder_.decode({code, spec_.code_bytes / 4 - slot},
                         reinterpret_cast<std::uint64_t>(code));
}

machine::StepFacts Program::facts_of_slot(std::size_t slot) const {
  const auto instruction = decoded(slot);
  return instruction ? step_facts(*instruction, spec_) : machine::StepFacts{};
}

std::vector<std::size_t> Program::slots() const {
  const std::lock_guard lock(mutex_);
  return slots_;
}

Result<void> Program::reserve() {
  // One guard slot at the end catches code that runs off its text.
  const std::size_t slots = spec_.code_bytes / 4 + 2;
  const std::size_t heard_bytes = spec_.listening != Listening::kNone ? slots * sizeof(*heard_) : 0;
  reserved_bytes_ = slots * (sizeof(Op) + sizeof(*entered_)) + heard_bytes;
  void* memory = mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return fail(ErrorCode::kOutOfMemory, "no address space for a translated program");
  }
  ops_ = static_cast<Op*>(memory);
  heard_ = reinterpret_cast<Heard**>(ops_ + slots);
  entered_ = reinterpret_cast<std::uint8_t*>(ops_ + slots) + heard_bytes;
  return {};
}

Result<void> Program::translate_from(std::uint64_t address, bool strict) {
  std::vector<std::uint64_t> pending{address};
  while (!pending.empty()) {
    const std::uint64_t at = pending.back();
    pending.pop_back();
    if (at < base() || at >= base() + spec_.code_bytes || at % 4 != 0) {
      return fail(ErrorCode::kBadElf,
                  fmt::format("control flow leaves the code at offset {:#x}", at - base()));
    }
    const std::uint64_t offset = at - base();
    if (ops_[offset / 4].run != nullptr) continue;
    auto successors = translate_one(offset);
    if (successors) {
      pending.insert(pending.end(), successors->begin(), successors->end());
    } else if (strict) {
      return tl::unexpected(successors.error());
    } else {
      error_text_ = successors.error().message;
      ops_[offset / 4].run = run_invalid;
    }
  }
  return {};
}

Result<std::vector<std::uint64_t>> Program::translate_one(std::uint64_t offset) {
  const auto instruction = decoded(offset / 4);
  if (!instruction) return tl::unexpected(instruction.error());
  auto op = execute::translate(*instruction, spec_);
  if (!op) return tl::unexpected(op.error());
  ops_[offset / 4] = *op;
  slots_.push_back(offset / 4);
  ++instruction_count_;
  const isa::Row& row = *instruction->row;
  has_indirect_flow_ = has_indirect_flow_ || row.indirect_flow;
  has_barrier_ = has_barrier_ || row.pause == isa::Pause::kBarrier;
  std::vector<std::uint64_t> next;
  const std::uint64_t following = base() + offset + 4u * instruction->dwords;
  if (!row.ends_flow(instruction->imm)) next.push_back(following);
  if (isa::branches(row)) {
    next.push_back(following + 4 * static_cast<std::uint64_t>(std::int64_t{instruction->imm}));
    leaders_.push_back((next.back() - base()) / 4);
  }
  return next;
}

const Op* Program::at(std::uint64_t address, Program*& program) {
  if (!holds(address)) {
    const auto found = program_of(address);
    if (!found) return refuse(found.error().message);
    const Op* const op = (*found)->known_at(address);
    if (op == nullptr) return refuse((*found)->error_text());
    program = *found;
    return op;
  }
  program = this;
  return known_at(address);
}

const Op* Program::known_at(std::uint64_t address) {
  const std::uint64_t offset = address - base();
  const bool known =
      offset % 4 == 0 && std::atomic_ref(entered_[offset / 4]).load(std::memory_order_acquire) != 0;
  return known ? at_offset(offset) : first_at(address);
}

const Op* Program::refuse(std::string reason) {
  const std::lock_guard lock(mutex_);
  error_text_ = std::move(reason);
  return nullptr;
}

/// What a program of the code at an address outside of this one's is made from. A device can run
/// all that is loaded: a function of another code object finds the registers, scratch and LDS of
/// the kernel that called it.
Result<ProgramSpec> Program::spec_elsewhere(std::uint64_t address) const {
  if (family_->own().holds(address)) {
    ProgramSpec spec = family_->own().spec();
    spec.listening = spec_.listening;
    spec.all_heard = spec_.all_heard;
    spec.edges = spec_.edges;
    return spec;
  }
  const CodeRange range = spec_.find_code ? spec_.find_code(address) : CodeRange{};
  if (range.bytes == 0) {
    return fail(ErrorCode::kBadElf, fmt::format("no code is loaded at address {:#x}", address));
  }
  ProgramSpec spec = spec_;
  spec.code = range.code;
  spec.code_bytes = range.bytes;
  spec.entry = 0;
  spec.functions.clear();
  spec.barrier_elsewhere = has_barrier_;
  return spec;
}

/// The program, in this one's form, of code outside of it.
Result<Program*> Program::program_of(std::uint64_t address) {
  Program* const last = neighbour_.load(std::memory_order_acquire);
  if (last != nullptr && last->holds(address)) return last;
  auto spec = spec_elsewhere(address);
  if (!spec) return tl::unexpected(spec.error());
  spec->floats = spec_.floats;
  spec->skips_vectors = spec_.skips_vectors;
  spec->compiled = spec_.compiled;
  auto found = family_->member(*spec);
  if (found) neighbour_.store(*found, std::memory_order_release);
  return found;
}

/// What follows from the address may be invalid where no wave comes to: it stops who does.
const Op* Program::first_at(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  const std::size_t translated = slots_.size();
  if (auto done = translate_from(address, false); !done) {
    error_text_ = done.error().message;
    return nullptr;
  }
  const std::uint64_t offset = address - base();
  if (slots_.size() != translated) {
    leaders_.push_back(offset / 4);
    prepare_function(translated, offset / 4);
  }
  std::atomic_ref(entered_[offset / 4]).store(1, std::memory_order_release);
  return at_offset(offset);
}

/// Does for a function that is called for the first time what translate() did for the kernel: all
/// ops from `first_slot` on belong to it.
void Program::prepare_function(std::size_t first_slot, std::size_t entry) {
  const auto fresh = std::span(slots_).subspan(first_slot);
  std::sort(fresh.begin(), fresh.end());
  ProgramOps function = program_ops(fresh, {&entry, 1});
  function.barrier_elsewhere = has_barrier_;
  mark_turns(function);
  mark_indexing(first_slot);
  add_listening(first_slot);
  compile_blocks(first_slot);
}

std::string Program::error_text() const {
  const std::lock_guard lock(mutex_);
  return error_text_;
}

Result<const Op*> Program::in_mode(const Op* op, machine::Mode mode, Program*& program) {
  const FloatModes floats = FloatModes::of(mode);
  const bool skips = mode.skips_vectors();
  const auto fits = [&](const ProgramSpec& spec) {
    return spec.floats == floats && spec.skips_vectors == skips;
  };
  program = this;
  if (fits(spec_)) return op;
  Program* other = other_mode_.load(std::memory_order_acquire);
  if (other == nullptr || !fits(other->spec_)) {
    ProgramSpec spec = spec_;
    spec.floats = floats;
    spec.skips_vectors = skips;
    auto found = family_->member(spec);
    if (!found) return tl::unexpected(found.error());
    other = *found;
    other_mode_.store(other, std::memory_order_release);
  }
  return other->at(address_of(op), program);
}

const Op* Program::with_blocks(const Op* op, Compiled compiled, Program*& program) {
  program = this;
  if (spec_.compiled == compiled || spec_.is_for_handlers() || !jit::available()) return op;
  ProgramSpec spec = spec_;
  spec.compiled = compiled;
  auto found = family_->member(spec);
  if (!found) return op;
  program = *found;
  return program->at_offset(address_of(op) - base());
}

/// The same place in the family's program with this specification.
Result<const Op*> Program::same_place(const Op* op, const ProgramSpec& spec, Program*& program) {
  auto found = family_->member(spec);
  if (!found) return tl::unexpected(found.error());
  const Op* const same = (*found)->at(address_of(op), program);
  if (same == nullptr) return fail(ErrorCode::kUnknownInstruction, (*found)->error_text());
  return same;
}

}  // namespace wavetank::execute
