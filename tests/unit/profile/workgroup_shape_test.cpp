// What full waves would gain, where all waves of a launch run at once.
#include <gtest/gtest.h>

#include "profile/verdict.hpp"
#include "target/load_device.hpp"
#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

/// 1,000 waves of 16 work-items that take 90 % of 10,000 cycles each, `picked` percent of that time
/// behind another wave.
LaunchProfile quarter_waves(double not_picked_percent) {
  LaunchProfile launch = vector_copy();
  launch.workgroup_work_items = {16, 1, 1};
  launch.waves = 1000;
  launch.cycles = 10000;
  launch.launch_cycles = launch.write_back_cycles = 0;
  launch.cycles_by_reason = {};
  const double resident = 0.9 * static_cast<double>(launch.waves * launch.cycles);
  const auto share = static_cast<std::uint64_t>(resident * not_picked_percent / 100);
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kNotPicked)] = share;
  launch.cycles_by_reason[static_cast<std::size_t>(Reason::kIssueValu)] =
      static_cast<std::uint64_t>(resident) - share;
  launch.units = {{.name = "VALU", .busy_percent = 100}};
  return launch;
}

double gain_of_full_waves(const LaunchProfile& launch) {
  for (const Finding& finding : judge(launch, *target::load_device(launch.device)).findings) {
    if (finding.id == "workgroup-shape") return finding.gain_percent.value_or(-1);
  }
  return -1;
}

TEST(FullWaves, CannotTakeLessThanAWaveTakesAlone) {
  EXPECT_NEAR(gain_of_full_waves(quarter_waves(0)), 10, 0.1);
}

TEST(FullWaves, GainWhatThreeOfFourWavesKeptTheOthersWaiting) {
  EXPECT_NEAR(gain_of_full_waves(quarter_waves(40)), 10 + 0.9 * 0.75 * 40, 0.1);
}

}  // namespace
}  // namespace wavetank::profile
