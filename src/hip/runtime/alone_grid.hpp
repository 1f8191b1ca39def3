// A launch's grid in a process that has but one thread, and of which nothing stays.
#pragma once

#include "machine/step.hpp"

namespace wavetank::hip {

class AloneGrid final : public machine::GridSource {
 public:
  explicit AloneGrid(machine::GridSource& grid) : grid_(grid) {}

  std::uint64_t workgroups() const override { return grid_.workgroups(); }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override {
    return grid_.start(workgroup);
  }
  void finish(machine::SteppedGroup* group) override { grid_.finish(group); }
  /// Nobody sees what they would do.
  Result<void> run_functionally(std::uint64_t, std::uint64_t) override { return {}; }
  /// The helpers' threads are in the process that this one was forked from.
  void with_helpers(const std::function<void()>&, const std::function<void()>& lead) override {
    lead();
  }
  void serve_host() override {}

 private:
  machine::GridSource& grid_;
};

}  // namespace wavetank::hip
