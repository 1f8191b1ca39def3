#include "execute/jit/run.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

constexpr unsigned kExecSgpr = 126, kScalarRegisters = 128;
constexpr std::size_t kMostOps = 256, kMaskRegisters = 3;
/// Results stay in registers to the run's end, beside what an op needs for itself.
constexpr std::size_t kMostResults = 40;
/// Registers that a strip may keep in memory.
constexpr unsigned kSpillPlaces = 32;

bool contains(const std::vector<unsigned>& list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

bool touches_pair(const std::vector<unsigned>& list, unsigned first) {
  return std::any_of(list.begin(), list.end(),
                     [&](unsigned sgpr) { return sgpr == first || sgpr == first + 1; });
}

/// What an op means for a lane mask that was written before it.
enum class Fate : std::uint8_t { kOpen, kRead, kOverwritten };

Fate fate_of_mask(const Op& op, const isa::Row& row, const Access* access, unsigned mask) {
  if (row.pause == isa::Pause::kEnd) return Fate::kOverwritten;
  if (does_nothing(op, row)) return Fate::kOpen;
  const isa::Format format = row.encoding.format;
  if (format == isa::Format::kFlat || format == isa::Format::kGlobal) {
    constexpr unsigned kFlatScratch = 102, kNoBase = 0x7f;
    const bool reads = op.memory.scalar_base != kNoBase || mask == kFlatScratch;
    return reads ? Fate::kRead : Fate::kOpen;
  }
  if (access == nullptr) return Fate::kRead;
  if (touches_pair(access->mask_reads, mask) || touches_pair(access->scalar_reads, mask)) {
    return Fate::kRead;
  }
  return contains(access->mask_writes, mask) ? Fate::kOverwritten : Fate::kOpen;
}

bool is_dead_mask(OpTable& ops, std::size_t slot, unsigned mask) {
  constexpr unsigned kFarthest = 32;
  for (unsigned i = 0; i < kFarthest && slot < ops.size(); ++i) {
    if (ops[slot].run == nullptr || !has_own_handler(ops[slot])) return false;
    const isa::Row& row = isa::catalogue()[ops[slot].row];
    const Fate fate = fate_of_mask(ops[slot], row, ops.drawn(slot), mask);
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

/// Which loads and stores a run may have.
enum class Moves : std::uint8_t { kNone, kLoadsOrStore, kLoadsAndLastStore };

/// Collects the ops of a run.
class RunFinder {
 public:
  RunFinder(OpTable& ops, std::span<const std::size_t> leaders, Moves allowed)
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
    const Access* const access = closed_ ? nullptr : ops_.in_runs(slot, space != MoveSpace::kNone);
    return access != nullptr && add(op, row, *access, space, slot);
  }

 private:
  bool add(const Op& op, const isa::Row& row, const Access& access, MoveSpace space,
           std::size_t slot) {
    const bool move = space != MoveSpace::kNone;
    const bool store = move && row.memory.action == isa::MemoryAction::kStore;
    if (move && moves() && space != space_) return false;
    if (store && loads_ && !(allowed_ == Moves::kLoadsAndLastStore && op.memory.ends_wave)) {
      return false;
    }
    if (move && !store && waited_) return false;
    for (const unsigned name : access.vector_writes) results_.set(name);
    if (!roles_.add(access) || results_.count() > kMostResults) return false;
    run_.ops.push_back({&op, &row, access});
    run_.ends.push_back(slot + op.dwords);
    if (move) space_ = space;
    loads_ = loads_ || (move && !store);
    stores_ = closed_ = store;
    return true;
  }

  OpTable& ops_;
  std::span<const std::size_t> leaders_;
  Run run_;
  ScalarRoles roles_;
  std::bitset<Sketch::kVectors> results_;
  Moves allowed_;
  bool loads_ = false, stores_ = false;
  bool waited_ = false;                 ///< for a load: no other follows
  MoveSpace space_ = MoveSpace::kNone;  ///< of its loads and stores
  bool closed_ = false;                 ///< only ops that do nothing may follow
};

}  // namespace

Run find_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Moves::kNone);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.run();
}

Run find_memory_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Moves::kLoadsOrStore);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.moves() ? finder.run() : Run();
}

Run find_last_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Moves::kLoadsAndLastStore);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.loads_and_stores() ? finder.run() : Run();
}

void find_dead_masks(OpTable& ops, Run& run) {
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

bool draw_run(Sketch& sketch, const Run& run, bool masked) {
  sketch.clear();
  if (!masked) sketch.graph().set_all_active();
  for (unsigned i = 0; i < run.ops.size(); ++i) {
    if (!sketch.draw(*run.ops[i].op, *run.ops[i].row, i)) return false;
  }
  return true;
}

std::size_t RunCode::emit() {
  masks_ = written_masks(run_);
  if (masks_.size() > kMaskRegisters) return run_.ops.size() - 1;
  const std::size_t start = code_.position(), all = run_.ops.size();
  if (emit_forms() == all) return all;
  // Once more, with room for values that registers do not hold.
  code_.rewind(start);
  code_.begin_part();
  failures_.clear();
  if (masks_.size() == kMaskRegisters) return all - 1;
  spills_ = true;
  return emit_forms();
}

/// The run for full EXEC, and for any.
std::size_t RunCode::emit_forms() {
  code_.mov(code_.rdx, code_.ptr[code_.rdi + offsetof(Wave, vgpr)]);
  code_.mov(code_.rcx, code_.rdi);
  if (spills_) {
    code_.mov(code_.r11, code_.rsp);
    code_.and_(code_.rsp, -64);
    code_.sub(code_.rsp, 64 * kSpillPlaces);
  }
  code_.cmp(code_.qword[code_.rdi + 4 * kExecSgpr], -1);
  Label some_inactive, done;
  code_.jne(some_inactive, HostCode::T_NEAR);
  if (const std::size_t fit = emit_strips(false); fit < run_.ops.size()) return fit;
  code_.jmp(done, HostCode::T_NEAR);
  code_.L(some_inactive);
  if (const std::size_t fit = emit_strips(true); fit < run_.ops.size()) return fit;
  code_.L(done);
  if (spills_) code_.mov(code_.rsp, code_.r11);
  return run_.ops.size();
}

/// The four strips: one after the other where that is short, otherwise in a loop.
std::size_t RunCode::emit_strips(bool masked) {
  constexpr std::size_t kShort = 8;
  const std::size_t all = run_.ops.size();
  // Together ops may be too much for one graph.
  if (!draw_run(sketch_, run_, masked)) return all / 2;
  const Plan plan = make_plan(sketch_, run_.dead_registers, run_.dead_masks, kNoValue);
  if (sketch_.graph().full()) return all / 2;
  move_masks(false);
  if (all <= kShort) {
    for (unsigned strip = 0; strip < 4; ++strip) {
      if (const std::size_t fit = emit_strip(sketch_.graph(), plan, masked, strip); fit < all)
        return fit;
    }
  } else {
    code_.lea(code_.r8, code_.ptr[code_.rdx + 256]);
    Label top;
    code_.L(top);
    if (const std::size_t fit = emit_strip(sketch_.graph(), plan, masked, 0); fit < all) return fit;
    code_.add(code_.rdx, 64);
    code_.add(code_.rcx, 2);
    code_.cmp(code_.rdx, code_.r8);
    code_.jne(top, HostCode::T_NEAR);
  }
  move_masks(true);
  return all;
}

/// One strip, `index` beyond that which rdx and rcx point to.
std::size_t RunCode::emit_strip(const Graph& graph, const Plan& plan, bool masked, unsigned index) {
  const Opmask well(static_cast<int>(StripCode::kWell)), exec(static_cast<int>(StripCode::kExec));
  if (masked) {
    code_.kmovw(exec, code_.ptr[code_.rcx + static_cast<int>(4 * kExecSgpr + 2 * index)]);
  }
  StripCode strip(code_, graph, plan, masked, index, spills_ ? kSpillPlaces : 0);
  if (!strip.emit()) return std::min<std::size_t>(strip.failed_op(), run_.ops.size() - 1);
  if (strip.finish_tests()) {
    failures_.push_back({std::make_unique<Label>(), index});
    Label& failure = *failures_.back().label;
    if (masked) {
      code_.kandnw(code_.k0, well, exec);
      code_.kortestw(code_.k0, code_.k0);
      code_.jne(failure, HostCode::T_NEAR);
    } else {
      code_.kortestw(well, well);
      code_.jnc(failure, HostCode::T_NEAR);
    }
  }
  for (unsigned i = 0; i < masks_.size(); ++i) {
    const auto result = std::find_if(plan.masks.begin(), plan.masks.end(),
                                     [&](const auto& mask) { return mask.name == masks_[i]; });
    emit_rotation(i, strip.mask_value(result->value));
  }
  strip.store_results();
  return strip.failed() ? run_.ops.size() - 1 : run_.ops.size();
}

/// Moves the lane masks from the wave or to it.
void RunCode::move_masks(bool to_wave) {
  for (unsigned i = 0; i < masks_.size(); ++i) {
    const Xbyak::Reg64 reg(static_cast<int>(9 + i));
    const auto place = code_.ptr[code_.rdi + 4 * masks_[i]];
    if (to_wave)
      code_.mov(place, reg);
    else
      code_.mov(reg, place);
  }
}
void RunCode::emit_rotation(unsigned index, Opmask mask) {
  const Xbyak::Reg64 reg(static_cast<int>(9 + index));
  code_.kmovw(code_.eax, mask);
  code_.mov(reg.cvt16(), code_.ax);
  code_.ror(reg, 16);
}

void RunCode::emit_failure(std::uint32_t op_bytes, const Block* block,
                           const Op* (*finish)(Wave&, const Op*, unsigned, const Block*)) {
  if (failures_.empty()) return;
  Label join;
  for (const Failure& failure : failures_) {
    code_.L(*failure.label);
    if (failure.strip != 0) code_.add(code_.rcx, 2 * failure.strip);
    code_.jmp(join, HostCode::T_NEAR);
  }
  code_.L(join);
  if (spills_) code_.mov(code_.rsp, code_.r11);
  code_.vzeroupper();
  code_.mov(code_.edx, code_.ecx);
  code_.sub(code_.edx, code_.edi);
  code_.shl(code_.edx, 3);  // two bytes of a mask are 16 lanes
  code_.mov(code_.ecx, code_.edx);
  for (unsigned i = 0; i < masks_.size(); ++i) {
    code_.rol(Xbyak::Reg64(static_cast<int>(9 + i)), code_.cl);
  }
  move_masks(true);
  code_.add(code_.rsi, op_bytes);
  code_.mov(code_.rcx, reinterpret_cast<std::uint64_t>(block));
  code_.mov(code_.rax, reinterpret_cast<std::uint64_t>(finish));
  code_.jmp(code_.rax);
}

}  // namespace wavetank::execute::jit
