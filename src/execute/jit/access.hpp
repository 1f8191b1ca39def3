// What ops read and write, as far as compiled code can tell.
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "execute/jit/scalar_drawn.hpp"
#include "execute/jit/sketch.hpp"
#include "execute/op.hpp"
#include "isa/row.hpp"

namespace wavetank::execute::jit {

/// Registers by number, lane masks by their lower SGPR.
using Access = Sketch::Touched;

/// Where an op that is compiled loads or stores.
enum class MoveSpace : std::uint8_t { kNone, kGlobal, kLds, kScratch };

/// What such an op moves for each lane.
struct Move {
  MoveSpace space = MoveSpace::kNone;
  bool stores = false;
  unsigned bytes = 0;                        ///< of an element: 1 or 2, extended by zeros, or words
  unsigned elements = 1;                     ///< at the first of the offsets from an address
  std::array<std::int32_t, 4> offsets = {};  ///< bytes
  bool merges = false;  ///< stores a part of a dword of scratch: loads it first, and puts it there
  /// Registers of an element.
  unsigned words() const { return bytes < 4 ? 1 : bytes / 4; }
};
/// Plain loads and stores of global memory, LDS and scratch; of no space for all other ops.
/// Elements of scratch are dwords, whatever an instruction takes of one.
Move move_of(const Op& op, const isa::Row& row);
/// Of an access to scratch: does each lane add an offset of its own?
bool has_lane_offsets(const Op& op, const isa::Row& row);

/// Of two accesses to scratch: do their places count from the same?
bool share_scratch(const Op& a, const Op& b);

/// True if the op runs by a handler of its row, alone or inside of SDWA or DPP.
bool has_own_handler(const Op& op);
/// True for scalar loads from an SGPR pair without an SGPR offset, which are compiled.
bool is_compiled_load(const Op& op, const isa::Row& row);
/// Has an op of lanes SCC as an operand?
bool reads_scc(const Op& op);
/// True for ops that only wait, and let no other wave go first.
bool does_nothing(const Op& op, const isa::Row& row);

/// SGPRs that a scalar op reads and writes.
struct ScalarAccess {
  std::bitset<isa::operand::kScalarFile> reads, writes;
};

/// The ops of a program, one slot for each dword of code, with what each touches, found once.
class OpTable {
 public:
  explicit OpTable(std::span<const Op> ops) : ops_(ops) {}
  const Op& operator[](std::size_t slot) const { return ops_[slot]; }
  std::size_t size() const { return ops_.size(); }
  /// The registers of a per-lane op that can be drawn, or of a load or store with a move_of();
  /// nullptr for others.
  const Access* in_runs(std::size_t slot);
  /// The SGPRs of an op that computes with them and SCC only, and writes none that other ops use
  /// without naming it, as EXEC and M0; nothing for others.
  std::optional<ScalarAccess> among_scalars(std::size_t slot);
  /// Those of a scalar load that is compiled; nothing for others.
  std::optional<ScalarAccess> of_load(std::size_t slot) const;
  /// The lane masks of a scalar op that draw_mask_op() draws, and what it does to SCC.
  struct MaskAccess {
    Access masks;
    bool writes_scc = false;
  };
  std::optional<MaskAccess> among_masks(std::size_t slot);

 private:
  std::optional<Access> find_access(const Op& op);

  std::span<const Op> ops_;
  Sketch sketch_;
  ScalarSketch scalar_sketch_;
  std::unordered_map<std::size_t, std::optional<Access>> accesses_;
};

/// An op of a run, with what it touches.
struct RunOp {
  const Op* op = nullptr;
  const isa::Row* row = nullptr;
  Access access;
  bool writes_scc = false;  ///< of a scalar op on lane masks, if it does as it stands
};
inline Move move_of(const RunOp& step) { return move_of(*step.op, *step.row); }

/// A scalar op between those of a run, which is executed before the run as well.
struct EarlyOp {
  const Op* op = nullptr;
  std::size_t behind = 0;  ///< ops of the run
};

/// A run as it is found and cut to what compiles.
struct Run {
  std::vector<RunOp> ops;            ///< without those that do nothing
  std::vector<EarlyOp> early;        ///< scalar ops
  std::vector<std::size_t> ends;     ///< for each op, the slot after it and others that follow it
  std::vector<unsigned> dead_masks;  ///< SGPR pairs that it writes and nobody reads afterwards
  std::vector<unsigned> dead_registers;  ///< vector registers of which the same holds

  /// Keeps so many ops, with what follows them.
  void cut(std::size_t count) {
    ops.resize(count);
    ends.resize(count);
    std::erase_if(early, [&](const EarlyOp& scalar) { return scalar.behind > count; });
  }
};

}  // namespace wavetank::execute::jit
