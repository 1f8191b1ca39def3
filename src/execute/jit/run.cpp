#include "execute/jit/run.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "execute/handlers.hpp"
#include "execute/jit/recipes.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

constexpr unsigned kExecSgpr = 126, kScalarRegisters = 128;
constexpr std::size_t kMostOps = 256, kMaskRegisters = 3;
/// Results stay in registers to the run's end, beside what an op needs for itself.
constexpr std::size_t kMostResults = 26;

bool contains(const std::vector<unsigned>& list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool touches_pair(const std::vector<unsigned>& list, unsigned first) {
  return std::any_of(list.begin(), list.end(),
                     [&](unsigned sgpr) { return sgpr == first || sgpr == first + 1; });
}

/// What an op means for a lane mask that was written before it.
enum class Fate : std::uint8_t { kOpen, kRead, kOverwritten };

Fate fate_of_mask(const Op& op, const isa::Row& row, unsigned mask) {
  if (row.pause == isa::Pause::kEnd) return Fate::kOverwritten;
  if (does_nothing(op, row)) return Fate::kOpen;
  const isa::Format format = row.encoding.format;
  if (format == isa::Format::kFlat || format == isa::Format::kGlobal) {
    constexpr unsigned kFlatScratch = 102, kNoBase = 0x7f;
    const bool reads = op.memory.scalar_base != kNoBase || mask == kFlatScratch;
    return reads ? Fate::kRead : Fate::kOpen;
  }
  if (!can_run(op, row)) return Fate::kRead;
  const Access access = access_of(op, row);
  if (touches_pair(access.mask_reads, mask) || touches_pair(access.scalar_reads, mask)) {
    return Fate::kRead;
  }
  return contains(access.mask_writes, mask) ? Fate::kOverwritten : Fate::kOpen;
}

bool is_dead_mask(std::span<const Op> ops, std::size_t slot, unsigned mask) {
  constexpr unsigned kFarthest = 32;
  for (unsigned i = 0; i < kFarthest && slot < ops.size(); ++i) {
    if (ops[slot].run == nullptr || !has_own_handler(ops[slot])) return false;
    const Fate fate = fate_of_mask(ops[slot], isa::catalogue()[ops[slot].row], mask);
    if (fate != Fate::kOpen) return fate == Fate::kOverwritten;
    slot += ops[slot].dwords;
  }
  return false;
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

}  // namespace

bool has_own_handler(const Op& op) {
  const HandlerSet& set = handlers()[op.row];
  return op.run == set.plain || op.run == set.uniform0 || op.run == set.general;
}

bool does_nothing(const Op& op, const isa::Row& row) {
  return row.pause == isa::Pause::kWait && !op.gives_turn;
}

bool can_run(const Op& op, const isa::Row& row) {
  const Recipe* const recipe = recipe_of(row);
  if (recipe == nullptr || !has_own_handler(op)) return false;
  if (op.clamp || op.omod != 0 || op.keeps_high_half) return false;
  const bool packed = row.encoding.format == isa::Format::kVop3p;
  if (!packed && op.op_sel != 0) return false;
  return recipe->modifiers || (op.neg == 0 && op.abs == 0);
}

namespace {

/// Which loads and stores a run may have.
enum class Moves : std::uint8_t { kNone, kLoadsOrStore, kLoadsAndLastStore };

/// Collects the ops of a run.
class RunFinder {
 public:
  RunFinder(std::span<const Op> ops, std::span<const std::size_t> leaders, Moves allowed)
      : ops_(ops), leaders_(leaders), allowed_(allowed) {}

  const Run& run() const { return run_; }
  /// Is there a load or a store in it?
  bool moves() const { return loads_ || stores_; }
  bool loads_and_stores() const { return loads_ && stores_; }

  /// True if the op at `slot`, which follows those before, is of the run.
  bool takes(std::size_t slot) {
    if (slot >= ops_.size() || run_.ops.size() >= kMostOps) return false;
    const Op& op = ops_[slot];
    if (op.run == nullptr || !has_own_handler(op)) return false;
    if (!run_.ops.empty() && std::binary_search(leaders_.begin(), leaders_.end(), slot)) {
      return false;
    }
    const isa::Row& row = isa::catalogue()[op.row];
    if (does_nothing(op, row) && !run_.ops.empty()) {
      run_.ends.back() = slot + op.dwords;
      waited_ = waited_ || (loads_ && space_ == MoveSpace::kGlobal);
      closed_ = closed_ || (waited_ && allowed_ != Moves::kLoadsAndLastStore);
      return true;
    }
    const MoveSpace space = allowed_ != Moves::kNone ? move_space(op, row) : MoveSpace::kNone;
    if (closed_ || (space == MoveSpace::kNone && !can_run(op, row))) return false;
    return add(op, row, space, slot);
  }

 private:
  bool add(const Op& op, const isa::Row& row, MoveSpace space, std::size_t slot) {
    const bool move = space != MoveSpace::kNone;
    const bool store = move && row.memory.action == isa::MemoryAction::kStore;
    if (move && moves() && space != space_) return false;
    if (store && loads_ && !(allowed_ == Moves::kLoadsAndLastStore && op.memory.ends_wave)) {
      return false;
    }
    if (move && !store && waited_) return false;
    RunOp step{&op, &row, access_of(op, row), {}};
    for (const unsigned name : step.access.vector_writes) results_.set(name);
    if (!roles_.add(step.access) || results_.count() > kMostResults) return false;
    run_.ops.push_back(std::move(step));
    run_.ends.push_back(slot + op.dwords);
    if (move) space_ = space;
    loads_ = loads_ || (move && !store);
    stores_ = closed_ = store;
    return true;
  }

  std::span<const Op> ops_;
  std::span<const std::size_t> leaders_;
  Run run_;
  ScalarRoles roles_;
  std::bitset<Uses::kMaskNames> results_;
  Moves allowed_;
  bool loads_ = false, stores_ = false;
  bool waited_ = false;                 ///< for a load: no other follows
  MoveSpace space_ = MoveSpace::kNone;  ///< of its loads and stores
  bool closed_ = false;                 ///< only ops that do nothing may follow
};

}  // namespace

Run find_run(std::span<const Op> ops, std::size_t slot, std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Moves::kNone);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.run();
}

Run find_memory_run(std::span<const Op> ops, std::size_t slot,
                    std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Moves::kLoadsOrStore);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.moves() ? finder.run() : Run();
}

Run find_last_run(std::span<const Op> ops, std::size_t slot, std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Moves::kLoadsAndLastStore);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.loads_and_stores() ? finder.run() : Run();
}

void find_dead_masks(std::span<const Op> ops, Run& run) {
  run.dead_masks.clear();
  std::vector<unsigned> dead;
  for (const unsigned mask : written_masks(run)) {
    if (is_dead_mask(ops, run.ends.back(), mask)) dead.push_back(mask);
  }
  run.dead_masks = std::move(dead);
}

std::vector<unsigned> written_masks(const Run& run) {
  std::vector<unsigned> masks;
  for (const RunOp& step : run.ops) {
    for (const unsigned sgpr : step.access.mask_writes) {
      if (!contains(masks, sgpr) && !contains(run.dead_masks, sgpr)) masks.push_back(sgpr);
    }
  }
  return masks;
}

std::size_t RunCode::emit() {
  masks_ = written_masks(run_);
  if (masks_.size() > kMaskRegisters) return run_.ops.size() - 1;
  const Uses uses(run_.ops);
  code_.bytes({0x48, 0x8b, 0x97});  // mov rdx, [rdi + vgpr]
  code_.dword(static_cast<std::uint32_t>(offsetof(Wave, vgpr)));
  code_.bytes({0x48, 0x89, 0xf9});  // mov rcx, rdi
  code_.bytes({0x48, 0x83, 0xbf});  // cmp qword [rdi + exec], -1
  code_.dword(4 * kExecSgpr);
  code_.bytes({0xff});
  const std::size_t some_inactive = code_.jump_ahead(kNotEqual);
  if (const std::size_t fit = emit_strips(uses, false); fit < run_.ops.size()) return fit;
  const std::size_t done = code_.jump_ahead();
  code_.bind(some_inactive);
  if (const std::size_t fit = emit_strips(uses, true); fit < run_.ops.size()) return fit;
  code_.bind(done);
  return run_.ops.size();
}

/// The four strips: one after the other where that is short, otherwise in a loop.
std::size_t RunCode::emit_strips(const Uses& uses, bool masked) {
  constexpr std::size_t kShort = 8;
  move_masks(0x8b);
  if (run_.ops.size() <= kShort) {
    for (unsigned strip = 0; strip < 4; ++strip) {
      if (const std::size_t fit = emit_strip(uses, masked, strip); fit < run_.ops.size())
        return fit;
    }
  } else {
    code_.bytes({0x4c, 0x8d, 0x82});  // lea r8, [rdx + 256]
    code_.dword(256);
    const std::size_t top = code_.position();
    if (const std::size_t fit = emit_strip(uses, masked, 0); fit < run_.ops.size()) return fit;
    code_.bytes({0x48, 0x83, 0xc2, 64});  // add rdx, 64
    code_.bytes({0x48, 0x83, 0xc1, 2});   // add rcx, 2
    code_.bytes({0x4c, 0x39, 0xc2});      // cmp rdx, r8
    code_.jump_back(kNotEqual, top);
  }
  move_masks(0x89);
  return run_.ops.size();
}

/// One strip, `index` beyond that which rdx and rcx point to.
std::size_t RunCode::emit_strip(const Uses& uses, bool masked, unsigned index) {
  constexpr KMask kWell = StripCode::kWell, kExec = StripCode::kExec, kNone{0};
  if (masked) {
    code_.load_mask(kExec, Base::kMaskWords, static_cast<std::int32_t>(4 * kExecSgpr + 2 * index));
  }
  StripCode strip(code_, run_, uses, masked, index);
  for (std::size_t i = 0; i < run_.ops.size(); ++i) {
    strip.begin(static_cast<unsigned>(i));
    const Recipe& recipe = *recipe_of(*run_.ops[i].row);
    recipe.emit(strip, recipe);
    if (!strip.end()) return i;
  }
  if (strip.finish_tests()) {
    if (masked) code_.mask_op(kMaskAndNot, kNone, kWell, kExec);
    code_.test_mask(masked ? kNone : kWell);
    failures_.push_back({code_.jump_ahead(masked ? kNotEqual : kNotCarry), index});
  }
  strip.store_results();
  for (unsigned i = 0; i < masks_.size(); ++i) emit_rotation(i, strip.written_mask(masks_[i]));
  return run_.ops.size();
}

/// Moves the lane masks from the wave (opcode 8b) or to it (89).
void RunCode::move_masks(std::uint8_t opcode) {
  for (unsigned i = 0; i < masks_.size(); ++i) {
    code_.bytes({0x4c, opcode, static_cast<std::uint8_t>(0x8f + 8 * i)});
    code_.dword(4 * masks_[i]);
  }
}
void RunCode::emit_rotation(unsigned index, KMask mask) {
  const auto reg = static_cast<std::uint8_t>(1 + index);
  code_.bytes({0xc5, 0xf8, 0x93, static_cast<std::uint8_t>(0xc0 | mask.number)});  // kmovw
  code_.bytes({0x66, 0x41, 0x89, static_cast<std::uint8_t>(0xc0 | reg)});          // mov r9w, ax
  code_.bytes({0x49, 0xc1, static_cast<std::uint8_t>(0xc8 | reg), 16});            // ror r9, 16
}

void RunCode::emit_failure(std::uint32_t op_bytes, const Block* block,
                           const Op* (*finish)(Wave&, const Op*, unsigned, const Block*)) {
  if (failures_.empty()) return;
  std::vector<std::size_t> joins;
  for (const Failure& failure : failures_) {
    code_.bind(failure.jump);
    code_.bytes({0x48, 0x83, 0xc1, static_cast<std::uint8_t>(2 * failure.strip)});  // add rcx
    joins.push_back(code_.jump_ahead());
  }
  for (const std::size_t join : joins) code_.bind(join);
  code_.bytes({0xc5, 0xf8, 0x77});  // vzeroupper
  code_.bytes({0x89, 0xca});        // mov edx, ecx
  code_.bytes({0x29, 0xfa});        // sub edx, edi
  code_.bytes({0xc1, 0xe2, 3});     // shl edx, 3: two bytes of a mask are 16 lanes
  code_.bytes({0x89, 0xd1});        // mov ecx, edx
  for (unsigned i = 0; i < masks_.size(); ++i) {
    code_.bytes({0x49, 0xd3, static_cast<std::uint8_t>(0xc1 + i)});  // rol r9, cl
  }
  move_masks(0x89);
  code_.bytes({0x48, 0x81, 0xc6});  // add rsi, op_bytes
  code_.dword(op_bytes);
  code_.bytes({0x48, 0xb9});  // mov rcx, block
  code_.qword(reinterpret_cast<std::uint64_t>(block));
  code_.bytes({0x48, 0xb8});  // mov rax, finish
  code_.qword(reinterpret_cast<std::uint64_t>(finish));
  code_.bytes({0xff, 0xe0});  // jmp rax
}

}  // namespace wavetank::execute::jit
