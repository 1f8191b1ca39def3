// A launch's grid in a process that was forked from the one that made it, and of which nothing
// stays.
#pragma once

#include <thread>
#include <vector>

#include "hip/runtime/timed/forwarding_grid.hpp"

namespace wavetank::hip {

class AloneGrid final : public ForwardingGrid {
 public:
  /// `threads` work at the launch; the grid's own ones are in the other process.
  AloneGrid(machine::GridSource& grid, unsigned threads)
      : ForwardingGrid(grid), threads_(threads) {}

  /// Nobody sees what they would do.
  Result<void> run_functionally(std::uint64_t, std::uint64_t) override { return {}; }
  void with_helpers(const std::function<void()>& help, const std::function<void()>& lead) override {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < threads_; ++i) helpers.emplace_back(help);
    lead();
  }
  void serve_host() override {}

 private:
  const unsigned threads_;
};

}  // namespace wavetank::hip
