// Runs: stretches of per-lane ops that are compiled together, and their code.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "execute/jit/access.hpp"
#include "execute/jit/block.hpp"
#include "execute/jit/lane_moves.hpp"
#include "execute/jit/liveness.hpp"
#include "execute/jit/run_masks.hpp"
#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// The ops from `slot` on that fit into one run; it ends before slots in `leaders` (sorted). Scalar
/// ops between them that are as well executed before the run do not end it. It has
/// loads, or one store at its end. The run's strips come one after the other, so that it must not
/// matter in which order lanes move: a store follows no load, and a load of what other workgroups
/// write no wait of the run for another. Scratch is each lane's own: a store of it may follow
/// loads, and others of it may follow, unless the run loads scratch, which handlers that finish a
/// strip would load again. None of these unless it `moves`. What is executed before it may be
/// scalar loads if it `loads_early`: where one is its handler's, the run must begin again.
Run find_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders, bool moves,
             bool loads_early = false);
/// The same of dwords of global memory to the store that ends the wave, which comes last in all
/// lanes, so that loads may precede it. They stand before the run's first wait for one. Without ops
/// if the run from `slot` on does not end so.
Run find_last_run(OpTable& ops, std::size_t slot, std::span<const std::size_t> leaders);
/// Finds the run's dead registers and masks: those that nobody reads behind it.
void find_dead(Liveness& liveness, Run& run);
/// True if all of the run's results in vector registers are dead.
bool leaves_no_registers(const Run& run);
/// SGPR pairs that a run writes lane masks to, without dead ones.
std::vector<unsigned> written_masks(const Run& run);

/// As finish() of careful.hpp.
using Finish = void (*)(machine::Wave&, const Op*, unsigned, Block*, std::uint64_t, std::uint64_t,
                        std::uint64_t);

/// Emits the code of one run. In it rdx and rcx point to the present strip's lanes and masks. r11
/// has no mask if strips keep values in memory.
class RunCode {
 public:
  /// Draws into `sketch`, which is free again when emit() is done; of a careful run with the GPU's
  /// NaNs.
  RunCode(const VectorUnit& unit, HostCode& code, const Run& run, Sketch& sketch, bool careful)
      : unit_(unit),
        code_(code),
        run_(run),
        sketch_(sketch),
        careful_(careful),
        masks_(unit, code, written_masks(run)),
        moves_(unit.new_moves(code, run)) {}

  /// Emits the run twice, for full EXEC and for any; a careful run for any only. Gives the number
  /// of ops that fit; if it is not all of them, the code is of no use. A fault goes on where
  /// `guard` says, whose ranges emit_failure() fills.
  std::size_t emit(const machine::AccessGuard* guard);
  /// Emits what follows strips that are not well: `finish` does the rest of the run, whose ops lie
  /// `op_bytes` from that in rsi, and the code goes on behind it. block->guard gets positions in
  /// the code, to become addresses.
  void emit_failure(std::uint32_t op_bytes, Block* block, Finish finish);
  const Run& run() const { return run_; }
  /// Other code may leave strips of the run, or may not.
  void set_left(bool left) { left_ = left ? std::make_unique<Label>() : nullptr; }
  /// Leaves a strip from code that has given the registers back which its own moves used; masks are
  /// as the run's strips have them. For who has said so, before emit_failure().
  void emit_leave(unsigned strip);

 private:
  /// Code of strips, and where they are left.
  struct Failure {
    std::unique_ptr<Label> label;  ///< never copied: that defines it
    unsigned strip;
    bool leaves = false;
    std::size_t begin = 0, end = 0;
  };
  std::size_t emit_forms();
  std::size_t emit_strips(bool masked);
  std::size_t emit_strip(const Plan& plan, bool masked, unsigned strip);
  bool emit_pair(const Plan& plan, unsigned first);
  std::unique_ptr<StripCode> new_strip(const Plan& plan, bool masked, unsigned strip);
  void finish_strip(StripCode& strip, const Plan& plan, Failure& failure);
  std::size_t emit_all(const Plan& plan, bool masked, unsigned step);

  const VectorUnit& unit_;
  HostCode& code_;
  const Run& run_;
  Sketch& sketch_;
  const bool careful_;
  std::unique_ptr<Label> behind_;  ///< where the code goes on
  std::unique_ptr<Label> left_;    ///< where other code's strips are left
  RunMasks masks_;
  bool spills_ = false;  ///< rsp has room for registers, r11 is what it was
  std::vector<Failure> failures_;
  std::unique_ptr<LaneMoves> moves_;
  const machine::AccessGuard* guard_ = nullptr;
  std::vector<LaneStore> stores_;  ///< of the form that is emitted
};

/// What stores ask for when all else of a strip is known.
std::vector<Id> kept_values(const std::vector<LaneStore>& stores);

/// Has the run one op only, that takes lanes from other rows?
bool crosses_rows(const Run& run);
/// Draws a run; gives how many of its ops could be drawn. `stores` become the run's. A careful run
/// is masked, too.
std::size_t draw_run(Sketch& sketch, const Run& run, bool masked, bool careful,
                     std::vector<LaneStore>& stores);

}  // namespace wavetank::execute::jit
