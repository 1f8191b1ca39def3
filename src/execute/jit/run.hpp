// Runs: stretches of per-lane ops that are compiled together, and their code.
#pragma once

#include <span>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// True if the op runs by a handler of its row alone: SDWA, DPP and what could not be translated do
/// not.
bool has_own_handler(const Op& op);
/// True for ops that only wait, and let no other wave go first.
bool does_nothing(const Op& op, const isa::Row& row);
/// Can the op stand in a run, as far as its form tells?
bool can_run(const Op& op, const isa::Row& row);
/// The ops from `slot` on that fit into one run; it ends before slots in `leaders` (sorted).
Run find_run(std::span<const Op> ops, std::size_t slot, std::span<const std::size_t> leaders);
/// The same with loads, or with one store at its end, all of global memory or all of LDS; without
/// ops if there is neither. The run's strips come one after the other, so that it must not matter
/// in which order lanes move: a store follows no load, and a load of what other workgroups write no
/// wait of the run for another.
Run find_memory_run(std::span<const Op> ops, std::size_t slot,
                    std::span<const std::size_t> leaders);
/// The same to the store that ends the wave, behind loads: it must not matter in which order lanes
/// load, and the store of all lanes comes last. Loads stand before the run's first wait for one.
/// Without ops if the run from `slot` on does not load, or not end so.
Run find_last_run(std::span<const Op> ops, std::size_t slot, std::span<const std::size_t> leaders);
/// Finds the run's dead masks, as far as the ops that follow it in a line tell.
void find_dead_masks(std::span<const Op> ops, Run& run);
/// SGPR pairs that a run writes lane masks to, without dead ones.
std::vector<unsigned> written_masks(const Run& run);

/// Emits the code of one run. In it rdx and rcx point to the present strip's lanes and masks, and
/// the lane masks that it writes are in r9 to r11: each strip turns them by its 16 lanes, and a
/// wave that reads a mask soon after finds it stored in one piece.
class RunCode {
 public:
  RunCode(Assembler& assembler, const Run& run) : code_(assembler), run_(run) {}

  /// Emits the run twice, for full EXEC and for any. Gives the number of ops that fit; if it is not
  /// all of them, the code is of no use.
  std::size_t emit();
  /// Emits what follows strips that are not well: finish(wave, op, first lane, block) goes on,
  /// where op is `op_bytes` from that in rsi.
  void emit_failure(std::uint32_t op_bytes, const Block* block,
                    const Op* (*finish)(machine::Wave&, const Op*, unsigned, const Block*));

 private:
  std::size_t emit_strips(const Uses& uses, bool masked);
  std::size_t emit_strip(const Uses& uses, bool masked, unsigned strip);
  void move_masks(std::uint8_t opcode);
  void emit_rotation(unsigned index, KMask mask);

  Assembler& code_;
  const Run& run_;
  std::vector<unsigned> masks_;
  struct Failure {
    std::size_t jump;
    unsigned strip;
  };
  std::vector<Failure> failures_;
};

}  // namespace wavetank::execute::jit
