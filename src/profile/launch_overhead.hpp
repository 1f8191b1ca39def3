// What it costs a kernel to be launched.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/launch_profile.hpp"
#include "target/device.hpp"

namespace wavetank::profile {

/// The engine clock of a launch: its own, or the device's where it says none.
double clock_mhz(const LaunchProfile& launch, const target::Device& device);
/// A number of the device in ns, by its row's name, in cycles of the launch.
double cycles_of(std::string_view nanoseconds, const LaunchProfile& launch,
                 const target::Device& device);

/// Where the time of a launch goes, in percent of all of it.
struct LaunchShares {
  /// Around the kernel: the launch's own overhead, or where its cycles begin with the first
  /// workgroup, what the device needs around every kernel (launch.start_latency and end_latency).
  double around = 0;
  double write_back = 0;  ///< of the L2s, after the last wave
  double waves = 100;     ///< from the first wave to the last one's end

  double overhead() const { return around + write_back; }
};
LaunchShares launch_shares(const LaunchProfile& launch, const target::Device& device);

/// Cycles of a launch from the first wave to the last one's end.
std::uint64_t wave_cycles(const LaunchProfile& launch);
/// From this share of the time on what lies around a kernel is worth a word, on an idle device and
/// in a queue.
inline constexpr double kAroundPercent = 20, kQueuePercent = 10;

/// The part of a launch's time in which its waves run.
double running_share(const LaunchProfile& launch);

/// Percent of the wave slots' time in which they wait for the dispatcher.
double dispatch_percent(const LaunchProfile& launch);

/// True if the overhead is not that of an idle device (launch.start_latency and end_latency): the
/// launch followed another one, and the queue decided when it began.
bool is_queued(const LaunchProfile& launch, const target::Device& device);

/// True if such launches follow each other as fast as the queue starts them (launch.interval), so
/// that a shorter kernel gains nothing.
bool waits_for_interval(const LaunchProfile& launch, const target::Device& device);

}  // namespace wavetank::profile
