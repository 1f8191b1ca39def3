// Loops of which every op is compiled: runs, and scalar ops around them. What the next round reads
// stays in the host's registers, of all strips, and addresses that rise evenly are followed as
// scalars. It is tried before the code that the loop has anyway, which takes over wherever this one
// does not go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <vector>

#include "execute/jit/block.hpp"
#include "execute/jit/lane_moves.hpp"
#include "execute/jit/loop_plan.hpp"
#include "execute/jit/run.hpp"
#include "execute/jit/scalar_code.hpp"
#include "execute/jit/tried_code.hpp"

namespace wavetank::execute::jit {

/// A loop that begins at its chain's first op and ends with a branch to that.
struct Loop {
  struct Step {
    const Op* scalar = nullptr;  ///< nullptr: the next run
    bool scc_is_read = true;     ///< behind a scalar op
  };
  const Op* first = nullptr;
  std::vector<Step> steps;
  const Op* branch = nullptr;
  /// From the first op to another.
  std::uint32_t bytes_to(const Op* op) const {
    return static_cast<std::uint32_t>(reinterpret_cast<const std::byte*>(op) -
                                      reinterpret_cast<const std::byte*>(first));
  }
};

/// The code of such a loop for waves with all lanes active.
class LoopCode {
 public:
  /// `runs` are the codes that the loop's runs have anyway, in their order.
  LoopCode(const VectorUnit& unit, HostCode& code, const Loop& loop, std::span<RunCode* const> runs,
           Sketch& sketch, ScalarSketch& scalar_sketch);

  /// False if it does not fit, and what was emitted is of no use. block.guard gets positions in the
  /// code, to become addresses.
  bool emit(Block& block, const Otherwise& otherwise);

 private:
  class KnownPlace;
  class Moves;
  /// Code of strips, and where they are left.
  struct Failure {
    std::unique_ptr<Label> label;  ///< never copied: that defines it
    std::size_t run;
    unsigned strip;
    std::size_t begin, end;
  };

  bool emit_round();
  bool emit_scalar_op(const Loop::Step& step, bool runs_follow);
  bool emit_run(std::size_t run);
  bool emit_strip(std::size_t run, const RoundDrawing& drawing, const RunMasks& masks,
                  unsigned strip);
  void emit_branch(const Label& round, const Otherwise& otherwise);
  void emit_advance(std::size_t run, unsigned strip);
  void emit_word(const Xbyak::Reg32& to, const SharedWord& word, unsigned strip);
  void emit_address(const FollowedPlace& place, unsigned strip);
  void emit_ramp(const FollowedPlace& place, unsigned strip);

  void emit_frame(const machine::AccessGuard& guard);
  void emit_frame_end();
  void emit_entry_tests();
  void emit_lane_test(std::size_t followed, unsigned strip);
  void emit_lanes_rise(unsigned name, unsigned strip, unsigned rise, Label& otherwise);
  void emit_pins(bool to_wave);
  void emit_write_back();
  void emit_followed_lanes(std::size_t followed, unsigned strip);
  void emit_exits();
  void emit_handler(std::uint32_t op_bytes, Handler handler);
  void emit_failures(Block& block);
  void emit_refusal(Block& block, const Otherwise& otherwise);

  Xbyak::Address lanes_of(unsigned name, unsigned strip, unsigned lane = 0) const;
  /// From rsp: how the strips' lanes of a followed register lie, a bit for each strip.
  Xbyak::Address kinds_of(std::size_t followed) const {
    return code_.byte[code_.rsp + static_cast<int>(followed)];
  }
  /// From rsp: the first lane's value of a strip.
  int slot_of(std::size_t followed, unsigned strip) const {
    return static_cast<int>(8 * (1 + strips_ * followed + strip));
  }
  int frame_bytes() const { return slot_of(plan_.followed().registers.size(), 0); }
  std::vector<StripCode::Pin> pins_of(unsigned strip) const;

  const VectorUnit& unit_;
  const unsigned strips_;
  HostCode& code_;
  const Loop& loop_;
  const std::span<RunCode* const> runs_;
  Sketch& sketch_;
  ScalarSketch& scalar_sketch_;
  LoopPlan plan_;
  Run all_;  ///< the ops of all runs
  std::unique_ptr<LaneMoves> frame_moves_;
  std::vector<std::unique_ptr<LaneMoves>> moves_;  ///< of each run
  std::deque<Failure> failures_;
  std::deque<HandlerExit> exits_;
  bool may_lose_lanes_ = false;  ///< a scalar op behind the last run changes EXEC
  Label done_, slice_over_, lanes_lost_, write_back_, refusal_, no_entry_;
};

}  // namespace wavetank::execute::jit
