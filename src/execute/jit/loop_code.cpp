// The code of a loop's round. Where the loop begins and ends: loop_frame.cpp.
#include "execute/jit/loop_code.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

std::vector<const Run*> runs_of(std::span<RunCode* const> codes) {
  std::vector<const Run*> runs;
  for (const RunCode* const code : codes) runs.push_back(&code->run());
  return runs;
}

/// Does a scalar op neither read nor write a lane?
bool leaves_vectors(const ScalarSketch& sketch) {
  if (sketch.lane != kNoValue) return false;
  for (std::size_t i = 0; i < sketch.graph.size(); ++i) {
    if (sketch.graph[static_cast<Id>(i)].what == Do::kLaneOf) return false;
  }
  return true;
}

}  // namespace

/// A place in a strip.
class LoopCode::KnownPlace : public LaneMoves::KnownPlace {
 public:
  KnownPlace(LoopCode& loop, const FollowedPlace& place, unsigned strip)
      : loop_(loop), place_(place), strip_(strip) {}
  void emit_address() override { loop_.emit_address(place_, strip_); }
  void emit_if_same(Label& same) override {
    loop_.code_.test(loop_.kinds_of(place_.by), 1u << strip_);
    loop_.code_.jne(same, HostCode::T_NEAR);
  }

 private:
  LoopCode& loop_;
  const FollowedPlace& place_;
  const unsigned strip_;
};

/// The loads of a run.
class LoopCode::Moves : public StripMoves {
 public:
  Moves(LoopCode& loop, std::size_t run, unsigned strip) : loop_(loop), run_(run), strip_(strip) {}
  void emit_load(StripCode& strip, Id id, const Node& place) override {
    LaneMoves& moves = *loop_.moves_[run_];
    const auto* const followed = loop_.plan_.followed().at(run_, static_cast<unsigned>(place.bits));
    if (followed == nullptr) return moves.emit_load(strip, id, place);
    LoopCode::KnownPlace known(loop_, *followed, strip_);
    moves.emit_known_load(strip, id, place, known);
  }

 private:
  LoopCode& loop_;
  const std::size_t run_;
  const unsigned strip_;
};

LoopCode::LoopCode(const VectorUnit& unit, HostCode& code, const Loop& loop,
                   std::span<RunCode* const> runs, Sketch& sketch, ScalarSketch& scalar_sketch)
    : unit_(unit),
      strips_(64 / unit.lanes),
      code_(code),
      loop_(loop),
      runs_(runs),
      sketch_(sketch),
      scalar_sketch_(scalar_sketch),
      plan_(unit, runs_of(runs), sketch) {
  for (const Run* const run : plan_.runs()) {
    all_.ops.insert(all_.ops.end(), run->ops.begin(), run->ops.end());
    moves_.push_back(unit.new_moves(code, *run));
  }
  frame_moves_ = unit.new_moves(code, all_);
}

std::vector<StripCode::Pin> LoopCode::pins_of(unsigned strip) const {
  std::vector<StripCode::Pin> pins;
  for (std::size_t i = 0; i < plan_.pinned().size(); ++i) {
    const auto number = static_cast<unsigned>(i * strips_ + strip);
    pins.push_back({plan_.pinned()[i], unit_.vectors - 1 - number});
  }
  return pins;
}

// ---- a round

bool LoopCode::emit(Block& block, const Otherwise& otherwise) {
  if (!plan_.make()) return false;
  HostCode& c = code_;
  c.cmp(c.qword[c.rdi + kExecOffset], -1);
  c.jne(no_entry_, HostCode::T_NEAR);
  emit_frame(block.guard);
  emit_entry_tests();
  emit_served(c, block.guard);
  emit_pins(false);
  Label round;
  c.L(round);
  if (!emit_round()) return false;
  emit_branch(round, otherwise);
  emit_exits();
  emit_failures(block);
  emit_refusal(block, otherwise);
  c.L(write_back_);
  emit_write_back();
  c.ret();
  return true;
}

/// From the first op to where the branch is taken.
bool LoopCode::emit_round() {
  std::size_t run = 0;
  for (const Loop::Step& step : loop_.steps) {
    const bool fits =
        step.scalar != nullptr ? emit_scalar_op(step, run < runs_.size()) : emit_run(run++);
    if (!fits) return false;
  }
  return emit_condition(code_, scalar_sketch_, *loop_.branch, row_of(*loop_.branch), done_);
}

void LoopCode::emit_branch(const Label& round, const Otherwise& otherwise) {
  HostCode& c = code_;
  const auto budget = c.qword[c.rdi + offsetof(Wave, budget)];
  c.cmp(budget, 0);
  c.jle(slice_over_, HostCode::T_NEAR);
  c.dec(budget);
  if (may_lose_lanes_) {
    c.cmp(c.qword[c.rdi + kExecOffset], -1);
    c.jne(lanes_lost_, HostCode::T_NEAR);
  }
  c.jmp(round, HostCode::T_NEAR);
  if (!may_lose_lanes_) return;
  c.L(lanes_lost_);
  emit_frame_end();
  emit_otherwise(c, otherwise);
}

bool LoopCode::emit_scalar_op(const Loop::Step& step, bool runs_follow) {
  const Op* const op = step.scalar;
  const isa::Row& row = row_of(*op);
  const ScalarPlace place{loop_.bytes_to(op), true, step.scc_is_read};
  if (emit_scalar(code_, scalar_sketch_, *op, row, place, exits_) != Flow::kOn) return false;
  if (row.unit == isa::Unit::kSmem) {
    return op->dst + 4 * row.memory.result_dwords <= static_cast<unsigned>(kExecOffset);
  }
  const bool changes = changes_exec(scalar_sketch_, *op);
  may_lose_lanes_ = may_lose_lanes_ || changes;
  return leaves_vectors(scalar_sketch_) && !(changes && runs_follow);
}

bool LoopCode::emit_run(std::size_t run) {
  HostCode& c = code_;
  RoundDrawing drawing;
  if (!plan_.draw(run, drawing)) return false;
  const RunMasks masks(unit_, c, written_masks(*plan_.runs()[run]));
  masks.load();
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
  c.mov(c.rcx, c.rdi);
  for (unsigned strip = 0; strip < strips_; ++strip) {
    if (!emit_strip(run, drawing, masks, strip)) return false;
  }
  masks.store();
  return true;
}

bool LoopCode::emit_strip(std::size_t run, const RoundDrawing& drawing, const RunMasks& masks,
                          unsigned index) {
  HostCode& c = code_;
  Failure& failure = failures_.emplace_back(std::make_unique<Label>(), run, index, c.position(), 0);
  LaneMoves& moves = *moves_[run];
  moves.find_bases(sketch_.graph());
  Moves loads(*this, run, index);
  const auto strip = unit_.new_strip(c, sketch_.graph(), drawing.plan, false, index, 0);
  strip->set_moves(loads, static_cast<unsigned>(strips_ * plan_.pinned().size()), *failure.label);
  strip->pin(pins_of(index));
  if (!strip->emit()) return false;
  strip->finish_tests(*failure.label);
  for (const LaneStore& store : drawing.stores) {
    const FollowedPlace* const followed = plan_.followed().at(run, store.op);
    if (followed == nullptr) {
      moves.emit_store(*strip, store);
      continue;
    }
    KnownPlace known(*this, *followed, index);
    moves.emit_known_store(*strip, store, known);
  }
  failure.end = c.position();
  masks.take(*strip, drawing.plan);
  strip->keep_results();
  emit_advance(run, index);
  return !strip->failed();
}

void LoopCode::emit_word(const Xbyak::Reg32& to, const SharedWord& word, unsigned strip) {
  switch (word.where) {
    case SharedWord::Where::kConstant: return code_.mov(to, word.bits);
    case SharedWord::Where::kWave:
      return code_.mov(to, code_.ptr[code_.rdi + static_cast<int>(word.bits)]);
    case SharedWord::Where::kRegister: return code_.mov(to, lanes_of(word.bits, strip));
  }
}

/// The strip's followed registers get what the run adds to them. Spoils rax and r12.
void LoopCode::emit_advance(std::size_t run, unsigned strip) {
  HostCode& c = code_;
  const auto is_nothing = [](const SharedWord& word) {
    return word.where == SharedWord::Where::kConstant && word.bits == 0;
  };
  for (std::size_t i = 0; i < plan_.followed().registers.size(); ++i) {
    const FollowedRegister& one = plan_.followed().registers[i];
    const bool stays = is_nothing(one.low) && is_nothing(one.high);
    if (one.run != run || stays) continue;
    const auto slot = c.rsp + slot_of(i, strip);
    emit_word(c.eax, one.low, strip);
    if (!one.pair) {
      c.add(c.dword[slot], c.eax);
      continue;
    }
    if (!is_nothing(one.high)) {
      emit_word(c.r12d, one.high, strip);
      c.shl(c.r12, 32);
      c.or_(c.rax, c.r12);
    }
    c.add(c.qword[slot], c.rax);
  }
}

/// rax = the first lane's address. Spoils r11 and r12.
void LoopCode::emit_address(const FollowedPlace& place, unsigned strip) {
  HostCode& c = code_;
  const Line& line = place.line;
  if (line.extension == Extension::kPair)
    c.mov(c.rax, c.ptr[c.rsp + slot_of(place.by, strip)]);
  else
    emit_ramp(place, strip);
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

/// rax = the first lane's index before its shift; leaves the strip if a lane's wraps.
void LoopCode::emit_ramp(const FollowedPlace& place, unsigned strip) {
  HostCode& c = code_;
  const Line& line = place.line;
  c.mov(c.eax, c.ptr[c.rsp + slot_of(place.by, strip)]);
  for (const unsigned sgpr : line.ramp.addends) {
    c.add(c.eax, c.ptr[c.rdi + 4 * static_cast<int>(sgpr)]);
  }
  const bool with_sign = line.extension == Extension::kSign;
  const std::uint32_t largest = (with_sign ? 0x7fffffffu : ~0u) >> line.ramp.shift;
  c.cmp(c.eax, largest - place.rise * (unit_.lanes - 1));
  Label& left = *failures_.back().label;
  with_sign ? c.jg(left, HostCode::T_NEAR) : c.ja(left, HostCode::T_NEAR);
  if (with_sign) c.movsxd(c.rax, c.eax);
}

}  // namespace wavetank::execute::jit
