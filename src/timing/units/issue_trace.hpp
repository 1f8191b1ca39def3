// The thread trace of a CU: each wave that it took and each instruction that it issued, with what
// kept the wave from it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "profile/launch_profile.hpp"
#include "timing/units/cycle_ledger.hpp"
#include "timing/units/wave_context.hpp"

namespace wavetank::timing {

class IssueTrace {
 public:
  /// Collects from now on; nullptr: nothing.
  void into(profile::ThreadTrace* trace) { trace_ = trace; }
  bool collects() const { return trace_ != nullptr; }

  /// `place`: of the wave, without its workgroup and begin.
  void took(WaveContext& wave, profile::TraceWave place) {
    if (!collects()) return;
    wave.trace_index = static_cast<std::uint32_t>(trace_->waves.size());
    place.workgroup = wave.group->workgroup;
    place.begin_cycle = wave.begin;
    trace_->waves.push_back(place);
  }
  void ended(const WaveContext& wave, std::uint64_t time) {
    if (collects()) trace_->waves[wave.trace_index].end_cycle = time;
  }

  /// What is charged from here to the next issued() or waited() is a stall of that instruction;
  /// until ignore(), if neither comes.
  void listen(CycleLedger& ledger) {
    if (!collects()) return;
    charged_ = {};
    ledger_ = &ledger;
    ledger_->also_into(&charged_);
  }
  void ignore() {
    if (collects()) ledger_->also_into(nullptr);
  }
  void issued(const WaveContext& wave, std::uint32_t instruction, std::uint64_t time,
              std::uint32_t cycles, profile::Reason own) {
    if (collects()) record(wave, instruction, time, cycles, own);
  }
  /// The wave's last instruction, an s_waitcnt, was over only now.
  void waited(const WaveContext& wave) {
    if (!collects()) return;
    const auto of_wave = [&](const auto& issue) { return issue.wave == wave.trace_index; };
    const auto last = std::find_if(trace_->issues.rbegin(), trace_->issues.rend(), of_wave);
    add_stalls(*last);
  }

 private:
  [[gnu::noinline]] void record(const WaveContext& wave, std::uint32_t instruction,
                                std::uint64_t time, std::uint32_t cycles, profile::Reason own) {
    auto& issue_cycles = charged_[static_cast<std::size_t>(own)];
    issue_cycles -= std::min<std::uint64_t>(issue_cycles, cycles);
    profile::TraceIssue record;
    record.wave = wave.trace_index;
    record.instruction = instruction;
    record.issue_cycle = time;
    record.issue_cycles = cycles;
    add_stalls(record);
    trace_->issues.push_back(record);
  }
  void add_stalls(profile::TraceIssue& record) {
    ignore();
    std::uint64_t longest = record.stall_cycles;
    for (std::size_t i = 0; i < profile::kReasonCount; ++i) {
      record.stall_cycles += charged_[i];
      if (charged_[i] > longest) {
        longest = charged_[i];
        record.stall_reason = static_cast<profile::Reason>(i);
      }
    }
  }

  CycleLedger* ledger_ = nullptr;
  profile::ThreadTrace* trace_ = nullptr;
  profile::ReasonCycles charged_ = {};
};

}  // namespace wavetank::timing
