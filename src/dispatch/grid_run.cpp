#include "dispatch/grid_run.hpp"

#include <algorithm>
#include <utility>

#include "dispatch/failure.hpp"
#include "dispatch/wave_numbers.hpp"
#include "machine/listener.hpp"
#include "number/host_float.hpp"

namespace wavetank::dispatch {
namespace {

/// Groups that a worker takes at a time: neighbours mostly share pages, which the host's processors
/// then prefetch for one of them only. Each worker comes for a share at least 16 times, so that
/// none waits long for the others at the end. Groups that may wait for their predecessors start in
/// order.
std::uint64_t share_of(const GridPlan& plan, unsigned workers) {
  constexpr std::uint64_t kLargest = 64, kTurnsOfEach = 16;
  const std::uint64_t groups = plan.end_group - plan.first_group;
  return plan.launch->cooperative || plan.program->polls()
             ? 1
             : std::clamp<std::uint64_t>(groups / (kTurnsOfEach * workers), 1, kLargest);
}

}  // namespace

GridRun::GridRun(const GridPlan& plan, machine::Environment& environment, unsigned workers,
                 TellStandstill tell_standstill)
    : plan_(plan),
      environment_(environment),
      share_(share_of(plan, workers)),
      next_group_(plan.first_group),
      fails_in_order_(environment.listener != nullptr && !environment.listener->wants_one_thread()),
      mixes_(environment.listener != nullptr && environment.listener->wants_one_thread() &&
             plan.program->asks_other_groups()),
      end_group_(plan.end_group),
      tell_standstill_(std::move(tell_standstill)) {}

std::optional<std::uint64_t> GridRun::next_index(Bench& bench) {
  if (bench.next == bench.end) {
    bench.next = next_group_.fetch_add(share_, std::memory_order_relaxed);
    bench.end = std::min(bench.next + share_, plan_.end_group);
    if (bench.next >= plan_.end_group) {
      bench.next = bench.end = 0;
      return std::nullopt;
    }
  }
  if (bench.next >= end_group_.load(std::memory_order_relaxed)) return std::nullopt;
  return bench.next++;
}

bool GridRun::admit(Bench& bench) {
  const std::optional<std::uint64_t> index = next_index(bench);
  if (!index) return false;
  std::unique_ptr<ResidentGroup> group;
  if (!bench.idle.empty()) {
    group = std::move(bench.idle.back());
    bench.idle.pop_back();
  } else {
    auto scratch = scratch_for_group(plan_);
    if (!scratch) {
      const std::lock_guard lock(mutex_);
      error_ = scratch.error();
      failed_ = true;
      return false;
    }
    group = std::make_unique<ResidentGroup>(plan_.shape, *scratch, environment_);
  }
  start_group(plan_, *index, *group);
  resident_.fetch_add(1, std::memory_order_relaxed);
  bench.active.push_back({std::move(group), {}, first_slice(), *index});
  return true;
}

/// A worker's only group is over: the next one takes its place at once.
bool GridRun::follow(Bench& bench) {
  if (bench.active.size() != 1 || failed_.load(std::memory_order_relaxed)) return false;
  const std::optional<std::uint64_t> index = next_index(bench);
  if (!index) return false;
  start_group(plan_, *index, *bench.active[0].group);
  bench.active[0].slice = first_slice();
  bench.active[0].index = *index;
  return true;
}

bool GridRun::wants_another(const Bench& bench) const {
  if (bench.active.empty()) return true;
  if (resident_.load(std::memory_order_relaxed) >= plan_.resident_limit) return false;
  return bench.patience.wants_another(bench.active.size());
}

void GridRun::wait_at_gws(Resident& resident) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t generation = gws_generation_.load();
  if (!resident.gws_generation) {
    resident.gws_generation = generation;
    environment_.gws_waiting += resident.group->take_gws_arrivals();
    if (environment_.gws_waiting >= environment_.gws_total) {
      environment_.gws_waiting = 0;
      ++gws_generation_;
      movement_.tell();
    }
  }
  if (gws_generation_.load() != *resident.gws_generation) {
    resident.gws_generation.reset();
    resident.group->release_gws();
  }
}

Progress GridRun::take_turn(Resident& resident) {
  if (resident.gws_generation) wait_at_gws(resident);
  const Progress progress = resident.group->run_turn(resident.slice.branches());
  resident.slice.after(progress);
  if (resident.group->take_host_request()) plan_.serve_host();
  switch (progress) {
    case Progress::kStopped: record_failure(resident); return Progress::kFinished;
    case Progress::kGws: wait_at_gws(resident); return Progress::kWaiting;
    default: return progress;
  }
}

void GridRun::record_failure(const Resident& resident) {
  const std::lock_guard lock(mutex_);
  const bool is_first = !error_ || (fails_in_order_ && resident.index < end_group_.load());
  if (is_first) error_ = describe_failure(plan_, *resident.group);
  if (!fails_in_order_) failed_ = true;
  if (is_first) end_group_ = resident.index;
}

void GridRun::work() { lead({}, nullptr); }

void GridRun::lead(std::chrono::steady_clock::time_point late, std::function<void()> call_helpers) {
  Bench bench(plan_.launch->cooperative, mixes_);
  bench.help = {late, std::move(call_helpers)};
  take_turns(bench);
  // Stores that went past the cache are not ordered behind anything yet.
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

void GridRun::call_if_late(Bench& bench) {
  const bool groups_left =
      bench.next != bench.end || next_group_.load(std::memory_order_relaxed) < plan_.end_group;
  if (!groups_left || std::chrono::steady_clock::now() < bench.help.late) return;
  std::exchange(bench.help.call, nullptr)();
}

/// Gives each of a worker's groups a turn.
void GridRun::take_round(Bench& bench) {
  for (std::size_t i = 0; i < bench.active.size();) {
    const Progress progress = take_turn(bench.active[i]);
    if (bench.help.call != nullptr) [[unlikely]]
      call_if_late(bench);
    if (progress != Progress::kFinished) {
      bench.patience.after(progress);
      ++i;
      continue;
    }
    bench.patience.reset();
    if (follow(bench)) continue;
    resident_.fetch_sub(1, std::memory_order_relaxed);
    bench.idle.push_back(std::move(bench.active[i].group));
    bench.active.erase(bench.active.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void GridRun::stand_still(Bench& bench, std::uint32_t movement_before) {
  const auto polls = [](const Resident& resident) {
    return resident.group->polling_wave() != nullptr;
  };
  if (bench.long_standstill.is_long(movement_before, LongStandstill::Clock::now())) {
    const auto polling = std::ranges::find_if(bench.active, polls);
    const bool tells = polling != bench.active.end() && tell_standstill_;
    if (tells && !told_standstill_.exchange(true)) {
      tell_standstill_(*polling->group, *polling->group->polling_wave());
    }
  }
  movement_.sleep(movement_before);
}

void GridRun::rest(Bench& bench, std::uint32_t movement_before) {
  if (bench.active.empty() || !bench.patience.all_wait(bench.active.size())) {
    bench.standstill.end();
    movement_.tell();
    return;
  }
  const auto of_all = [&](std::uint64_t (*of_wave)(const machine::Wave&)) {
    return [&bench, of_wave] {
      std::uint64_t all = 0;
      for (const Resident& resident : bench.active)
        all = 31 * all + resident.group->number_of(of_wave);
      return all;
    };
  };
  switch (bench.standstill.judge(of_all(scalar_number), of_all(vector_number))) {
    case Standstill::Judgement::kTooEarly: return;
    case Standstill::Judgement::kMoved: movement_.tell(); return;
    case Standstill::Judgement::kStill: stand_still(bench, movement_before); return;
  }
}

void GridRun::take_turns(Bench& bench) {
  const number::HostFloatDefaults float_defaults;
  while (!failed_.load(std::memory_order_relaxed)) {
    if (wants_another(bench)) {
      if (admit(bench)) {
        bench.patience.reset();
      } else if (bench.active.empty()) {
        return;
      }
    }
    const std::uint32_t movement = movement_.count();
    take_round(bench);
    rest(bench, movement);
  }
}

}  // namespace wavetank::dispatch
