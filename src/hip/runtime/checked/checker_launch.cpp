// What a check has to know of a launch before it begins.
#include <algorithm>

#include "check/data_dependence.hpp"
#include "check/guesses.hpp"
#include "check/waits/suspects.hpp"
#include "hip/runtime/checked/checker.hpp"
#include "hip/runtime/failure.hpp"
#include "timing/spec_reader.hpp"

namespace wavetank::hip {
namespace {

/// Launches of up to so many work-items run in order if data leads them: a race can then lead a
/// workgroup otherwise, and the findings would depend on which one came first. Larger ones would
/// take too long on one thread.
constexpr std::uint64_t kMostLedInOrder = 1 << 16;

/// True if what a workgroup touches depends on no other: of one that runs beside others no more is
/// kept than its accesses and barriers.
bool has_independent_groups(const dispatch::ListenedLaunch& launch, bool is_led_by_data) {
  if (launch.asks_other_groups() || launch.learns_in_group() || launch.orders_lds()) return false;
  const std::uint64_t work_items = launch.groups().count() * launch.workgroup_work_items().count();
  return !is_led_by_data || work_items > kMostLedInOrder;
}

}  // namespace

/// Those of a device, without the rules that vendors' documents disagree about; null after an
/// error, which is told.
const machine::WaitStates* Checker::wait_states(const target::Device& device) {
  const auto [rules, is_new] = wait_states_.try_emplace(device.name);
  if (is_new) {
    if (const auto spec = timing::read_spec(device)) {
      rules->second = spec->wait_states;
      for (std::size_t i = 0; i < isa::kVectorWaits.size(); ++i) {
        if (isa::kVectorWaits[i].disputed) rules->second->vector[i] = 0;
      }
    } else {
      report_error(spec.error());
    }
  }
  return rules->second ? &*rules->second : nullptr;
}

Checker::CodeFacts Checker::code_facts(const dispatch::ListenedLaunch& launch,
                                       const target::Device& device) {
  const std::lock_guard lock(mutex_);
  const auto [facts, is_new] =
      code_facts_.try_emplace(std::pair(device.name, launch.translation()));
  if (is_new) {
    const machine::Flow flow = launch.flow();
    const machine::WaitStates* const states = wait_states(device);
    if (states != nullptr && check::find_early_use(flow, *states)) {
      facts->second.wait_states = states;
    }
    facts->second.may_seed_by_memory =
        check::may_move_guesses(flow) && launch.holds_row(check::is_compare_and_swap);
    facts->second.is_led_by_data = check::is_led_by_data(flow);
  }
  return facts->second;
}

check::LaunchFacts Checker::launch_facts(const dispatch::ListenedLaunch& launch,
                                         const target::Device& device) {
  const std::span<const std::byte> kernarg = launch.kernarg();
  const CodeFacts code = code_facts(launch, device);
  const bool orders_groups = std::ranges::any_of(
      edges_, [](const check::Edge& edge) { return machine::orders_groups(edge.kind); });
  return {.groups = launch.groups().count(),
          .kernarg_begin = reinterpret_cast<std::uint64_t>(kernarg.data()),
          .kernarg_bytes = kernarg.size(),
          // What a cooperative grid meets by lies behind them.
          .owns_arguments = !launch.is_cooperative(),
          .lds_bytes = launch.lds_bytes(),
          .lds_access_bytes = launch.narrowest_lds_access_bytes(),
          .stores_show_atomicity = launch.target().has_scope_bits,
          .l2_is_shared = launch.target().shares_l2,
          .wait_states = code.wait_states,
          .learns_of_others = launch.learns_of_others() || orders_groups,
          .learns_in_group = launch.learns_in_group(),
          .orders_lds = launch.orders_lds(),
          .groups_are_independent = !orders_groups && !code.may_seed_by_memory &&
                                    has_independent_groups(launch, code.is_led_by_data),
          .follows_guesses = code.may_seed_by_memory,
          .leads = [known = &launch](std::uint32_t from,
                                     std::uint32_t to) { return known->leads(from, to); },
          .index_called_from =
              [known = &launch](std::uint32_t caller, std::uint32_t index) {
                return known->index_called_from(caller, index);
              },
          .variables = &program_memory_};
}

}  // namespace wavetank::hip
