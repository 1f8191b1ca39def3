#include "execute/jit/run.hpp"

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "execute/jit/mask_ops.hpp"
#include "isa/catalogue.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

constexpr unsigned kExecSgpr = isa::operand::kExec, kScalarRegisters = isa::operand::kScalarFile;
constexpr std::size_t kMostOps = 512, kMaskRegisters = 3;
/// Results stay in registers to the run's end, beside what an op needs for itself.
constexpr std::size_t kMostResults = 128;
/// Bytes of memory for registers of a strip.
constexpr unsigned kSpillBytes = 2048;

bool contains(const std::vector<unsigned>& list, unsigned value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// SGPRs of a run that are read as values, and that hold lane masks. A run's masks reach the SGPRs
/// when all strips are done, so that none may be read as a value once it is written; and masks may
/// not overlap by half. EXEC may not be read as a value: in handlers that finish a run it has the
/// lanes that are left to them.
class ScalarRoles {
 public:
  /// False if the op does not fit to those before it.
  bool add(const Access& access) {
    std::bitset<kScalarRegisters> low = mask_low_, high = mask_high_;
    for (const unsigned sgpr : access.scalar_reads) {
      if (written_.test(sgpr) || sgpr / 2 == kExecSgpr / 2) return false;
    }
    for (const auto* masks : {&access.mask_reads, &access.mask_writes}) {
      for (const unsigned sgpr : *masks) {
        if (sgpr + 1 >= kScalarRegisters) return false;
        low.set(sgpr);
        high.set(sgpr + 1);
      }
    }
    if ((low & high).any()) return false;
    for (const unsigned sgpr : access.mask_writes) {
      if (sgpr == kExecSgpr) return false;
      written_.set(sgpr).set(sgpr + 1);
    }
    mask_low_ = low, mask_high_ = high;
    return true;
  }

 private:
  std::bitset<kScalarRegisters> mask_low_, mask_high_, written_;
};

/// What a run is for, which says what it may load and store.
enum class Purpose : std::uint8_t { kAny, kRegisters, kLast };

/// Collects the ops of a run.
class RunFinder {
 public:
  RunFinder(OpTable& ops, std::span<const std::size_t> leaders, Purpose purpose,
            bool loads_early = false)
      : ops_(ops), leaders_(leaders), purpose_(purpose), loads_early_(loads_early) {}

  const Run& run() const { return run_; }
  bool stores() const { return stores_; }

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
      waited_ = waited_ || loads_global_;
      return true;
    }
    if (ended_) return false;
    const Access* const access = ops_.in_runs(slot);
    if (access != nullptr) return add(op, row, *access, slot);
    return add_early(slot) || add_mask_op(op, row, slot);
  }

 private:
  /// May the run have this load or store?
  bool may_move(const Move& move, const Op& op) const {
    if (move.space == MoveSpace::kNone) return true;
    if (purpose_ == Purpose::kRegisters) return false;
    if (!move.stores && move.space == MoveSpace::kGlobal && waited_) return false;
    if (move.space == MoveSpace::kScratch && scratch_ != nullptr && !share_scratch(*scratch_, op)) {
      return false;
    }
    if (purpose_ == Purpose::kAny) {
      return move.space == MoveSpace::kScratch ? !stores_ || (move.stores && !move.merges)
                                               : !stores_ && !(move.stores && loads_);
    }
    return move.space == MoveSpace::kGlobal && move.bytes == 4 &&
           (!move.stores || op.memory.ends_wave);
  }

  /// May the run have one op only?
  bool may_be_alone() const { return run_.ops.empty() && purpose_ != Purpose::kLast; }

  bool add(const Op& op, const isa::Row& row, const Access& access, std::size_t slot) {
    const bool alone = crosses_rows(op);
    if (alone && (!may_be_alone() || !access.mask_writes.empty())) return false;
    const Move move = move_of(op, row);
    const bool asks_for_scc = move.space == MoveSpace::kNone && reads_scc(op);
    if (!may_move(move, op) || (asks_for_scc && writes_scc_)) return false;
    for (const unsigned name : access.vector_writes) results_.set(name);
    if (!roles_.add(access) || results_.count() > kMostResults) return false;
    note_scalars(access);
    reads_scc_ = reads_scc_ || asks_for_scc;
    run_.ops.push_back({&op, &row, access});
    run_.ends.push_back(slot + op.dwords);
    ended_ = alone;
    if (move.space == MoveSpace::kNone) return true;
    const bool scratch = move.space == MoveSpace::kScratch;
    stores_ = stores_ || move.stores;
    ended_ = move.stores && (!scratch || loads_scratch_ || move.merges);
    loads_ = loads_ || !move.stores;
    loads_scratch_ = loads_scratch_ || (!move.stores && scratch);
    if (scratch) scratch_ = &op;
    loads_global_ = loads_global_ || (!move.stores && move.space == MoveSpace::kGlobal);
    return true;
  }

  void note_scalars(const Access& access) {
    for (const unsigned sgpr : access.scalar_reads) reads_.set(sgpr);
    for (const unsigned sgpr : access.mask_reads) reads_.set(sgpr).set(sgpr + 1);
    for (const unsigned sgpr : access.mask_writes) masks_.set(sgpr).set(sgpr + 1);
    for (const auto* masks : {&access.mask_reads, &access.mask_writes}) {
      for (const unsigned sgpr : *masks) holds_mask_.set(sgpr);
    }
  }

  /// A scalar op may go before the run if it has nothing to do with the run's ops before it. What
  /// is tried before other code, and may leave everything to that, has none.
  bool add_early(std::size_t slot) {
    if (run_.ops.empty() || purpose_ == Purpose::kLast) return false;
    auto scalar = reads_scc_ ? std::nullopt : ops_.among_scalars(slot);
    const bool computes = scalar.has_value();
    if (!computes) scalar = early_load(slot);
    if (!scalar || (scalar->writes & (reads_ | masks_)).any() || (scalar->reads & masks_).any()) {
      return false;
    }
    computes_early_ = computes_early_ || computes;
    run_.early.push_back({&ops_[slot], run_.ops.size()});
    run_.ends.back() = slot + ops_[slot].dwords;
    return true;
  }

  /// Others are of the run if they are about its lane masks.
  bool add_mask_op(const Op& op, const isa::Row& row, std::size_t slot) {
    if (run_.ops.empty() || purpose_ == Purpose::kLast) return false;
    const auto access = ops_.among_masks(slot);
    if (!access) return false;
    const auto is_of_the_run = [&](unsigned sgpr) { return holds_mask_.test(sgpr); };
    if (std::ranges::none_of(access->masks.mask_reads, is_of_the_run) &&
        std::ranges::none_of(access->masks.mask_writes, is_of_the_run)) {
      return false;
    }
    if (!roles_.add(access->masks)) return false;
    note_scalars(access->masks);
    writes_scc_ = writes_scc_ || access->writes_scc;
    run_.ops.push_back({&op, &row, access->masks, access->writes_scc});
    run_.ends.push_back(slot + op.dwords);
    return true;
  }

  /// A scalar load that leaves its op to its handler has the run begin again, so that nothing may
  /// have changed by then which is asked for once more. No load is overtaken, as it may be what
  /// tells that memory is ready.
  std::optional<ScalarAccess> early_load(std::size_t slot) {
    if (!loads_early_ || computes_early_ || loads_ || stores_) return std::nullopt;
    const auto load = ops_.of_load(slot);
    if (!load) return std::nullopt;
    bases_ |= load->reads;
    loaded_ |= load->writes;
    return (bases_ & loaded_).any() ? std::nullopt : load;
  }

  OpTable& ops_;
  std::span<const std::size_t> leaders_;
  Run run_;
  std::bitset<kScalarRegisters> reads_, masks_;  ///< SGPRs that ops read, and write masks to
  std::bitset<kScalarRegisters> holds_mask_;     ///< lower SGPRs of masks that they read or write
  ScalarRoles roles_;
  std::bitset<Sketch::kVectors> results_;
  std::bitset<kScalarRegisters> bases_, loaded_;  ///< of scalar loads before the run
  Purpose purpose_;
  bool loads_early_;
  bool computes_early_ = false;  ///< a scalar op that is no load is executed before the run
  bool loads_ = false, loads_global_ = false;
  bool stores_ = false, loads_scratch_ = false;
  bool reads_scc_ = false;
  bool writes_scc_ = false;  ///< by handlers: what early ops made of it is not to be asked for then
  const Op* scratch_ = nullptr;  ///< the last access to it
  bool ended_ = false;           ///< only ops that do nothing may follow
  bool waited_ = false;          ///< for a load of global memory: no other follows
};

}  // namespace

Run find_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders, bool moves,
             bool loads_early) {
  RunFinder finder(ops, leaders, moves ? Purpose::kAny : Purpose::kRegisters, loads_early);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.run();
}

Run find_last_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders) {
  RunFinder finder(ops, leaders, Purpose::kLast);
  while (finder.takes(slot)) slot += ops[slot].dwords;
  return finder.stores() ? finder.run() : Run();
}

void find_dead(Liveness& liveness, Run& run) {
  run.dead_masks.clear();
  run.dead_registers.clear();
  const Live live = liveness.before(run.ends.back());
  for (const RunOp& step : run.ops) {
    for (const unsigned name : step.access.vector_writes) {
      if (!live.vectors.test(name) && !contains(run.dead_registers, name)) {
        run.dead_registers.push_back(name);
      }
    }
    for (const unsigned sgpr : step.access.mask_writes) {
      const bool read = live.scalars.test(sgpr) || live.scalars.test(sgpr + 1);
      if (!read && !contains(run.dead_masks, sgpr)) run.dead_masks.push_back(sgpr);
    }
  }
}

bool leaves_no_registers(const Run& run) {
  return std::all_of(run.ops.begin(), run.ops.end(), [&](const RunOp& step) {
    const std::vector<unsigned>& written = step.access.vector_writes;
    return std::all_of(written.begin(), written.end(),
                       [&](unsigned name) { return contains(run.dead_registers, name); });
  });
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

bool crosses_rows(const Run& run) { return run.ops.size() == 1 && crosses_rows(*run.ops[0].op); }

std::size_t draw_run(Sketch& sketch, const Run& run, bool masked, bool careful,
                     std::vector<LaneStore>& stores) {
  sketch.clear();
  stores.clear();
  if (!masked) sketch.graph().set_all_active();
  sketch.graph().set_spells_nans(careful || crosses_rows(run));
  ScalarSketch scalar;
  for (unsigned i = 0; i < run.ops.size(); ++i) {
    const RunOp& step = run.ops[i];
    if (move_of(step).space != MoveSpace::kNone) {
      if (auto store = draw_move(sketch, step, i)) stores.push_back(std::move(*store));
    } else if (step.row->unit == isa::Unit::kSalu ? !draw_mask_op(sketch, scalar, *step.op, i)
                                                  : !sketch.draw(*step.op, *step.row, i)) {
      return i;
    }
  }
  return run.ops.size();
}

std::vector<Id> kept_values(const std::vector<LaneStore>& stores) {
  std::vector<Id> kept;
  for (const LaneStore& store : stores) {
    kept.insert(kept.end(), store.words.begin(), store.words.end());
    for (const Id id : {store.low, store.high}) {
      if (id != kNoValue) kept.push_back(id);
    }
  }
  return kept;
}

std::size_t RunCode::emit(const machine::AccessGuard* guard) {
  guard_ = guard;
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

/// The run for full EXEC, unless it is a careful one, and for any.
std::size_t RunCode::emit_forms() {
  if (moves_->any()) moves_->emit_begin(guard_);
  code_.mov(code_.rdx, code_.ptr[code_.rdi + offsetof(Wave, vgpr)]);
  code_.mov(code_.rcx, code_.rdi);
  if (spills_) {
    code_.mov(code_.r11, code_.rsp);
    code_.and_(code_.rsp, -64);
    code_.sub(code_.rsp, kSpillBytes);
  }
  Label some_inactive, done;
  if (!careful_) {
    code_.cmp(code_.qword[code_.rdi + 4 * kExecSgpr], -1);
    code_.jne(some_inactive, HostCode::T_NEAR);
    if (const std::size_t fit = emit_strips(false); fit < run_.ops.size()) return fit;
    code_.jmp(done, HostCode::T_NEAR);
    code_.L(some_inactive);
  }
  if (const std::size_t fit = emit_strips(true); fit < run_.ops.size()) return fit;
  code_.L(done);
  if (spills_) code_.mov(code_.rsp, code_.r11);
  if (moves_->any()) moves_->emit_end();
  behind_ = std::make_unique<Label>();
  code_.L(*behind_);
  return run_.ops.size();
}

/// The strips, by twos if that fits: an op waits for the one before it, and the host has more
/// to do at once. Runs that load gain nothing by it.
std::size_t RunCode::emit_strips(bool masked) {
  const std::size_t all = run_.ops.size();
  const std::size_t drawn = draw_run(sketch_, run_, masked, careful_, stores_);
  if (drawn < all) return drawn;
  const Plan plan =
      make_plan(sketch_, run_.dead_registers, run_.dead_masks, kept_values(stores_), unit_.ternary);
  if (sketch_.graph().full()) return all / 2;  // together ops may be too much for one graph
  moves_->find_bases(sketch_.graph());
  masks_.load();
  std::size_t fit = 0;
  if (!masked && !spills_ && !moves_->any() && !crosses_rows(run_)) {
    const std::size_t start = code_.position(), failures = failures_.size();
    code_.begin_part();
    fit = emit_all(plan, masked, 2);
    if (fit < all) {
      code_.rewind(start);
      failures_.resize(failures);
    }
  }
  if (fit < all) fit = emit_all(plan, masked, 1);
  masks_.store();
  return fit;
}

/// Strips in steps of one or two: behind each other where that is short, otherwise in a loop. The
/// last one goes first if the run crosses rows, which take what is not behind them; nothing may
/// leave its strips then.
std::size_t RunCode::emit_all(const Plan& plan, bool masked, unsigned step) {
  constexpr std::size_t kShort = 8;
  const std::size_t all = run_.ops.size();
  const bool in_loop = all > kShort || moves_->any();
  Label top;
  if (in_loop) {
    code_.lea(code_.r8, code_.ptr[code_.rdx + 256]);
    code_.L(top);
  }
  const bool crosses = crosses_rows(run_);
  const unsigned strips = in_loop ? 1u : 64 / unit_.lanes;
  for (unsigned done = 0; done < strips; done += step) {
    const unsigned strip = crosses ? strips - step - done : done;
    if (step == 2) {
      if (!emit_pair(plan, strip)) return all - 1;
    } else if (const std::size_t fit = emit_strip(plan, masked, strip); fit < all) {
      return fit;
    }
  }
  const auto leaves = [](const Failure& failure) { return failure.leaves; };
  if (crosses && std::ranges::any_of(failures_, leaves)) return 0;
  if (!in_loop) return all;
  code_.add(code_.rdx, unit_.strip_bytes() * step);
  code_.add(code_.rcx, unit_.mask_bytes() * step);
  code_.cmp(code_.rdx, code_.r8);
  code_.jne(top, HostCode::T_NEAR);
  return all;
}

/// One strip, `index` beyond that which rdx and rcx point to.
std::size_t RunCode::emit_strip(const Plan& plan, bool masked, unsigned index) {
  const std::size_t all = run_.ops.size();
  Label empty;
  const std::unique_ptr<StripCode> strip = new_strip(plan, masked, index);
  if (masked) strip->load_exec(masks_.size() == 0 ? &empty : nullptr);
  failures_.push_back({std::make_unique<Label>(), index, false, code_.position()});
  strip->set_moves(*moves_, 0, *failures_.back().label);
  if (!strip->emit()) return std::min<std::size_t>(strip->failed_op(), all - 1);
  finish_strip(*strip, plan, failures_.back());
  failures_.back().end = code_.position();
  code_.L(empty);
  return strip->failed() ? all - 1 : all;
}

std::unique_ptr<StripCode> RunCode::new_strip(const Plan& plan, bool masked, unsigned strip) {
  const unsigned places = spills_ ? kSpillBytes / unit_.strip_bytes() : 0;
  return unit_.new_strip(code_, sketch_.graph(), plan, masked, strip, places);
}

/// Two strips of active lanes, node by node. False if they need too many registers. Until both are
/// computed neither has changed anything.
bool RunCode::emit_pair(const Plan& plan, unsigned first) {
  const std::unique_ptr<StripCode> a = new_strip(plan, false, first);
  const std::unique_ptr<StripCode> b = new_strip(plan, false, first + 1);
  a->share(0);
  b->share(1);
  while (!a->at_end()) {
    if (!a->emit_next() || !b->emit_next()) return false;
  }
  if (!a->settle() || !b->settle()) return false;
  for (const unsigned index : {first, first + 1}) {
    failures_.push_back({std::make_unique<Label>(), index});
    finish_strip(index == first ? *a : *b, plan, failures_.back());
  }
  return !a->failed() && !b->failed();
}

/// Tests, store, masks and results of a strip.
void RunCode::finish_strip(StripCode& strip, const Plan& plan, Failure& failure) {
  failure.leaves = strip.finish_tests(*failure.label);
  for (const LaneStore& store : stores_) moves_->emit_store(strip, store);
  failure.leaves = failure.leaves || strip.exits();
  masks_.take(strip, plan);
  strip.store_results();
}

void RunCode::emit_leave(unsigned strip) {
  HostCode& c = code_;
  if (moves_->any()) moves_->emit_begin(guard_);
  c.mov(c.r11, c.rsp);
  c.lea(c.rcx, c.ptr[c.rdi + static_cast<int>(unit_.mask_bytes() * strip)]);
  c.jmp(*left_, HostCode::T_NEAR);
}

void RunCode::emit_failure(std::uint32_t op_bytes, Block* block, Finish finish) {
  std::erase_if(failures_, [](const Failure& failure) { return !failure.leaves; });
  if (failures_.empty() && left_ == nullptr) return;
  HostCode& c = code_;
  Label join;
  for (const Failure& failure : failures_) {
    if (moves_->any()) block->guard.ranges.push_back({failure.begin, failure.end, c.position()});
    c.L(*failure.label);
    if (failure.strip != 0) c.add(c.rcx, unit_.mask_bytes() * failure.strip);
    c.jmp(join, HostCode::T_NEAR);
  }
  c.L(join);
  if (left_ != nullptr) c.L(*left_);
  if (spills_) c.mov(c.rsp, c.r11);
  if (moves_->any()) moves_->emit_end();
  c.vzeroupper();
  c.mov(c.edx, c.ecx);
  c.sub(c.edx, c.edi);
  c.shl(c.edx, 3);  // a byte of a mask is eight lanes
  c.mov(c.ecx, c.edx);
  masks_.turn_back();
  // The masks are the last three arguments: two in registers, one on the stack.
  c.mov(c.r8, c.r9);
  c.mov(c.r9, c.r10);
  c.push(c.rdi);
  c.push(c.rsi);
  c.push(c.r11);
  c.add(c.rsi, op_bytes);
  c.mov(c.rcx, reinterpret_cast<std::uint64_t>(block));
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(finish));
  c.call(c.rax);
  c.add(c.rsp, 8);
  c.pop(c.rsi);
  c.pop(c.rdi);
  c.jmp(*behind_, HostCode::T_NEAR);
}

}  // namespace wavetank::execute::jit
