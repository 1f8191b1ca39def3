// What a run writes into its profile: a result in full when it first comes, and of the other
// launches that have it only when they were.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "profile/launch_profile.hpp"
#include "profile/profile_file.hpp"

namespace wavetank::profile {

/// A number for all that a launch did and how long what took. Left out are its times and ids, and
/// what says only which instance of a resource served it: the largest instance of a counter and the
/// busy share of a level's busiest resource, which change with where a launch finds the device.
/// Launches of other results have another number, almost certainly.
std::uint64_t result_number(const LaunchProfile& launch);

/// Which of a run's launches one is, and when it ran.
struct LaunchPlace {
  std::uint64_t stream_id = 0;
  std::uint64_t dispatch_id = 0;
  double begin_ns = 0;  ///< device clock, with its fraction
  std::uint64_t end_ns = 0;
};

/// The lines of one run. Its memory and its file grow with the results that differ, not with the
/// launches. Not for several threads at once.
class LaunchLog {
 public:
  /// An empty path: nothing is written.
  explicit LaunchLog(std::string path) : path_(std::move(path)) {}

  /// A result that was written in full, and the launches that share it.
  struct Entry {
    std::uint64_t number = 0;              ///< result_number()
    LaunchProfile facts;                   ///< what the launches share, without the result
    std::optional<LaunchProfile> repeats;  ///< the last at even distances
    std::uint64_t written = 0;             ///< of them
  };

  /// Adds a launch that was timed, which began at `begin_ns` with its fraction; with its result in
  /// full unless that of the last one with the same result_key() is the same, and always if it is
  /// traced or `in_full`. The entry stays valid. Errors: kFileUnreadable.
  Result<Entry*> add(const LaunchProfile& launch, double begin_ns, bool in_full);
  /// Adds a launch that takes an entry's result. Those at even distances share a line, which is
  /// written anew whenever their number is a power of two. Errors: kFileUnreadable.
  Result<void> add_repeat(Entry& entry, const LaunchPlace& place);
  /// Writes the lines that are not up to date. Errors: kFileUnreadable.
  Result<void> finish();

 private:
  Result<void> write(const LaunchProfile& launch) const;
  Result<void> write_repeats(Entry& entry) const;

  const std::string path_;
  std::map<ResultKey, Entry> entries_;
};

}  // namespace wavetank::profile
