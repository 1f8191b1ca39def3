#include "timing/memory/memory_counts.hpp"

#include <algorithm>
#include <utility>

namespace wavetank::timing {
namespace {

/// Calls visit(value of each ...) for all numbers.
template <class Visit, class... Counts>
void visit_traffic(Visit visit, Counts&... counts) {
  using Traffic = MemorySystem::Traffic;
  for (double Traffic::* const member :
       {&Traffic::l2_read, &Traffic::l2_written, &Traffic::l2_requests, &Traffic::l2_hits,
        &Traffic::fabric_read, &Traffic::fabric_written, &Traffic::mall_requests,
        &Traffic::mall_hits, &Traffic::hbm_read, &Traffic::hbm_written}) {
    visit((counts.traffic.*member)...);
  }
}

template <class Visit, class... Counts>
void visit_busy(Visit visit, Counts&... counts) {
  using Busy = MemorySystem::BusyCycles;
  for (std::vector<double> Busy::* const member :
       {&Busy::l2, &Busy::l2_lanes, &Busy::fabric, &Busy::mall, &Busy::hbm}) {
    const std::size_t size = std::min({(counts.busy.*member).size()...});
    for (std::size_t i = 0; i < size; ++i) visit((counts.busy.*member)[i]...);
  }
  for (double Busy::* const member : {&Busy::l2_moments, &Busy::mall_moments, &Busy::hbm_moments}) {
    visit((counts.busy.*member)...);
  }
  using Rows = FarMemory::Rows;
  for (double Rows::* const member : {&Rows::opened, &Rows::bank_cycles, &Rows::bus_cycles}) {
    visit((counts.busy.rows.*member)...);
  }
}

template <class Visit, class... Counts>
void visit_counts(Visit visit, Counts&... counts) {
  visit_traffic(visit, counts...);
  visit_busy(visit, counts...);
  for (std::size_t i = 0; i < std::min({counts.channels.size()...}); ++i) {
    for (std::size_t n = 0; n < kChannelCounterCount; ++n) visit(counts.channels[i][n]...);
  }
  for (std::size_t i = 0; i < std::min({counts.l2_arrays.size()...}); ++i) {
    visit(counts.l2_arrays[i].read...);
    visit(counts.l2_arrays[i].written...);
    visit(counts.hbm_arrays[i].read...);
    visit(counts.hbm_arrays[i].written...);
  }
}

}  // namespace

MemoryCounts MemoryCounts::of(const MemorySystem& memory, const MemorySystem::BusyCycles& busy) {
  MemoryCounts counts{memory.traffic(), busy, {}, memory.l2_arrays(), memory.hbm_arrays()};
  for (const ChannelCounters& bank : memory.channel_counters()) {
    Channel& channel = counts.channels.emplace_back();
    for (std::size_t n = 0; n < kChannelCounterCount; ++n) {
      channel[n] = static_cast<double>(bank.at(n));
    }
  }
  return counts;
}

void MemoryCounts::add(const MemoryCounts& from, const MemoryCounts& to, double times) {
  visit_counts([times](double& sum, const double& before,
                       const double& after) { sum += times * (after - before); },
               *this, from, to);
}

void SteadyMemory::interval_ended(MemoryCounts counts, std::uint64_t instructions) {
  constexpr std::size_t kMostKept = 16;
  kept_.push_back({++intervals_, instructions, std::move(counts)});
  // Later steady parts begin later.
  const std::size_t warm_up = intervals_ - intervals_ / 2;
  if (kept_.size() > kMostKept) {
    std::erase_if(kept_, [&](const Moment& moment) { return moment.interval < warm_up; });
  }
  for (std::size_t i = kept_.size(); kept_.size() > kMostKept && i >= 3; i -= 2) {
    kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(i - 2));
  }
}

MemoryCounts SteadyMemory::whole(MemoryCounts simulated, double unseen_instructions) const {
  if (unseen_instructions <= 0 || kept_.empty()) return simulated;
  const std::size_t warm_up = intervals_ - intervals_ / 2;
  const auto begin =
      std::ranges::find_if(kept_, [&](const Moment& moment) { return moment.interval >= warm_up; });
  const Moment& end = kept_.back();
  if (end.instructions <= begin->instructions) return simulated;
  const auto seen = static_cast<double>(end.instructions - begin->instructions);
  simulated.add(begin->counts, end.counts, unseen_instructions / seen);
  return simulated;
}

}  // namespace wavetank::timing
