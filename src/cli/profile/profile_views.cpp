#include "cli/profile/profile_views.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "cli/output/terminal.hpp"
#include "cli/output/text_output.hpp"
#include "report/screen.hpp"
#include "target/load_device.hpp"

namespace wavetank::cli {
namespace {

/// A device by the name that launches give: a built-in one, or one of the descriptions that the run
/// was started with.
Result<target::Device> find_device(const std::string& name,
                                   const std::vector<std::string>& descriptions) {
  for (const std::string& description : descriptions) {
    Result<target::Device> device = target::load_device(description);
    if (device && device->name == name) return device;
  }
  return target::load_device(name);
}

}  // namespace

Result<LoadedProfile> load_profile(const std::string& path) {
  Result<profile::ProfileFile> file = profile::read_profile(path);
  if (!file) return tl::unexpected(file.error());
  LoadedProfile loaded;
  loaded.file = std::move(*file);
  for (const profile::LaunchProfile& launch : loaded.file.launches) {
    if (loaded.devices.count(launch.device) != 0) continue;
    Result<target::Device> device = find_device(launch.device, loaded.file.header.devices);
    if (!device) return tl::unexpected(device.error());
    loaded.devices.emplace(launch.device, std::move(*device));
  }
  loaded.groups = report::group_launches(loaded.file.launches);
  return loaded;
}

Result<report::TextOptions> text_options(const std::string& terms) {
  report::TextOptions options;
  const auto vocabulary = target::vocabulary_named(terms);
  if (!vocabulary) {
    return fail(ErrorCode::kUsage, fmt::format("there is no vocabulary \"{}\"", terms), {},
                "--terms hip, cuda or vulkan");
  }
  options.terms = *vocabulary;
  options.colour = Style(Stream::kStdout).has_colour();
  struct winsize size = {};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
    options.columns = std::clamp<unsigned>(size.ws_col, 60, 120);
  }
  return options;
}

profile::Verdict LoadedProfile::verdict_on(const profile::LaunchProfile& launch,
                                           const report::KernelGroup& group) const {
  profile::LaunchCounts counts{.of_kernel = group.count, .of_all = 0};
  for (const report::KernelGroup& one : groups) counts.of_all += one.count;
  return profile::judge(launch, device_of(launch), counts);
}

JudgedGroups judge_groups(const LoadedProfile& loaded, const std::string& kernel) {
  JudgedGroups judged;
  for (const report::KernelGroup& group : loaded.groups) {
    const profile::LaunchProfile& launch = loaded.file.launches[group.shown];
    if (launch.kernel_name.find(kernel) == std::string::npos) continue;
    const target::Device& device = loaded.device_of(launch);
    judged.verdicts.push_back(loaded.verdict_on(launch, group));
    judged.groups.push_back({group, judged.verdicts.back(), device});
  }
  return judged;
}

Result<void> write_run_json(const LoadedProfile& loaded, const std::string& path) {
  return write_text(path, report::report_json(loaded.file, judge_groups(loaded, "").groups));
}

void print_screens(const LoadedProfile& loaded, const std::string& kernel,
                   const report::TextOptions& options) {
  const auto& launches = loaded.file.launches;
  if (loaded.groups.size() > 1) {
    std::printf("%s\n", report::summary_table(launches, loaded.groups, options).c_str());
  }
  bool first = true;
  for (const report::KernelGroup& group : loaded.groups) {
    const profile::LaunchProfile& launch = launches[group.shown];
    if (launch.kernel_name.find(kernel) == std::string::npos) continue;
    const target::Device& device = loaded.device_of(launch);
    const std::string screen =
        report::kernel_screen(launches, group, loaded.verdict_on(launch, group), device, options);
    std::printf("%s%s", first ? "" : "\n", screen.c_str());
    first = false;
  }
}

}  // namespace wavetank::cli
