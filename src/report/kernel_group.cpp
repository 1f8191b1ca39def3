#include "report/kernel_group.hpp"

#include <algorithm>

namespace wavetank::report {
namespace {

using profile::LaunchProfile;

bool same(const LaunchProfile& a, const LaunchProfile& b) {
  return a.mangled_name == b.mangled_name && a.kernel_name == b.kernel_name &&
         a.device == b.device && a.grid_work_items == b.grid_work_items &&
         a.workgroup_work_items == b.workgroup_work_items;
}

void summarise(KernelGroup& group, const std::vector<LaunchProfile>& launches) {
  std::vector<std::size_t> by_length = group.launches;
  std::sort(by_length.begin(), by_length.end(), [&](std::size_t a, std::size_t b) {
    return launches[a].cycles != launches[b].cycles ? launches[a].cycles < launches[b].cycles
                                                    : a < b;
  });
  group.least_cycles = launches[by_length.front()].cycles;
  group.most_cycles = launches[by_length.back()].cycles;
  for (const std::size_t at : by_length) group.count += launches[at].repeats.count;
  std::uint64_t shorter = 0;
  for (const std::size_t at : by_length) {
    const std::uint64_t count = launches[at].repeats.count;
    if (shorter <= (group.count - 1) / 2) group.shown = at;
    shorter += count;
    group.mean_cycles += static_cast<double>(launches[at].cycles) * static_cast<double>(count);
  }
  group.mean_cycles /= static_cast<double>(group.count);
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
