// A launch as one line of JSON, and back. The keys are the names of launch_profile.hpp.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "profile/launch_profile.hpp"

namespace wavetank::profile {

/// A launch that is part of a merged profile.
struct MergedLine {
  std::uint64_t into = 0;  ///< Merged::id
  MergedLaunch launch;
  CounterChanges changes;  ///< with the first launch that has these counters
};

/// A copy or fill of a run.
struct TransferLine {
  Transfer transfer;
  std::uint64_t left_out = 0;  ///< that were between it and the one of the line before
};

/// One line without its newline. What is zero or empty by default may be left out.
std::string to_line(const LaunchProfile& launch);

/// The launch of a line; what the line does not name keeps its default, keys that nobody knows are
/// passed over. Errors: kFileUnreadable for text that is no JSON object or a value of a wrong type.
Result<LaunchProfile> from_line(std::string_view line);

/// The same for launches of merged profiles; is_merged_line() tells their lines from the others.
std::string to_line(const MergedLine& launch);
Result<MergedLine> merged_from_line(std::string_view line);
bool is_merged_line(std::string_view line);

/// The same for copies and fills.
std::string to_line(const TransferLine& transfer);
Result<TransferLine> transfer_from_line(std::string_view line);
bool is_transfer_line(std::string_view line);

}  // namespace wavetank::profile
