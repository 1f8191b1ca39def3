#include "execute/program.hpp"

#include <sys/mman.h>

#include <algorithm>

#include <fmt/format.h>

#include "execute/jit/block.hpp"
#include "execute/translate.hpp"
#include "execute/turns.hpp"

namespace wavetank::execute {
namespace {

using isa::MemoryAction;

/// Runs where translation failed in code that may never be reached.
const Op* run_invalid(machine::Wave& wave, const Op* op) {
  wave.stop = machine::Stop::kUnsupported;
  wave.next = op;
  return nullptr;
}

/// True for stores and atomics of any memory but LDS, which no other workgroup sees.
bool writes_memory(const isa::Row& row) {
  const MemoryAction action = row.memory.action;
  return (action == MemoryAction::kStore || action == MemoryAction::kAtomic) &&
         row.encoding.format != isa::Format::kDs;
}

/// One decoder for each target, built on first use.
const encoding::Decoder& decoder_of(isa::Targets target) {
  if (target == isa::Targets::kGfx90a) {
    static const encoding::Decoder decoder(isa::Targets::kGfx90a);
    return decoder;
  }
  static const encoding::Decoder decoder(isa::Targets::kGfx942);
  return decoder;
}

bool ends_wave(const isa::Row& row) { return row.pause == isa::Pause::kEnd; }

}  // namespace

Program::Program(const ProgramSpec& spec) : spec_(spec), decoder_(decoder_of(spec.target)) {}

Result<std::shared_ptr<Program>> Program::translate(const ProgramSpec& spec) {
  std::shared_ptr<Program> program(new Program(spec));
  if (auto done = program->reserve(); !done) return tl::unexpected(done.error());
  if (auto done = program->translate_from(spec.entry, true); !done) {
    return tl::unexpected(done.error());
  }
  if (program->has_indirect_flow_) {
    for (const std::uint64_t function : spec.functions) {
      if (auto done = program->translate_from(function, false); !done) {
        return tl::unexpected(done.error());
      }
    }
  }
  std::sort(program->slots_.begin(), program->slots_.end());
  program->find_only_store();
  program->mark_turns();
  if (spec.compile_blocks && !spec.exact_mode) program->compile_blocks();
  return program;
}

Program::~Program() {
  if (ops_ != nullptr) munmap(ops_, reserved_bytes_);
}

bool Program::does_nothing() const { return ends_wave(row_of(entry())); }

/// A kernel's only store, if s_endpgm follows it: no later access of the wave can be ordered
/// behind it, and no earlier store before it.
void Program::find_only_store() {
  if (has_indirect_flow_) return;
  Op* only = nullptr;
  for (const std::size_t slot : slots_) {
    const isa::Row& row = isa::catalogue()[ops_[slot].row];
    if (!writes_memory(row)) continue;
    if (only != nullptr) return;
    only = &ops_[slot];
  }
  if (only == nullptr || isa::catalogue()[only->row].memory.action != MemoryAction::kStore) return;
  const Op& following = only[only->dwords];
  only->memory.ends_wave = following.run != nullptr && ends_wave(isa::catalogue()[following.row]);
}

void Program::mark_turns() {
  std::vector<std::size_t> functions;
  if (has_indirect_flow_) {
    for (const std::uint64_t function : spec_.functions)
      functions.push_back((function - base()) / 4);
  }
  const ProgramOps program{{ops_, spec_.code_bytes / 4}, slots_, functions};
  execute::mark_turns(program);
  polls_ = mark_polls(program);
}

/// Ops under register indexing run as copies with other operands (control.cpp), which a block is
/// not made for.
void Program::compile_blocks() {
  if (has_register_indexing_) return;
  std::sort(leaders_.begin(), leaders_.end());
  blocks_ = jit::Blocks::compile({ops_, spec_.code_bytes / 4}, slots_, leaders_);
}

Result<void> Program::reserve() {
  // One guard slot at the end catches code that runs off its text.
  reserved_bytes_ = (spec_.code_bytes / 4 + 2) * sizeof(Op);
  void* memory = mmap(nullptr, reserved_bytes_, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    return fail(ErrorCode::kOutOfMemory, "no address space for a translated program");
  }
  ops_ = static_cast<Op*>(memory);
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
  const std::uint64_t address = base() + offset;
  const std::span<const std::uint32_t> dwords(
      reinterpret_cast<const std::uint32_t*>(spec_.code + offset), (spec_.code_bytes - offset) / 4);
  auto instruction = decoder_.decode(dwords, address);
  if (!instruction) return tl::unexpected(instruction.error());
  auto op = execute::translate(*instruction, spec_);
  if (!op) return tl::unexpected(op.error());
  ops_[offset / 4] = *op;
  slots_.push_back(offset / 4);
  ++instruction_count_;
  const isa::Row& row = *instruction->row;
  has_indirect_flow_ = has_indirect_flow_ || row.indirect_flow;
  has_register_indexing_ = has_register_indexing_ || row.name == "s_set_gpr_idx_on";
  std::vector<std::uint64_t> next;
  const std::uint64_t following = address + 4u * instruction->dwords;
  if (!row.ends_flow) next.push_back(following);
  if (row.sources[0].immediate == isa::ImmediateKind::kBranch) {
    next.push_back(following + 4 * static_cast<std::uint64_t>(std::int64_t{instruction->imm}));
    leaders_.push_back((next.back() - base()) / 4);
  }
  return next;
}

const Op* Program::at(std::uint64_t address) {
  const std::lock_guard lock(mutex_);
  if (auto done = translate_from(address, true); !done) {
    error_text_ = done.error().message;
    return nullptr;
  }
  return at_offset(address - base());
}

std::string Program::error_text() const {
  const std::lock_guard lock(mutex_);
  return error_text_;
}

Result<const Op*> Program::in_mode(const Op* op, bool exact, Program*& program) {
  program = this;
  if (exact == spec_.exact_mode) return op;
  const std::uint64_t address = address_of(op);
  if (twin_of_ != nullptr) {
    program = twin_of_;
  } else {
    const std::lock_guard lock(mutex_);
    if (twin_ == nullptr) {
      ProgramSpec spec = spec_;
      spec.exact_mode = exact;
      auto twin = translate(spec);
      if (!twin) return tl::unexpected(twin.error());
      twin_ = *twin;
      twin_->twin_of_ = this;
    }
    program = twin_.get();
  }
  return program->at(address);
}

const Op* Program::with_blocks(const Op* op, Program*& program) {
  program = this;
  if (spec_.compile_blocks || spec_.exact_mode || !jit::available()) return op;
  const std::lock_guard lock(mutex_);
  if (with_blocks_ == nullptr) {
    ProgramSpec spec = spec_;
    spec.compile_blocks = true;
    auto compiled = translate(spec);
    if (!compiled) return op;
    with_blocks_ = *compiled;
  }
  program = with_blocks_.get();
  return program->at_offset(address_of(op) - base());
}

}  // namespace wavetank::execute
