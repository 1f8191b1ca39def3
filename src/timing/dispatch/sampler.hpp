// Decides when enough of a launch was simulated: when workgroups end at a steady rate, with the
// caches full of what this launch put there. The rest then runs without timing.
#pragma once

#include <cstdint>
#include <vector>

namespace wavetank::timing {

class Sampler {
 public:
  /// `groups` of the launch, of which the device holds `resident` at once. `may_sample` false: all
  /// are simulated. `wanted` is how many are to be started if that is known before, otherwise 0.
  void start_launch(std::uint64_t groups, std::uint64_t resident, std::uint64_t l2_bytes,
                    bool may_sample, std::uint64_t wanted = 0);
  /// A workgroup ended, which had issued so many instructions; true if an interval did with it.
  bool ends_interval(std::uint64_t instructions);
  /// What had happened by the end of an interval.
  struct Seen {
    std::uint64_t time = 0;
    std::uint64_t instructions = 0;  ///< issued
    double l2_read_bytes = 0;        ///< that the L2 gave ...
    double l2_missed_bytes = 0;      ///< ... and that came to it for that
    double l2_written_bytes = 0;
  };
  /// True when no further workgroup needs to be simulated.
  bool interval_ended(const Seen& seen);

  /// Each workgroup beyond the simulated ones issues so many times what those do, within an error
  /// in percent, and takes as many times as long.
  void rest_is(double ratio, double error_percent);

  /// Cycles that each workgroup beyond the simulated ones takes.
  double cycles_per_group() const { return cycles_per_group_; }
  /// Instructions that each of them issues.
  double instructions_per_group() const { return instructions_per_group_; }
  /// Standard error of the rate that the extrapolation rests on, in percent.
  double uncertainty_percent() const { return uncertainty_percent_; }

 private:
  static constexpr std::size_t kFewestIntervals = 8;
  bool is_steady();
  /// The L2 will serve the rest of the launch as it served the second half of the intervals.
  bool is_warm(const Seen& seen) const;

  std::uint64_t groups_ = 0, resident_ = 0, l2_bytes_ = 0;
  bool may_sample_ = false, decided_ = false;
  std::uint64_t ends_at_ = 0;  ///< workgroups that are to end before the decision; 0: no matter
  std::uint64_t ended_ = 0, interval_groups_ = 1, interval_begin_ = 0;
  std::vector<double> durations_;     ///< of the intervals so far
  std::vector<double> instructions_;  ///< of the workgroups that ended in them
  std::vector<Seen> seen_;            ///< at their ends
  std::uint64_t instructions_of_ended_ = 0;
  double cycles_per_group_ = 0, instructions_per_group_ = 0, uncertainty_percent_ = 0;
};

}  // namespace wavetank::timing
