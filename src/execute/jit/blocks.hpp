// Compiles chains of ops into host code (decision 7): scalar ops, and runs of per-lane ops, from
// one that is jumped to, or follows what cannot be compiled, to the next of these. A chain's code
// takes the place of its first op's handler. The ops stay, for what the code leaves to the
// interpreter. Where waves are executed step by step a chain is a stretch of what concerns its wave
// only, up to what changes EXEC.
#pragma once

#include <deque>
#include <memory>
#include <span>

#include "execute/jit/block.hpp"
#include "execute/jit/code_memory.hpp"
#include "execute/op.hpp"
#include "execute/program_spec.hpp"
#include "execute/word_use.hpp"

namespace wavetank::execute::jit {

/// The compiled chains of a program.
class Blocks {
 public:
  /// Compiles what it can of `ops`, one slot for each dword of code, and puts the code's addresses
  /// into them. `slots` are those that hold an op; chains begin at slots in `leaders`; both sorted.
  /// nullptr if there is nothing to compile, or the host has no unit that code is for, or gives no
  /// executable memory: the handlers do the same work.
  /// `facts_of` tells what ops read that are not compiled (liveness.hpp). `compiled` is not
  /// kNothing.
  static std::unique_ptr<Blocks> compile(std::span<Op> ops, std::span<const std::size_t> slots,
                                         std::span<const std::size_t> leaders,
                                         const FactsOf& facts_of, Compiled compiled);
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  /// How many chains there are.
  std::size_t count() const { return count_; }
  /// How many of them begin with a loop that keeps registers from round to round.
  std::size_t loops() const { return loops_; }
  /// How often handlers have finished what code has left.
  std::uint64_t misses() const;
  /// Careful code is made after more than so many misses of a run, instead of Block::kPatience.
  void set_patience(std::uint32_t misses);

 private:
  explicit Blocks(std::size_t code_bytes) : memory_(code_bytes) {}

  CodeMemory memory_;
  std::deque<Block> blocks_;
  std::size_t count_ = 0, loops_ = 0;
};

/// True if this host can run compiled blocks and WAVETANK_JIT is not 0.
bool available();

}  // namespace wavetank::execute::jit
