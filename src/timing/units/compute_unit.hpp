// A compute unit: four SIMDs of eight wave slots, their shared scalar, LDS and vector memory paths.
//
//   instruction fetch --> SIMD 0..3 --> VALU, matrix unit (of the SIMD)
//                              |
//                              +--> scalar unit --> scalar cache --port--> L2
//                              +--> LDS
//                              +--> vector memory unit ----------port--> L2
//
// Time passes in windows. Within one, the CU runs by itself: what it asks of the L2 goes into its
// port, and what it has to tell the device, into its events. When the requests are answered,
// settle() and go_on() let the waves that wait for answers continue.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "machine/step.hpp"
#include "profile/launch_profile.hpp"
#include "timing/counter_bank.hpp"
#include "timing/spec.hpp"
#include "timing/units/instruction_fetch.hpp"
#include "timing/units/issue_counting.hpp"
#include "timing/units/issue_trace.hpp"
#include "timing/units/lds_unit.hpp"
#include "timing/units/scalar_unit.hpp"
#include "timing/units/shared_caches.hpp"
#include "timing/units/simd.hpp"
#include "timing/units/unit_worker.hpp"
#include "timing/units/vector_memory_unit.hpp"
#include "timing/units/wave_context.hpp"

namespace wavetank::timing {

/// What the waves of a launch need of a CU.
struct GroupShape {
  std::uint32_t waves_per_simd = 8;  ///< that registers and slots admit
  std::uint32_t groups_by_lds = 32;  ///< that LDS admits
  std::uint32_t groups_by_barriers = 32;
  std::uint64_t code_base = 0;  ///< address of the code, for the instruction cache
};

/// What a CU tells the device at the end of a window.
struct UnitEvent {
  enum class Kind : std::uint8_t {
    kRoom,            ///< a wave ended: there may be room for others
    kGroupEnded,      ///< ... and the workgroup with it
    kAtGlobalBarrier  ///< a wave waits at ds_gws_barrier
  };
  Kind kind = Kind::kRoom;
  std::uint64_t time = 0;
  GroupContext* group = nullptr;  ///< that ended
  unsigned simd = 0, slot = 0;    ///< of the wave that waits
};

class ComputeUnit {
 public:
  ComputeUnit(const TimingSpec& spec, SharedCaches& caches, unsigned xcd, std::uint32_t index);
  ComputeUnit(const ComputeUnit&) = delete;
  ComputeUnit& operator=(const ComputeUnit&) = delete;

  void start_launch(const GroupShape& shape, double start_time_cycles);
  /// True if a workgroup of `waves` fits into what was free at `time`, of this window or later.
  bool has_room(std::uint32_t waves, std::uint64_t time) const;
  /// Gives a workgroup's waves slots; wave i starts at start_times[i]. There must be room.
  void admit(GroupContext& group, const std::vector<std::uint64_t>& start_times);
  /// GroupContext::order of the workgroup that was admitted first of those that have not begun;
  /// kNever if there is none.
  std::uint64_t next_arrival() const {
    return arrivals_.empty() ? kNever : arrivals_.front().group->order;
  }
  /// Begins that workgroup. Errors: what the program does wrong.
  Result<void> begin_next(UnitWorker& worker);

  /// It will run until `end`: lets the host bring what that begins with.
  void prefetch(std::uint64_t end) const;
  enum class Meeting : std::uint8_t {
    kStop,  ///< before an instruction that meets others (StepFacts::meets_others)
    kGo     ///< others stand still
  };
  /// Runs until cycle `end`, which is that of the window, or stops before; the waves' cycles go
  /// into the ledger. Errors: what the program does wrong.
  Result<void> run(std::uint64_t end, Meeting meeting, UnitWorker& worker);
  /// The next cycle in which something can happen; kNever if nothing can without others.
  std::uint64_t next_event() const;
  /// The window's requests are answered: all ends of memory operations are known from now on.
  void settle();
  /// The next window begins: waves that waited for answers continue.
  Result<void> go_on(UnitWorker& worker);
  /// Lets a wave go on that waited at a global barrier.
  Result<void> pass_global_barrier(unsigned simd, unsigned slot, std::uint64_t time);

  /// True if settle() and go_on() have something to do.
  bool waits_for_answers() const {
    return !resuming_.empty() || !awaited_.empty() || !vector_memory_.port().requests().empty();
  }
  MemoryPort& port() { return vector_memory_.port(); }
  /// What happened since they were last cleared.
  std::vector<UnitEvent>& events() { return events_; }
  /// True if a wave slept since this was last asked: the host may have work (GridSource).
  bool slept() { return std::exchange(slept_, false); }

  /// All waves have ended: counters show what they did.
  void end_launch() { counting_.end_launch(); }

  std::uint32_t resident_waves() const;
  const CuCounters& counters() const { return counters_; }
  const IssueCounting& counting() const { return counting_; }
  const VectorMemoryUnit& vector_memory() const { return vector_memory_; }
  const LdsUnit& lds() const { return lds_; }
  std::uint64_t last_end() const { return last_end_; }
  /// Collects the issues of all waves from now on.
  void trace_into(profile::ThreadTrace* trace) { trace_.into(trace); }

 private:
  static constexpr unsigned kSimds = 4;

  // What gives a bool gives false when the program has done something wrong: failure_ says what.
  bool failed(Error error) {
    failure_ = std::move(error);
    return false;
  }
  Result<void> outcome() const {
    return failure_ ? Result<void>(tl::unexpected(*failure_)) : Result<void>();
  }

  // compute_unit.cpp: what comes and goes
  bool run_slot(unsigned simd, std::uint64_t time, Meeting meeting);
  /// Tells the SIMDs when a unit that they share takes another instruction.
  void tell_scalar();
  void tell_vector_memory();
  void tell_lds();
  bool end_wave(unsigned simd, unsigned slot, std::uint64_t time);
  void leave_slot(unsigned simd, unsigned slot, std::uint64_t time);
  bool arrive_at_barrier(unsigned simd, unsigned slot, std::uint64_t time);
  bool release_barrier(GroupContext& group, std::uint64_t time);

  // compute_unit_issue.cpp: an instruction
  bool issue(unsigned simd, unsigned slot, std::uint64_t time);
  bool step(WaveContext& wave) { return wave.stepped->tell(step_) || step_now(wave); }
  bool step_now(WaveContext& wave);
  bool after_issue(unsigned simd, unsigned slot, std::uint64_t time);
  void note_control(WaveContext& wave, unsigned simd, unsigned slot, std::uint64_t time);
  void execute_memory(WaveContext& wave, unsigned simd, std::uint64_t time);
  /// A load from `address` on. Counted by vmcnt if not by lgkmcnt: one that lanes asked for.
  Due load_by_scalar_unit(WaveContext& wave, std::uint64_t address, bool counts_lgkm,
                          std::uint64_t time);
  void execute_lds(WaveContext& wave, unsigned simd, std::uint64_t time);
  /// True for an access that would be a part of a wider one, for which the wave has waited before.
  bool is_part_of_wide(WaveContext& wave) const;
  void execute_vector_memory(WaveContext& wave, unsigned simd, std::uint64_t time);

  // compute_unit_next.cpp: what a wave waits for
  /// True for arithmetic that is to take no time.
  bool is_free(const machine::StepFacts& facts) const;
  /// Executes what stands before the wave's next instruction that takes time.
  bool pass_free_code(WaveContext& wave);
  bool prepare_next(unsigned simd, unsigned slot);
  /// The same for what the wave has come through. Gives when it is behind that.
  static std::uint64_t block_on_control(WaveContext& wave);
  /// Finds when the wave's next instruction may issue; or lets it resume at the end of the window.
  void find_ready(unsigned simd, unsigned slot);
  void block_on_results(WaveContext& wave, const IssueCost& cost) const;
  /// False if that depends on answers of this window.
  bool block_on_counters(WaveContext& wave);
  /// True if the wave's next instruction is a cache operation: what it waits for is the fence's.
  static bool is_before_fence(WaveContext& wave);
  /// s_waitcnt holds the wave in its instruction buffer until the counters are low enough. False if
  /// that depends on answers of this window.
  bool wait_for_counters(WaveContext& wave, const machine::StepFacts& facts);
  void resume_later(unsigned simd, unsigned slot, Resume how);
  bool resume(unsigned simd, unsigned slot);

  const TimingSpec& spec_;
  const unsigned xcd_;
  const std::uint32_t index_;
  GroupShape shape_;
  std::uint64_t start_cycle_ = 0;  ///< of the launch, for the clock that code reads
  CuCounters counters_;
  IssueCounting counting_;
  UnitWorker* worker_ = nullptr;  ///< that the CU is at
  IssueTrace trace_;
  InstructionFetch fetch_;
  ScalarUnit scalar_;
  LdsUnit lds_;
  VectorMemoryUnit vector_memory_;
  std::array<Simd, kSimds> simds_;
  std::uint32_t resident_groups_ = 0;
  unsigned next_simd_ = 0;    ///< that gets the next wave
  unsigned last_served_ = 0;  ///< the SIMD that the scalar unit served last
  std::uint64_t next_age_ = 0;
  std::uint64_t last_end_ = 0;
  std::uint64_t busy_since_ = 0;  ///< the CU holds waves since then
  std::uint64_t window_end_ = 0;
  bool stopped_ = false;  ///< before an instruction that meets others
  bool slept_ = false;
  machine::Step step_;
  std::vector<UnitEvent> events_;
  std::optional<Error> failure_;

  /// A wave that has a slot, of a workgroup that has not begun.
  struct Arrival {
    GroupContext* group;
    std::uint32_t index;  ///< in the workgroup
    std::uint8_t simd, slot;
    std::uint64_t time;
  };
  bool begin_wave(const Arrival& arrival);
  std::deque<Arrival> arrivals_;

  /// A wave that has left its slot: waves of one workgroup end in one window, but one after the
  /// other.
  struct Leave {
    std::uint64_t time;
    unsigned simd;
    bool ends_group;
  };
  std::vector<Leave> leaves_;  ///< not before this window

  /// A memory operation of this window whose end is not known yet.
  struct Awaited {
    WaveContext* wave;
    bool scalar;           ///< done by the scalar unit, not by the vector memory unit
    std::uint32_t number;  ///< by which the unit knows it
    std::uint64_t begin;
    std::uint64_t not_before;
    bool counts_vmcnt, counts_lgkm;  ///< a FLAT access is counted by both
    bool is_access;                  ///< not a cache operation
  };
  /// Gives the number by which the wave's counters know it.
  Due await(const Awaited& operation);
  std::vector<Awaited> awaited_;
  struct Place {
    std::uint8_t simd, slot;
  };
  std::vector<Place> resuming_;
};

}  // namespace wavetank::timing
