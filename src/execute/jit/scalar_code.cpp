#include "execute/jit/scalar_code.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "execute/jit/access.hpp"
#include "execute/jit/plan.hpp"
#include "execute/jit/scalar_rows.hpp"
#include "isa/operand_code.hpp"

namespace wavetank::execute::jit {
namespace {

using machine::Wave;
using Xbyak::Reg;

/// Host code of one scalar op's values. rdi holds the wave, rsi the chain's first op.
class ScalarCode {
 public:
  ScalarCode(HostCode& host, const ScalarSketch& sketch)
      : c(host), graph_(sketch.graph), places_(graph_.size(), -1), left_(graph_.size()) {
    const std::array<Id, 6> results{sketch.result, sketch.scc,  sketch.exec,
                                    sketch.jumps,  sketch.lane, sketch.lane_value};
    std::vector<bool> live(graph_.size());
    for (const Id id : results) {
      if (id == kNoValue) continue;
      live[id] = true;
      ++left_[id];
    }
    for (std::size_t i = graph_.size(); i-- > 0;) {
      if (!live[i]) continue;
      for (const Id in : graph_[static_cast<Id>(i)].in) {
        if (in == kNoValue) continue;
        live[in] = true;
        ++left_[in];
      }
    }
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (live[i] && !is_leaf(graph_[static_cast<Id>(i)])) order_.push_back(static_cast<Id>(i));
    }
  }

  /// Computes all values. False if there are too many, or one has no host code.
  bool emit() {
    for (const Id id : order_) {
      const Node node = graph_[id];
      for (const Id in : node.in) {
        if (in != kNoValue) --left_[in];
      }
      emit_node(id, node);
      if (failed_) return false;
      for (const Id in : node.in) {
        if (in != kNoValue) release(in);
      }
    }
    return true;
  }
  /// Writes a value to the wave.
  void store(Id value, std::size_t offset) {
    c.mov(wave(offset), in_register(value));
    --left_[value];
    release(value);
  }
  /// Writes a value to a lane of a vector register.
  void store_in_lane(Id value, Id lane, std::size_t offset) {
    const Reg from = in_register(value), index = in_register(lane);
    const Reg base = temporary();
    c.mov(base.cvt64(), wave(offsetof(Wave, vgpr)));
    c.mov(c.dword[base.cvt64() + index.cvt64() * 4 + static_cast<int>(offset)], from);
  }
  /// Goes to `otherwise` where a branch's condition, which is all that was drawn, does not hold:
  /// that two values are, or are not, the same. False if it is another.
  bool jump_unless(Id condition, Xbyak::Label& otherwise) {
    const Node& node = graph_[condition];
    const auto predicate = Predicate{node.variant};
    const bool equal = predicate == Predicate::kEqual;
    if (!is_comparison(node) || !(equal || predicate == Predicate::kNotEqual)) return false;
    order_.pop_back();
    if (!emit()) return false;
    emit_flags(node);
    if (failed_) return false;
    equal ? c.jne(otherwise, HostCode::T_NEAR) : c.je(otherwise, HostCode::T_NEAR);
    return true;
  }
  bool failed() const { return failed_; }

 private:
  Xbyak::Address wave(std::size_t offset) const { return c.ptr[c.rdi + static_cast<int>(offset)]; }
  bool is_long(Id id) const { return graph_[id].kind == Kind::kLong; }

  // ---- registers

  static constexpr std::array<int, 7> kFree{0, 1, 2, 8, 9, 10, 11};  // rax, rcx, rdx, r8 to r11
  Reg register_of(Id id) const {
    const int number = kFree[static_cast<std::size_t>(places_[id])];
    return is_long(id) ? Reg(Xbyak::Reg64(number)) : Reg(Xbyak::Reg32(number));
  }
  Reg take(Id id) {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    if (free == taken_.end()) {
      failed_ = true;
      places_[id] = 0;
      return register_of(id);
    }
    *free = true;
    places_[id] = static_cast<std::int8_t>(free - taken_.begin());
    return register_of(id);
  }
  /// For the rest of the op.
  Reg temporary() {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    failed_ = failed_ || free == taken_.end();
    if (failed_) return Reg(Xbyak::Reg64(kFree[0]));
    *free = true;
    return Reg(Xbyak::Reg64(kFree[static_cast<std::size_t>(free - taken_.begin())]));
  }
  void release(Id id) {
    if (left_[id] != 0 || places_[id] < 0) return;
    taken_[static_cast<std::size_t>(places_[id])] = false;
    places_[id] = -1;
  }
  Reg in_register(Id id) {
    if (places_[id] >= 0) return register_of(id);
    const Node& node = graph_[id];
    const Reg to = take(id);
    switch (node.what) {
      case Do::kScalar: c.mov(to, wave(node.bits)); break;
      case Do::kConstant: c.mov(to, node.bits); break;
      case Do::kAll: c.mov(to, 1); break;
      case Do::kNone: c.mov(to, 0); break;
      default: failed_ = true;  // never computed
    }
    return to;
  }
  /// A register with operand `first`, for the result to be made in.
  Reg over(Id id, Id first) {
    if (places_[first] >= 0 && left_[first] == 0 && is_long(first) == is_long(id) &&
        graph_[id].in[0] != graph_[id].in[1]) {
      places_[id] = places_[first];
      places_[first] = -1;
      return register_of(id);
    }
    const Node& node = graph_[first];
    if (places_[first] < 0 && node.what == Do::kScalar && is_long(first) == is_long(id)) {
      const Reg to = take(id);
      c.mov(to, wave(node.bits));
      return to;
    }
    const Reg from = in_register(first), to = take(id);
    c.mov(to, is_long(id) ? from.cvt64() : Reg(from.cvt32()));
    return to;
  }
  bool is_short_constant(Id id) const {
    const Node& node = graph_[id];
    const auto value = static_cast<std::int64_t>(node.bits);
    return node.what == Do::kConstant && places_[id] < 0 &&
           (node.kind == Kind::kWord || (value >= std::numeric_limits<std::int32_t>::min() &&
                                         value <= std::numeric_limits<std::int32_t>::max()));
  }
  /// instruction(a, b) with b in a register, in memory or a constant of its own.
  template <class F>
  void with_operand(Id b, F instruction) {
    if (is_short_constant(b)) return instruction(static_cast<std::uint32_t>(graph_[b].bits));
    if (places_[b] < 0 && graph_[b].what == Do::kScalar) return instruction(wave(graph_[b].bits));
    instruction(in_register(b));
  }

  // ---- values

  void emit_node(Id id, const Node& node) {
    const auto [a, b, m] = node.in;
    switch (node.what) {
      case Do::kAdd: return emit_binary(id, node, [&](auto to, auto from) { c.add(to, from); });
      case Do::kSub: return emit_binary(id, node, [&](auto to, auto from) { c.sub(to, from); });
      case Do::kAnd:
      case Do::kMaskAnd:
        return emit_binary(id, node, [&](auto to, auto from) { c.and_(to, from); });
      case Do::kOr:
      case Do::kMaskOr: return emit_binary(id, node, [&](auto to, auto from) { c.or_(to, from); });
      case Do::kXor:
      case Do::kMaskXor:
        return emit_binary(id, node, [&](auto to, auto from) { c.xor_(to, from); });
      case Do::kMul: {
        const Reg to = over(id, a);
        return c.imul(to, in_register(b));
      }
      case Do::kMaskNot: return c.xor_(over(id, a), 1);
      case Do::kShl:
      case Do::kShr:
      case Do::kSar: return emit_shift(id, node);
      case Do::kCompare:
      case Do::kCompareU: return emit_compare(id, node);
      case Do::kSelect: {
        const Reg to = over(id, b), condition = in_register(m);
        c.test(condition, condition);
        return c.cmovne(to, in_register(a));
      }
      case Do::kZeroExtend:
      case Do::kLow: {
        const Reg from = in_register(a), to = take(id);
        return c.mov(to.cvt32(), from.cvt32());
      }
      case Do::kSignExtend: {
        const Reg from = in_register(a), to = take(id);
        return c.movsxd(to.cvt64(), from.cvt32());
      }
      case Do::kLaneOf: {
        const Reg lane = in_register(a), to = take(id);
        c.mov(to.cvt64(), wave(offsetof(Wave, vgpr)));
        return c.mov(to.cvt32(),
                     c.dword[to.cvt64() + lane.cvt64() * 4 + static_cast<int>(node.bits)]);
      }
      case Do::kCountOnes:
      case Do::kTrailingZeros:
      case Do::kLeadingZeros: return emit_count(id, node);
      default: failed_ = true;
    }
  }
  template <class F>
  void emit_binary(Id id, const Node& node, F instruction) {
    const Reg to = over(id, node.in[0]);
    with_operand(node.in[1], [&](const auto& from) { instruction(to, from); });
  }
  /// The host takes as many bits of the amount as the shifted value has.
  void emit_shift(Id id, const Node& node) {
    const auto [a, b, none] = node.in;
    if (graph_.is_constant(b)) {
      const Reg to = over(id, a);
      const auto amount = static_cast<int>(graph_.constant(b));
      switch (node.what) {
        case Do::kShl: return c.shl(to, amount);
        case Do::kShr: return c.shr(to, amount);
        default: return c.sar(to, amount);
      }
    }
    const Reg value = in_register(a), amount = in_register(b), to = take(id);
    const auto all = [&](const auto& dst, const auto& from, const auto& by) {
      switch (node.what) {
        case Do::kShl: return c.shlx(dst, from, by);
        case Do::kShr: return c.shrx(dst, from, by);
        default: return c.sarx(dst, from, by);
      }
    };
    if (is_long(id)) return all(to.cvt64(), value.cvt64(), amount.cvt64());
    all(to.cvt32(), value.cvt32(), amount.cvt32());
  }
  static constexpr std::size_t kPredicates = 6;
  static bool is_comparison(const Node& node) {
    return (node.what == Do::kCompare || node.what == Do::kCompareU) && node.variant < kPredicates;
  }
  /// The host's flags of a comparison.
  void emit_flags(const Node& node) {
    const auto [a, b, none] = node.in;
    if (places_[a] < 0 && graph_[a].what == Do::kScalar && is_short_constant(b)) {
      const Xbyak::RegExp at = c.rdi + static_cast<int>(graph_[a].bits);
      const auto constant = static_cast<std::uint32_t>(graph_[b].bits);
      return is_long(a) ? c.cmp(c.qword[at], constant) : c.cmp(c.dword[at], constant);
    }
    const Reg first = in_register(a);
    with_operand(b, [&](const auto& second) { c.cmp(first, second); });
  }
  void emit_compare(Id id, const Node& node) {
    using Set = void (Xbyak::CodeGenerator::*)(const Xbyak::Operand&);
    using C = Xbyak::CodeGenerator;
    // By sign, and by predicate: equal, less, at most, and their contraries.
    static constexpr Set kSets[2][kPredicates] = {
        {&C::sete, &C::setl, &C::setle, &C::setne, &C::setge, &C::setg},
        {&C::sete, &C::setb, &C::setbe, &C::setne, &C::setae, &C::seta}};
    if (!is_comparison(node)) {
      failed_ = true;
      return;
    }
    emit_flags(node);
    const Reg to = take(id);
    (c.*kSets[node.what == Do::kCompareU ? 1 : 0][node.variant])(to.cvt8());
    c.movzx(to.cvt32(), to.cvt8());
  }
  void emit_count(Id id, const Node& node) {
    const Reg from = in_register(node.in[0]), to = take(id);
    const Reg wide = is_long(node.in[0]) ? Reg(to.cvt64()) : Reg(to.cvt32());
    switch (node.what) {
      case Do::kCountOnes: return c.popcnt(wide, from);
      case Do::kTrailingZeros: return c.tzcnt(wide, from);
      default: return c.lzcnt(wide, from);
    }
  }

  HostCode& c;
  const Graph& graph_;
  std::vector<Id> order_;
  std::vector<std::int8_t> places_;
  std::vector<std::uint16_t> left_;
  std::array<bool, kFree.size()> taken_ = {};
  bool failed_ = false;
};

bool changes_exec_by_result(const ScalarSketch& sketch, const Op& op) {
  return sketch.result != kNoValue && op.dst - kExecOffset < 8u;
}

/// An op of the scalar ALU.
bool emit_values(HostCode& code, const ScalarSketch& sketch, const Op& op) {
  // A result in EXEC is what counts, where EXEC is also changed: that is the handler's.
  if (sketch.exec != kNoValue && changes_exec_by_result(sketch, op)) return false;
  ScalarCode scalar(code, sketch);
  if (!scalar.emit()) return false;
  // All sources are in registers or used up before anything changes.
  if (sketch.result != kNoValue) scalar.store(sketch.result, op.dst);
  if (sketch.exec != kNoValue) scalar.store(sketch.exec, kExecOffset);
  if (sketch.scc != kNoValue) scalar.store(sketch.scc, offsetof(Wave, scc));
  if (sketch.lane != kNoValue) scalar.store_in_lane(sketch.lane_value, sketch.lane, op.dst);
  return !scalar.failed();
}

/// Backward branches cost the time slice; when that is over, and where they poll, they are the
/// handler's.
Flow emit_branch(HostCode& c, const ScalarSketch& sketch, const Op& op, const ScalarPlace& place,
                 std::deque<HandlerExit>& exits) {
  const std::int64_t target = place.op_bytes + (1 + op.branch) * std::int64_t{sizeof(Op)};
  const bool always = sketch.graph[sketch.jumps].what == Do::kAll;
  Xbyak::Label not_taken;
  if (!always && !ScalarCode(c, sketch).jump_unless(sketch.jumps, not_taken)) {
    return Flow::kUnknown;
  }
  if (op.branch < 0) {
    exits.push_back({std::make_unique<Xbyak::Label>(), place.op_bytes, op.run});
    const auto budget = c.qword[c.rdi + offsetof(Wave, budget)];
    if (!op.polls) c.cmp(budget, 0);
    op.polls ? c.jmp(*exits.back().label, HostCode::T_NEAR)
             : c.jle(*exits.back().label, HostCode::T_NEAR);
    if (!op.polls) c.dec(budget);
  }
  if (op.branch >= 0 || !op.polls) emit_go_on(c, target, place.spoils_vectors);
  c.L(not_taken);
  return always ? Flow::kEnds : Flow::kOn;
}

/// A load from memory inside the arena; the handler takes the others.
void emit_load(HostCode& c, const Op& op, unsigned dwords, std::uint32_t op_bytes,
               std::deque<HandlerExit>& exits) {
  const MemoryOperands& memory = op.memory;
  const auto wave = [&](std::size_t offset) { return c.ptr[c.rdi + static_cast<int>(offset)]; };
  exits.push_back({std::make_unique<Xbyak::Label>(), op_bytes, op.run});
  const Xbyak::Label& exit = *exits.back().label;
  // Words, as a pair is mostly written: a load of both has to wait until two stores are done.
  c.mov(c.eax, wave(std::size_t{4} * memory.scalar_base));
  c.mov(c.ecx, wave(std::size_t{4} * memory.scalar_base + 4));
  c.and_(c.eax, -4);
  c.shl(c.rcx, 32);
  c.or_(c.rax, c.rcx);
  c.add(c.rax, memory.offset & ~3);
  c.mov(c.rdx, wave(offsetof(Wave, environment)));
  c.mov(c.rcx, c.rax);
  c.sub(c.rcx, c.ptr[c.rdx + offsetof(machine::Environment, arena_begin)]);
  c.mov(c.rdx, c.ptr[c.rdx + offsetof(machine::Environment, arena_size_bytes)]);
  c.sub(c.rdx, c.rcx);  // bytes from the address to the arena's end
  c.jbe(exit, HostCode::T_NEAR);
  c.cmp(c.rdx, 4 * dwords);
  c.jb(exit, HostCode::T_NEAR);
  c.lea(c.rdx, c.ptr[c.rsi + static_cast<int>(op_bytes)]);  // for whoever reports a fault
  c.mov(wave(offsetof(Wave, current)), c.rdx);
  const Reg word = dwords > 1 ? Reg(c.rdx) : Reg(c.edx);
  for (unsigned at = 0; at < 4 * dwords; at += 8) {
    c.mov(word, c.ptr[c.rax + static_cast<int>(at)]);
    c.mov(wave(op.dst + at), word);
  }
}

}  // namespace

void emit_go_on(HostCode& code, std::int64_t op_bytes, bool spoils_vectors) {
  static_assert(offsetof(Op, run) == 0);
  if (spoils_vectors) code.vzeroupper();
  code.add(code.rsi, static_cast<std::uint32_t>(op_bytes));
  code.jmp(code.ptr[code.rsi]);
}

bool emit_condition(HostCode& code, ScalarSketch& sketch, const Op& op, const isa::Row& row,
                    Xbyak::Label& otherwise) {
  if (!draw_scalar(sketch, op, row) || sketch.jumps == kNoValue) return false;
  return ScalarCode(code, sketch).jump_unless(sketch.jumps, otherwise);
}

bool changes_exec(const ScalarSketch& sketch, const Op& op) {
  return changes_exec_by_result(sketch, op) || sketch.exec != kNoValue;
}

void emit_give(HostCode& code, std::uint32_t op_bytes, bool spoils_vectors) {
  if (spoils_vectors) code.vzeroupper();
  code.lea(code.rax, code.ptr[code.rsi + static_cast<int>(op_bytes)]);
  code.ret();
}

Flow emit_scalar(HostCode& code, ScalarSketch& sketch, const Op& op, const isa::Row& row,
                 const ScalarPlace& place, std::deque<HandlerExit>& exits) {
  if (is_compiled_load(op, row)) {
    emit_load(code, op, row.memory.result_dwords, place.op_bytes, exits);
    return Flow::kOn;
  }
  if (!draw_scalar(sketch, op, row)) return Flow::kUnknown;
  if (sketch.jumps != kNoValue) return emit_branch(code, sketch, op, place, exits);
  if (!place.scc_is_read) sketch.scc = kNoValue;
  const std::size_t start = code.position();
  if (emit_values(code, sketch, op)) return Flow::kOn;
  code.setSize(start);
  return Flow::kUnknown;
}

}  // namespace wavetank::execute::jit
