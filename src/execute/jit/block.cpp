#include "execute/jit/block.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bitset>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "execute/handlers.hpp"
#include "execute/jit/recipes.hpp"
#include "execute/lane_control.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

constexpr unsigned kExecSgpr = 126, kScalarRegisters = 128;
constexpr std::size_t kMostOps = 256, kMaskRegisters = 3;

/// Runs a block's ops for the lanes from `first_lane` on: the code has stored those before.
const Op* finish_by_handlers(Wave& wave, const Op* op, unsigned first_lane, const Block* block) {
  const std::uint64_t exec = wave.exec(), done = (std::uint64_t{1} << first_lane) - 1;
  std::vector<std::uint64_t> stored;
  for (const unsigned sgpr : block->masks) stored.push_back(wave.scalar64(sgpr) & done);
  wave.set_exec(exec & ~done);
  for (const auto& [slot, handler] : block->ops) handler(wave, op + slot);
  wave.set_exec(exec);
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const unsigned sgpr = block->masks[i];
    wave.set_scalar64(sgpr, (wave.scalar64(sgpr) & ~done) | stored[i]);
  }
  return op + block->slots;
}

bool does_nothing(const isa::Row& row) { return row.name == "s_waitcnt" || row.name == "s_nop"; }

/// Can the op stand in a run, as far as its form tells?
bool is_candidate(const Op& op, const isa::Row& row) {
  if (does_nothing(row)) return true;
  const Recipe* const recipe = recipe_of(row);
  if (recipe == nullptr || op.run == run_sdwa || op.run == run_dpp) return false;
  if (op.clamp || op.omod != 0 || op.keeps_high_half) return false;
  const bool packed = row.encoding.format == isa::Format::kVop3p;
  if (!packed && op.op_sel != 0) return false;
  return recipe->modifiers || (op.neg == 0 && op.abs == 0);
}

/// SGPRs of a run that are read as values, and that hold lane masks: strips come one after the
/// other, so that no SGPR may be both, and masks may not overlap by half.
class ScalarRoles {
 public:
  /// False if the op does not fit to those before it.
  bool add(const Access& access) {
    std::bitset<kScalarRegisters> values = values_, low = mask_low_, high = mask_high_;
    std::bitset<kScalarRegisters> written = written_;
    for (const unsigned sgpr : access.scalar_reads) values.set(sgpr);
    for (const auto* masks : {&access.mask_reads, &access.mask_writes}) {
      for (const unsigned sgpr : *masks) {
        if (sgpr + 1 >= kScalarRegisters) return false;
        low.set(sgpr);
        high.set(sgpr + 1);
      }
    }
    for (const unsigned sgpr : access.mask_writes) {
      if (sgpr == kExecSgpr) return false;
      written.set(sgpr).set(sgpr + 1);
    }
    if ((values & written).any() || (low & high).any()) return false;
    values_ = values, mask_low_ = low, mask_high_ = high, written_ = written;
    return true;
  }

 private:
  std::bitset<kScalarRegisters> values_, mask_low_, mask_high_, written_;
};

/// A run as it is found and cut to what compiles.
struct Run {
  std::vector<RunOp> ops;         ///< without those that do nothing
  std::vector<std::size_t> ends;  ///< for each op, the slot after it and idle ones that follow
};

class Compiler {
 public:
  Compiler(std::span<Op> ops, std::span<const std::size_t> leaders, std::deque<Block>& blocks)
      : ops_(ops), leaders_(leaders), blocks_(blocks) {}

  /// Slots and code positions of what was compiled.
  const std::vector<std::pair<std::size_t, std::size_t>>& entries() const { return entries_; }
  const std::vector<std::uint8_t>& code() const { return assembler_.code(); }

  void compile_all() {
    for (std::size_t slot = 0; slot < ops_.size();) {
      if (ops_[slot].run == nullptr) {
        ++slot;
        continue;
      }
      Run run = run_at(slot);
      std::size_t next = slot + ops_[slot].dwords;
      if (compile(run, slot)) next = run.ends.back();
      slot = next;
    }
  }

 private:
  bool is_leader(std::size_t slot) const {
    return std::binary_search(leaders_.begin(), leaders_.end(), slot);
  }

  Run run_at(std::size_t slot) const {
    Run run;
    ScalarRoles roles;
    const std::size_t start = slot;
    while (slot < ops_.size() && run.ops.size() < kMostOps) {
      const Op& op = ops_[slot];
      if (op.run == nullptr || (slot != start && is_leader(slot))) break;
      const isa::Row& row = isa::catalogue()[op.row];
      if (!is_candidate(op, row)) break;
      if (does_nothing(row)) {
        if (run.ops.empty()) break;
        run.ends.back() = slot + op.dwords;
      } else {
        RunOp step{&op, &row, access_of(op, row)};
        if (!roles.add(step.access)) break;
        run.ops.push_back(std::move(step));
        run.ends.push_back(slot + op.dwords);
      }
      slot += op.dwords;
    }
    return run;
  }

  /// Cuts the run to its longest compilable start and compiles it; false if that is too short.
  bool compile(Run& run, std::size_t slot) {
    constexpr std::size_t kFewest = 2;
    const std::size_t start = assembler_.position();
    while (run.ops.size() >= kFewest) {
      Block& block = blocks_.emplace_back();
      const std::size_t compiled = emit(run, slot, block);
      if (compiled == run.ops.size()) {
        fill(block, run, slot);
        entries_.emplace_back(slot, start);
        return true;
      }
      blocks_.pop_back();
      assembler_.rewind(start);
      run.ops.resize(compiled);
      run.ends.resize(compiled);
    }
    return false;
  }

  void fill(Block& block, const Run& run, std::size_t slot) const {
    block.slots = static_cast<std::uint32_t>(run.ends.back() - slot);
    block.masks = written_masks(run);
    for (const RunOp& step : run.ops) {
      block.ops.emplace_back(static_cast<std::uint32_t>(step.op - &ops_[slot]), step.op->run);
    }
  }

  static std::vector<unsigned> written_masks(const Run& run) {
    std::vector<unsigned> masks;
    for (const RunOp& step : run.ops) {
      for (const unsigned sgpr : step.access.mask_writes) {
        if (std::find(masks.begin(), masks.end(), sgpr) == masks.end()) masks.push_back(sgpr);
      }
    }
    return masks;
  }

  /// Emits a run twice: for full EXEC, and for any. Gives the number of ops that fit.
  std::size_t emit(const Run& run, std::size_t slot, const Block& block) {
    const auto offset = [](std::size_t bytes) { return static_cast<std::uint32_t>(bytes); };
    failures_.clear();
    assembler_.bytes({0x48, 0x8b, 0x97});  // mov rdx, [rdi + vgpr]
    assembler_.dword(offset(offsetof(Wave, vgpr)));
    assembler_.bytes({0x48, 0x89, 0xf9});  // mov rcx, rdi
    assembler_.bytes({0x4c, 0x8d, 0x82});  // lea r8, [rdx + 256]
    assembler_.dword(256);
    assembler_.bytes({0x48, 0x83, 0xbf});  // cmp qword [rdi + exec], -1
    assembler_.dword(4 * kExecSgpr);
    assembler_.bytes({0xff});
    const std::size_t some_inactive = assembler_.jump_ahead(kNotEqual);
    const auto slots = static_cast<std::uint32_t>(run.ends.back() - slot);
    masks_ = written_masks(run);
    if (masks_.size() > kMaskRegisters) return run.ops.size() - 1;
    if (const std::size_t fit = emit_strips(run, false, slots); fit < run.ops.size()) return fit;
    assembler_.bind(some_inactive);
    if (const std::size_t fit = emit_strips(run, true, slots); fit < run.ops.size()) return fit;
    emit_failure(block);
    assembler_.place_constants();
    return run.ops.size();
  }

  /// The four strips: one after the other where that is short, otherwise in a loop.
  std::size_t emit_strips(const Run& run, bool masked, std::uint32_t slots) {
    constexpr std::size_t kShort = 8;
    move_masks(0x8b);
    if (run.ops.size() <= kShort) {
      for (unsigned strip = 0; strip < 4; ++strip) {
        if (const std::size_t fit = emit_strip(run, masked); fit < run.ops.size()) return fit;
      }
    } else {
      const std::size_t top = assembler_.position();
      if (const std::size_t fit = emit_strip(run, masked); fit < run.ops.size()) return fit;
      assembler_.bytes({0x4c, 0x39, 0xc2});  // cmp rdx, r8
      assembler_.jump_back(kNotEqual, top);
    }
    move_masks(0x89);
    assembler_.bytes({0xc5, 0xf8, 0x77});  // vzeroupper
    assembler_.bytes({0x48, 0x8d, 0x86});  // lea rax, [rsi + slots]
    assembler_.dword(static_cast<std::uint32_t>(slots * sizeof(Op)));
    assembler_.bytes({0xc3});  // ret
    return run.ops.size();
  }

  /// The strip that rdx and rcx point to; they go on to the next.
  std::size_t emit_strip(const Run& run, bool masked) {
    constexpr KMask kWell = StripCode::kWell, kExec = StripCode::kExec, kZero{0};
    assembler_.mask_op(kMaskXnor, kWell, kZero, kZero);
    assembler_.mask_op(kMaskXnor, StripCode::kWellToo, kZero, kZero);
    if (masked) assembler_.load_mask(kExec, Base::kMaskWords, 4 * kExecSgpr);
    StripCode strip(assembler_, run.ops, masked);
    for (std::size_t i = 0; i < run.ops.size(); ++i) {
      strip.begin(static_cast<unsigned>(i));
      const Recipe& recipe = *recipe_of(*run.ops[i].row);
      recipe.emit(strip, recipe);
      if (!strip.end()) return i;
    }
    if (strip.finish_tests()) {
      if (masked) assembler_.mask_op(kMaskAndNot, kZero, kWell, kExec);
      assembler_.test_mask(masked ? kZero : kWell);
      failures_.push_back(assembler_.jump_ahead(masked ? kNotEqual : kNotCarry));
    }
    strip.store_results();
    for (unsigned i = 0; i < masks_.size(); ++i) emit_rotation(i, strip.written_mask(masks_[i]));
    assembler_.bytes({0x48, 0x83, 0xc2, 64});  // add rdx, 64
    assembler_.bytes({0x48, 0x83, 0xc1, 2});   // add rcx, 2
    return run.ops.size();
  }

  /// Lane masks that the run writes are in r9 to r11 while it runs, and each strip turns them by
  /// its 16 lanes: a wave that reads a mask soon after finds it stored in one piece. This moves
  /// them from the wave (opcode 8b) or to it (89).
  void move_masks(std::uint8_t opcode) {
    for (unsigned i = 0; i < masks_.size(); ++i) {
      assembler_.bytes({0x4c, opcode, static_cast<std::uint8_t>(0x8f + 8 * i)});
      assembler_.dword(4 * masks_[i]);
    }
  }
  void emit_rotation(unsigned index, KMask mask) {
    const auto reg = static_cast<std::uint8_t>(1 + index);
    assembler_.bytes({0xc5, 0xf8, 0x93, static_cast<std::uint8_t>(0xc0 | mask.number)});  // kmovw
    assembler_.bytes({0x66, 0x41, 0x89, static_cast<std::uint8_t>(0xc0 | reg)});  // mov r9w, ax
    assembler_.bytes({0x49, 0xc1, static_cast<std::uint8_t>(0xc8 | reg), 16});    // ror r9, 16
  }

  /// Where a strip is not well: finish_by_handlers(wave, op, first lane, block).
  void emit_failure(const Block& block) {
    if (failures_.empty()) return;
    for (const std::size_t jump : failures_) assembler_.bind(jump);
    assembler_.bytes({0xc5, 0xf8, 0x77});  // vzeroupper
    assembler_.bytes({0x89, 0xca});        // mov edx, ecx
    assembler_.bytes({0x29, 0xfa});        // sub edx, edi
    assembler_.bytes({0xc1, 0xe2, 3});     // shl edx, 3: two bytes of a mask are 16 lanes
    assembler_.bytes({0x89, 0xd1});        // mov ecx, edx
    for (unsigned i = 0; i < masks_.size(); ++i) {
      assembler_.bytes({0x49, 0xd3, static_cast<std::uint8_t>(0xc1 + i)});  // rol r9, cl
    }
    move_masks(0x89);
    assembler_.bytes({0x48, 0xb9});  // mov rcx, block
    assembler_.qword(reinterpret_cast<std::uint64_t>(&block));
    assembler_.bytes({0x48, 0xb8});  // mov rax, finish_by_handlers
    assembler_.qword(reinterpret_cast<std::uint64_t>(&finish_by_handlers));
    assembler_.bytes({0xff, 0xe0});  // jmp rax
  }

  std::span<Op> ops_;
  std::span<const std::size_t> leaders_;
  std::deque<Block>& blocks_;
  Assembler assembler_;
  std::vector<std::size_t> failures_;
  std::vector<unsigned> masks_;
  std::vector<std::pair<std::size_t, std::size_t>> entries_;
};

}  // namespace

bool available() {
#if defined(__x86_64__)
  const char* const asked = std::getenv("WAVETANK_JIT");
  return uses_avx512() && (asked == nullptr || std::string_view(asked) != "0");
#else
  return false;
#endif
}

std::unique_ptr<Blocks> Blocks::compile(std::span<Op> ops, std::span<const std::size_t> leaders) {
  if (!available()) return nullptr;
  std::unique_ptr<Blocks> result(new Blocks);
  Compiler compiler(ops, leaders, result->blocks_);
  compiler.compile_all();
  if (compiler.entries().empty()) return nullptr;
  // Never writable and executable at once.
  result->code_bytes_ = compiler.code().size();
  void* const memory = mmap(nullptr, result->code_bytes_, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  result->code_ = memory;
  std::memcpy(memory, compiler.code().data(), result->code_bytes_);
  if (mprotect(memory, result->code_bytes_, PROT_READ | PROT_EXEC) != 0) return nullptr;
  for (const auto& [slot, position] : compiler.entries()) {
    ops[slot].run = reinterpret_cast<Handler>(static_cast<std::uint8_t*>(memory) + position);
  }
  return result;
}

Blocks::~Blocks() {
  if (code_ != nullptr) munmap(code_, code_bytes_);
}

}  // namespace wavetank::execute::jit
