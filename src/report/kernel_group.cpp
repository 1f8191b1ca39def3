#include "report/kernel_group.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "profile/launch_repeats.hpp"
#include "report/text.hpp"

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

bool same(const LaunchProfile& a, const LaunchProfile& b) {
  return a.mangled_name == b.mangled_name && a.kernel_name == b.kernel_name &&
         a.device == b.device && a.grid_work_items == b.grid_work_items &&
         a.workgroup_work_items == b.workgroup_work_items;
}

void summarise(KernelGroup& group, const std::vector<LaunchProfile>& launches) {
  struct Length {
    std::uint64_t cycles;
    std::size_t at;
    std::uint64_t count;
    auto operator<=>(const Length&) const = default;
  };
  std::vector<Length> lengths;
  for (const std::size_t at : group.launches) {
    profile::for_each_length(launches[at], [&](auto cycles, auto, auto count) {
      lengths.push_back({cycles, at, count});
      group.count += count;
    });
  }
  std::sort(lengths.begin(), lengths.end());
  group.least_cycles = lengths.front().cycles;
  group.most_cycles = lengths.back().cycles;
  std::uint64_t shorter = 0;
  for (const Length& length : lengths) {
    if (shorter <= (group.count - 1) / 2) group.shown = length.at;
    shorter += length.count;
    group.mean_cycles += static_cast<double>(length.cycles) * static_cast<double>(length.count);
  }
  group.mean_cycles /= static_cast<double>(group.count);
  // One that was timed again can say more.
  const auto again = std::ranges::find_if(
      group.launches, [&](std::size_t at) { return !launches[at].what_if.empty(); });
  if (again != group.launches.end()) group.shown = *again;
}

}  // namespace

std::string display_name(const LaunchProfile& launch) {
  const std::string& name = launch.kernel_name.empty() ? launch.mangled_name : launch.kernel_name;
  constexpr std::string_view kVoid = "void ";
  return name.rfind(kVoid, 0) == 0 ? name.substr(kVoid.size()) : name;
}

std::string short_name(const LaunchProfile& launch) {
  const std::string name = display_name(launch);
  int depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>') --depth;
    if (name[i] == '(' && depth == 0 && i > 0) return name.substr(0, i);
  }
  return name;
}

std::string short_name(const LaunchProfile& launch, std::size_t columns) {
  if (launch.merged.timed <= 1) return cut(short_name(launch), columns);
  const std::string mean = fmt::format(" (mean of {})", grouped(launch.merged.timed));
  return cut(short_name(launch), columns - std::min(columns, mean.size())) + mean;
}

std::string average_text(const LaunchProfile& launch) {
  if (launch.merged.timed <= 1) return "";
  return fmt::format("the average of {} launches", grouped(launch.merged.timed));
}

std::vector<KernelGroup> group_launches(const std::vector<LaunchProfile>& launches) {
  std::vector<KernelGroup> groups;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const auto found = std::find_if(groups.begin(), groups.end(), [&](const KernelGroup& group) {
      return same(launches[group.launches.front()], launches[i]);
    });
    KernelGroup& group = found == groups.end() ? groups.emplace_back() : *found;
    group.launches.push_back(i);
  }
  for (KernelGroup& group : groups) summarise(group, launches);
  return groups;
}

}  // namespace wavetank::report
