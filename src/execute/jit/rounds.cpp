// What a loop's rounds compute, and their code. Where it begins and ends: round_frame.cpp.
#include "execute/jit/rounds.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace wavetank::execute::jit {
namespace {

using machine::Wave;

/// Registers of the host that a strip's values need beside the loop's.
constexpr unsigned kFewestFree = 10;
/// r9 and r10: r11 is free for addresses.
constexpr std::size_t kMostMasks = 2;

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
    const auto* const followed = loop_.followed_.at(run_, static_cast<unsigned>(place.bits));
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
                   std::span<const LoopRun> runs, Sketch& sketch, ScalarSketch& scalar_sketch,
                   unsigned most_pins)
    : unit_(unit),
      strips_(64 / unit.lanes),
      code_(code),
      loop_(loop),
      runs_(runs),
      sketch_(sketch),
      scalar_sketch_(scalar_sketch),
      most_pins_(most_pins) {
  for (const LoopRun& one : runs_) {
    all_.ops.insert(all_.ops.end(), one.run->ops.begin(), one.run->ops.end());
    moves_.push_back(unit.new_moves(code, *one.run));
  }
  frame_moves_ = unit.new_moves(code, all_);
}

// ---- what a round computes

bool LoopCode::find_places() {
  for (const LoopRun& one : runs_) {
    const auto in_scratch = [](const RunOp& op) {
      return move_of(op).space == MoveSpace::kScratch;
    };
    if (std::ranges::any_of(one.run->ops, in_scratch)) return false;
    if (written_masks(*one.run).size() > kMostMasks) return false;
    std::vector<LaneStore> stores;
    if (draw_run(sketch_, *one.run, false, false, stores) < one.run->ops.size()) return false;
    places_.add_run(sketch_, *one.run, stores);
  }
  return settle_places();
}

/// Follows no register whose lanes something else asks for.
bool LoopCode::settle_places() {
  std::set<unsigned> others;
  while (true) {
    followed_ = places_.find(others);
    std::set<unsigned> read, written;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      Drawing drawing;
      if (!draw(run, drawing)) return false;
      note_registers(drawing.plan, read, written);
    }
    const std::size_t before = others.size();
    std::ranges::copy_if(read, std::inserter(others, others.end()),
                         [&](unsigned name) { return followed_.holds(name); });
    if (others.size() > before) continue;
    choose_pins(read, written);
    return true;
  }
}

/// Draws a run; what only makes addresses that are followed is not computed for each lane.
bool LoopCode::draw(std::size_t number, Drawing& drawing) {
  const Run& run = *runs_[number].run;
  if (draw_run(sketch_, run, false, false, drawing.stores) < run.ops.size()) return false;
  Graph& graph = sketch_.graph();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what != Do::kPlace) continue;
    if (followed_.at(number, static_cast<unsigned>(node.bits)) != nullptr) {
      graph.forget_address(static_cast<Id>(i));
    }
  }
  for (LaneStore& store : drawing.stores) {
    if (followed_.at(number, store.op) != nullptr) store.low = store.high = kNoValue;
  }
  std::vector<unsigned> dead = run.dead_registers;
  for (const FollowedRegister& one : followed_.registers) {
    dead.push_back(one.name);
    if (one.pair) dead.push_back(one.name + 1);
  }
  drawing.plan =
      make_plan(sketch_, dead, run.dead_masks, kept_values(drawing.stores), unit_.ternary);
  return !graph.full();
}

void LoopCode::note_registers(const Plan& plan, std::set<unsigned>& read,
                              std::set<unsigned>& written) {
  const Graph& graph = sketch_.graph();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what == Do::kRegister && plan.uses[i] != 0) {
      read.insert(static_cast<unsigned>(node.bits));
    }
  }
  for (const Plan::Result& result : plan.vectors) written.insert(result.name);
}

/// Registers that are read and written are kept where they fit.
void LoopCode::choose_pins(const std::set<unsigned>& read, const std::set<unsigned>& written) {
  const std::size_t most =
      std::min<std::size_t>(most_pins_, (unit_.vectors - kFewestFree) / strips_);
  std::ranges::set_intersection(read, written, std::back_inserter(pinned_));
  if (pinned_.size() > most) pinned_.resize(most);
}

std::vector<StripCode::Pin> LoopCode::pins_of(unsigned strip) const {
  std::vector<StripCode::Pin> pins;
  for (std::size_t i = 0; i < pinned_.size(); ++i) {
    const auto number = static_cast<unsigned>(i * strips_ + strip);
    pins.push_back({pinned_[i], unit_.vectors - 1 - number});
  }
  return pins;
}

// ---- a round

bool LoopCode::emit(Block& block, const Otherwise& otherwise) {
  if (!find_places()) return false;
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
        step.scalar != nullptr ? emit_scalar_op(step.scalar, run < runs_.size()) : emit_run(run++);
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

bool LoopCode::emit_scalar_op(const Op* op, bool runs_follow) {
  const isa::Row& row = row_of(*op);
  if (emit_scalar(code_, scalar_sketch_, *op, row, loop_.bytes_to(op), true, exits_) != Flow::kOn) {
    return false;
  }
  if (row.unit == isa::Unit::kSmem) return true;
  const bool changes = changes_exec(scalar_sketch_, *op);
  may_lose_lanes_ = may_lose_lanes_ || changes;
  return leaves_vectors(scalar_sketch_) && !(changes && runs_follow);
}

bool LoopCode::emit_run(std::size_t run) {
  HostCode& c = code_;
  Drawing drawing;
  if (!draw(run, drawing)) return false;
  const RunMasks masks(unit_, c, written_masks(*runs_[run].run));
  masks.load();
  c.mov(c.rdx, c.ptr[c.rdi + offsetof(Wave, vgpr)]);
  c.mov(c.rcx, c.rdi);
  for (unsigned strip = 0; strip < strips_; ++strip) {
    if (!emit_strip(run, drawing, masks, strip)) return false;
  }
  masks.store();
  return true;
}

bool LoopCode::emit_strip(std::size_t run, const Drawing& drawing, const RunMasks& masks,
                          unsigned index) {
  HostCode& c = code_;
  Failure& failure = failures_.emplace_back(std::make_unique<Label>(), run, index, c.position(), 0);
  LaneMoves& moves = *moves_[run];
  moves.find_bases(sketch_.graph());
  Moves loads(*this, run, index);
  const auto strip = unit_.new_strip(c, sketch_.graph(), drawing.plan, false, index, 0);
  strip->set_moves(loads, static_cast<unsigned>(strips_ * pinned_.size()), *failure.label);
  strip->pin(pins_of(index));
  if (!strip->emit()) return false;
  strip->finish_tests(*failure.label);
  for (const LaneStore& store : drawing.stores) {
    const FollowedPlace* const followed = followed_.at(run, store.op);
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
  for (std::size_t i = 0; i < followed_.registers.size(); ++i) {
    const FollowedRegister& one = followed_.registers[i];
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
