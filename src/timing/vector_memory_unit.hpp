// The vector memory path of a CU: address unit (TA), vector L1 (TCP) and data return (TD).
//
//   issue --> queue --> quads, one or more cycles each --> L1 tags --hit--> data return, in order
//                                                           |
//                                                           +--miss or store--> L2
#pragma once

#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/address_unit.hpp"
#include "timing/caches/tag_cache.hpp"
#include "timing/counter_bank.hpp"
#include "timing/memory/memory_system.hpp"
#include "timing/memory/translation.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

class VectorMemoryUnit {
 public:
  VectorMemoryUnit(const TimingSpec& spec, MemorySystem& memory, unsigned xcd);

  /// A launch starts: cycle 0, and the L1 is empty (the command processor invalidates it).
  void start_launch();
  /// The first cycle in which the unit takes another instruction.
  std::uint64_t accepts_at() const { return started_[next_started_]; }
  /// Takes an instruction at `time`. Gives the cycle in which its data is in the registers, or in
  /// which a store is acknowledged.
  std::uint64_t issue(const machine::Step& step, std::uint64_t time, CuCounters& counters);
  /// buffer_inv, buffer_wbl2 and their kin.
  std::uint64_t cache_control(const machine::StepFacts& facts, std::uint64_t time,
                              CuCounters& counters);

  /// What the last instruction that issue() took asked of the L1.
  const AddressPlan& last_plan() const { return plan_; }
  std::uint64_t busy_cycles() const { return busy_; }
  double bytes_read() const { return bytes_read_; }
  double bytes_written() const { return bytes_written_; }
  double requests() const { return requests_; }
  double hits() const { return hits_; }

 private:
  std::uint64_t load(const machine::Step& step, std::uint64_t start, CuCounters& counters);
  std::uint64_t store(const machine::Step& step, std::uint64_t start, CuCounters& counters);
  std::uint64_t atomic(const machine::Step& step, std::uint64_t start, CuCounters& counters);
  /// True if the L1 has no answer to the next access either, and it lies in the same line of the
  /// L2.
  bool misses_too(const LineAccess& next, std::uint64_t l2_line, bool bypass) const;
  /// Waits until another request may be under way; gives when.
  std::uint64_t claim(std::uint64_t time);
  void release_at(std::uint64_t done);
  void count_translation(std::uint64_t misses, CuCounters& counters) const;
  void count_instruction(const machine::StepFacts& facts, CuCounters& counters) const;

  const TimingSpec& spec_;
  MemorySystem& memory_;
  const unsigned xcd_;
  TagCache l1_;
  TranslationCache translation_;
  AddressPlan plan_;
  std::uint64_t address_free_ = 0;      ///< when the address unit has done what it took
  std::uint64_t return_free_ = 0;       ///< when the data return has
  std::vector<std::uint64_t> started_;  ///< ring: starts of the last queue_depth instructions
  std::size_t next_started_ = 0;
  std::vector<std::uint64_t> under_way_;  ///< ring: ends of the last requests to the L2
  std::size_t next_under_way_ = 0;
  std::uint64_t busy_ = 0;
  std::uint64_t delay_ = 0;  ///< what the instruction under way waited for levels beyond
  double bytes_read_ = 0, bytes_written_ = 0, requests_ = 0, hits_ = 0;
};

}  // namespace wavetank::timing
