// What `wavetank profile`, `report` and `diff` share: reading files, judging, printing screens.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "profile/profile_file.hpp"
#include "profile/verdict.hpp"
#include "report/json.hpp"
#include "report/kernel_group.hpp"
#include "report/text.hpp"

namespace wavetank::cli {

/// A file with everything that its views need.
struct LoadedProfile {
  profile::ProfileFile file;
  std::map<std::string, target::Device> devices;  ///< by the name in the launches
  std::vector<report::KernelGroup> groups;

  const target::Device& device_of(const profile::LaunchProfile& launch) const {
    return devices.at(launch.device);
  }
  /// The verdict on a launch of a group.
  profile::Verdict verdict_on(const profile::LaunchProfile& launch,
                              const report::KernelGroup& group) const;
};

/// Reads a file and the descriptions of its devices. Errors: kFileUnreadable, kBadDevice.
Result<LoadedProfile> load_profile(const std::string& path);

/// The groups that the reader asked for, each with its verdict.
struct JudgedGroups {
  std::deque<profile::Verdict> verdicts;  ///< keeps its elements in place
  std::vector<report::JudgedGroup> groups;
};

/// Judges the groups whose kernel's name contains `kernel`.
JudgedGroups judge_groups(const LoadedProfile& loaded, const std::string& kernel);

/// Writes the run with all its kernels as JSON; "-" is stdout. Errors: kFileUnreadable.
Result<void> write_run_json(const LoadedProfile& loaded, const std::string& path);

/// How text goes to stdout: colour unless forbidden, as many columns as the terminal has. Errors:
/// kUsage for a vocabulary other than hip, cuda or vulkan.
Result<report::TextOptions> text_options(const std::string& terms);

/// Prints the screens of all kernels, or of those whose name contains `kernel`; a summary above
/// when there are several.
void print_screens(const LoadedProfile& loaded, const std::string& kernel,
                   const report::TextOptions& options);

}  // namespace wavetank::cli
