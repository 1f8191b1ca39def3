// A launch's grid whose workgroups are counted for who waits.
#pragma once

#include "hip/runtime/run_watch.hpp"
#include "hip/runtime/timed/forwarding_grid.hpp"

namespace wavetank::hip {

class WatchedGrid final : public ForwardingGrid {
 public:
  WatchedGrid(machine::GridSource& grid, RunWatch::Work& work)
      : ForwardingGrid(grid), work_(work) {}

  void finish(machine::SteppedGroup* group) override {
    ForwardingGrid::finish(group);
    work_.did_one();
  }

 private:
  RunWatch::Work& work_;
};

}  // namespace wavetank::hip
