#include "execute/jit/lane_moves.hpp"

#include <algorithm>
#include <cstddef>

#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

/// A loaded element as the register holds it.
Id as_loaded(Graph& graph, const isa::MemoryShape& shape, bool scratch, Id word) {
  if (scratch && shape.element_bytes < 4) {
    word = graph.word_of(Do::kAnd, word, graph.word((1u << 8 * shape.element_bytes) - 1));
  }
  if (shape.sign_extend) {
    const Id places = graph.word(32 - 8u * shape.element_bytes);
    word = graph.word_of(Do::kSar, graph.word_of(Do::kShl, word, places), places);
  }
  if (shape.d16_high) return graph.word_of(Do::kShl, word, graph.word(16));
  return shape.d16 ? graph.word_of(Do::kAnd, word, graph.word(0xffff)) : word;
}

}  // namespace

std::optional<LaneStore> draw_move(Sketch& sketch, const RunOp& step, unsigned number) {
  const MemoryOperands& memory = step.op->memory;
  const isa::MemoryShape& shape = step.row->memory;
  const Move move = move_of(step);
  Graph& graph = sketch.graph();
  graph.set_op(static_cast<std::uint16_t>(number));
  const bool pair = move.space == MoveSpace::kGlobal && !memory.has_scalar_base();
  const bool scratch = move.space == MoveSpace::kScratch;
  const Id low = scratch ? draw_scratch_place(sketch, step) : sketch.vector(memory.address);
  const Id high = pair ? sketch.vector(memory.address + 1u) : kNoValue;
  const unsigned words = move.elements * move.words();
  if (!move.stores) {
    graph.effect(Do::kPlace, low, high, number);
    std::vector<Id> loaded;
    for (unsigned i = 0; i < words; ++i) {
      loaded.push_back(graph.fresh(Do::kLoad, Kind::kWord, static_cast<std::uint8_t>(i), number));
    }
    for (unsigned i = 0; i < words; ++i) {
      sketch.set_vector(memory.result + i, as_loaded(graph, shape, scratch, loaded[i]));
    }
    sketch.finish_op();
    return std::nullopt;
  }
  LaneStore store{number, low, high, {}};
  for (unsigned i = 0; i < words; ++i) store.words.push_back(sketch.vector(memory.data + i));
  if (shape.d16_high) store.words[0] = graph.word_of(Do::kShr, store.words[0], graph.word(16));
  if (move.merges) {
    graph.effect(Do::kPlace, low, high, number);
    const Id old = graph.fresh(Do::kLoad, Kind::kWord, 0, number);
    store.words[0] = draw_merged(sketch, step, old, store.words[0]);
  }
  return store;
}

// ---- what a run's strips share: rbx is the arena's first address, negated, and rbp the last place
// in it where a line begins; r13 and r14 are LDS and its size; r12 is free,
// and r15 has the bits of bases

LaneMoves::LaneMoves(const VectorUnit& unit, HostCode& code, const Run& run)
    : code_(code), unit_(unit), run_(run) {
  for (const RunOp& step : run.ops) {
    const MoveSpace space = move_of(step).space;
    global_ = global_ || space == MoveSpace::kGlobal || space == MoveSpace::kScratch;
    lds_ = lds_ || space == MoveSpace::kLds;
  }
}

void LaneMoves::find_bases(const Graph& graph) {
  bases_.clear();
  for (std::size_t i = 0; i < graph.size(); ++i) {
    const Node& node = graph[static_cast<Id>(i)];
    if (node.what != Do::kPlace) continue;
    if (move_of(run_.ops[node.bits]).space == MoveSpace::kScratch) continue;
    if (Base* const base = base_of(node); base != nullptr)
      ++base->loads;
    else
      bases_.push_back({node.in[0], node.in[1], move_of(run_.ops[node.bits]).bytes});
  }
  std::erase_if(bases_, [](const Base& base) { return base.loads == 1; });
  if (bases_.size() > kMostBases) bases_.resize(kMostBases);
}

LaneMoves::Base* LaneMoves::base_of(const Node& place) {
  const unsigned bytes = move_of(run_.ops[place.bits]).bytes;
  const auto found = std::find_if(bases_.begin(), bases_.end(), [&](const Base& base) {
    return base.low == place.in[0] && base.high == place.in[1] && base.bytes == bytes;
  });
  return found == bases_.end() ? nullptr : &*found;
}

void LaneMoves::emit_begin(const machine::AccessGuard* guard) {
  HostCode& c = code_;
  c.push(c.r12);
  c.push(c.r15);
  c.mov(c.rax, reinterpret_cast<std::uint64_t>(guard));
  c.mov(c.ptr[c.rdi + offsetof(machine::Wave, guard)], c.rax);
  if (global_) {
    c.push(c.rbx);
    c.push(c.rbp);
    c.mov(c.rax, c.ptr[c.rdi + offsetof(machine::Wave, environment)]);
    c.mov(c.rbx, c.ptr[c.rax + offsetof(machine::Environment, arena_begin)]);
    c.neg(c.rbx);
    c.mov(c.rbp, c.ptr[c.rax + offsetof(machine::Environment, arena_size_bytes)]);
    c.sub(c.rbp, kLineBytes);
  }
  emit_scratch_begin();
  if (lds_) {
    c.push(c.r13);
    c.push(c.r14);
    c.mov(c.rax, c.ptr[c.rdi + offsetof(machine::Wave, workgroup)]);
    c.mov(c.r13, c.ptr[c.rax + offsetof(machine::Workgroup, lds)]);
    c.mov(c.r14d, c.ptr[c.rax + offsetof(machine::Workgroup, lds_bytes)]);
  }
}

void LaneMoves::emit_end() {
  HostCode& c = code_;
  if (lds_) {
    c.pop(c.r14);
    c.pop(c.r13);
  }
  if (global_) {
    c.pop(c.rbp);
    c.pop(c.rbx);
  }
  c.pop(c.r15);
  c.pop(c.r12);
}

// ---- one access

/// Registers are chosen before the first branch: they are the same behind all of them.
LaneMoves::Access LaneMoves::access(StripCode& strip, unsigned op, Id low, Id high) {
  const RunOp& step = run_.ops[op];
  Access a;
  a.move = move_of(step);
  a.op = step.op;
  a.low = low != kNoValue ? strip.value(low) : strip.temporary();
  a.spare = strip.temporary();
  if (high != kNoValue) a.high = strip.value(high);
  return a;
}

/// Registers for what a place loads.
void LaneMoves::load_words_of(StripCode& strip, Id id, Access& a) {
  for (unsigned i = 0; i < a.move.elements * a.move.words(); ++i) {
    a.words.push_back(strip.loaded(static_cast<Id>(id + 1 + i)));
  }
  if (a.move.words() == 3) a.words.push_back(strip.temporary());
}

void LaneMoves::emit_load(StripCode& strip, Id id, const Node& place) {
  HostCode& c = code_;
  Access a = access(strip, static_cast<unsigned>(place.bits), place.in[0], place.in[1]);
  a.move.stores = false;  // what merges loads first
  load_words_of(strip, id, a);
  a.lower = strip.temporary();
  if (a.move.space != MoveSpace::kLds) a.upper = strip.temporary();
  if (a.move.space == MoveSpace::kScratch) return emit_scratch(strip, a, place.in[0] != kNoValue);
  if (strip.failed()) return;
  if (Base* const base = base_of(place); base != nullptr) {
    a.base = 1u << 2 * (base - bases_.data());
    a.base_tested = base->tested;
    base->tested = true;
  }
  Label same, anywhere, done;
  if (strip.masked()) emit_any_active(done);
  if (a.base != 0 && !a.base_tested) c.and_(c.r15d, ~(3 * a.base));
  emit_side_by_side(strip, a, same);
  load_side_by_side(strip, a);
  c.jmp(done, HostCode::T_NEAR);
  c.L(same);
  emit_all_the_same(strip, a, anywhere);
  load_same(a);
  c.jmp(done, HostCode::T_NEAR);
  c.L(anywhere);
  load_anywhere(strip, a);
  c.L(done);
}

void LaneMoves::emit_known_load(StripCode& strip, Id id, const Node& place, KnownPlace& known) {
  const RunOp& step = run_.ops[place.bits];
  Access a;
  a.move = move_of(step);
  a.op = step.op;
  load_words_of(strip, id, a);
  if (strip.failed()) return;
  HostCode& c = code_;
  Label same, done;
  known.emit_address();
  known.emit_if_same(same);
  emit_inside(a, reach_of_strip(a.move), strip.exit());
  load_side_by_side(strip, a);
  c.jmp(done, HostCode::T_NEAR);
  c.L(same);
  emit_inside(a, reach_of(a.move), strip.exit());
  load_same(a);
  c.L(done);
}

/// Stores of all lanes to one place are left: the last lane's stays.
void LaneMoves::emit_known_store(StripCode& strip, const LaneStore& store, KnownPlace& known) {
  Access a;
  a.move = move_of(run_.ops[store.op]);
  a.op = run_.ops[store.op].op;
  for (const Id word : store.words) a.words.push_back(strip.value(word));
  a.lower = strip.temporary();
  a.upper = strip.temporary();
  a.spare = strip.temporary();
  if (a.move.words() > 2) a.rest = strip.temporary();
  if (strip.failed()) return;
  known.emit_address();
  known.emit_if_same(strip.exit());
  emit_inside(a, reach_of_strip(a.move), strip.exit());
  store_side_by_side(strip, a);
  strip.end_store();
}

void LaneMoves::emit_store(StripCode& strip, const LaneStore& store) {
  emit_any_store(strip, store);
  strip.end_store();
}

void LaneMoves::emit_any_store(StripCode& strip, const LaneStore& store) {
  HostCode& c = code_;
  Access a = access(strip, store.op, store.low, store.high);
  for (const Id word : store.words) a.words.push_back(strip.value(word));
  a.lower = strip.temporary();
  a.upper = strip.temporary();
  if (a.move.space == MoveSpace::kScratch) return emit_scratch(strip, a, store.low != kNoValue);
  if (a.move.words() > 2) a.rest = strip.temporary();
  if (strip.failed()) return;
  Label anywhere, done;
  if (strip.masked()) emit_any_active(done);
  const bool whole = a.move.words() <= 2 || !strip.masked();
  if (whole) {
    emit_side_by_side(strip, a, anywhere);
    store_side_by_side(strip, a);
    c.jmp(done, HostCode::T_NEAR);
  }
  c.L(anywhere);
  store_anywhere(strip, a);
  c.L(done);
}

void LaneMoves::for_active(StripCode& strip, unsigned first, unsigned count, const DoLane& body) {
  const int exec = strip.mask_offset(isa::operand::kExec);
  for (unsigned lane = first; lane < first + count; ++lane) {
    Label inactive;
    if (strip.masked()) {
      code_.test(code_.byte[code_.rcx + exec + static_cast<int>(lane / 8)], 1u << lane % 8);
      code_.je(inactive);
    }
    body(lane);
    code_.L(inactive);
  }
}

LaneMoves::Rows LaneMoves::columns_to_rows(const Access& a, Vector scratch) {
  HostCode& c = code_;
  const Vector* const w = a.words.data();
  c.vpunpckldq(a.lower, w[0], w[1]);
  c.vpunpckldq(a.upper, w[2], w[3]);
  c.vpunpcklqdq(scratch, a.lower, a.upper);
  c.vpunpckhqdq(a.spare, a.lower, a.upper);
  c.vpunpckhdq(a.lower, w[0], w[1]);
  c.vpunpckhdq(a.upper, w[2], w[3]);
  c.vpunpcklqdq(a.rest, a.lower, a.upper);
  c.vpunpckhqdq(a.upper, a.lower, a.upper);
  return {scratch, a.spare, a.rest, a.upper};
}

}  // namespace wavetank::execute::jit
