// What a report's page is made of.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "profile/profile_file.hpp"
#include "report/json.hpp"
#include "report/kernel_group.hpp"

namespace wavetank::report {

/// One run of the page.
struct PageRun {
  std::string file;  ///< the profile, as the reader named it
  const profile::ProfileFile& profile;
  const std::map<std::string, target::Device>& devices;  ///< by the name in the launches
  const std::vector<JudgedGroup>& groups;
};

/// What a page is made of.
struct PageContent {
  std::string version;                         ///< of Wavetank: "0.1.0"
  std::vector<PageRun> runs;                   ///< one, or two that are compared
  std::map<std::string, std::string> sources;  ///< texts by the files that the profiles name
  std::map<std::string, std::string> pages;    ///< of `wavetank explain`, by name
};

/// Launches of a run that its timeline shows at most; the page says how many it leaves out.
inline constexpr std::size_t kMostPageLaunches = 20000;

/// Stays of workgroups on CUs that the page holds at most, about 7 bytes each: those of the kernels
/// that took longest. Of the others it says that they are left out.
inline constexpr std::size_t kMostPageStays = 60000;

}  // namespace wavetank::report
