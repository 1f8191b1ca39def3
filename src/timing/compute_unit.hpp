// A compute unit: four SIMDs of eight wave slots, their shared scalar, LDS and vector memory paths.
//
// The scheduler looks at one SIMD in each cycle, so at each SIMD every fourth. It issues up to one
// instruction of each kind, each from another wave, oldest first. An instruction is executed when
// it issues; its memory requests are followed to their ends at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "machine/step.hpp"
#include "profile/launch_profile.hpp"
#include "timing/caches/small_cache.hpp"
#include "timing/counter_bank.hpp"
#include "timing/lds_unit.hpp"
#include "timing/spec.hpp"
#include "timing/vector_memory_unit.hpp"
#include "timing/wave_context.hpp"

namespace wavetank::timing {

/// Cycles and hits of one instruction of the program, over all waves of a CU.
struct InstructionTally {
  std::uint64_t hits = 0;
  std::uint64_t active_lanes = 0;
  std::uint64_t lines_touched = 0, lines_needed = 0;  ///< see profile::InstructionProfile
  std::uint64_t lds_conflict_cycles = 0;
  profile::ReasonCycles cycles = {};
};

/// What the waves of a launch need of a CU.
struct GroupShape {
  std::uint32_t waves_per_simd = 8;  ///< that registers and slots admit
  std::uint32_t groups_by_lds = 32;  ///< that LDS admits
  std::uint32_t groups_by_barriers = 32;
  std::uint64_t code_base = 0;  ///< address of the code, for the instruction cache
};

/// The caches that two CUs share.
struct SharedCaches {
  SharedCaches(const TimingSpec& spec, MemorySystem& memory, unsigned xcd);
  SmallCache scalar;
  SmallCache instruction;
  CuCounters counters;
};

/// What a CU asks of the rest of the device while it runs.
class CuHost {
 public:
  virtual ~CuHost() = default;
  /// A wave or a workgroup of `cu` ended at `time`: room for others.
  virtual void room_at(std::uint32_t cu, std::uint64_t time) = 0;
  virtual void group_ended(GroupContext& group, std::uint64_t time) = 0;
  /// A wave waits at ds_gws_barrier.
  virtual void at_global_barrier(std::uint32_t cu, unsigned simd, unsigned slot,
                                 std::uint64_t time) = 0;
  virtual machine::StepClock& clock() = 0;
  virtual void serve_host() = 0;
};

class ComputeUnit {
 public:
  ComputeUnit(const TimingSpec& spec, MemorySystem& memory, SharedCaches& caches, unsigned xcd,
              std::uint32_t index);

  void start_launch(const GroupShape& shape, CuHost& host, double start_time_cycles);
  /// True if a workgroup of `waves` fits now.
  bool has_room(std::uint32_t waves) const;
  /// Puts a workgroup's waves into slots; wave i starts at start_times[i]. There must be room.
  Result<void> admit(GroupContext& group, const std::vector<std::uint64_t>& start_times);
  /// Runs until cycle `end`. Errors: what the program does wrong.
  Result<void> run(std::uint64_t end);
  /// The next cycle in which something can happen; ~0 if nothing can without others.
  std::uint64_t next_event() const;
  /// Lets a wave go on that waited at a global barrier.
  Result<void> pass_global_barrier(unsigned simd, unsigned slot, std::uint64_t time);

  std::uint32_t resident_waves() const { return resident_waves_; }
  const CuCounters& counters() const { return counters_; }
  const profile::ReasonCycles& cycles_by_reason() const { return cycles_by_reason_; }
  const std::vector<InstructionTally>& instructions() const { return instructions_; }
  const VectorMemoryUnit& vector_memory() const { return vector_memory_; }
  const LdsUnit& lds() const { return lds_; }
  const profile::Operations& operations() const { return operations_; }
  std::uint64_t unit_busy(machine::Port port) const {
    return busy_[static_cast<std::size_t>(port)];
  }
  std::uint64_t matrix_busy() const { return matrix_busy_; }
  std::uint64_t last_end() const { return last_end_; }
  double lds_bytes() const { return lds_bytes_; }
  double scalar_bytes() const { return scalar_bytes_; }
  /// Collects the issues of all waves from now on.
  void trace_into(profile::ThreadTrace* trace) { trace_ = trace; }

 private:
  static constexpr unsigned kSlots = 8;
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  struct Simd {
    std::array<std::uint64_t, kSlots> ready;  ///< when the wave's next instruction may issue
    std::array<std::uint64_t, kSlots> age;    ///< smaller is older; priority in the top bits
    std::uint8_t occupied = 0;
    std::uint64_t next_slot = kNever;  ///< next cycle in which one may issue
    std::uint64_t vector_free = 0;     ///< VALU
    std::uint64_t matrix_free = 0;
  };

  Result<void> run_slot(unsigned simd_index, std::uint64_t time);
  Result<void> issue(unsigned simd_index, unsigned slot, std::uint64_t time,
                     std::uint64_t unit_ready_at);
  void refresh(Simd& simd, unsigned simd_index, std::uint64_t after);
  std::uint64_t unit_ready(const Simd& simd, unsigned simd_index,
                           const machine::StepFacts& facts) const;
  /// The wave whose f32 operation issues together with that of slot `vector`; kSlots: none.
  unsigned partner_of(unsigned simd_index, unsigned vector, std::uint64_t time) const;
  void note_control(WaveContext& wave, std::uint64_t& age, std::uint64_t time);
  void occupy_vector(WaveContext& wave, Simd& simd, const machine::StepFacts& facts,
                     std::uint64_t time, std::uint32_t cycles);
  Result<void> end_wave(unsigned simd_index, unsigned slot, std::uint64_t time);
  Result<void> arrive_at_barrier(WaveContext& wave, unsigned simd_index, unsigned slot,
                                 std::uint64_t time);
  Result<void> release_barrier(GroupContext& group, std::uint64_t time);

  // compute_unit_wait.cpp
  static profile::Reason issue_reason(const machine::StepFacts& facts);
  InstructionTally& tally(const machine::StepFacts& facts);
  void account(WaveContext& wave, profile::Reason reason, std::uint64_t until);
  void account_wait(WaveContext& wave, std::uint64_t time, std::uint64_t unit_ready_at);
  void block(WaveContext& wave, profile::Reason reason, std::uint64_t until);
  /// s_waitcnt holds the wave in its instruction buffer until the counters are low enough.
  void wait_for_counters(WaveContext& wave, const machine::StepFacts& facts);
  void block_on_counters(WaveContext& wave, const machine::StepFacts& facts);
  std::uint64_t fetch(WaveContext& wave, const machine::StepFacts& facts, std::uint64_t time);
  Result<void> prepare_next(WaveContext& wave, unsigned simd_index, unsigned slot);

  // compute_unit_memory.cpp
  void execute_memory(WaveContext& wave, unsigned simd_index, std::uint64_t time);
  void execute_vector_memory(WaveContext& wave, unsigned simd_index, std::uint64_t time);
  std::uint64_t execute_scalar_memory(std::uint64_t time);

  // compute_unit_count.cpp
  std::uint32_t issue_cycles(const machine::StepFacts& facts) const;
  /// Of those, what it costs to lie off an 8-byte boundary.
  std::uint32_t misaligned_cycles(const machine::StepFacts& facts) const;
  void count_start(const machine::SteppedWave& wave);
  void count_issue(const machine::Step& step, std::uint32_t cycles);
  void count_valu(const machine::Step& step, std::uint32_t cycles, std::uint64_t lanes);
  void count_message(std::uint32_t cycles);
  void count_vector_memory(const machine::StepFacts& facts, std::uint32_t cycles);
  void count_lds(std::uint64_t done, std::uint64_t time);
  void count_fetch(const SmallCache::Answer& answer, std::uint64_t time);
  void count_ifetch(WaveContext& wave, std::uint64_t first, std::uint64_t end);
  void count_scalar(const SmallCache::Answer& answer);
  void count_scalar_instruction(const machine::StepFacts& facts, std::uint64_t cycles);
  void begin_trace(WaveContext& wave, std::uint32_t index_in_group, unsigned simd, unsigned slot);
  void add_trace(const WaveContext& wave, std::uint64_t time, std::uint32_t cycles,
                 const profile::ReasonCycles& before);

  const TimingSpec& spec_;
  SharedCaches& caches_;
  const unsigned xcd_;
  const std::uint32_t index_;
  GroupShape shape_;
  CuHost* host_ = nullptr;
  double start_cycles_ = 0;
  VectorMemoryUnit vector_memory_;
  LdsUnit lds_;
  std::array<Simd, 4> simds_;
  std::vector<WaveContext> waves_;  ///< by SIMD and slot
  std::uint32_t resident_waves_ = 0, resident_groups_ = 0;
  unsigned next_simd_ = 0;
  std::uint64_t next_age_ = 0;
  machine::Step step_;
  InstructionTally* current_ = nullptr;  ///< what account() charges
  std::uint64_t scalar_free_ = 0;        ///< the scalar unit, which all SIMDs share

  CuCounters counters_;
  profile::ReasonCycles cycles_by_reason_ = {};
  std::vector<InstructionTally> instructions_;
  profile::Operations operations_;
  std::array<std::uint64_t, machine::kPortCount> busy_ = {};
  std::uint64_t matrix_busy_ = 0;
  std::uint64_t last_end_ = 0;
  std::uint64_t busy_since_ = 0;  ///< the CU holds waves since then
  double lds_bytes_ = 0, scalar_bytes_ = 0;
  profile::ThreadTrace* trace_ = nullptr;
};

}  // namespace wavetank::timing
