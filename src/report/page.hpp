// One self-contained HTML file about one run, or about two that are compared. The page's shell
// (markup, styles, script) is built from web/report; here its data are put in: the values of
// report_json() and what the views need beyond them, each part deflated and in base64, so that the
// page unpacks only what is looked at.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
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

/// The source files that instructions of the runs name.
std::vector<std::string> files_of(const std::vector<PageRun>& runs);

/// The document: `shell` with the data before the end of its body. Errors: kInternal for a shell
/// without one.
Result<std::string> page_html(std::string_view shell, const PageContent& content);

}  // namespace wavetank::report
