// What a loop's round computes, and where: the registers that stay in the host's from round to
// round, and those that addresses follow.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "execute/jit/lane_moves.hpp"
#include "execute/jit/loop_places.hpp"
#include "execute/jit/plan.hpp"
#include "execute/jit/vector_unit.hpp"

namespace wavetank::execute::jit {

/// A run as a loop draws it.
struct RoundDrawing {
  std::vector<LaneStore> stores;
  Plan plan;
};

class LoopPlan {
 public:
  LoopPlan(const VectorUnit& unit, std::vector<const Run*> runs, Sketch& sketch)
      : unit_(unit), runs_(std::move(runs)), sketch_(sketch) {}

  /// False if the loop has no form of its own. All else is known after this.
  bool make();
  /// Draws a run into the sketch; false if it does not fit. What only makes addresses that are
  /// followed is not computed for each lane.
  bool draw(std::size_t run, RoundDrawing& drawing);

  std::span<const Run* const> runs() const { return runs_; }
  const FollowedPlaces& followed() const { return followed_; }
  /// Vector registers that the host's hold.
  std::span<const unsigned> pinned() const { return pinned_; }

 private:
  bool find_places();
  void note_registers(const Plan& plan, std::set<unsigned>& read, std::set<unsigned>& written);
  void choose_pins(const std::set<unsigned>& read, const std::set<unsigned>& written);

  const VectorUnit& unit_;
  const std::vector<const Run*> runs_;
  Sketch& sketch_;
  LoopPlaces places_;
  FollowedPlaces followed_;
  std::vector<unsigned> pinned_;
};

}  // namespace wavetank::execute::jit
