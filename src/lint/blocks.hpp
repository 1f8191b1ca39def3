// Basic blocks of a kernel's code, who dominates whom, and its loops.
#pragma once

#include <cstdint>
#include <vector>

#include "lint/code.hpp"

namespace wavetank::lint {

inline constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Instructions [first, end) that run one after the other.
struct Block {
  std::uint32_t first = 0, end = 0;
  std::vector<std::uint32_t> before, after;  ///< blocks
  std::uint32_t dominator = kNone;           ///< the nearest; kNone: the entry's block
  std::uint32_t loop = kNone;                ///< the innermost one
  std::uint32_t place = 0;                   ///< in reverse postorder
};

/// A natural loop: all that leads back to its header without leaving the header's reign.
struct Loop {
  std::uint32_t header = 0;           ///< a block
  std::uint32_t parent = kNone;       ///< the loop around it
  unsigned depth = 1;                 ///< 1: outermost
  std::vector<std::uint32_t> blocks;  ///< those of loops inside too, in reverse postorder
};

/// The graph of a kernel. All blocks are reachable from the entry.
struct Blocks {
  std::vector<Block> blocks;
  std::vector<std::uint32_t> order;     ///< reverse postorder; the entry's block is first
  std::vector<std::uint32_t> block_of;  ///< for each instruction
  std::vector<Loop> loops;              ///< inner ones behind those around them
  /// Jumps back to a block that does not dominate them: loops with two entries, which are not in
  /// `loops`.
  bool irreducible = false;

  const Block& of(std::uint32_t step) const { return blocks[block_of[step]]; }
  /// The innermost loop of an instruction; kNone: none.
  std::uint32_t loop_of(std::uint32_t step) const { return of(step).loop; }
  unsigned depth_of(std::uint32_t step) const {
    const std::uint32_t loop = loop_of(step);
    return loop == kNone ? 0 : loops[loop].depth;
  }
  /// True if a loop is `outer` or lies in it.
  bool inside(std::uint32_t loop, std::uint32_t outer) const;
  /// True if each way to block `b` comes through block `a`.
  bool dominates(std::uint32_t a, std::uint32_t b) const;
};

Blocks find_blocks(const Code& code);

}  // namespace wavetank::lint
