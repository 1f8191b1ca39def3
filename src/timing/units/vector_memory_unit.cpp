#include "timing/units/vector_memory_unit.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "timing/cache_control.hpp"
#include "timing/units/side_by_side.hpp"

namespace wavetank::timing {
namespace {

using Kind = MemoryRequest::Kind;

/// Device scope is marked by SC1, system scope by SC1 and SC0 (LLVM AMDGPUUsage, memory model).
AccessScope scope_of(const machine::StepFacts& facts, const TimingSpec& spec) {
  AccessScope scope;
  scope.streaming = facts.slc;
  scope.bypass_l2 = spec.target->has_scope_bits && facts.scc;
  return scope;
}

/// A VGPR of all lanes.
constexpr std::uint32_t kRegisterBytes = 64 * 4;

/// Bit 0 of a load's GLC (gfx90a) or SC0/SC1 (gfx942): the L1 may not answer.
bool skips_l1(const machine::StepFacts& facts) { return facts.glc || facts.scc; }

}  // namespace

VectorMemoryUnit::VectorMemoryUnit(const TimingSpec& spec, unsigned xcd, CuCounters& counters)
    : spec_(spec),
      l1_line_(spec.vmem.l1_line_bytes),
      l2_line_(spec.l2.line_bytes),
      port_(xcd),
      counting_(counters),
      l1_(spec.vmem.l1_bytes / spec.vmem.l1_line_bytes, spec.vmem.l1_ways),
      translation_(spec.translation),
      return_bytes_per_cycle_(spec.vmem.bytes_per_cycle * spec.vmem.read_efficiency) {
  start_launch();
}

void VectorMemoryUnit::start_launch() {
  l1_.invalidate();
  translation_.start_launch();
  counting_.start_launch();
  accepts_at_ = address_free_ = busy_ = 0;
  return_free_ = 0;
  started_.assign(spec_.vmem.queue_depth, 0);
  under_way_.assign(spec_.vmem.miss_queue_lines, Due());
  next_started_ = next_under_way_ = 0;
  bytes_read_ = bytes_written_ = requests_ = hits_ = 0;
  coming_.clear();
  forget_window();
}

std::uint64_t VectorMemoryUnit::room_from(std::uint64_t at, Walk& walk) const {
  const Due& oldest = under_way_[next_under_way_];
  // One of this window: it is under way no shorter than a hit of the L2 takes.
  const std::uint64_t free = oldest.known()
                                 ? oldest.cycle()
                                 : port_.requests()[oldest.request()].time + spec_.l2.hit_latency;
  const std::uint64_t time = std::max(at, free);
  walk.delay += time - at;
  return time;
}

VectorMemoryUnit::Walk VectorMemoryUnit::begin(std::uint64_t start) const {
  return {
      .start = start, .last = start, .first_awaited = static_cast<std::uint32_t>(awaited_.size())};
}

VectorMemoryUnit::Returned VectorMemoryUnit::returned_by(const machine::Step& step,
                                                         std::uint64_t begin) const {
  // A register of all lanes is written whether they are active or not.
  const std::uint32_t register_cycles = kRegisterBytes / spec_.vmem.bytes_per_cycle;
  const std::uint32_t lane_bytes = step.access_bytes * step.access_count;
  return {.begin = begin,
          .cycles = last_plan().bytes / return_bytes_per_cycle_,
          .more = lane_bytes <= 4 ? 0 : (lane_bytes - 1) / 4 * register_cycles};
}

std::uint64_t VectorMemoryUnit::pass_return(Returned returned, std::uint64_t not_before) {
  return_free_ =
      std::max(return_free_ + returned.cycles, static_cast<double>(not_before + returned.more));
  const auto end = static_cast<std::uint64_t>(std::ceil(return_free_));
  counting_.returned(returned.begin, end, returned.cycles);
  return end;
}

Due VectorMemoryUnit::end_of(const Walk& walk, bool returns_data, Returned returned) {
  const auto end = static_cast<std::uint32_t>(awaited_.size());
  const bool known = end == walk.first_awaited && !(returns_data && loads_in_flight_);
  if (known) {
    return Due::at(returns_data ? pass_return(returned, walk.last) : walk.last);
  }
  loads_in_flight_ |= returns_data;
  flights_.push_back({walk.first_awaited, end, walk.last, returns_data, returned});
  return Due::with(static_cast<std::uint32_t>(flights_.size() - 1));
}

void VectorMemoryUnit::settle() {
  for (Flight& flight : flights_) {
    for (std::uint32_t i = flight.first; i < flight.end; ++i) {
      flight.done = std::max(flight.done, port_.back(awaited_[i]));
    }
    if (flight.returns_data) flight.done = pass_return(flight.returned, flight.done);
  }
  for (ComingLine* line : coming_) {
    if (!line->ready.known()) line->ready = Due::at(port_.back(line->ready.request()));
  }
  std::size_t place = next_under_way_;
  for (std::size_t sent = std::min(port_.requests().size(), under_way_.size()); sent != 0; --sent) {
    place = (place == 0 ? under_way_.size() : place) - 1;
    Due& due = under_way_[place];
    if (!due.known()) due = Due::at(port_.back(due.request()));
  }
  count_answers();
}

void VectorMemoryUnit::count_answers() {
  for (std::size_t i = 0; i < port_.requests().size(); ++i) {
    const MemoryRequest& request = port_.requests()[i];
    if (request.kind == Kind::kRead)
      counting_.read_answered(lines_of_request_[i], request.latency());
    else if (request.kind == Kind::kWrite)
      counting_.write_answered(request.latency());
  }
}

void VectorMemoryUnit::forget_window() {
  port_.clear();
  flights_.clear();
  loads_in_flight_ = false;
  awaited_.clear();
  lines_of_request_.clear();
  coming_.clear();
}

Due VectorMemoryUnit::issue(const machine::Step& step, std::uint64_t time, PlannedAccesses& plans) {
  const isa::MemoryAction action = step.facts->row->memory.action;
  plan(step, action != isa::MemoryAction::kLoad, plans);
  counting_.taken(*step.facts, last_plan());
  last_translation_misses_ = 0;
  const std::uint64_t start = std::max(time, address_free_);
  started_[next_started_] = start;
  if (++next_started_ == started_.size()) next_started_ = 0;
  const Due done = issue_planned(step, start);
  took_instruction();
  return done;
}

Due VectorMemoryUnit::issue_planned(const machine::Step& step, std::uint64_t start) {
  const isa::MemoryAction action = step.facts->row->memory.action;
  const AddressPlan& plan = last_plan();
  if (plan.lines.empty()) return Due::at(start + spec_.vmem.hit_latency);
  Walk walk = begin(start);
  const bool loads = action != isa::MemoryAction::kStore && action != isa::MemoryAction::kAtomic;
  if (action == isa::MemoryAction::kStore)
    store(step, walk);
  else if (action == isa::MemoryAction::kAtomic)
    atomic(step, walk);
  else
    load(step, walk);
  counting_.translated(plan, walk.misses);
  last_translation_misses_ = walk.misses;
  const std::uint64_t taken = address_free_ > start ? address_free_ - start : 0;
  // Waiting for the levels beyond is not the unit's own work.
  busy_ += taken - std::min(taken, walk.delay);
  counting_.worked(taken, loads ? walk.delay : 0);
  return end_of(walk, loads, loads ? returned_by(step, start) : Returned());
}

void VectorMemoryUnit::plan(const machine::Step& step, bool write, PlannedAccesses& plans) {
  const std::uint32_t line_bytes = spec_.vmem.l1_line_bytes;
  planned_ = plans.plan(step, line_bytes, write);
  if (spec_.vmem.lanes_side_by_side && !step.scratch && !planned_.plan->lines.empty()) {
    machine::Step laid;
    lay_side_by_side(step, planned_, line_bytes, laid);
    planned_ = plans.plan(laid, line_bytes, write);
  }
  if (spec_.vmem.cycles_scale != 1) {
    scaled_ = *planned_.plan;
    scaled_.scale(spec_.vmem.cycles_scale);
    planned_.plan = &scaled_;
  }
}

bool VectorMemoryUnit::misses_too(std::size_t index, std::uint64_t l2_line, bool bypass) const {
  const std::vector<LineAccess>& lines = last_plan().lines;
  if (index == lines.size()) return false;
  const std::uint64_t address = address_of(lines[index]);
  if (l2_line_.number(address) != l2_line) return false;
  const std::uint64_t tag = l1_line_.number(address);
  return bypass || !l1_.contains(tag, tag);
}

void VectorMemoryUnit::bring(std::uint64_t tag, std::uint32_t request) {
  ComingLine& line = l1_.replace(tag, tag);
  line.ready = Due::with(request);
  coming_.push_back(&line);
}

void VectorMemoryUnit::look_up(std::size_t index, const AccessScope& scope, bool bypass,
                               Walk& walk) {
  const LineAccess& access = last_plan().lines[index];
  const std::uint64_t address = address_of(access);
  const std::uint64_t asked = walk.start + access.cycle + walk.delay;
  const std::uint64_t at = translation_.translate(address, asked, walk.misses);
  const std::uint64_t tag = l1_line_.number(address);
  if (const ComingLine* line = bypass ? nullptr : l1_.find(tag, tag)) {
    walk.last = std::max(walk.last, at + spec_.vmem.hit_latency);
    if (!line->ready.known())
      await(line->ready.request());
    else
      walk.last = std::max(walk.last, line->ready.cycle());
    return;
  }
  // The L1's lines that one instruction misses in a line of the L2 are one request there.
  const std::uint64_t l2_line = l2_line_.number(address);
  if (asked_.l2_line != l2_line) {
    const bool both = misses_too(index + 1, l2_line, bypass);
    const unsigned bytes = both ? spec_.l2.line_bytes : spec_.l2.request_read_bytes;
    asked_ = {l2_line, send({.kind = Kind::kRead,
                             .amount = static_cast<std::uint16_t>(bytes),
                             .scope = scope,
                             .address = address,
                             .time = room_from(at, walk)})};
    await(asked_.request);
  }
  ++lines_of_request_[asked_.request];
  ++walk.fills;
  bring(tag, asked_.request);
}

void VectorMemoryUnit::load(const machine::Step& step, Walk& walk) {
  const AccessScope scope = scope_of(*step.facts, spec_);
  const bool bypass = skips_l1(*step.facts);
  const AddressPlan& plan = last_plan();
  asked_ = {};
  for (std::size_t i = 0; i < plan.lines.size(); ++i) look_up(i, scope, bypass, walk);
  requests_ += plan.lines.size();
  hits_ += plan.lines.size() - walk.fills;
  counting_.missed(scope, walk.fills);
  std::uint32_t cycles = plan.cycles;
  // What a miss brings is written where hits are read, one line after the other.
  cycles += static_cast<std::uint32_t>(walk.fills * spec_.vmem.fill_cycles + 0.5);
  if (step.facts->to_lds) cycles = std::max(cycles, spec_.vmem.lds_load_cycles);
  address_free_ = walk.start + cycles + walk.delay;
  bytes_read_ += plan.bytes;
}

void VectorMemoryUnit::store(const machine::Step& step, Walk& walk) {
  AccessScope scope = scope_of(*step.facts, spec_);
  const AddressPlan& plan = last_plan();
  // One request leaves in a cycle, when its data has come from the registers.
  const double each = std::max(
      1.0, plan.bytes / spec_.vmem.store_bytes_per_cycle / static_cast<double>(plan.writes.size()));
  double data = 0;
  for (const WriteRequest& write : plan.writes) {
    scope.whole_sectors = write.bytes >= 32 * std::popcount(write.sectors);
    const std::uint64_t address = write.address + planned_.shift;
    const auto leaves = std::max<std::uint64_t>(write.cycle, static_cast<std::uint64_t>(data));
    data += each;
    const std::uint64_t at =
        translation_.translate(address, walk.start + leaves + walk.delay, walk.misses);
    await(send({.kind = Kind::kWrite,
                .amount = write.sectors,
                .scope = scope,
                .address = address,
                .time = room_from(at, walk)}));
  }
  counting_.wrote(scope, plan.writes.size());
  requests_ += plan.writes.size();
  const std::uint32_t cycles = std::max(plan.cycles, static_cast<std::uint32_t>(data + 0.5));
  address_free_ = walk.start + cycles + walk.delay;
  bytes_written_ += plan.bytes;
}

void VectorMemoryUnit::atomic(const machine::Step& step, Walk& walk) {
  std::array<std::uint64_t, 64> addresses;
  unsigned count = 0;
  for (std::uint64_t rest = step.lanes & ~step.lds_lanes; rest != 0; rest &= rest - 1) {
    addresses[count++] = step.address[static_cast<unsigned>(std::countr_zero(rest))];
  }
  std::sort(addresses.begin(), addresses.begin() + count);
  std::uint64_t blocks = 0;
  // One request for each 64-byte block: its lanes travel together. Requests of many waves meet at
  // an address, where it is their mean that counts, not the most that one of them brings.
  for (unsigned first = 0; first < count;) {
    const std::uint64_t block = addresses[first] / 64;
    unsigned end = first, different = 0;
    for (; end < count && addresses[end] / 64 == block; ++end) {
      if (end == first || addresses[end] != addresses[end - 1]) ++different;
    }
    const std::uint64_t asked = walk.start + walk.delay + blocks;
    const std::uint64_t at = translation_.translate(addresses[first], asked, walk.misses);
    await(send({.kind = Kind::kAtomic,
                .amount = static_cast<std::uint16_t>((end - first + different - 1) / different),
                .scope = {},
                .address = addresses[first],
                .time = room_from(at, walk)}));
    counting_.sent_atomic(step.facts->returns);
    ++blocks;
    ++requests_;
    first = end;
  }
  address_free_ = walk.start + std::max<std::uint64_t>(last_plan().cycles, walk.delay + blocks);
  bytes_written_ += last_plan().bytes;
}

Due VectorMemoryUnit::cache_control(const machine::StepFacts& facts, std::uint64_t time) {
  if (!spec_.fence.costs) return Due::at(time);
  const Due done = start_cache_control(facts, std::max(time, address_free_));
  took_instruction();
  return done;
}

Due VectorMemoryUnit::start_cache_control(const machine::StepFacts& facts, std::uint64_t start) {
  address_free_ = start + 1;
  counting_.cleaned();
  if (writes_back_l2(spec_, facts)) {
    Walk walk = begin(start);
    await(port_.send(
        {.kind = Kind::kWriteBack, .amount = 0, .scope = {}, .address = 0, .time = start}));
    lines_of_request_.push_back(0);
    return end_of(walk, false, {});
  }
  if (facts.row->memory.invalidates_l1) l1_.invalidate();
  return Due::at(start + cache_control_cycles(spec_, facts));
}

}  // namespace wavetank::timing
