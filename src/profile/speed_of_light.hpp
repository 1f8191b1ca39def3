// How near their limits a launch's units and memory levels were, and which of them limits it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/launch_profile.hpp"
#include "profile/roofline.hpp"

namespace wavetank::profile {

/// What bounds a launch.
enum class Bound : std::uint8_t { kCompute, kMemory, kLatency, kSynchronisation, kLaunch };

/// The page of `wavetank explain` about it: "compute-bound".
std::string_view explain_page_of(Bound bound);

/// Busy so much of the time that waves run: a limit. Shares of light are of the whole launch, whose
/// overhead no resource can fill.
inline constexpr double kBusyPercent = 60;
/// What each CU has of its own is asked of the time that its CU has waves, if that is more than
/// this on average: else what limits is that CUs have none.
inline constexpr double kCusAtWorkPercent = 50;
inline constexpr double kAsBusy = 0.95;  ///< of the busiest item: a farther level explains it
/// The busiest channel of a level works at least so much more of the time than the average one: the
/// level is shared unevenly. In percent of the time.
inline constexpr double kUnevenPercent = 20;

/// How near its limit a resource was.
struct SpeedOfLight {
  std::string name;               ///< "VALU", "HBM", "dispatcher", "one L2 channel"
  double percent = 0;             ///< of the time that it is busy
  Bound bound = Bound::kCompute;  ///< of a launch that it limits
  std::string detail;             ///< "986.9 of 1638.4 GB/s"; empty for units
  std::string level;              ///< of memory, to which it belongs; empty for units
};

/// All of them, busiest first.
std::vector<SpeedOfLight> speed_of_light(const LaunchProfile& launch, const Roofline& roof);

/// Why a launch takes as long as it does, in words.
struct Limit {
  Bound bound = Bound::kLatency;
  std::string what;       ///< "HBM bandwidth", "the VALU", "1 of 32 L2 channels"
  std::string because;    ///< the numbers that prove it, one sentence
  std::string_view page;  ///< of `wavetank explain`
  std::string resource;   ///< the unit or memory level that is busy, or kBanks; empty if none is
};

/// The banks of DRAM, as the resource of a limit.
inline constexpr std::string_view kBanks = "DRAM banks";

/// The resource that is busiest, or what explains that it is: what waits for a far level of memory
/// keeps the nearer ones busy, too. Nothing if none is busy kBusyPercent of the time in which it
/// could be: while waves run, or while its CU has some (kCusAtWorkPercent).
std::optional<Limit> busy_limit(const LaunchProfile& launch,
                                const std::vector<SpeedOfLight>& lights);

/// Percent of the time that a channel of the level works: the busiest of each moment.
double busiest_channel_percent(const LevelTraffic& level);

/// True if some channels of a level work while the others do not: the same ones all the time, which
/// shows in their sums, or one after the other.
bool is_uneven(const LevelTraffic& level);
bool is_uneven_in_sum(const LevelTraffic& level);

/// True if banks that open rows hold a level of DRAM up, rather than its bus.
bool banks_limit(const LevelTraffic& level);

/// "1 of 32 L2 channels": those that do more than the average one; "4 of 32 L2 channels at a time":
/// as many as would do the work if they worked as long as the busiest of each moment.
std::string crowded_channels(const LevelTraffic& level);

}  // namespace wavetank::profile
