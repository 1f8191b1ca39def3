#include "hip/runtime/timed/what_if_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <thread>
#include <vector>

#include "code_object/symbol_name.hpp"
#include "hip/runtime/host_mappings.hpp"
#include "hip/runtime/run_watch.hpp"
#include "profile/advice.hpp"
#include "profile/change.hpp"
#include "profile/profile_file.hpp"
#include "timing/evidence.hpp"

namespace wavetank::hip {
namespace {

using profile::LaunchProfile;
using profile::WhatIf;

/// What timed launches of the same length take again, at most: many times what they should.
constexpr std::chrono::seconds kMostTime{600};

WhatIf parsed(std::string change, const std::optional<std::string>& answer) {
  WhatIf result{.change = std::move(change), .cycles = 0, .problem = {}};
  if (!answer) {
    result.problem = "the launch did not end, or went astray";
    return result;
  }
  const char* const last = answer->data() + answer->size();
  const auto [end, error] = std::from_chars(answer->data(), last, result.cycles);
  if (error != std::errc() || end != last) {
    result.cycles = 0;
    result.problem = *answer;
  }
  return result;
}

/// The changes of the list that can matter to a launch.
std::vector<std::string> list_for(const LaunchProfile& launch, const target::Device& device) {
  std::vector<std::string> list;
  for (const profile::ChangeRow& row : profile::change_rows()) {
    if (row.matters(launch)) list.push_back(profile::text_of(row));
  }
  for (std::string& change : profile::changes_of_findings(launch, device)) {
    list.push_back(std::move(change));
  }
  return list;
}

/// The numbers of the device that the time of a launch rests on, each 10 % more.
std::vector<std::string> numbers_for(const LaunchProfile& launch, const target::Device& device) {
  std::vector<std::string> list;
  for (const std::string_view name : timing::numbers_of_waiting(launch, device)) {
    list.push_back(fmt::format("{}=1.1x", name));
  }
  return list;
}

/// Of the changes of the list: the best three that gain, two and two, and all at once.
std::vector<std::string> combinations_of(const LaunchProfile& launch,
                                         const std::vector<std::string>& list) {
  std::vector<WhatIf> answers = launch.what_if;
  std::erase_if(answers, [&](const WhatIf& one) {
    const bool gains = one.cycles != 0 && one.cycles < launch.cycles;
    return !gains || std::ranges::find(list, one.change) == list.end();
  });
  std::ranges::sort(answers, {}, &WhatIf::cycles);
  answers.resize(std::min<std::size_t>(answers.size(), 3));
  std::vector<std::string> pairs;
  for (std::size_t first = 0; first < answers.size(); ++first) {
    for (std::size_t second = first + 1; second < answers.size(); ++second) {
      pairs.push_back(answers[first].change + "+" + answers[second].change);
    }
  }
  pairs.emplace_back(profile::kAllChanges);
  return pairs;
}

}  // namespace

void WhatIfRuns::ask(SavedLaunch& saved, std::vector<std::string> changes,
                     LaunchProfile& profile) const {
  std::erase_if(changes, [&](const std::string& change) {
    return std::ranges::find(profile.what_if, change, &WhatIf::change) != profile.what_if.end();
  });
  if (changes.empty() || interrupted_) return;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const auto at_once = std::min(cores, static_cast<unsigned>(changes.size()));
  const std::uint64_t sample = profile.sampling.sampled ? profile.sampling.simulated_workgroups : 0;
  std::vector<std::string> questions;
  for (const std::string& change : changes) {
    questions.push_back(
        WhatIfQuestion{sample, profile.sampling.rest_ratio, cores / at_once, change}.text());
  }
  RunWatch::Work work(profile.kernel_name, "what-ifs", questions.size());
  const auto answers = saved.ask(questions, at_once, kMostTime, [&](std::size_t done) {
    work.did(done);
    return !interrupted_;
  });
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (interrupted_ && !answers[i]) continue;
    profile.what_if.push_back(parsed(changes[i], answers[i]));
  }
}

std::string WhatIfQuestion::text() const {
  return fmt::format("{} {} {} {}", sampled_workgroups, rest_ratio, threads, change);
}

WhatIfQuestion WhatIfQuestion::parse(std::string_view text) {
  WhatIfQuestion question;
  std::istringstream words{std::string(text)};
  words >> question.sampled_workgroups >> question.rest_ratio >> question.threads >>
      question.change;
  return question;
}

WhatIfRuns::Family WhatIfRuns::family_of(const dispatch::Launch& launch) {
  const Dim3 &grid = launch.grid_work_items, &group = launch.workgroup_work_items;
  return {launch.kernel->name, {grid.x, grid.y, grid.z, group.x, group.y, group.z}};
}

bool WhatIfRuns::wants(const dispatch::Launch& launch) const {
  if (!settings_.wanted()) return false;
  const auto found = kept_.find(family_of(launch));
  if (found != kept_.end() && found->second.times >= 2) return false;
  return code_object::demangled(launch.kernel->name).find(settings_.kernel) != std::string::npos;
}

std::string WhatIfRuns::why_not(const dispatch::Launch& launch) const {
  const bool calls_host =
      std::ranges::any_of(launch.kernel->arguments, [](const code_object::Argument& argument) {
        return argument.kind == code_object::ArgumentKind::kHiddenHostcallBuffer;
      });
  if (calls_host) return "it calls the host (printf, assert or malloc)";
  const auto mappings = host_mappings();
  if (!mappings) return "the host does not say which memory is mapped shared";
  const bool shares_memory = std::ranges::any_of(*mappings, [&](const HostMapping& mapping) {
    return mapping.shared && mapping.writable && memory_.reaches(mapping.begin, mapping.end);
  });
  return shares_memory ? "it can reach memory that is mapped shared, of which there is no copy"
                       : "";
}

void WhatIfRuns::timed(const dispatch::Launch& launch, const LaunchProfile& profile,
                       std::unique_ptr<SavedLaunch> saved, const std::string& why) {
  Kept& kept = kept_[family_of(launch)];
  ++kept.times;
  kept.cycles += profile.cycles;
  kept.profile = profile;
  kept.saved = std::move(saved);
  if (kept.saved == nullptr) kept.profile.not_repeatable = why;
  drop_shortest();
}

void WhatIfRuns::passed(const dispatch::Launch& launch, std::uint64_t cycles) {
  const auto found = kept_.find(family_of(launch));
  if (found != kept_.end()) found->second.cycles += cycles;
}

void WhatIfRuns::drop_shortest() {
  const auto is_saved = [](const auto& item) { return item.second.saved != nullptr; };
  if (std::ranges::count_if(kept_, is_saved) <= static_cast<std::ptrdiff_t>(kMostSaved)) return;
  auto shortest = kept_.end();
  for (auto item = kept_.begin(); item != kept_.end(); ++item) {
    if (!is_saved(*item)) continue;
    if (shortest == kept_.end() || item->second.cycles < shortest->second.cycles) shortest = item;
  }
  shortest->second.saved.reset();
  shortest->second.profile.not_repeatable =
      "16 other kernels had taken longer when it was timed last";
}

Result<void> WhatIfRuns::finish(const std::string& profile_path) {
  std::vector<Kept*> longest;
  for (auto& [family, kept] : kept_) longest.push_back(&kept);
  std::ranges::sort(longest, std::greater(), &Kept::cycles);
  longest.resize(std::min<std::size_t>(longest.size(), settings_.top));
  for (Kept* const kept : longest) {
    if (interrupted_) break;
    if (auto done = answer(*kept, profile_path); !done) return done;
  }
  kept_.clear();
  return {};
}

Result<void> WhatIfRuns::answer(Kept& kept, const std::string& profile_path) const {
  LaunchProfile& profile = kept.profile;
  profile.what_if.clear();
  if (kept.saved != nullptr) {
    ask(*kept.saved, settings_.changes, profile);
    if (settings_.numbers) ask(*kept.saved, numbers_for(profile, device_), profile);
    if (settings_.whole_list) {
      const std::vector<std::string> list = list_for(profile, device_);
      ask(*kept.saved, list, profile);
      ask(*kept.saved, combinations_of(profile, list), profile);
    }
  }
  if (profile_path.empty()) return {};
  return profile::append_what_if(profile_path, profile);
}

}  // namespace wavetank::hip
