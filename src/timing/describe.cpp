#include "timing/describe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/percent.hpp"
#include "profile/launch_overhead.hpp"
#include "timing/counter_names.hpp"
#include "timing/describe_levels.hpp"

namespace wavetank::timing {

namespace {

using profile::LaunchProfile;
using profile::Reason;

void describe_time(const LaunchFacts& facts, LaunchProfile& profile) {
  const std::uint64_t simulated = facts.dispatcher.started();
  profile.engine_clock_mhz = facts.spec.clock_mhz;
  const auto skipped = static_cast<double>(facts.workgroups - simulated);
  const double extra = skipped * facts.sampler.cycles_per_group();
  // The command processor's work before the first wave and after the last is part of the launch.
  profile.launch_cycles = facts.overhead_cycles;
  profile.cycles = profile.launch_cycles + facts.end_cycle + static_cast<std::uint64_t>(extra);
  profile.sampling.workgroups = facts.workgroups;
  profile.sampling.simulated_workgroups = simulated;
  profile.sampling.sampled = simulated < facts.workgroups;
  if (profile.sampling.sampled) {
    profile.sampling.uncertainty_percent = facts.sampler.uncertainty_percent();
  }
  std::uint64_t last_wave = 0;
  for (const ComputeUnit& unit : facts.units) last_wave = std::max(last_wave, unit.last_end());
  profile.write_back_cycles = facts.end_cycle - std::min(facts.end_cycle, last_wave);
  if (!profile.sampling.sampled) {
    profile.tail_cycles = last_wave - std::min(last_wave, facts.dispatcher.exhausted_at());
  }
  profile.wave_slots =
      std::uint64_t{facts.spec.compute_units} * facts.spec.simds * facts.spec.slots_per_simd;
}

/// Sums the slots' cycles; what no wave used is empty, so that the sum is slots x cycles.
void describe_accounting(const LaunchFacts& facts, LaunchProfile& profile) {
  const double scale = facts.scale;
  double used = 0;
  const profile::ReasonCycles sum = facts.ledger.cycles_by_reason();
  for (const std::uint64_t cycles : sum) used += static_cast<double>(cycles);
  const std::uint64_t slot_cycles = profile.wave_slots * (profile.cycles - profile.launch_cycles);
  const auto all = static_cast<double>(slot_cycles);
  // The extrapolated part is a steady state; rounding must not make it fuller than the device.
  const double factor = used * scale > all ? all / used : scale;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < profile::kReasonCount; ++i) {
    const auto cycles = static_cast<std::uint64_t>(static_cast<double>(sum[i]) * factor);
    profile.cycles_by_reason[i] = cycles;
    total += cycles;
  }
  const std::uint64_t empty = slot_cycles - total;
  profile.cycles_by_reason[static_cast<std::size_t>(Reason::kEmpty)] = empty;
  const double waited = scale * facts.dispatcher.waited_slot_cycles();
  profile.dispatch_slot_cycles =
      static_cast<std::uint64_t>(std::min(waited, static_cast<double>(empty)));
}

void describe_instructions(const LaunchFacts& facts, LaunchProfile& profile) {
  const double scale = facts.scale;
  for (const InstructionTally& tally : facts.ledger.instructions()) {
    const auto scaled = [scale](std::uint64_t value) { return scale * static_cast<double>(value); };
    profile::InstructionProfile& one = profile.instructions.emplace_back();
    one.hits = scaled(tally.hits);
    one.active_lanes = scaled(tally.active_lanes);
    one.lines_touched = scaled(tally.lines_touched);
    one.lines_needed = scaled(tally.lines_needed);
    one.strided_accesses = scaled(tally.strided_accesses);
    if (tally.strided_accesses != 0) {
      one.stride = {static_cast<double>(tally.least_stride),
                    static_cast<double>(tally.greatest_stride)};
    }
    if (tally.lowest_address != std::numeric_limits<std::uint64_t>::max()) {
      one.lowest_address = tally.lowest_address;
    }
    one.private_accesses = scaled(tally.private_accesses);
    one.translation_misses = scaled(tally.translation_misses);
    one.lds_conflict_cycles = scaled(tally.lds_conflict_cycles);
    one.awaited_cycles = scaled(tally.awaited_cycles);
    for (std::size_t reason = 0; reason < profile::kReasonCount; ++reason) {
      one.cycles[reason] = static_cast<std::uint64_t>(scaled(tally.cycles[reason]));
    }
  }
}

/// Share of the launch's CU cycles in which a port took instructions. A vector port takes one in
/// four cycles from each of four SIMDs: busy SIMD cycles are four times the CU's.
void describe_units(const LaunchFacts& facts, LaunchProfile& profile) {
  const double scale = facts.scale;
  const double unit_cycles = static_cast<double>(profile.cycles) * facts.spec.compute_units;
  const auto sum = [&](auto value_of) {
    double total = 0;
    for (const ComputeUnit& unit : facts.units) total += static_cast<double>(value_of(unit));
    return 100 * scale * total / unit_cycles;
  };
  const double simds = facts.spec.simds;
  const auto add = [&](std::string_view name, double percent) {
    profile.units.push_back({std::string(name), std::min(percent, 100.0)});
  };
  add("VALU",
      sum([](const ComputeUnit& u) { return u.counting().busy(machine::Port::kVector); }) / simds);
  add("MFMA", sum([](const ComputeUnit& u) { return u.counting().matrix_busy(); }) / simds);
  add(profile::kScalar,
      sum([](const ComputeUnit& u) { return u.counting().busy(machine::Port::kScalar); }) / simds);
  add(profile::kLds, sum([](const ComputeUnit& u) { return u.lds().busy_cycles(); }));
  add(profile::kLdsBus, sum([](const ComputeUnit& u) { return u.lds().bus_busy_cycles(); }));
  add(profile::kVectorMemory,
      sum([](const ComputeUnit& u) { return u.vector_memory().busy_cycles(); }));
  add(profile::kBranch,
      sum([](const ComputeUnit& u) { return u.counting().busy(machine::Port::kBranch); }) / simds);
  add(profile::kTranslation,
      sum([](const ComputeUnit& u) { return u.vector_memory().translation().busy_cycles(); }));
  const double starting = static_cast<double>(facts.workgroups) * facts.dispatcher.engine_cycles();
  add(profile::kDispatcher,
      100 * starting / facts.spec.shader_engines / static_cast<double>(profile.cycles));
}

void describe_operations(const LaunchFacts& facts, LaunchProfile& profile) {
  const double scale = facts.scale;
  for (const ComputeUnit& unit : facts.units) {
    const profile::Operations& one = unit.counting().operations();
    profile::Operations& all = profile.operations;
    for (double profile::Operations::* const member :
         {&profile::Operations::f16, &profile::Operations::f32, &profile::Operations::f64,
          &profile::Operations::integer, &profile::Operations::matrix_f16,
          &profile::Operations::matrix_bf16, &profile::Operations::matrix_f32,
          &profile::Operations::matrix_f64, &profile::Operations::matrix_f8,
          &profile::Operations::matrix_xf32, &profile::Operations::matrix_i8}) {
      all.*member += scale * (one.*member);
    }
  }
}

double cycles_of(const LaunchProfile& profile, std::initializer_list<Reason> reasons) {
  double total = 0;
  for (const Reason reason : reasons) {
    total += static_cast<double>(profile.cycles_by_reason[static_cast<std::size_t>(reason)]);
  }
  return total;
}

/// Counters that follow from the accounting and the elapsed time.
void add_time_counters(const LaunchFacts& facts, LaunchProfile& profile) {
  const double engines = facts.spec.shader_engines, xcds = facts.spec.xcds;
  const auto cycles = static_cast<double>(profile.cycles);
  const auto of_engines = [&](double sum) {
    return profile::CounterValue{sum, sum / engines, engines};
  };
  for (const char* name : {"GRBM_COUNT", "GRBM_GUI_ACTIVE", "GRBM_CP_BUSY", "CPC_CPC_STAT_BUSY",
                           "CPF_CPF_STAT_BUSY"}) {
    profile.counters[name] = {cycles * xcds, cycles, xcds};
  }
  const auto channels = static_cast<double>(facts.memory.channels.size());
  profile.counters["TCC_CYCLE"] = {cycles * channels, cycles, channels};
  profile.counters["SQ_CYCLES"] = of_engines(cycles * engines);
  const auto waves = static_cast<double>(profile::wave_cycles(profile));
  profile.counters["GRBM_SPI_BUSY"] = {waves * xcds, waves, xcds};
  profile.counters["SQ_BUSY_CYCLES"] = of_engines(waves * engines);
  const double waiting =
      cycles_of(profile, {Reason::kWaitVectorMemory, Reason::kWaitLds, Reason::kWaitScalarMemory,
                          Reason::kWaitBarrier, Reason::kWaitValu, Reason::kWaitMatrix,
                          Reason::kWaitFence, Reason::kWaitFetch, Reason::kSleep});
  profile.counters["SQ_WAIT_ANY"] = of_engines(waiting / 4);
  const double not_issued =
      cycles_of(profile, {Reason::kMemoryQueueFull, Reason::kLdsQueueFull, Reason::kNotPicked});
  profile.counters["SQ_WAIT_INST_ANY"] = of_engines(not_issued / 4);
  profile.counters["SQ_WAIT_INST_LDS"] =
      of_engines(cycles_of(profile, {Reason::kLdsQueueFull}) / 4);
  const double groups = static_cast<double>(facts.workgroups);
  profile.counters["SPI_CSN_NUM_THREADGROUPS"] = of_engines(groups);
}

}  // namespace

void describe_launch(const LaunchFacts& facts, LaunchProfile& profile) {
  describe_time(facts, profile);
  describe_accounting(facts, profile);
  describe_instructions(facts, profile);
  describe_units(facts, profile);
  describe_levels(facts, profile);
  describe_operations(facts, profile);
  collect_counters(facts, profile.counters);
  add_time_counters(facts, profile);
  profile.waves = static_cast<std::uint64_t>(profile.counters["SQ_WAVES"].sum);
  // Slots are accounted for while the kernel runs, without what a launch costs around it.
  double accounted = 0;
  for (const double cycles : profile.cycles_by_reason) accounted += cycles;
  const double resident = accounted - cycles_of(profile, {Reason::kEmpty});
  profile.occupancy.achieved_waves_per_cu =
      accounted == 0 ? 0 : resident / accounted * profile.wave_slots / facts.spec.compute_units;
  const auto all_cus =
      facts.spec.compute_units * static_cast<double>(profile::wave_cycles(profile));
  profile.occupancy.cu_percent =
      std::min(100.0, wavetank::percent(profile.counters["SQ_BUSY_CU_CYCLES"].sum, all_cus));
}

}  // namespace wavetank::timing
