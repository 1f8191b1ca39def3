#include "hip/runtime/checker.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "check/describe.hpp"
#include "check/waits/suspects.hpp"
#include "code_object/symbol_name.hpp"
#include "hip/runtime/failure.hpp"
#include "timing/spec.hpp"

namespace wavetank::hip {
namespace {

using check::Diagnosis;
using check::Finding;
using check::InstructionWords;
using check::LaunchWords;
using dispatch::ListenedLaunch;
using dispatch::SteppedInstruction;

LaunchWords words_of(const ListenedLaunch& launch) {
  return {code_object::demangled(launch.kernel_name()), launch.kernel_name(), launch.groups(),
          launch.workgroup_work_items()};
}

InstructionWords words_of(const SteppedInstruction& instruction, const LaunchWords& launch,
                          dispatch::EdgePlaces places) {
  return {instruction.source,
          fmt::format("kernel \"{}\" + {:#x}", launch.kernel, instruction.offset_bytes),
          instruction.text, std::move(places.before), std::move(places.after)};
}

}  // namespace

Checker::Checker(std::string path) : path_(std::move(path)) {
  auto edges = check::read_edges(path_);
  if (edges) {
    edges_ = std::move(*edges);
  } else {
    report_error(edges.error());
  }
}

/// Writes a diagnosis when its places are new, and counts it.
Result<void> Checker::keep(const Diagnosis& diagnosis) {
  std::string key = fmt::format("{} {} {}", static_cast<unsigned>(diagnosis.code),
                                check::name_of(diagnosis.level), diagnosis.kernel);
  for (const check::Spot& spot : diagnosis.spots) key += "\n" + spot.place() + "\n" + spot.code;
  const auto [at, is_new] = known_.emplace(key, counts_.size());
  if (!is_new) {
    counts_[at->second] += diagnosis.count;
    return {};
  }
  counts_.push_back(diagnosis.count);
  return check::append_to_file(path_, diagnosis);
}

Result<void> Checker::keep(const check::LaunchCheck& listener, const ListenedLaunch& launch) {
  const LaunchWords words = words_of(launch);
  const std::vector<Finding> all = listener.findings().sorted();
  std::vector<std::uint32_t> sites;
  for (const Finding& finding : all) {
    sites.push_back(finding.first.site);
    sites.push_back(finding.second.site);
  }
  const std::vector<SteppedInstruction> instructions = launch.describe(sites);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto words_at = [&](std::size_t at) {
      return words_of(instructions[at], words, launch.edge_places(sites[at]));
    };
    const Diagnosis diagnosis =
        check::describe(all[i], words_at(2 * i), words_at(2 * i + 1), words);
    if (auto done = keep(diagnosis); !done) return done;
  }
  if (listener.gave_up()) return keep(check::describe_given_up(words));
  return {};
}

/// The device's wait states, or nullptr if the kernel uses no result too early on any path.
const machine::WaitStates* Checker::early_rules(const ListenedLaunch& launch,
                                                const target::Device& device) {
  const auto [rules, is_new] = wait_states_.try_emplace(device.name);
  if (is_new) {
    if (const auto spec = timing::TimingSpec::of(device)) {
      rules->second = spec->wait_states;
      for (std::size_t i = 0; i < isa::kVectorWaits.size(); ++i) {
        if (isa::kVectorWaits[i].disputed) rules->second->vector[i] = 0;
      }
    } else {
      report_error(spec.error());
    }
  }
  if (!rules->second) return nullptr;
  const auto [suspect, unknown] = uses_results_early_.try_emplace(launch.translation());
  if (unknown) {
    suspect->second = check::find_early_use(launch.flow(), *rules->second).has_value();
  }
  return suspect->second ? &*rules->second : nullptr;
}

Result<void> Checker::run(dispatch::Engine& engine, const target::Device& device,
                          const dispatch::Launch& launch) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<check::LaunchCheck> listener;
  std::shared_ptr<const ListenedLaunch> listened;
  auto outcome = engine.run_listened(
      launch, [&](std::shared_ptr<const ListenedLaunch> known) -> machine::Listener* {
        listened = std::move(known);
        const std::span<const std::byte> kernarg = listened->kernarg();
        const bool orders_groups = std::ranges::any_of(
            edges_, [](const check::Edge& edge) { return machine::orders_groups(edge.kind); });
        const check::LaunchFacts facts{
            .groups = listened->groups().count(),
            .kernarg_begin = reinterpret_cast<std::uint64_t>(kernarg.data()),
            .kernarg_bytes = kernarg.size(),
            .lds_access_bytes = listened->narrowest_lds_access_bytes(),
            .stores_show_atomicity = listened->is_gfx942(),
            .l2_is_shared = !listened->is_gfx942(),
            .wait_states = early_rules(*listened, device),
            .learns_of_others = listened->learns_of_others() || orders_groups,
            .groups_are_independent = !listened->asks_other_groups() && !orders_groups};
        listener = std::make_unique<check::LaunchCheck>(memory_, facts, edges_);
        return listener.get();
      });
  ++launches_[code_object::demangled(launch.kernel->name)];
  if (listener == nullptr) return outcome;
  listener->finish();
  // The program goes on: that a finding is lost is no failure of its launch.
  if (const auto kept = keep(*listener, *listened); !kept) report_error(kept.error());
  return outcome;
}

Result<void> Checker::finish() {
  const std::lock_guard lock(mutex_);
  return check::append_end(path_, launches_, counts_);
}

}  // namespace wavetank::hip
