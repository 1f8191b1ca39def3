#include "timing/units/lds_unit.hpp"

#include <algorithm>

namespace wavetank::timing {
namespace {

bool is_exchange(const machine::StepFacts& facts) {
  switch (facts.row->memory.special) {
    case isa::MemorySpecial::kSwizzle:
    case isa::MemorySpecial::kPermute:
    case isa::MemorySpecial::kBackwardPermute: return true;
    default: return false;
  }
}

}  // namespace

void LdsUnit::start_launch() {
  pairs_.assign(spec_.lds.pairs, {0, std::vector<std::uint64_t>(spec_.lds.queue_depth), 0});
  accepts_at_ = {};
  banks_free_ = busy_ = bus_busy_ = 0;
}

std::uint32_t LdsUnit::bus_cycles(const machine::Step& step) const {
  const isa::MemoryShape& shape = step.facts->row->memory;
  const std::uint32_t bytes = 64 * step.access_bytes * step.access_count;
  const std::uint32_t data = bytes / spec_.lds.bytes_per_cycle_per_pair;
  std::uint32_t cycles = spec_.lds.store_address_cycles;
  if (shape.data_dwords != 0) cycles += data;  // address and data share the way in
  if (step.facts->returns) cycles = std::max(cycles, data);
  return cycles;
}

std::uint32_t LdsUnit::latency(const machine::Step& step) const {
  const std::uint32_t bytes = step.access_bytes * step.access_count;
  if (bytes <= 4) return spec_.lds.latency_b32;
  return bytes <= 8 ? spec_.lds.latency_b64 : spec_.lds.latency_b128;
}

LdsUnit::Answer LdsUnit::issue(const machine::Step& step, std::uint64_t lanes, unsigned simd,
                               std::uint64_t time, KnownBanks& known) {
  Pair& pair = pair_of(simd);
  BankCycles banks;
  std::uint32_t bus = spec_.lds.permute_cycles;
  if (!is_exchange(*step.facts)) {
    banks = known.count(step, lanes, spec_.lds);
    banks.total += banks.same_address * spec_.lds.atomic_cycles;
    bus = bus_cycles(step);
  }
  if (spec_.lds.cycles_scale != 1) {
    bus = static_cast<std::uint32_t>(bus * spec_.lds.cycles_scale + 0.5);
    banks.scale(spec_.lds.cycles_scale);
  }
  const std::uint64_t start = std::max(time, pair.free);
  const std::uint64_t bank_start = std::max(start, banks_free_);
  banks_free_ = bank_start + banks.total;
  busy_ += banks.total;
  bus_busy_ += bus;
  pair.free = std::max(start + bus, banks_free_);
  pair.started[pair.next] = start;
  pair.next = (pair.next + 1) % pair.started.size();
  for (unsigned other = 0; other < accepts_at_.size(); ++other) {
    if (&pair_of(other) == &pair) accepts_at_[other] = pair.started[pair.next];
  }
  // The measured latency is that of an access without conflicts: its own bank cycles are in it.
  const std::uint32_t undisturbed = std::max(banks.total - banks.conflict, 1u);
  const std::uint32_t extra = banks.total > undisturbed ? banks.total - undisturbed : 0;
  return {bank_start + latency(step) + extra, banks};
}

}  // namespace wavetank::timing
