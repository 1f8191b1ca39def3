// Launches whose waves follow a script: the whole model runs without a GPU program.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "scripted_wave.hpp"
#include "target/load_device.hpp"
#include "timing/device_model.hpp"

namespace wavetank::timing::testing {

/// A launch of workgroups whose waves all follow one script.
class ScriptedGrid final : public machine::GridSource {
 public:
  ScriptedGrid(const Script& script, std::uint64_t groups, unsigned waves)
      : scripts_(waves, &script), groups_(groups) {}
  std::uint64_t workgroups() const override { return groups_; }
  Result<machine::SteppedGroup*> start(std::uint64_t workgroup) override {
    started_.push_back(std::make_unique<ScriptedGroup>(
        scripts_, [this, workgroup] { begun_.push_back(workgroup); }));
    return started_.back().get();
  }
  void finish(machine::SteppedGroup*) override {}
  Result<void> run_functionally(std::uint64_t, std::uint64_t) override { return {}; }
  void with_helpers(const std::function<void()>&, const std::function<void()>& lead) override {
    lead();
  }
  void serve_host() override {}

  /// Workgroups in the order in which they began.
  const std::vector<std::uint64_t>& begun() const { return begun_; }

 private:
  std::vector<const Script*> scripts_;
  std::uint64_t groups_;
  std::vector<std::unique_ptr<ScriptedGroup>> started_;
  std::vector<std::uint64_t> begun_;
};

/// A launch on MI210 of this grid; its trace is of CU 0.
inline profile::LaunchProfile launch_of(ScriptedGrid& grid, unsigned waves, std::uint32_t lds_bytes,
                                        bool in_rows = false) {
  const auto device = target::load_device("mi210");
  auto model = DeviceModel::make(*device);
  target::Resources resources;
  resources.arch_vgprs = 32;
  resources.sgprs = 32;
  resources.lds_bytes = lds_bytes;
  resources.workgroup_work_items = 64 * waves;
  LaunchSetup setup;
  setup.waves_per_group = waves;
  setup.grid_in_rows = in_rows;
  setup.occupancy = *target::occupancy(*device, resources);
  setup.trace = true;
  auto profile = (*model)->simulate(grid, setup);
  EXPECT_TRUE(profile) << profile.error().to_text();
  return std::move(*profile);
}

}  // namespace wavetank::timing::testing
