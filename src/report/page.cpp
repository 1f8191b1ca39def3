#include "report/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "report/page_json.hpp"
#include "report/page_part.hpp"
#include "report/stall_bands.hpp"

namespace wavetank::report {
namespace {

std::string part_of(std::string_view id, const Json& json) {
  return page_part(id, json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// For each group whether the page holds its workgroups' stays.
std::vector<bool> chosen_for_stays(const PageRun& run) {
  std::vector<std::size_t> order(run.groups.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t g) {
    const KernelGroup& group = run.groups[g].group;
    return std::pair(-group.mean_cycles * static_cast<double>(group.count), g);
  });
  std::vector<bool> chosen(order.size());
  std::size_t sum = 0;
  for (const std::size_t g : order) {
    sum += stay_count(run, run.groups[g].group);
    chosen[g] = sum <= kMostPageStays;
  }
  return chosen;
}

/// What the views of one kernel need, beyond what the lists of all kernels show.
Json detail_json(const PageRun& run, const JudgedGroup& judged, const Json& kernel,
                 bool with_stays) {
  const profile::LaunchProfile& launch = run.profile.launches[judged.group.shown];
  return {{"counters", kernel["counters"]},
          {"metrics", kernel["metrics"]},
          {"instructions", instructions_json(launch)},
          {"occupancy_limits", occupancy_limits_json(launch, judged.device)},
          {"arrays", arrays_json(launch)},
          {"stays", with_stays ? stays_json(run, judged.group) : Json(nullptr)},
          {"stays_left_out", with_stays ? 0 : stay_count(run, judged.group)},
          {"trace", trace_json(run, judged.group)}};
}

/// Moves what only a kernel's own views show out of the run into parts.
std::string split_details(const PageRun& run, std::size_t number, Json& json) {
  std::string parts;
  const std::vector<bool> with_stays = chosen_for_stays(run);
  for (std::size_t k = 0; k < run.groups.size(); ++k) {
    Json& kernel = json["kernels"][k];
    parts += part_of(fmt::format("kernel-{}-{}", number, k),
                     detail_json(run, run.groups[k], kernel, with_stays[k]));
    kernel.erase("counters");
    kernel.erase("metrics");
    kernel["name"] = short_name(run.profile.launches[run.groups[k].group.shown]);
  }
  return parts;
}

/// All reasons with their words, pages of `wavetank explain`, and colours.
Json reasons_json() {
  Json list = Json::array();
  for (std::size_t r = 0; r < profile::kReasonCount; ++r) {
    const auto reason = static_cast<profile::Reason>(r);
    const auto band = std::ranges::find_if(
        kStallBands, [&](const StallBand& b) { return reason >= b.first && reason <= b.last; });
    list.push_back({{"key", profile::key_of(reason)},
                    {"text", profile::text_of(reason)},
                    {"page", profile::explain_page_of(reason)},
                    {"band", band - kStallBands.begin()}});
  }
  return list;
}

Json bands_json() {
  Json list = Json::array();
  for (const StallBand& band : kStallBands) {
    list.push_back({{"name", band.name}, {"colour", band.colour}, {"on_dark", band.on_dark}});
  }
  return list;
}

}  // namespace

std::vector<std::string> files_of(const std::vector<PageRun>& runs) {
  std::set<std::string> files;
  for (const PageRun& run : runs) {
    for (const JudgedGroup& judged : run.groups) {
      const profile::LaunchProfile& launch = run.profile.launches[judged.group.shown];
      for (const auto& instruction : launch.instructions) {
        if (!instruction.file.empty()) files.insert(instruction.file);
      }
    }
  }
  return {files.begin(), files.end()};
}

Result<std::string> page_html(std::string_view shell, const PageContent& content) {
  const std::size_t end = shell.rfind("</body>");
  if (end == std::string_view::npos) {
    return fail(ErrorCode::kInternal, "the page's shell has no end of its body");
  }
  std::string parts;
  Json run_list = Json::array();
  Json devices = Json::object();
  for (std::size_t r = 0; r < content.runs.size(); ++r) {
    const PageRun& run = content.runs[r];
    Json json = run_json(run.profile, run.groups);
    parts += split_details(run, r, json);
    json["file"] = run.file;
    json["launches"] = launches_json(run);
    json["transfers"] = transfers_json(run.profile);
    run_list.push_back(std::move(json));
    for (const auto& [name, device] : run.devices) devices[name] = device_json(device);
  }
  Json page = {{"version", content.version},
               {"reasons", reasons_json()},
               {"bands", bands_json()},
               {"runs", std::move(run_list)},
               {"pages", content.pages}};
  if (content.runs.size() == 2) page["pairs"] = pairs_json(content.runs[0], content.runs[1]);
  parts += part_of("devices", devices);
  parts += part_of("sources", content.sources);
  // What the first view needs stands first, so that a browser has it before the rest has come.
  return fmt::format("{}{}{}{}", shell.substr(0, end), part_of("page", page), parts,
                     shell.substr(end));
}

}  // namespace wavetank::report
