// One self-contained HTML file about one run, or about two that are compared. The page's shell
// (markup, styles, script) is built from web/report; here its data are put in: the values of
// report_json() and what the views need beyond them, each part deflated and in base64, so that the
// page unpacks only what is looked at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "report/page_content.hpp"

namespace wavetank::report {

/// The source files that instructions of the runs name.
std::vector<std::string> files_of(const std::vector<PageRun>& runs);

/// The document: `shell` with the data before the end of its body. Errors: kInternal for a shell
/// without one.
Result<std::string> page_html(std::string_view shell, const PageContent& content);

}  // namespace wavetank::report
