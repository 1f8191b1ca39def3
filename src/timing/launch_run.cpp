#include "timing/launch_run.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace wavetank::timing {
namespace {

/// Nothing that a CU asks in a window is answered before the window ends.
std::uint64_t window_cycles(const TimingSpec& spec) {
  const std::uint32_t soonest = std::min({spec.l2.hit_latency, spec.vmem.store_latency,
                                          spec.smem.miss_latency + spec.smem.hit_latency,
                                          spec.fetch.miss_latency + spec.fetch.hit_latency});
  return std::max(soonest, spec.issue.slot_period);
}

}  // namespace

LaunchRun::LaunchRun(const DeviceParts& parts, machine::GridSource& source, double rest_ratio)
    : parts_(parts),
      source_(source),
      workers_(WindowCrew::kMostWorkers),
      window_cycles_(window_cycles(parts.spec)),
      is_wanted_(parts.clusters.size()),
      outcomes_(parts.clusters.size()),
      rest_ratio_(rest_ratio) {
  for (UnitCluster& cluster : parts_.clusters) {
    for (ComputeUnit* unit : cluster.units) ports_.push_back(&unit->port());
    ports_.push_back(&cluster.caches->port);
  }
}

Result<void> LaunchRun::run() {
  Result<void> done;
  source_.with_helpers([this] { crew_.help(); },
                       [&] {
                         done = run_windows();
                         if (done) end();
                         crew_.dismiss();
                       });
  return done ? run_rest() : done;
}

void LaunchRun::end() {
  for (ComputeUnit& unit : parts_.units) {
    unit.end_launch();
    end_cycle_ = std::max(end_cycle_, unit.last_end());
  }
  if (parts_.spec.ends_evenly) end_cycle_ = evenly_ended(end_cycle_);
  end_cycle_ = parts_.memory.end_of_kernel(end_cycle_, crew_);
}

Result<void> LaunchRun::run_rest() {
  Sampler& sampler = parts_.sampler;
  if (rest_ratio_ != 0) {
    sampler.rest_is(rest_ratio_, 0);
    return parts_.dispatcher.for_rest([&](std::uint64_t first, std::uint64_t last) {
      return source_.run_functionally(first, last);
    });
  }
  const machine::StepClock clock = {.cycles = end_cycle_,
                                    .reference_ticks_per_cycle = 100.0 / parts_.spec.clock_mhz};
  RestProbe probe(source_, clock, sampler.instructions_per_group());
  auto done = parts_.dispatcher.for_rest(
      [&](std::uint64_t first, std::uint64_t last) { return probe.run(first, last); });
  const RestProbe::Finding found = probe.finding();
  sampler.rest_is(rest_ratio_ = found.ratio, found.error_percent);
  return done;
}

Result<void> LaunchRun::run_windows() {
  for (unsigned xcd = 0; xcd < parts_.spec.xcds; ++xcd) {
    if (auto done = parts_.dispatcher.dispatch(xcd, 0, 0); !done) return done;
  }
  if (auto done = begin_groups(); !done) return done;
  while (parts_.dispatcher.active() != 0) {
    if (auto done = exchange(); !done) return done;
    source_.window_passed();
    if (instructions_before_tail_ == 0 && parts_.dispatcher.exhausted()) {
      instructions_before_tail_ = instructions();
    }
    const std::uint64_t next = next_event();
    if (next != kNever) {
      if (auto done = run_units((next / window_cycles_ + 1) * window_cycles_); !done) return done;
    } else if (parts_.dispatcher.active() != 0 && !asked()) {
      return fail(ErrorCode::kDeadlock,
                  fmt::format("{} of {} workgroups wait for each other and none can go on",
                              parts_.dispatcher.active(), source_.workgroups()));
    }
  }
  return {};
}

std::uint64_t LaunchRun::instructions() const {
  std::uint64_t sum = 0;
  for (const ComputeUnit& unit : parts_.units) sum += unit.counting().instructions();
  return sum;
}

double LaunchRun::unseen_instructions() const {
  const std::uint64_t unseen = source_.workgroups() - parts_.dispatcher.started();
  return static_cast<double>(unseen) * parts_.sampler.instructions_per_group();
}

double LaunchRun::scale() const {
  const auto seen = static_cast<double>(instructions());
  return seen > 0 ? 1 + unseen_instructions() / seen : 1;
}

MemoryCounts LaunchRun::memory_counts() const {
  const MemorySystem& memory = parts_.memory;
  return steady_.whole(MemoryCounts::of(memory, memory.busy_cycles()), unseen_instructions());
}

std::uint64_t LaunchRun::evenly_ended(std::uint64_t end) const {
  const std::uint64_t tail_begins = parts_.dispatcher.exhausted_at();
  // A grid that fits the device at once is all tail: there is no rate before it.
  if (!parts_.dispatcher.exhausted() || tail_begins == 0 || instructions_before_tail_ == 0) {
    return end;
  }
  const double rounds =
      static_cast<double>(instructions()) / static_cast<double>(instructions_before_tail_);
  return std::min(end, static_cast<std::uint64_t>(static_cast<double>(tail_begins) * rounds));
}

std::uint64_t LaunchRun::next_event() const {
  std::uint64_t next = kNever;
  for (const ComputeUnit& unit : parts_.units) next = std::min(next, unit.next_event());
  return next;
}

bool LaunchRun::asked() const {
  return std::ranges::any_of(ports_,
                             [](const MemoryPort* port) { return !port->requests().empty(); });
}

void LaunchRun::for_wanted(const std::function<void(UnitCluster&, UnitWorker&)>& work) {
  // Taking a piece costs as much as some instructions. A cluster is in the same piece each time, so
  // that mostly one thread has it.
  constexpr std::uint32_t kClustersOfPiece = 2, kFewestToShare = 5;
  const auto count = static_cast<std::uint32_t>(parts_.clusters.size());
  const WindowCrew::Work of_piece = [&](std::uint32_t piece, std::uint32_t number) {
    UnitWorker& of_crew = worker(number);
    const std::uint32_t end = std::min(count, (piece + 1) * kClustersOfPiece);
    for (std::uint32_t i = piece * kClustersOfPiece; i < end; ++i) {
      if (is_wanted_[i] != 0) work(parts_.clusters[i], of_crew);
    }
  };
  if (wanted_.size() >= kFewestToShare) {
    crew_.share((count + kClustersOfPiece - 1) / kClustersOfPiece, of_piece);
  } else {
    for (const std::uint32_t cluster : wanted_) work(parts_.clusters[cluster], worker(0));
  }
}

template <class IsWanted>
void LaunchRun::find_wanted(IsWanted is_wanted) {
  wanted_.clear();
  for (std::uint32_t i = 0; i < parts_.clusters.size(); ++i) {
    is_wanted_[i] = is_wanted(parts_.clusters[i]) ? 1 : 0;
    if (is_wanted_[i] != 0) wanted_.push_back(i);
  }
}

UnitWorker& LaunchRun::worker(std::uint32_t index) {
  // Only the thread itself asks for its own.
  if (workers_[index] == nullptr) workers_[index] = std::make_unique<UnitWorker>();
  return *workers_[index];
}

CycleLedger LaunchRun::ledger() const {
  CycleLedger sum;
  for (const auto& worker : workers_) {
    if (worker != nullptr) sum.add(worker->ledger);
  }
  return sum;
}

Result<void> LaunchRun::first_error() {
  for (const std::uint32_t cluster : wanted_) {
    if (!outcomes_[cluster]) return outcomes_[cluster];
  }
  return {};
}

Result<void> LaunchRun::run_units(std::uint64_t end) {
  const auto run = [&](UnitCluster& cluster, ComputeUnit::Meeting meeting,
                       UnitWorker& worker) -> Result<void> {
    for (ComputeUnit* unit : cluster.units) {
      if (unit->next_event() >= end) continue;
      if (auto done = unit->run(end, meeting, worker); !done) return done;
    }
    return {};
  };
  find_wanted([&](const UnitCluster& cluster) {
    const auto has_work = [&](const ComputeUnit* unit) { return unit->next_event() < end; };
    return std::ranges::any_of(cluster.units, has_work);
  });
  for_wanted([&](UnitCluster& cluster, UnitWorker& worker) {
    if (cluster.index + 1 < parts_.clusters.size()) {
      for (ComputeUnit* unit : parts_.clusters[cluster.index + 1].units) unit->prefetch(end);
    }
    outcomes_[cluster.index] = run(cluster, ComputeUnit::Meeting::kStop, worker);
  });
  if (auto done = first_error(); !done) return done;
  for (const std::uint32_t cluster : wanted_) {
    auto done = run(parts_.clusters[cluster], ComputeUnit::Meeting::kGo, worker(0));
    if (!done) return done;
  }
  return {};
}

Result<void> LaunchRun::exchange() {
  parts_.memory.serve(ports_, crew_);
  find_wanted([](const UnitCluster& cluster) {
    const auto waits = [](const ComputeUnit* unit) { return unit->waits_for_answers(); };
    return std::ranges::any_of(cluster.units, waits) || !cluster.caches->port.requests().empty();
  });
  for_wanted([&](UnitCluster& cluster, UnitWorker& worker) {
    Result<void>& outcome = outcomes_[cluster.index];
    outcome = {};
    for (ComputeUnit* unit : cluster.units) unit->settle();
    cluster.caches->settle();
    for (ComputeUnit* unit : cluster.units) {
      if (outcome) outcome = unit->go_on(worker);
    }
  });
  if (auto done = first_error(); !done) return done;
  if (auto done = take_events(); !done) return done;
  if (auto done = begin_groups(); !done) return done;
  return open_global_barrier();
}

Result<void> LaunchRun::take_events() {
  events_.clear();
  bool slept = false;
  for (std::uint32_t cu = 0; cu < parts_.units.size(); ++cu) {
    ComputeUnit& unit = parts_.units[cu];
    for (const UnitEvent& event : unit.events()) {
      events_.push_back({event, cu, static_cast<std::uint32_t>(events_.size())});
    }
    unit.events().clear();
    slept |= unit.slept();
  }
  if (slept) source_.serve_host();
  std::ranges::sort(events_, {},
                    [](const Event& event) { return std::pair(event.what.time, event.number); });
  for (const auto& [event, cu, number] : events_) {
    switch (event.kind) {
      case UnitEvent::Kind::kRoom:
        if (auto done = room_at(cu, event.time); !done) return done;
        break;
      case UnitEvent::Kind::kGroupEnded: group_ended(*event.group, event.time); break;
      case UnitEvent::Kind::kAtGlobalBarrier:
        at_global_barrier_.push_back({cu, event.simd, event.slot});
        global_barrier_time_ = std::max(global_barrier_time_, event.time);
        break;
    }
  }
  return {};
}

Result<void> LaunchRun::begin_groups() {
  if (parts_.dispatcher.started() == begun_) return {};
  begun_ = parts_.dispatcher.started();
  const auto first_of = [](const UnitCluster& cluster) {
    return *std::ranges::min_element(cluster.units, {}, &ComputeUnit::next_arrival);
  };
  find_wanted(
      [&](const UnitCluster& cluster) { return first_of(cluster)->next_arrival() != kNever; });
  for_wanted([&](UnitCluster& cluster, UnitWorker& worker) {
    Result<void>& outcome = outcomes_[cluster.index];
    outcome = {};
    // What CUs share sees their workgroups in the order of the dispatcher.
    while (outcome && first_of(cluster)->next_arrival() != kNever) {
      outcome = first_of(cluster)->begin_next(worker);
    }
  });
  return first_error();
}

Result<void> LaunchRun::room_at(std::uint32_t cu, std::uint64_t time) {
  // Only this CU has changed: if it still has no room, none has.
  Dispatcher& dispatcher = parts_.dispatcher;
  if (!parts_.units[cu].has_room(dispatcher.waves_per_group(), time)) return {};
  const auto again = time + static_cast<std::uint64_t>(parts_.spec.dispatch.release_latency);
  return dispatcher.dispatch(dispatcher.xcd_of(cu), time, again);
}

void LaunchRun::group_ended(GroupContext& group, std::uint64_t time) {
  parts_.dispatcher.ended(group, time);
  if (parts_.dispatcher.stopped() || !parts_.sampler.ends_interval(group.instructions)) return;
  const auto traffic = parts_.memory.traffic();
  const std::uint64_t issued = instructions();
  steady_.interval_ended(MemoryCounts::of(parts_.memory, parts_.memory.count_busy()), issued);
  const Sampler::Seen seen = {.time = time,
                              .instructions = issued,
                              .l2_read_bytes = traffic.l2_read,
                              .l2_missed_bytes = traffic.fabric_read,
                              .l2_written_bytes = traffic.l2_written};
  if (parts_.sampler.interval_ended(seen)) parts_.dispatcher.stop();
}

Result<void> LaunchRun::open_global_barrier() {
  if (at_global_barrier_.empty() || at_global_barrier_.size() < source_.workgroups()) return {};
  const std::vector<Waiting> waiting = std::exchange(at_global_barrier_, {});
  for (const Waiting& wave : waiting) {
    ComputeUnit& unit = parts_.units[wave.cu];
    if (auto done = unit.pass_global_barrier(wave.simd, wave.slot, global_barrier_time_); !done) {
      return done;
    }
  }
  return {};
}

}  // namespace wavetank::timing
