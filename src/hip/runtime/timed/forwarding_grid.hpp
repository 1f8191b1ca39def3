// A launch's grid as another one, but for what a derived class does otherwise.
#pragma once

#include "machine/step.hpp"

namespace wavetank::hip {

class ForwardingGrid : public machine::GridSource {
 public:
  explicit ForwardingGrid(machine::GridSource& grid) : grid_(grid) {}

  std::uint64_t workgroups() const override { return grid_.workgroups(); }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override {
    return grid_.start(workgroup);
  }
  void finish(machine::SteppedGroup* group) override { grid_.finish(group); }
  Result<void> run_functionally(std::uint64_t first, std::uint64_t last) override {
    return grid_.run_functionally(first, last);
  }
  void with_helpers(const std::function<void()>& help, const std::function<void()>& lead) override {
    grid_.with_helpers(help, lead);
  }
  void serve_host() override { grid_.serve_host(); }
  void window_passed() override { grid_.window_passed(); }

 private:
  machine::GridSource& grid_;
};

}  // namespace wavetank::hip
