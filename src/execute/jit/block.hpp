// Compiles runs of per-lane ops into host code (decision 6). A compiled run takes the place of its
// first op's handler; the ops stay, for jumps into the run and for strips that the code leaves to
// the interpreter.
#pragma once

#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "execute/op.hpp"

namespace wavetank::execute::jit {

/// A compiled run.
struct Block {
  std::uint32_t slots = 0;  ///< op slots from its start to the op after it
  /// Every op's slot and handler, for the interpreter.
  std::vector<std::pair<std::uint32_t, Handler>> ops;
  std::vector<unsigned> masks;  ///< SGPR pairs that the run writes lane masks to
};

/// The compiled runs of a program and their code.
class Blocks {
 public:
  /// Compiles what it can of `ops`, one slot for each dword of code, and puts the code's addresses
  /// into them. Runs begin at slots in `leaders` (sorted). nullptr if there is nothing to compile,
  /// or the host has no AVX-512 or gives no executable memory: the handlers do the same work.
  static std::unique_ptr<Blocks> compile(std::span<Op> ops, std::span<const std::size_t> leaders);
  ~Blocks();
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;

  std::size_t count() const { return blocks_.size(); }

 private:
  Blocks() = default;

  std::deque<Block> blocks_;
  void* code_ = nullptr;
  std::size_t code_bytes_ = 0;
};

/// True if this host can run compiled blocks and WAVETANK_JIT is not 0.
bool available();

}  // namespace wavetank::execute::jit
