#include "timing/vector_memory_unit.hpp"

#include <algorithm>
#include <bit>

#include "timing/cache_control.hpp"

namespace wavetank::timing {
namespace {

bool is_buffer(const machine::StepFacts& facts) {
  const isa::Format format = facts.row->encoding.format;
  return format == isa::Format::kMubuf || format == isa::Format::kMtbuf;
}

/// gfx942 marks device scope by SC1, system scope by SC1 and SC0 (LLVM AMDGPUUsage, memory model).
AccessScope scope_of(const machine::StepFacts& facts, const TimingSpec& spec) {
  AccessScope scope;
  scope.streaming = facts.slc;
  scope.bypass_l2 = spec.cdna3 && facts.scc;
  return scope;
}

/// Bit 0 of a load's GLC (gfx90a) or SC0/SC1 (gfx942): the L1 may not answer.
bool skips_l1(const machine::StepFacts& facts) { return facts.glc || facts.scc; }

/// The last line of the L2 that an instruction asked for.
struct Asked {
  std::uint64_t l2_line = ~std::uint64_t{0};
  std::uint64_t sent = 0, back = 0;
};

}  // namespace

VectorMemoryUnit::VectorMemoryUnit(const TimingSpec& spec, MemorySystem& memory, unsigned xcd)
    : spec_(spec),
      memory_(memory),
      xcd_(xcd),
      l1_(spec.vmem.l1_bytes / spec.vmem.l1_line_bytes, spec.vmem.l1_ways),
      translation_(spec.translation) {
  start_launch();
}

void VectorMemoryUnit::start_launch() {
  l1_.invalidate();
  translation_.start_launch();
  address_free_ = return_free_ = busy_ = 0;
  started_.assign(spec_.vmem.queue_depth, 0);
  under_way_.assign(spec_.vmem.miss_queue_lines, 0);
  next_started_ = next_under_way_ = 0;
  bytes_read_ = bytes_written_ = requests_ = hits_ = 0;
}

std::uint64_t VectorMemoryUnit::claim(std::uint64_t time) {
  return std::max(time, under_way_[next_under_way_]);
}

void VectorMemoryUnit::release_at(std::uint64_t done) {
  under_way_[next_under_way_] = done;
  next_under_way_ = (next_under_way_ + 1) % under_way_.size();
}

void VectorMemoryUnit::count_instruction(const machine::StepFacts& facts,
                                         CuCounters& counters) const {
  const isa::MemoryAction action = facts.row->memory.action;
  const bool buffer = is_buffer(facts);
  counters.add(CuCounter::kTaTotalWavefronts);
  counters.add(buffer ? CuCounter::kTaBufferWavefronts : CuCounter::kTaFlatWavefronts);
  counters.add(CuCounter::kTdLoadWavefront);
  if (action == isa::MemoryAction::kAtomic) {
    counters.add(buffer ? CuCounter::kTaBufferAtomicWavefronts
                        : CuCounter::kTaFlatAtomicWavefronts);
    counters.add(CuCounter::kTdAtomicWavefront);
    counters.add(facts.returns ? CuCounter::kTcpTotalAtomicWithRet
                               : CuCounter::kTcpTotalAtomicWithoutRet);
  } else if (action == isa::MemoryAction::kStore) {
    counters.add(buffer ? CuCounter::kTaBufferWriteWavefronts : CuCounter::kTaFlatWriteWavefronts);
    counters.add(CuCounter::kTdStoreWavefront);
    counters.add(CuCounter::kTcpTotalWrite, plan_.accesses);
  } else {
    counters.add(buffer ? CuCounter::kTaBufferReadWavefronts : CuCounter::kTaFlatReadWavefronts);
    counters.add(CuCounter::kTcpTotalRead, plan_.accesses);
  }
  if (buffer) counters.add(CuCounter::kTaBufferTotalCycles, plan_.cycles);
  if (plan_.coalesced != 0) counters.add(CuCounter::kTdCoalescableWavefront);
  counters.add(CuCounter::kTcpTotalAccesses, plan_.accesses);
  counters.add(CuCounter::kTcpTotalCacheAccesses, plan_.tag_lookups);
  counters.add(CuCounter::kTcpUtcl1Request, plan_.tag_lookups);
}

void VectorMemoryUnit::count_translation(std::uint64_t misses, CuCounters& counters) const {
  counters.add(CuCounter::kTcpUtcl1TranslationMiss, misses);
  const std::uint64_t requests = plan_.tag_lookups;
  counters.add(CuCounter::kTcpUtcl1TranslationHit, requests - std::min(requests, misses));
}

std::uint64_t VectorMemoryUnit::issue(const machine::Step& step, std::uint64_t time,
                                      CuCounters& counters) {
  const isa::MemoryAction action = step.facts->row->memory.action;
  plan_accesses(step, spec_.vmem.l1_line_bytes, action != isa::MemoryAction::kLoad, plan_);
  count_instruction(*step.facts, counters);
  const std::uint64_t start = std::max(time, address_free_);
  delay_ = 0;
  started_[next_started_] = start;
  next_started_ = (next_started_ + 1) % started_.size();
  std::uint64_t done = start + spec_.vmem.hit_latency;
  if (!plan_.lines.empty()) {
    if (action == isa::MemoryAction::kStore)
      done = store(step, start, counters);
    else if (action == isa::MemoryAction::kAtomic)
      done = atomic(step, start, counters);
    else
      done = load(step, start, counters);
  }
  const std::uint64_t taken = address_free_ > start ? address_free_ - start : 0;
  // Waiting for the levels beyond is not the unit's own work.
  busy_ += taken - std::min(taken, delay_);
  counters.add(CuCounter::kTaTaBusy, taken);
  return done;
}

bool VectorMemoryUnit::misses_too(const LineAccess& next, std::uint64_t l2_line,
                                  bool bypass) const {
  if (next.address / spec_.l2.line_bytes != l2_line) return false;
  const std::uint64_t tag = next.address / spec_.vmem.l1_line_bytes;
  return bypass || !l1_.contains(tag, tag);
}

std::uint64_t VectorMemoryUnit::load(const machine::Step& step, std::uint64_t start,
                                     CuCounters& counters) {
  const AccessScope scope = scope_of(*step.facts, spec_);
  const bool bypass = skips_l1(*step.facts);
  std::uint64_t delay = 0;  // the address unit waits when too many misses are under way
  std::uint64_t misses = 0;
  std::uint64_t last = start;
  Asked asked_last;
  for (std::size_t i = 0; i < plan_.lines.size(); ++i) {
    const LineAccess& access = plan_.lines[i];
    const std::uint64_t asked = start + access.cycle + delay;
    const std::uint64_t at = translation_.translate(access.address, asked, misses);
    const std::uint64_t tag = access.address / spec_.vmem.l1_line_bytes;
    ++requests_;
    CacheLine* line = bypass ? nullptr : l1_.find(tag, tag);
    if (line != nullptr) {
      ++hits_;
      last = std::max({last, at + spec_.vmem.hit_latency, line->ready});
      continue;
    }
    // The L1's lines that one instruction misses in a line of the L2 are one request there.
    const std::uint64_t l2_line = access.address / spec_.l2.line_bytes;
    if (asked_last.l2_line != l2_line) {
      const std::uint64_t sent = claim(at);
      delay += sent - at;
      const bool both =
          i + 1 < plan_.lines.size() && misses_too(plan_.lines[i + 1], l2_line, bypass);
      const unsigned bytes = both ? spec_.l2.line_bytes : spec_.l2.request_read_bytes;
      asked_last = {l2_line, sent, memory_.read(xcd_, access.address, bytes, sent, scope)};
      release_at(asked_last.back);
    }
    const std::uint64_t back = asked_last.back;
    counters.add(CuCounter::kTcpTccReadReq);
    counters.add(scope.bypass_l2 ? CuCounter::kTcpTccUcReadReq : CuCounter::kTcpTccRwReadReq);
    counters.add(CuCounter::kTcpTccReadReqLatency, back - asked_last.sent);
    last = std::max(last, back);
    std::uint64_t evicted_tag;
    CacheLine evicted;
    line = &l1_.replace(tag, tag, evicted_tag, evicted);
    line->ready = back;
  }
  counters.add(CuCounter::kTcpPendingStallCycles, delay);
  count_translation(misses, counters);
  const std::uint32_t into_registers = plan_.bytes / spec_.vmem.bytes_per_cycle;
  std::uint32_t cycles = plan_.cycles;
  if (step.facts->to_lds) cycles = std::max(cycles, spec_.vmem.lds_load_cycles);
  address_free_ = start + cycles + delay;
  delay_ = delay;
  // Data returns in the order of the instructions; its last cycle is in the measured latency.
  return_free_ = std::max(return_free_ + into_registers, last);
  counters.add(CuCounter::kTdTdBusy, into_registers);
  bytes_read_ += plan_.bytes;
  return return_free_;
}

std::uint64_t VectorMemoryUnit::store(const machine::Step& step, std::uint64_t start,
                                      CuCounters& counters) {
  AccessScope scope = scope_of(*step.facts, spec_);
  std::uint64_t delay = 0, misses = 0;
  std::uint64_t last = start;
  for (const WriteRequest& request : plan_.writes) {
    scope.whole_sectors = request.bytes >= 32 * std::popcount(request.sectors);
    const std::uint64_t asked = start + request.cycle + delay;
    const std::uint64_t at = translation_.translate(request.address, asked, misses);
    const std::uint64_t sent = claim(at);
    delay += sent - at;
    const std::uint64_t known = memory_.write(xcd_, request.address, request.sectors, sent, scope);
    release_at(known);
    counters.add(CuCounter::kTcpTccWriteReq);
    counters.add(scope.bypass_l2 ? CuCounter::kTcpTccUcWriteReq : CuCounter::kTcpTccRwWriteReq);
    counters.add(CuCounter::kTcpTccWriteReqLatency, known - sent);
    last = std::max(last, known);
    ++requests_;
  }
  count_translation(misses, counters);
  // One request leaves in a cycle, and data comes from the registers at the same rate.
  const auto data = std::max<std::uint32_t>(plan_.bytes / spec_.vmem.bytes_per_cycle,
                                            static_cast<std::uint32_t>(plan_.writes.size()));
  address_free_ = start + std::max(plan_.cycles, data) + delay;
  delay_ = delay;
  bytes_written_ += plan_.bytes;
  return last;
}

std::uint64_t VectorMemoryUnit::atomic(const machine::Step& step, std::uint64_t start,
                                       CuCounters& counters) {
  // Agent scope spans several L2s there: every atomic of a wave goes to the memory side.
  const bool device_scope = spec_.atomic.at_memory;
  std::uint64_t last = start;
  std::uint64_t delay = 0, misses = 0;
  std::array<std::uint64_t, 64> addresses;
  unsigned count = 0;
  for (std::uint64_t rest = step.lanes & ~step.lds_lanes; rest != 0; rest &= rest - 1) {
    addresses[count++] = step.address[static_cast<unsigned>(std::countr_zero(rest))];
  }
  std::sort(addresses.begin(), addresses.begin() + count);
  // One request for each 64-byte block: its lanes travel together.
  for (unsigned first = 0; first < count;) {
    const std::uint64_t block = addresses[first] / 64;
    unsigned end = first, run = 0, deepest = 0;
    for (; end < count && addresses[end] / 64 == block; ++end) {
      run = end > first && addresses[end] == addresses[end - 1] ? run + 1 : 1;
      deepest = std::max(deepest, run);
    }
    const std::uint64_t asked = start + delay;
    const std::uint64_t at = translation_.translate(addresses[first], asked, misses);
    const std::uint64_t sent = claim(at);
    delay += sent - at + 1;
    delay_ += sent - at;
    const std::uint64_t back = memory_.atomic(xcd_, addresses[first], deepest, device_scope, sent);
    release_at(back);
    counters.add(step.facts->returns ? CuCounter::kTcpTccAtomicWithRetReq
                                     : CuCounter::kTcpTccAtomicWithoutRetReq);
    counters.add(CuCounter::kTcpTccRwAtomicReq);
    last = std::max(last, back);
    ++requests_;
    first = end;
  }
  count_translation(misses, counters);
  address_free_ = start + std::max<std::uint64_t>(plan_.cycles, delay);
  bytes_written_ += plan_.bytes;
  return last;
}

std::uint64_t VectorMemoryUnit::cache_control(const machine::StepFacts& facts, std::uint64_t time,
                                              CuCounters& counters) {
  const std::uint64_t start = std::max(time, address_free_);
  address_free_ = start + 1;
  counters.add(CuCounter::kTcpTotalWritebackInvalidates);
  if (writes_back_l2(spec_, facts)) return memory_.write_back(xcd_, start);
  if (facts.row->memory.invalidates_l1) l1_.invalidate();
  return start + cache_control_cycles(spec_, facts);
}

}  // namespace wavetank::timing
