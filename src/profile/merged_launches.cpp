#include "profile/merged_launches.hpp"

#include <algorithm>
#include <cmath>
#include <concepts>

namespace wavetank::profile {
namespace {

// One list of what adds up serves the sum and the average.

template <class Visit, class... Profile>
void visit_sums(Visit visit, InstructionProfile& sum, Profile&... other) {
  visit(sum.hits, other.hits...);
  visit(sum.active_lanes, other.active_lanes...);
  visit(sum.lines_touched, other.lines_touched...);
  visit(sum.lines_needed, other.lines_needed...);
  visit(sum.strided_accesses, other.strided_accesses...);
  visit(sum.known_before, other.known_before...);
  visit(sum.private_accesses, other.private_accesses...);
  visit(sum.translation_misses, other.translation_misses...);
  visit(sum.lds_conflict_cycles, other.lds_conflict_cycles...);
  visit(sum.awaited_cycles, other.awaited_cycles...);
  for (std::size_t r = 0; r < kReasonCount; ++r) visit(sum.cycles[r], other.cycles[r]...);
}

template <class Visit, class... Level>
void visit_sums(Visit visit, LevelTraffic& sum, Level&... other) {
  visit(sum.bytes_read, other.bytes_read...);
  visit(sum.bytes_written, other.bytes_written...);
  visit(sum.requests, other.requests...);
  visit(sum.hits, other.hits...);
  visit(sum.rows.opened, other.rows.opened...);
}

template <class Visit, class... Array>
void visit_sums(Visit visit, ArrayTraffic& sum, Array&... other) {
  visit(sum.l2_read, other.l2_read...);
  visit(sum.l2_written, other.l2_written...);
  visit(sum.hbm_read, other.hbm_read...);
  visit(sum.hbm_written, other.hbm_written...);
}

template <class Visit, class... Done>
void visit_sums(Visit visit, Operations& sum, Done&... other) {
  for (double Operations::* member :
       {&Operations::f16, &Operations::f32, &Operations::f64, &Operations::integer,
        &Operations::matrix_f16, &Operations::matrix_bf16, &Operations::matrix_f32,
        &Operations::matrix_f64, &Operations::matrix_f8, &Operations::matrix_xf32,
        &Operations::matrix_i8}) {
    visit(sum.*member, other.*member...);
  }
}

template <class Visit, class... Profile>
void visit_sums(Visit visit, LaunchProfile& sum, Profile&... other) {
  visit(sum.cycles, other.cycles...);
  visit(sum.launch_cycles, other.launch_cycles...);
  visit(sum.write_back_cycles, other.write_back_cycles...);
  visit(sum.tail_cycles, other.tail_cycles...);
  for (std::size_t r = 0; r < kReasonCount; ++r) {
    visit(sum.cycles_by_reason[r], other.cycles_by_reason[r]...);
  }
  visit(sum.dispatch_slot_cycles, other.dispatch_slot_cycles...);
  visit(sum.waves, other.waves...);
  visit(sum.sampling.workgroups, other.sampling.workgroups...);
  visit(sum.sampling.simulated_workgroups, other.sampling.simulated_workgroups...);
  visit(sum.sampling.rest_ratio, other.sampling.rest_ratio...);
  visit_sums(visit, sum.operations, other.operations...);
}

constexpr auto kAdd = [](auto& sum, const auto& other) { sum += other; };

/// Divides; whole numbers go to the nearest.
struct Divide {
  std::uint64_t by;
  void operator()(std::unsigned_integral auto& sum) const {
    sum = sum / by + (sum % by >= by - by / 2 ? 1 : 0);
  }
  void operator()(double& sum) const { sum /= static_cast<double>(by); }
};

LaneStride stride_of_both(const InstructionProfile& a, const InstructionProfile& b) {
  if (a.strided_accesses == 0) return b.stride;
  if (b.strided_accesses == 0) return a.stride;
  return {std::min(a.stride.least, b.stride.least), std::max(a.stride.greatest, b.stride.greatest)};
}

/// Instructions of both, in the order of their places; those of the same place are added.
void add_instructions(std::vector<InstructionProfile>& sum,
                      const std::vector<InstructionProfile>& other) {
  const auto before = [](const InstructionProfile& a, const InstructionProfile& b) {
    return static_cast<std::int64_t>(a.offset) < static_cast<std::int64_t>(b.offset);
  };
  auto at = sum.begin();
  for (const InstructionProfile& instruction : other) {
    at = std::lower_bound(at, sum.end(), instruction, before);
    if (at == sum.end() || at->offset != instruction.offset) {
      at = sum.insert(at, instruction);
    } else {
      at->stride = stride_of_both(*at, instruction);
      visit_sums(kAdd, *at, instruction);
    }
  }
}

/// Moves a mean of launches that took `weight` of the whole time towards another launch's value.
void move_mean(double& mean, double value, double weight) { mean += weight * (value - mean); }

void move_means(LevelTraffic& sum, const LevelTraffic& level, double weight) {
  move_mean(sum.busy_percent, level.busy_percent, weight);
  move_mean(sum.channels.busiest_percent, level.channels.busiest_percent, weight);
  move_mean(sum.channels.moment_percent, level.channels.moment_percent, weight);
  move_mean(sum.channels.crowded, level.channels.crowded, weight);
  move_mean(sum.channels.crowded_percent, level.channels.crowded_percent, weight);
  move_mean(sum.rows.busy_percent, level.rows.busy_percent, weight);
  move_mean(sum.rows.bus_percent, level.rows.bus_percent, weight);
}

void move_means(LaunchProfile& sum, const LaunchProfile& launch, double weight) {
  for (std::size_t i = 0; i < std::min(sum.units.size(), launch.units.size()); ++i) {
    move_mean(sum.units[i].busy_percent, launch.units[i].busy_percent, weight);
  }
  for (std::size_t i = 0; i < std::min(sum.levels.size(), launch.levels.size()); ++i) {
    move_means(sum.levels[i], launch.levels[i], weight);
  }
  move_mean(sum.occupancy.achieved_waves_per_cu, launch.occupancy.achieved_waves_per_cu, weight);
  move_mean(sum.occupancy.cu_percent, launch.occupancy.cu_percent, weight);
  for (const auto& [kind, percent] : launch.evidence_percent) sum.evidence_percent[kind] += 0;
  for (auto& [kind, percent] : sum.evidence_percent) {
    const auto found = launch.evidence_percent.find(kind);
    move_mean(percent, found == launch.evidence_percent.end() ? 0 : found->second, weight);
  }
}

std::uint64_t length_ns(const LaunchProfile& launch) {
  return launch.end_ns - std::min(launch.begin_ns, launch.end_ns);
}

/// What the largest instance is if it keeps its share of the sum.
double expected_max(const CounterValue& reference, double sum) {
  return reference.sum == 0 ? reference.max : sum * (reference.max / reference.sum);
}

}  // namespace

void add_to_sum(LaunchProfile& sum, const LaunchProfile& launch) {
  visit_sums(kAdd, sum, launch);
  const double whole = std::max(static_cast<double>(sum.cycles), 1.0);
  move_means(sum, launch, static_cast<double>(launch.cycles) / whole);
  for (std::size_t i = 0; i < std::min(sum.levels.size(), launch.levels.size()); ++i) {
    visit_sums(kAdd, sum.levels[i], launch.levels[i]);
  }
  // The launches of a kernel have the same arguments; of what an address lies in two may be one.
  if (!std::ranges::equal(sum.arrays, launch.arrays, {}, &ArrayTraffic::name,
                          &ArrayTraffic::name)) {
    sum.arrays.clear();
  }
  for (std::size_t i = 0; i < sum.arrays.size(); ++i) {
    visit_sums(kAdd, sum.arrays[i], launch.arrays[i]);
  }
  for (const auto& [name, counter] : launch.counters) {
    CounterValue& all = sum.counters[name];
    all.sum += counter.sum;
    all.max += counter.max;
    all.instances = counter.instances;
  }
  add_instructions(sum.instructions, launch.instructions);
  sum.sampling.uncertainty_percent =
      std::max(sum.sampling.uncertainty_percent, launch.sampling.uncertainty_percent);
  sum.end_ns += length_ns(launch);
  ++sum.merged.timed;
}

LaunchProfile average_of(LaunchProfile sum) {
  const Divide divide{std::max<std::uint64_t>(sum.merged.timed, 1)};
  visit_sums(divide, sum);
  for (LevelTraffic& level : sum.levels) visit_sums(divide, level);
  for (ArrayTraffic& array : sum.arrays) visit_sums(divide, array);
  for (InstructionProfile& instruction : sum.instructions) visit_sums(divide, instruction);
  for (auto& [name, counter] : sum.counters) {
    divide(counter.sum);
    divide(counter.max);
  }
  std::uint64_t length = length_ns(sum);
  divide(length);
  sum.end_ns = sum.begin_ns + length;
  return sum;
}

std::optional<CounterChanges> changes_from(const Counters& reference, const Counters& counters) {
  if (reference.size() != counters.size()) return std::nullopt;
  CounterChanges changes;
  std::uint16_t place = 0;
  for (auto a = reference.begin(), b = counters.begin(); a != reference.end(); ++a, ++b) {
    if (a->first != b->first || a->second.instances != b->second.instances) return std::nullopt;
    const double maximum = expected_max(a->second, b->second.sum);
    for (const auto& [value, expected] :
         {std::pair(b->second.sum, a->second.sum), std::pair(b->second.max, maximum)}) {
      if (value != expected) {
        changes.places.push_back(place);
        changes.values.push_back(value);
      }
      ++place;
    }
  }
  return changes;
}

Counters changed(const Counters& reference, const CounterChanges& changes) {
  Counters counters = reference;
  std::size_t next = 0;
  std::uint16_t place = 0;
  const auto take = [&](double& value) {
    if (next < changes.places.size() && changes.places[next] == place) {
      value = changes.values[next++];
    }
    ++place;
  };
  for (auto& [name, counter] : counters) {
    const CounterValue before = counter;
    take(counter.sum);
    counter.max = expected_max(before, counter.sum);
    take(counter.max);
  }
  return counters;
}

void drop_counters(LaunchProfile& profile) {
  profile.counters.clear();
  profile.merged.reference.clear();
  profile.merged.counters.clear();
}

}  // namespace wavetank::profile
