// Ops without memory that follow each other, drawn or written as code: by their handlers and
// compiled they leave the same.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "execute/handlers.hpp"
#include "execute/jit/blocks.hpp"
#include "execute/jit/sketch.hpp"
#include "execute/program.hpp"
#include "isa/catalogue.hpp"
#include "jit_state.hpp"
#include "stop_op.hpp"

namespace wavetank::execute::testing {

/// How many times as many trials are made as usual: WAVETANK_JIT_DEPTH, 1 if it is not set.
inline unsigned depth() {
  const char* const text = std::getenv("WAVETANK_JIT_DEPTH");
  return text == nullptr ? 1 : static_cast<unsigned>(std::strtoul(text, nullptr, 10));
}
/// As many trials as usual, times the depth.
inline unsigned trials(unsigned usual) { return usual * depth(); }
/// The step through what can be tried one by one: all of it is only where the depth is not 1.
inline unsigned every(unsigned step) { return depth() == 1 ? step : 1; }

/// Of what compilers write for one operation.
class JitSequence : public Jit {};

/// The ops with their operands, for messages.
inline std::string text_of(const std::vector<Op>& ops) {
  std::string text;
  for (const Op& op : ops) {
    text += std::string(isa::catalogue()[op.row].name) + " dst " + std::to_string(op.dst / 256) +
            " sdst " + std::to_string(op.sdst);
    for (unsigned i = 0; i < 3; ++i) {
      text += op.kind[i] == Source::kVector   ? " v" + std::to_string(op.src[i] / 256)
              : op.kind[i] == Source::kScalar ? " s" + std::to_string(op.src[i] / 4)
                                              : " #" + std::to_string(op.constant[i]);
    }
    text += " neg " + std::to_string(op.neg) + " abs " + std::to_string(op.abs) + " sel " +
            std::to_string(op.op_sel) + "/" + std::to_string(op.op_sel_hi) + "\n";
  }
  return text;
}

/// The ops lane by lane, where their rows have such a handler.
inline std::vector<Op> exact_ops(std::vector<Op> ops) {
  for (Op& op : ops) {
    const HandlerSet& set = handlers()[op.row];
    Handler& run = op.run == run_sdwa || op.run == run_dpp ? op.lanes.inner : op.run;
    if (run == set.usual && set.exact != nullptr) run = set.exact;
  }
  return ops;
}

/// Runs the ops from each start by their handlers, lane by lane and as compiled, also with what is
/// left to careful code; gives the number of compiled chains.
inline std::size_t expect_same(const std::vector<Op>& ops, std::span<const State> starts,
                               const std::vector<std::size_t>& leaders = {},
                               const FactsOf& facts_of = {}) {
  const std::vector<Op> code = with_stop(ops), exact_code = with_stop(exact_ops(ops));
  const auto result = [](const State& start, const std::vector<Op>& from) {
    State end(start);
    run_to_stop(end.wave, from);
    return end;
  };
  const auto text = [&](const char* how, const State& start) {
    std::ostringstream stream;
    stream << how << text_of(ops) << "exec " << std::hex << start.wave.exec() << " vcc "
           << start.wave.vcc();
    return stream.str();
  };
  std::vector<State> ends;
  ends.reserve(starts.size());
  for (const State& start : starts) {
    ends.push_back(result(start, code));
    EXPECT_EQ(difference(ends.back(), result(start, exact_code)), "")
        << text("lane by lane ", start);
  }
  std::vector<std::size_t> slots(ops.size());
  std::iota(slots.begin(), slots.end(), std::size_t{0});
  std::size_t chains = 0;
  for (const Compiled what : {Compiled::kStretches, Compiled::kChains}) {
    std::vector<Op> own = code;
    const auto blocks = jit::Blocks::compile(own, slots, leaders, facts_of, what);
    chains = blocks == nullptr ? 0 : blocks->count();
    if (blocks == nullptr) continue;
    blocks->set_patience(0);
    for (std::size_t i = 0; i < starts.size(); ++i) {
      const std::uint64_t misses = blocks->misses();
      EXPECT_EQ(difference(ends[i], result(starts[i], own)), "") << text("", starts[i]);
      if (blocks->misses() == misses) continue;
      EXPECT_EQ(difference(ends[i], result(starts[i], own)), "") << text("careful ", starts[i]);
    }
  }
  return chains;
}
inline std::size_t expect_same(const std::vector<Op>& ops, const State& start,
                               const std::vector<std::size_t>& leaders = {}) {
  return expect_same(ops, std::span(&start, 1), leaders);
}

/// Dwords of instructions for gfx90a.
using Code = std::vector<std::uint32_t>;

/// The ops of code, one behind the other.
inline std::vector<Op> ops_of(Code code, const isa::Target& target = isa::kGfx90a) {
  constexpr std::uint32_t kEnd = 0xbf810000;
  code.push_back(kEnd);
  ProgramSpec spec;
  spec.target = &target;
  spec.code = reinterpret_cast<const std::byte*>(code.data());
  spec.code_bytes = 4 * code.size();
  spec.entry = reinterpret_cast<std::uint64_t>(code.data());
  spec.vgpr_count = spec.accum_offset = State::kRegisters;
  const auto program = *Program::translate(spec);
  std::vector<Op> ops;
  for (const Op* op = program->entry(); row_of(*op).pause != isa::Pause::kEnd; op += op->dwords) {
    ops.push_back(*op);
    ops.back().dwords = 1;
  }
  return ops;
}

/// An op of the row, to v10, of v0, v2 and v4.
inline Op plain_op(const isa::Row& row) {
  const HandlerSet& set = handlers()[row.id];
  Op op;
  op.row = row.id;
  op.run = set.usual;
  op.op_sel_hi = 7;
  op.dst = 256 * 10;
  op.sdst = 106;
  for (unsigned i = 0; i < 3; ++i) op.src[i] = 512 * i;
  op.keeps_high_half = row.keeps_high_half;
  return op;
}

/// What a register is after code that is drawn as one run.
inline jit::Node drawn(const Code& code, unsigned name, jit::Sketch& sketch) {
  unsigned number = 0;
  for (const Op& op : ops_of(code)) EXPECT_TRUE(sketch.draw(op, row_of(op), number++));
  return sketch.graph()[sketch.value_of_vector(name)];
}

/// Code by its handlers, lane by lane and compiled, from registers that `fill` sets.
class BothWays {
 public:
  explicit BothWays(const Code& code) : BothWays(ops_of(code)) {}
  explicit BothWays(const std::vector<Op>& ops)
      : ops_(with_stop(ops)), exact_(with_stop(exact_ops(ops))), compiled_(ops_) {
    std::vector<std::size_t> slots(ops_.size() - 1);
    std::iota(slots.begin(), slots.end(), std::size_t{0});
    blocks_ = jit::Blocks::compile(compiled_, slots, {}, {}, Compiled::kChains);
    EXPECT_NE(blocks_, nullptr);
  }
  /// Both leave the same in all registers.
  template <class Fill>
  void expect_same(Fill fill, std::uint64_t exec = ~std::uint64_t{0}) {
    State by_handlers;
    by_handlers.wave.set_exec(exec);
    fill(by_handlers.vgpr);
    State compiled(by_handlers);
    State exact(by_handlers);
    run_to_stop(by_handlers.wave, ops_);
    run_to_stop(compiled.wave, compiled_);
    run_to_stop(exact.wave, exact_);
    EXPECT_EQ(difference(by_handlers, compiled), "");
    EXPECT_EQ(difference(exact, compiled), "") << "lane by lane";
  }
  /// How often handlers finished what the compiled code had left.
  std::uint64_t misses() const { return blocks_->misses(); }
  /// What is left goes to careful code, after one miss of each run.
  void be_careful() { blocks_->set_patience(0); }
  /// The same in careful code, a thousand times, with all lanes and with some. `fill(vgpr, random)`
  /// sets registers, of which the first trial's make each run leave some.
  template <class Fill>
  void expect_same_in_careful_code(Fill fill) {
    be_careful();
    std::mt19937_64 random(7);
    std::uint64_t misses_of_runs = 0;
    for (unsigned trial = 0; trial < 1000 && !::testing::Test::HasFailure(); ++trial) {
      const std::uint64_t exec = trial % 2 == 0 ? random() : ~std::uint64_t{0};
      expect_same([&](std::uint32_t* vgpr) { fill(vgpr, random); }, exec);
      if (trial == 0) misses_of_runs = misses();
    }
    EXPECT_GT(misses_of_runs, 0u);
    EXPECT_EQ(misses(), misses_of_runs) << "careful code leaves nothing";
  }

 private:
  std::vector<Op> ops_, exact_, compiled_;
  std::unique_ptr<jit::Blocks> blocks_;
};

/// Code, and other code behind it.
inline Code joined(Code a, const Code& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Leaves nothing of the steps of a division or a root of f32.
inline const Code kForget{
    0x7e060280,              // v_mov_b32_e32 v3, 0
    0x7e080280,              // v_mov_b32_e32 v4, 0
    0x7e0a0280,              // v_mov_b32_e32 v5, 0
    0x7e0c0280,              // v_mov_b32_e32 v6, 0
    0x7d940100,              // v_cmp_eq_u32_e32 vcc, v0, v0
    0xd0ca0000, 0x00020100,  // v_cmp_eq_u32_e64 s[0:1], v0, v0
};

/// Any f32 with an exponent from `least` on, of so many.
inline std::uint32_t any_of(std::mt19937_64& random, std::uint32_t least, std::uint32_t exponents) {
  const auto exponent = static_cast<std::uint32_t>(least + random() % exponents);
  return (static_cast<std::uint32_t>(random()) & 0x807fffffu) | exponent << 23;
}
/// The same of f64.
inline std::uint64_t any_wide(std::mt19937_64& random, std::uint64_t least,
                              std::uint64_t exponents) {
  return (random() & 0x800fffffffffffffu) | (least + random() % exponents) << 52;
}
/// Numbers around 1 or, three of eight, NaNs, infinities and zeros.
inline std::uint32_t maybe_number(std::mt19937_64& random) {
  const std::uint32_t sign = random() % 2 == 0 ? 0x80000000u : 0;
  switch (random() % 8) {
    case 0: return sign | 0x7f800001u | static_cast<std::uint32_t>(random() % 0x7fffff);
    case 1: return sign | 0x7f800000u;
    case 2: return sign;
    default: return any_of(random, 100, 50);
  }
}
inline std::uint64_t maybe_wide_number(std::mt19937_64& random) {
  const std::uint64_t sign = random() % 2 << 63;
  switch (random() % 8) {
    case 0: return sign | 0x7ff0000000000001u | random() % 0xfffffffffffffu;
    case 1: return sign | 0x7ff0000000000000u;
    case 2: return sign;
    default: return any_wide(random, 1000, 50);
  }
}
/// Puts a double into a lane of two registers.
inline void put_wide(std::uint32_t* vgpr, unsigned lane, std::uint64_t bits) {
  vgpr[lane] = static_cast<std::uint32_t>(bits);
  vgpr[64 + lane] = static_cast<std::uint32_t>(bits >> 32);
}

}  // namespace wavetank::execute::testing
