#include "cli/profile/report_page.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "base/file.hpp"
#include "cli/output/explain_pages.hpp"
#include "cli/output/text_output.hpp"
#include "cli/profile/report_shell.hpp"
#include "toolchain/process.hpp"

namespace wavetank::cli {
namespace {

namespace fs = std::filesystem;

/// Longer files than anybody reads beside machine code are generated; they would fill the page.
constexpr std::uintmax_t kMostSourceBytes = 1 << 20;

/// The text of a file that a profile names; nothing if it is not there any more.
std::optional<std::string> source_text(const std::string& name, const fs::path& folder) {
  for (const fs::path& path : {fs::path(name), folder / name}) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kMostSourceBytes) {
      continue;
    }
    const Result<std::vector<std::byte>> bytes = read_file(path.string());
    if (bytes) return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  }
  return std::nullopt;
}

/// The pages of `wavetank explain` that the runs refer to.
std::map<std::string, std::string> pages_of(const std::vector<report::PageRun>& runs) {
  std::set<std::string> names;
  for (const report::PageRun& run : runs) {
    for (const report::JudgedGroup& judged : run.groups) {
      names.insert(std::string(judged.verdict.limit.page));
      for (const auto& finding : judged.verdict.findings) names.insert(std::string(finding.id));
      for (const auto& share : judged.verdict.stack) {
        names.insert(profile::explain_page_of(share.reason));
      }
    }
  }
  std::map<std::string, std::string> pages;
  for (const std::string& name : names) {
    if (const EmbeddedFile* page = explain_page(name)) pages.emplace(name, page->text);
  }
  return pages;
}

}  // namespace

std::map<std::string, std::string> sources_of(const std::vector<report::PageRun>& runs) {
  std::map<std::string, std::string> sources;
  for (const report::PageRun& run : runs) {
    const fs::path folder = fs::path(run.file).parent_path();
    for (const std::string& name : report::files_of({run})) {
      if (sources.count(name) != 0) continue;
      if (auto text = source_text(name, folder)) sources.emplace(name, std::move(*text));
    }
  }
  return sources;
}

Result<void> write_page(const std::deque<ReportedRun>& runs, const std::string& path) {
  if (report_shell().empty()) {
    return fail(ErrorCode::kUsage, "this wavetank was built without the page of `report --html`",
                {},
                "install nodejs and npm (tools/install_packages.sh page_packages.txt), then "
                "configure and build again: cmake --preset release && cmake --build --preset "
                "release; the other formats need neither");
  }
  report::PageContent content;
  content.version = WAVETANK_VERSION;
  for (const ReportedRun& run : runs) {
    content.runs.push_back({run.file, run.loaded.file, run.loaded.devices, run.judged.groups});
  }
  content.sources = sources_of(content.runs);
  content.pages = pages_of(content.runs);
  const Result<std::string> html = report::page_html(report_shell().front().text, content);
  if (!html) return tl::unexpected(html.error());
  return write_text(path, *html);
}

Result<void> open_in_browser(const std::string& path) {
  const std::optional<std::string> opener = toolchain::find_program("xdg-open");
  if (!opener) {
    return fail(ErrorCode::kUsage, "xdg-open, which knows your browser, is not installed", path,
                "open the file in a browser yourself, or apt-get install xdg-utils");
  }
  const Result<toolchain::Finished> done = toolchain::run_quietly({*opener, path});
  if (!done) return tl::unexpected(done.error());
  if (done->exit_status != 0) {
    return fail(ErrorCode::kUsage, "xdg-open found no browser", path,
                "open the file in a browser yourself");
  }
  return {};
}

}  // namespace wavetank::cli
