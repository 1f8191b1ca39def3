// A launch's grid in a process that was forked from the one that made it, and of which nothing
// stays.
#pragma once

#include <thread>
#include <vector>

#include "machine/step.hpp"

namespace wavetank::hip {

class AloneGrid final : public machine::GridSource {
 public:
  /// `threads` work at the launch; the grid's own ones are in the other process.
  AloneGrid(machine::GridSource& grid, unsigned threads) : grid_(grid), threads_(threads) {}

  std::uint64_t workgroups() const override { return grid_.workgroups(); }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override {
    return grid_.start(workgroup);
  }
  void finish(machine::SteppedGroup* group) override { grid_.finish(group); }
  /// Nobody sees what they would do.
  Result<void> run_functionally(std::uint64_t, std::uint64_t) override { return {}; }
  void with_helpers(const std::function<void()>& help, const std::function<void()>& lead) override {
    std::vector<std::jthread> helpers;
    for (unsigned i = 1; i < threads_; ++i) helpers.emplace_back(help);
    lead();
  }
  void serve_host() override {}

 private:
  machine::GridSource& grid_;
  const unsigned threads_;
};

}  // namespace wavetank::hip
