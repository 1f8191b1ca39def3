// The file of a profiled run (app.wt): JSON lines, a header and then one for each launch, each
// appended whole when its launch ends. A run that crashes loses nothing that was timed before.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "profile/launch_profile.hpp"
#include "profile/profile_text.hpp"

namespace wavetank::profile {

/// 1 had no merged profiles, 2 no transfers; they are read as well.
inline constexpr unsigned kFileVersion = 3;

/// The first line of the file.
struct FileHeader {
  unsigned version = kFileVersion;
  std::vector<std::string> command;  ///< the program and its arguments
  std::vector<std::string> devices;  ///< as chosen: names, or paths of descriptions; may be empty
  unsigned process_id = 0;
  std::uint64_t begin_unix_ns = 0;  ///< when the file was begun, system clock
};

struct ProfileFile {
  FileHeader header;
  std::vector<LaunchProfile> launches;   ///< in the order they ended
  bool cut_off = false;                  ///< the last line was not written to its end
  std::vector<Transfer> transfers = {};  ///< copies and fills, in the order they ended
  std::uint64_t transfers_left_out = 0;  ///< that the run had besides
};

/// By what a line without a result finds the one in full before it: kernel, device, cycles and
/// the work-items of grid and workgroup.
using ResultKey = std::tuple<std::string, std::string, std::uint64_t, std::array<std::uint32_t, 6>>;
ResultKey result_key(const LaunchProfile& launch);

/// What of a launch tells it from the one whose result it took, and which that is.
LaunchProfile without_result(const LaunchProfile& launch);

/// Appends a launch; a file that is missing or empty begins with a header about this process.
/// Several threads and processes may append to one file. Of launches with `timed_before` only what
/// tells them from the one whose result they took is written. A line about the same first launch
/// as one before, of more repeats, replaces that. Errors: kFileUnreadable.
/// A merged profile is a sum there, which a line with the same id and more launches replaces.
Result<void> append_to_file(const std::string& path, const LaunchProfile& launch);

/// Appends a launch that is part of a merged profile, after the first line about that. Errors: the
/// same.
Result<void> append_to_file(const std::string& path, const MergedLine& launch);

/// Appends a copy or fill. Errors: the same.
Result<void> append_to_file(const std::string& path, const TransferLine& transfer);

/// Appends what a launch that was written would take if something was otherwise: its what_if and
/// not_repeatable. Errors: the same.
Result<void> append_what_if(const std::string& path, const LaunchProfile& launch);

/// Reads a whole file. A launch with `timed_before` gets the result of the last launch before it
/// with the same result_key(); merged profiles are averages, with all their launches. Errors:
/// kFileUnreadable with the line that is wrong.
Result<ProfileFile> read_profile(const std::string& path);

}  // namespace wavetank::profile
