#include "execute/jit/rounds.hpp"

#include <algorithm>
#include <cstddef>

#include "execute/jit/avx512_moves.hpp"
#include "execute/jit/run.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::AccessGuard;
using machine::Wave;

/// Registers of the host that a strip's values need beside the loop's.
constexpr unsigned kFewestFree = 10;
constexpr int kMissesOffset = offsetof(AccessGuard, misses);
constexpr std::uint8_t kLess = 1;

/// Does a scalar op neither read nor write a lane?
bool leaves_vectors(const ScalarSketch& sketch) {
  if (sketch.lane != kNoValue) return false;
  for (std::size_t i = 0; i < sketch.graph.size(); ++i) {
    if (sketch.graph[static_cast<Id>(i)].what == Do::kLaneOf) return false;
  }
  return true;
}

}  // namespace

class LoopCode::Moves : public StripMoves {
 public:
  explicit Moves(LoopCode& loop) : loop_(loop) {}
  void emit_load(StripCode& strip, Id id, const Node& place) override {
    const FollowedPlace* const known = loop_.followed_.at(id);
    if (known == nullptr) return loop_.moves_->emit_load(strip, id, place);
    loop_.moves_->emit_known_load(
        strip, id, place, [&] { loop_.emit_address(*known, strip.index()); },
        [&](Label& same) {
          loop_.code_.test(loop_.kinds(), bit_of(known->by, strip.index()));
          loop_.code_.jne(same, HostCode::T_NEAR);
        });
  }

 private:
  LoopCode& loop_;
};

// ---- what a round computes

/// Draws a round; what only makes addresses that are followed is not computed for each lane.
bool LoopCode::draw() {
  std::vector<unsigned> others;
  do {
    if (!draw_without(others)) return false;
  } while (needs_followed(others));
  return results_fit();
}

bool LoopCode::draw_without(const std::vector<unsigned>& others) {
  std::vector<LaneStore> stores;
  const std::size_t drawn = draw_run(sketch_, run_, false, false, stores);
  const auto in_scratch = [](const RunOp& op) { return move_of(op).space == MoveSpace::kScratch; };
  if (drawn < run_.ops.size() || !stores.empty() || std::ranges::any_of(run_.ops, in_scratch)) {
    return false;
  }
  followed_ = find_followed(sketch_, run_, others);
  for (const FollowedPlace& one : followed_.places) sketch_.graph().forget_address(one.place);
  std::vector<unsigned> dead = run_.dead_registers;
  for (const FollowedRegister& one : followed_.registers) {
    dead.push_back(one.name);
    if (one.pair) dead.push_back(one.name + 1);
  }
  plan_ = make_plan(sketch_, dead, run_.dead_masks, {}, unit_.ternary);
  return !sketch_.graph().full();
}

/// Adds the followed registers whose lanes something else asks for to `others`; true if any is new.
bool LoopCode::needs_followed(std::vector<unsigned>& others) const {
  const Graph& graph = sketch_.graph();
  const std::size_t before = others.size();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    const auto name = static_cast<unsigned>(node.bits);
    if (node.what != Do::kRegister || plan_.uses[i] == 0 || !followed_.holds(name)) continue;
    if (std::ranges::find(others, name) == others.end()) others.push_back(name);
  }
  return others.size() != before;
}

/// Results are kept in registers of the host. One that is what another register held would need
/// them to move in order.
bool LoopCode::results_fit() const {
  if (kStrips * plan_.vectors.size() + kFewestFree > unit_.vectors || !plan_.masks.empty()) {
    return false;
  }
  return std::none_of(plan_.vectors.begin(), plan_.vectors.end(), [&](const Plan::Result& result) {
    return sketch_.graph()[result.value].what == Do::kRegister;
  });
}

StripCode::Pin LoopCode::pin_of(std::size_t result, unsigned strip) const {
  const std::size_t number = result * kStrips + strip;
  return {plan_.vectors[result].name, unit_.vectors - 1 - static_cast<unsigned>(number)};
}

// ---- code

bool LoopCode::emit(Block& block, const LoopExits& exits) {
  if (!draw()) return false;
  HostCode& c = code_;
  c.cmp(c.qword[c.rdi + kExecOffset], -1);
  c.jne(busy_refusal_, HostCode::T_NEAR);
  emit_frame(block.guard);
  emit_entry_tests();
  emit_forgiveness(block.guard);
  emit_loads_of_pins();
  Label round, done, slice_over;
  c.L(round);
  if (!emit_scalars(loop_.before) || !emit_strips()) return false;
  if (!emit_scalars(loop_.behind)) return false;
  if (!emit_condition(c, scalar_sketch_, *loop_.branch, row_of(*loop_.branch), done)) return false;
  const auto budget = c.qword[c.rdi + offsetof(Wave, budget)];
  c.cmp(budget, 0);
  c.jle(slice_over, HostCode::T_NEAR);
  c.dec(budget);
  c.jmp(round, HostCode::T_NEAR);

  c.L(done);
  emit_frame_end();
  emit_go_on(c, loop_.bytes_of(loop_.branch) + std::int64_t{sizeof(Op)} * loop_.branch->dwords,
             true);
  c.L(slice_over);
  emit_frame_end();
  emit_handler(loop_.branch);
  for (const HandlerExit& exit : exits_) {
    c.L(*exit.label);
    emit_frame_end();
    c.vzeroupper();
    c.add(c.rsi, exit.op_bytes);
    c.mov(c.rax, reinterpret_cast<std::uint64_t>(exit.handler));
    c.jmp(c.rax);
  }
  emit_failures(block, exits);
  emit_refusal(block, exits);
  c.L(write_back_);
  emit_write_back();
  c.ret();
  return true;
}

/// The op's handler goes on.
void LoopCode::emit_handler(const Op* op) {
  code_.vzeroupper();
  code_.add(code_.rsi, loop_.bytes_of(op));
  code_.mov(code_.rax, reinterpret_cast<std::uint64_t>(op->run));
  code_.jmp(code_.rax);
}

bool LoopCode::emit_scalars(const std::vector<const Op*>& ops) {
  return std::all_of(ops.begin(), ops.end(), [&](const Op* op) {
    const isa::Row& row = row_of(*op);
    const Flow flow =
        emit_scalar(code_, scalar_sketch_, *op, row, loop_.bytes_of(op), true, exits_);
    if (row.unit == isa::Unit::kSmem) return flow == Flow::kOn;
    return flow == Flow::kOn && leaves_vectors(scalar_sketch_) &&
           !changes_exec(scalar_sketch_, *op);
  });
}

/// From rsp on: how the lanes of followed registers lie, a bit for each and strip, which is set
/// where all hold the same, and their first lanes' values.
void LoopCode::emit_frame(const AccessGuard& guard) {
  HostCode& c = code_;
  if (moves_->any()) moves_->emit_begin(&guard);
  c.sub(c.rsp, frame_bytes());
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
}

/// All registers are as the ops have left them.
void LoopCode::emit_frame_end() {
  code_.call(write_back_);
  code_.add(code_.rsp, frame_bytes());
  if (moves_->any()) moves_->emit_end();
}

Xbyak::Address LoopCode::lanes_of(unsigned name, unsigned strip) const {
  return code_.ptr[code_.rdx +
                   static_cast<int>(name * machine::kRegisterBytes + strip * unit_.strip_bytes())];
}

void LoopCode::emit_entry_tests() {
  HostCode& c = code_;
  if (followed_.registers.empty()) return;
  c.mov(kinds(), 0);
  for (unsigned strip = 0; strip < kStrips; ++strip) {
    for (std::size_t i = 0; i < followed_.registers.size(); ++i) {
      emit_lane_test(followed_.registers[i], i, strip);
    }
    for (const unsigned name : followed_.shared_registers()) emit_shared_test(name, strip);
  }
}

/// Refuses waves whose lanes of the register neither all hold the same nor rise evenly.
void LoopCode::emit_lane_test(const FollowedRegister& followed, std::size_t number,
                              unsigned strip) {
  HostCode& c = code_;
  const Zmm lanes(0), expected(1);
  Label known, rising;
  c.vmovdqu32(lanes, lanes_of(followed.name, strip));
  c.vpbroadcastd(expected, lanes_of(followed.name, strip));
  c.vpcmpud(kFound, lanes, expected, kDiffer);
  c.kortestw(kFound, kFound);
  c.jne(rising);
  c.or_(kinds(), bit_of(number, strip));
  c.jmp(known);
  c.L(rising);
  c.vpaddd(expected, expected, c.ptr[c.multiples(followed.rise)]);
  c.vpcmpud(kFound, lanes, expected, kDiffer);
  c.kortestw(kFound, kFound);
  c.jne(refusal_, HostCode::T_NEAR);
  if (followed.pair) {
    // The upper words must not differ for a carry.
    c.mov(c.eax, lanes_of(followed.name, strip));
    c.add(c.eax, followed.rise * (unit_.lanes - 1));
    c.jc(refusal_, HostCode::T_NEAR);
  }
  c.L(known);
  if (followed.pair) emit_shared_test(followed.name + 1, strip);
  for (unsigned word = 0; word < (followed.pair ? 2u : 1u); ++word) {
    c.mov(c.eax, lanes_of(followed.name + word, strip));
    c.mov(c.dword[c.rsp + slot_of(number, strip) + static_cast<int>(4 * word)], c.eax);
  }
}

void LoopCode::emit_shared_test(unsigned name, unsigned strip) {
  HostCode& c = code_;
  const Zmm first(1);
  c.vpbroadcastd(first, lanes_of(name, strip));
  c.vpcmpud(kFound, first, lanes_of(name, strip), kDiffer);
  c.kortestw(kFound, kFound);
  c.jne(refusal_, HostCode::T_NEAR);
}

void LoopCode::emit_loads_of_pins() {
  for (std::size_t i = 0; i < plan_.vectors.size(); ++i) {
    for (unsigned strip = 0; strip < kStrips; ++strip) {
      const auto [name, reg] = pin_of(i, strip);
      code_.vmovdqa32(Zmm(static_cast<int>(reg)), lanes_of(name, strip));
    }
  }
}

bool LoopCode::emit_strips() {
  HostCode& c = code_;
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
  c.mov(c.rcx, c.rdi);
  Moves moves(*this);
  for (unsigned index = 0; index < kStrips; ++index) {
    moves_->find_bases(sketch_.graph());
    failures_.push_back({std::make_unique<Label>(), c.position()});
    std::vector<StripCode::Pin> pins;
    for (std::size_t i = 0; i < plan_.vectors.size(); ++i) pins.push_back(pin_of(i, index));
    const std::unique_ptr<StripCode> strip =
        unit_.new_strip(c, sketch_.graph(), plan_, false, index, 0);
    strip->set_moves(moves, static_cast<unsigned>(kStrips * plan_.vectors.size()),
                     *failures_.back().label);
    strip->pin(pins);
    if (!strip->emit()) return false;
    strip->finish_tests(*failures_.back().label);
    failures_.back().end = c.position();
    strip->keep_results();
    if (strip->failed()) return false;
    emit_advance(index);
  }
  return true;
}

/// The strip's followed registers get what the round adds to them. Spoils rax and r12.
void LoopCode::emit_advance(unsigned strip) {
  HostCode& c = code_;
  const auto load = [&](const Xbyak::Reg32& to, const SharedWord& word) {
    switch (word.where) {
      case SharedWord::Where::kConstant: return c.mov(to, word.bits);
      case SharedWord::Where::kWave: return c.mov(to, c.ptr[c.rdi + static_cast<int>(word.bits)]);
      case SharedWord::Where::kRegister: return c.mov(to, lanes_of(word.bits, strip));
    }
  };
  for (std::size_t i = 0; i < followed_.registers.size(); ++i) {
    const FollowedRegister& one = followed_.registers[i];
    const int slot = slot_of(i, strip);
    load(c.eax, one.low);
    if (!one.pair) {
      c.add(c.dword[c.rsp + slot], c.eax);
      continue;
    }
    if (one.high.where != SharedWord::Where::kConstant || one.high.bits != 0) {
      load(c.r12d, one.high);
      c.shl(c.r12, 32);
      c.or_(c.rax, c.r12);
    }
    c.add(c.qword[c.rsp + slot], c.rax);
  }
}

/// rax = the first lane's address; leaves the strip if a lane's index wraps. Spoils r11 and r12.
void LoopCode::emit_address(const FollowedPlace& place, unsigned strip) {
  HostCode& c = code_;
  const Line& line = place.line;
  const int slot = slot_of(place.by, strip);
  if (line.extension == Extension::kPair) {
    c.mov(c.rax, c.ptr[c.rsp + slot]);
  } else {
    c.mov(c.eax, c.ptr[c.rsp + slot]);
    for (const unsigned sgpr : line.ramp.addends) c.add(c.eax, c.ptr[c.rdi + 4 * sgpr]);
    const bool with_sign = line.extension == Extension::kSign;
    const std::uint32_t largest = (with_sign ? 0x7fffffffu : ~0u) >> line.ramp.shift;
    const unsigned rise = followed_.registers[place.by].rise;
    c.cmp(c.eax, largest - rise * (unit_.lanes - 1));
    with_sign ? c.jg(*failures_.back().label, HostCode::T_NEAR)
              : c.ja(*failures_.back().label, HostCode::T_NEAR);
    if (with_sign) c.movsxd(c.rax, c.eax);
  }
  if (const unsigned shift = line.ramp.shift + line.shift; shift != 0) c.shl(c.rax, shift);
  for (std::size_t i = 0; i < line.bases.size(); ++i) {
    const auto base = c.ptr[c.rdi + 4 * static_cast<int>(line.bases[i])];
    if (!line.upper_word || i + 1 < line.bases.size()) {
      c.add(c.rax, base);
      continue;
    }
    c.mov(c.r11d, base);
    c.mov(c.r12d, lanes_of(*line.upper_word, strip));
    c.shl(c.r12, 32);
    c.or_(c.r12, c.r11);
    c.add(c.rax, c.r12);
  }
}

/// Behind the return address of who calls it.
void LoopCode::emit_write_back() {
  HostCode& c = code_;
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
  for (unsigned strip = 0; strip < kStrips; ++strip) {
    for (std::size_t i = 0; i < plan_.vectors.size(); ++i) {
      const auto [name, reg] = pin_of(i, strip);
      c.vmovdqa32(lanes_of(name, strip), Zmm(static_cast<int>(reg)));
    }
    for (std::size_t i = 0; i < followed_.registers.size(); ++i) {
      emit_followed_lanes(followed_.registers[i], i, strip);
    }
  }
}

void LoopCode::emit_followed_lanes(const FollowedRegister& followed, std::size_t number,
                                   unsigned strip) {
  HostCode& c = code_;
  constexpr int kReturn = 8;
  const int slot = kReturn + slot_of(number, strip);
  const Zmm first(0), low(1), high(2);
  Label same;
  c.vpbroadcastd(first, c.ptr[c.rsp + slot]);
  if (followed.pair) c.vpbroadcastd(high, c.ptr[c.rsp + slot + 4]);
  c.vmovdqa32(low, first);
  c.test(c.dword[c.rsp + kReturn], bit_of(number, strip));
  c.jne(same);
  c.vpaddd(low, first, c.ptr[c.multiples(followed.rise)]);
  if (followed.pair) {
    c.vpcmpud(kChosen, low, first, kLess);
    c.vpaddd(high | kChosen, high, c.ptr_b[c.constant(std::uint64_t{1} << 32 | 1)]);
  }
  c.L(same);
  c.vmovdqa32(lanes_of(followed.name, strip), low);
  if (followed.pair) c.vmovdqa32(lanes_of(followed.name + 1, strip), high);
}

/// Strips before the one that is left have done the round.
void LoopCode::emit_failures(Block& block, const LoopExits& exits) {
  HostCode& c = code_;
  for (unsigned strip = 0; strip < kStrips; ++strip) {
    const Failure& failure = failures_[strip];
    block.guard.ranges.push_back({failure.begin, failure.end, c.position()});
    c.L(*failure.label);
    c.call(write_back_);
    c.add(c.rsp, frame_bytes());
    c.mov(c.r11, c.rsp);  // as the run's code has it
    c.lea(c.rcx, c.ptr[c.rdi + static_cast<int>(unit_.mask_bytes() * strip)]);
    c.jmp(*exits.strip_failed, HostCode::T_NEAR);
  }
}

/// Waves that are served make up for misses.
void LoopCode::emit_forgiveness(AccessGuard& guard) {
  HostCode& c = code_;
  Label never_missed;
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(&guard));
  c.cmp(c.dword[c.rax + kMissesOffset], 0);
  c.je(never_missed);
  c.dec(c.dword[c.rax + kMissesOffset]);
  c.L(never_missed);
}

/// Nothing has changed. Counts a miss; after too many the loop's first op has the other code alone.
void LoopCode::emit_refusal(Block& block, const LoopExits& exits) {
  static_assert(offsetof(Op, run) == 0);
  HostCode& c = code_;
  c.L(refusal_);
  c.add(c.rsp, frame_bytes());
  if (moves_->any()) moves_->emit_end();
  c.vzeroupper();
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(&block.guard));
  c.add(c.dword[c.rax + kMissesOffset], AccessGuard::kMissCost);
  c.cmp(c.dword[c.rax + kMissesOffset], AccessGuard::kMostMisses);
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(exits.refused));
  Label few;
  c.jbe(few);
  c.mov(c.ptr[c.rsi], c.rax);
  c.L(few);
  c.jmp(c.rax);
  c.L(busy_refusal_);
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(exits.refused));
  c.jmp(c.rax);
}

}  // namespace wavetank::execute::jit
