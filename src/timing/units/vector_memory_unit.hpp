// The vector memory path of a CU: address unit (TA), vector L1 (TCP) and data return (TD).
//
//   issue --> queue --> quads, one or more cycles each --> L1 tags --hit--> data return, in order
//                                                           |
//                                                           +--miss or store--> port to the L2
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/bandwidth.hpp"
#include "timing/caches/tag_array.hpp"
#include "timing/granule.hpp"
#include "timing/memory/memory_port.hpp"
#include "timing/memory/translation.hpp"
#include "timing/spec.hpp"
#include "timing/units/memory_counting.hpp"
#include "timing/units/planned_accesses.hpp"

namespace wavetank::timing {

class VectorMemoryUnit {
 public:
  VectorMemoryUnit(const TimingSpec& spec, unsigned xcd, CuCounters& counters);

  /// A launch starts: cycle 0, and the L1 is empty (the command processor invalidates it).
  void start_launch();
  /// The first cycle in which the unit takes another instruction. Translations that are waited for
  /// long keep it from taking more: requests would lie farther ahead than the levels beyond
  /// remember.
  std::uint64_t accepts_at() const { return accepts_at_; }
  /// Takes an instruction at `time`. Gives the cycle in which its data is in the registers, or in
  /// which a store is acknowledged; or the number by which done() knows it.
  Due issue(const machine::Step& step, std::uint64_t time, PlannedAccesses& plans);
  /// buffer_inv, buffer_wbl2 and their kin.
  Due cache_control(const machine::StepFacts& facts, std::uint64_t time);
  /// The port's requests of this window were answered: settles when its operations end. Its next
  /// window begins with forget_window().
  void settle();
  /// When operation `number` of this window ends. settle() must have been called.
  std::uint64_t done(std::uint32_t number) const { return flights_[number].done; }
  void forget_window();
  MemoryPort& port() { return port_; }
  const MemoryPort& port() const { return port_; }

  /// What the last instruction that issue() took asked of the L1.
  const AddressPlan& last_plan() const { return *planned_.plan; }
  std::uint64_t last_translation_misses() const { return last_translation_misses_; }
  const TranslationCache& translation() const { return translation_; }
  std::uint64_t busy_cycles() const { return busy_; }
  std::uint64_t bytes_read() const { return bytes_read_; }
  std::uint64_t bytes_written() const { return bytes_written_; }
  std::uint64_t requests() const { return requests_; }
  std::uint64_t hits() const { return hits_; }

 private:
  /// What a load puts into registers: nothing for all else.
  struct Returned {
    std::uint64_t begin = 0;  ///< when the unit took the instruction
    double cycles = 0;        ///< of the data return
    std::uint32_t more = 0;   ///< cycles from its first register to its last
  };
  /// An operation whose end is not known yet.
  struct Flight {
    std::uint32_t first, end;  ///< of awaited_: the requests that it waits for
    std::uint64_t done;        ///< not before; after settle(), when
    bool returns_data;         ///< in the order of the instructions
    Returned returned;
  };
  /// The progress of an instruction through the L1.
  struct Walk {
    std::uint64_t start;
    std::uint64_t delay = 0;   ///< that the address unit waited for room among the misses
    std::uint64_t misses = 0;  ///< of translation
    std::uint32_t fills = 0;   ///< lines that come to the L1
    std::uint64_t last;        ///< when all that is known of is done
    std::uint32_t first_awaited;
  };

  /// Finds accepts_at_ anew.
  void took_instruction() {
    const std::uint64_t busy = std::max(address_free_, translation_.busy_until());
    accepts_at_ = std::max(started_[next_started_], busy - std::min(busy, kAheadCycles));
  }
  Due issue_planned(const machine::Step& step, std::uint64_t start);
  Due start_cache_control(const machine::StepFacts& facts, std::uint64_t start);
  /// Sets planned_.
  void plan(const machine::Step& step, bool write, PlannedAccesses& plans);
  Walk begin(std::uint64_t start) const;
  void load(const machine::Step& step, Walk& walk);
  void look_up(std::size_t index, const AccessScope& scope, bool bypass, Walk& walk);
  /// Where a planned access is.
  std::uint64_t address_of(const LineAccess& access) const {
    return access.address + planned_.shift;
  }
  void store(const machine::Step& step, Walk& walk);
  void atomic(const machine::Step& step, Walk& walk);
  /// The end of an instruction whose walk is over.
  Due end_of(const Walk& walk, bool returns_data, Returned returned);
  Returned returned_by(const machine::Step& step, std::uint64_t begin) const;
  /// Data returns in the order of the instructions; the last cycle of a first register is in what a
  /// hit is measured to take. Gives the end.
  std::uint64_t pass_return(Returned returned, std::uint64_t not_before);
  /// True if the L1 has no answer to a planned access either, and it lies in the same line of the
  /// L2.
  bool misses_too(std::size_t index, std::uint64_t l2_line, bool bypass) const;
  /// When another request may be under way, from `at` on.
  std::uint64_t room_from(std::uint64_t at, Walk& walk) const;
  /// Sends a request for which there is room; gives its number.
  std::uint32_t send(const MemoryRequest& request) {
    const std::uint32_t number = port_.send(request);
    lines_of_request_.push_back(0);
    under_way_[next_under_way_] = Due::with(number);
    if (++next_under_way_ == under_way_.size()) next_under_way_ = 0;
    return number;
  }
  void await(std::uint32_t request) { awaited_.push_back(request); }
  void bring(std::uint64_t tag, std::uint32_t request);
  void count_answers();

  static constexpr std::uint64_t kAheadCycles = Bandwidth::kReachCycles / 4;

  const TimingSpec& spec_;
  Granule l1_line_, l2_line_;
  MemoryPort port_;
  MemoryCounting counting_;
  TagArray<ComingLine> l1_;
  TranslationCache translation_;
  double return_bytes_per_cycle_;
  ShiftedPlan planned_;
  AddressPlan scaled_;
  std::uint64_t accepts_at_ = 0;
  std::uint64_t address_free_ = 0;      ///< when the address unit has done what it took
  double return_free_ = 0;              ///< when the data return has
  std::vector<std::uint64_t> started_;  ///< ring: starts of the last queue_depth instructions
  std::size_t next_started_ = 0;
  std::vector<Due> under_way_;  ///< ring: ends of the last requests to the L2
  std::size_t next_under_way_ = 0;
  struct Asked {
    std::uint64_t l2_line = ~std::uint64_t{0};
    std::uint32_t request = 0;
  };
  Asked asked_;  ///< the last line of the L2 that the instruction under way asked for
  std::uint64_t last_translation_misses_ = 0;
  std::uint64_t busy_ = 0;
  std::uint64_t bytes_read_ = 0, bytes_written_ = 0, requests_ = 0, hits_ = 0;

  // Of this window.
  std::vector<Flight> flights_;
  bool loads_in_flight_ = false;
  std::vector<std::uint32_t> awaited_;
  std::vector<std::uint8_t> lines_of_request_;  ///< of the L1, that each request brings
  std::vector<ComingLine*> coming_;
};

}  // namespace wavetank::timing
