// What a run writes into its profile: a result in full when it first comes, and of the other
// launches that have it only when they were. Of a kernel with very many results most are merged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "profile/launch_profile.hpp"
#include "profile/profile_file.hpp"

namespace wavetank::profile {

/// Which of a run's launches one is, and when it ran.
struct LaunchPlace {
  std::uint64_t stream_id = 0;
  std::uint64_t dispatch_id = 0;
  double begin_ns = 0;  ///< device clock, with its fraction
  std::uint64_t end_ns = 0;
};

/// The lines of one run. Its memory and its file grow with the results that differ, in full with
/// the first kMostInFull of a kernel and shape, then with a few hundred bytes each; with the
/// launches by none or a few. Not for several threads at once.
class LaunchLog {
 public:
  /// Results of one kernel and shape that are kept in full; later ones are merged (decision 26).
  static constexpr std::size_t kMostInFull = 64;

  /// Stays of workgroups that are written: of kernels and shapes that came first.
  static constexpr std::size_t kMostStays = std::size_t{1} << 19;
  /// Copies and fills that are written one by one.
  static constexpr std::uint64_t kMostTransfers = 4096;

  /// An empty path: nothing is written.
  explicit LaunchLog(std::string path) : path_(std::move(path)) {}

  /// A result that was written in full, and the launches that share it.
  struct Entry {
    std::uint64_t number = 0;              ///< result_number()
    LaunchProfile facts;                   ///< what the launches share, without the result
    std::optional<LaunchProfile> repeats;  ///< the last at even distances
    std::uint64_t written = 0;             ///< of them
  };

  /// The results of a kernel and shape.
  struct Family {
    std::size_t in_full = 0;    ///< results that were
    LaunchProfile sum;          ///< of those that were not
    std::uint64_t written = 0;  ///< launches whose sum is in the file
    std::unordered_map<std::uint64_t, std::uint32_t> counters;  ///< by result_number()
  };

  /// A result that a launch had, for others to take.
  struct Known {
    std::uint64_t cycles = 0;
    std::uint64_t number = 0;  ///< result_number()
    Entry* entry = nullptr;    ///< nullptr: it was merged into its family
    Family* family = nullptr;
  };

  /// Adds a launch that was timed, which began at `begin_ns` with its fraction; always in full if
  /// it is traced or `in_full`, else unless the last one with the same result_key() has its result
  /// or its family has kMostInFull. What it gives stays valid. Errors: kFileUnreadable.
  Result<Known> add(const LaunchProfile& launch, double begin_ns, bool in_full);
  /// True while a result can be taken: another one of as many cycles has not taken its place.
  static bool holds(const Known& known);
  /// Adds a launch that takes a result that the log holds. Those at even distances share a line,
  /// which is written anew whenever their number is a power of two. Errors: kFileUnreadable.
  Result<void> add_repeat(const Known& known, const LaunchPlace& place);
  /// Adds a copy or fill: the first kMostTransfers, from the first launch on, and the last when the
  /// log finishes. A run without launches has no file. Errors: kFileUnreadable.
  Result<void> add(const Transfer& transfer);
  /// Writes the lines that are not up to date. Errors: kFileUnreadable.
  Result<void> finish();

 private:
  /// Kernel, device, work-items of grid and workgroup, LDS bytes, whether it was sampled.
  using Shape =
      std::tuple<std::string, std::string, std::array<std::uint32_t, 6>, std::uint32_t, bool>;

  Result<void> write_transfers_before();
  static Shape shape_of(const LaunchProfile& launch);
  Result<Known> add_in_full(Family& family, const LaunchProfile& launch, std::uint64_t number);
  Result<Known> merge(Family& family, const LaunchProfile& launch, std::uint64_t number,
                      CounterChanges changes);
  Result<void> add_to_entry(Entry& entry, const LaunchPlace& place);
  Result<void> write(const LaunchProfile& launch) const;
  Result<void> write(const MergedLine& launch) const;
  Result<void> write_repeats(Entry& entry) const;
  Result<void> write_sum(Family& family) const;

  const std::string path_;
  std::map<ResultKey, Entry> entries_;
  std::map<Shape, Family> families_;
  std::uint64_t merged_ = 0;  ///< families of which launches were merged
  std::size_t stays_ = 0;
  bool launched_ = false;
  std::vector<Transfer> before_launches_;  ///< that are not written
  std::uint64_t transfers_ = 0;
  std::optional<TransferLine> last_transfer_;  ///< that is not written
};

}  // namespace wavetank::profile
