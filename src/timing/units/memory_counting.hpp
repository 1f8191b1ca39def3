// What the counters of a CU's vector memory path (TA, TD, TCP) say of its instructions and
// requests.
#pragma once

#include <algorithm>
#include <cstdint>

#include "machine/step.hpp"
#include "timing/counter_bank.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/units/address_unit.hpp"

namespace wavetank::timing {

class MemoryCounting {
 public:
  explicit MemoryCounting(CuCounters& bank) : bank_(bank) {}
  void start_launch() { returned_until_ = 0; }

  /// The address unit takes an instruction.
  void taken(const machine::StepFacts& facts, const AddressPlan& plan) {
    const isa::Format format = facts.row->encoding.format;
    const bool buffer = format == isa::Format::kMubuf || format == isa::Format::kMtbuf;
    bank_.add(CuCounter::kTaTotalWavefronts);
    bank_.add(buffer ? CuCounter::kTaBufferWavefronts : CuCounter::kTaFlatWavefronts);
    bank_.add(CuCounter::kTdLoadWavefront);
    count_action(facts, plan, buffer);
    if (buffer) bank_.add(CuCounter::kTaBufferTotalCycles, plan.cycles);
    if (plan.coalesced != 0) bank_.add(CuCounter::kTdCoalescableWavefront);
    bank_.add(CuCounter::kTcpTaTcpStateRead);
    bank_.add(CuCounter::kTcpTotalAccesses, plan.accesses);
    bank_.add(CuCounter::kTcpTotalCacheAccesses, plan.tag_lookups);
    bank_.add(CuCounter::kTcpUtcl1Request, plan.tag_lookups);
  }
  /// Of the plan's look-ups so many found no translation.
  void translated(const AddressPlan& plan, std::uint64_t misses) {
    bank_.add(CuCounter::kTcpUtcl1TranslationMiss, misses);
    bank_.add(CuCounter::kTcpUtcl1TranslationHit,
              plan.tag_lookups - std::min<std::uint64_t>(plan.tag_lookups, misses));
  }
  /// So many lines of the L1 that requests are to bring.
  void missed(const AccessScope& scope, std::uint64_t lines) {
    bank_.add(CuCounter::kTcpTccReadReq, lines);
    bank_.add(scope.bypass_l2 ? CuCounter::kTcpTccUcReadReq : CuCounter::kTcpTccRwReadReq, lines);
  }
  /// So many writes that were sent.
  void wrote(const AccessScope& scope, std::uint64_t writes) {
    bank_.add(CuCounter::kTcpTccWriteReq, writes);
    bank_.add(scope.bypass_l2 ? CuCounter::kTcpTccUcWriteReq : CuCounter::kTcpTccRwWriteReq,
              writes);
  }
  void sent_atomic(bool returns) {
    bank_.add(returns ? CuCounter::kTcpTccAtomicWithRetReq : CuCounter::kTcpTccAtomicWithoutRetReq);
    bank_.add(CuCounter::kTcpTccRwAtomicReq);
  }
  /// A read of so many lines of the L1, or a write, was answered after so many cycles.
  void read_answered(unsigned lines, std::uint64_t cycles) {
    bank_.add(CuCounter::kTcpTccReadReqLatency, lines * cycles);
  }
  void write_answered(std::uint64_t cycles) {
    bank_.add(CuCounter::kTcpTccWriteReqLatency, cycles);
  }
  /// The unit worked so long on an instruction, and waited so long for room among the misses.
  void worked(std::uint64_t cycles, std::uint64_t stalled) {
    bank_.add(CuCounter::kTaTaBusy, cycles);
    bank_.add(CuCounter::kTcpPendingStallCycles, stalled);
  }
  /// The data of a load that began at `begin` has been returned, which took `cycles`. The unit is
  /// busy while it waits for data, too (rocprofiler-compute documentation, vector L1 cache,
  /// "Data-return Busy").
  void returned(std::uint64_t begin, std::uint64_t end, double cycles) {
    const std::uint64_t from = std::max(begin, returned_until_);
    if (end <= from) return;
    const std::uint64_t busy = end - from;
    bank_.add(CuCounter::kTdTdBusy, busy);
    bank_.add(CuCounter::kTdTcStall, busy - std::min(busy, static_cast<std::uint64_t>(cycles)));
    returned_until_ = end;
  }
  void cleaned() { bank_.add(CuCounter::kTcpTotalWritebackInvalidates); }

 private:
  void count_action(const machine::StepFacts& facts, const AddressPlan& plan, bool buffer) {
    const isa::MemoryAction action = facts.row->memory.action;
    if (action == isa::MemoryAction::kAtomic) {
      bank_.add(buffer ? CuCounter::kTaBufferAtomicWavefronts : CuCounter::kTaFlatAtomicWavefronts);
      bank_.add(CuCounter::kTdAtomicWavefront);
      bank_.add(facts.returns ? CuCounter::kTcpTotalAtomicWithRet
                              : CuCounter::kTcpTotalAtomicWithoutRet);
    } else if (action == isa::MemoryAction::kStore) {
      bank_.add(buffer ? CuCounter::kTaBufferWriteWavefronts : CuCounter::kTaFlatWriteWavefronts);
      bank_.add(CuCounter::kTdStoreWavefront);
      bank_.add(CuCounter::kTcpTotalWrite, plan.accesses);
    } else {
      bank_.add(buffer ? CuCounter::kTaBufferReadWavefronts : CuCounter::kTaFlatReadWavefronts);
      bank_.add(CuCounter::kTcpTotalRead, plan.accesses);
    }
  }

  CuCounters& bank_;
  std::uint64_t returned_until_ = 0;
};

}  // namespace wavetank::timing
