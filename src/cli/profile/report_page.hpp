// The HTML file of `wavetank report`.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "cli/profile/profile_views.hpp"
#include "report/page.hpp"

namespace wavetank::cli {

/// A run that the page shows; two are compared.
struct ReportedRun {
  std::string file;
  LoadedProfile loaded;
  JudgedGroups judged;
};

/// The source files that the runs' instructions name, where they are to be found: at their paths,
/// or seen from the folder of the profile. Texts by name.
std::map<std::string, std::string> sources_of(const std::vector<report::PageRun>& runs);

/// Writes the page, with the source files that the profiles name where they are to be found: at
/// their paths, or seen from the folder of the profile. Errors: kUsage if Wavetank was built
/// without the page's shell, kFileUnreadable.
Result<void> write_page(const std::deque<ReportedRun>& runs, const std::string& path);

/// Shows a file in the reader's browser and does not wait for it. Errors: kUsage if xdg-open is not
/// there.
Result<void> open_in_browser(const std::string& path);

}  // namespace wavetank::cli
