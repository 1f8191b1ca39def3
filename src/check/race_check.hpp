// Data races of one launch, in LDS and in global memory.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/findings.hpp"
#include "check/group.hpp"
#include "check/lane_ranges.hpp"
#include "check/memory_shadow.hpp"
#include "check/race_rules.hpp"

namespace wavetank::check {

/// What stays from launch to launch.
struct Memory {
  MemoryShadow shadow;
  std::uint32_t next_actor = 1;  ///< workgroups so far
};

/// What a check has to know of a launch before it begins.
struct LaunchFacts {
  std::uint64_t groups = 1;
  std::uint64_t kernarg_begin = 0;  ///< address of the arguments, which are only read
  std::uint64_t kernarg_bytes = 0;
  unsigned lds_access_bytes = 4;       ///< the narrowest access to LDS in the code
  bool stores_show_atomicity = false;  ///< gfx942: SC bits say that a store is atomic
  bool l2_is_shared = true;            ///< gfx90a: one L2 is all that the device has
  bool learns_of_others = false;       ///< waves may learn of other workgroups during the launch
};

class RaceCheck {
 public:
  RaceCheck(Memory& memory, const LaunchFacts& facts, Findings& findings);

  /// Prepares a workgroup that begins.
  void begin(Group& group, unsigned waves, std::uint32_t lds_bytes);
  /// An instruction touches these bytes of LDS, which are all of its lanes' if `in_bounds`.
  void access_lds(const Instruction& now, std::uint64_t lanes, const std::vector<LaneRange>& ranges,
                  bool in_bounds);
  /// True if an access to LDS is in bounds and races with nothing, known from an equal one.
  bool knows_in_lds(const Instruction& now, std::uint64_t lanes) const {
    return now.group.lds.knows(lds_access(now, lanes));
  }
  /// An instruction touches these bytes of memory.
  void access_global(const Instruction& now, const std::vector<LaneRange>& ranges);
  /// What an instruction, of any sort, means for the order of what its wave does.
  void control(const machine::Wave& wave, Group& group, const machine::StepFacts& facts,
               AccessKind kind);
  void pass_barrier(Group& group);
  /// All workgroups have arrived; called for each of them.
  void pass_global_barrier(Group& group);
  /// True if the launch is larger than records have room for, so that races may be missing.
  bool gave_up() const { return gave_up_; }

 private:
  static LdsAccess lds_access(const Instruction& now, std::uint64_t lanes) {
    return {now.facts, now.step, now.kind, now.wave.id_in_group, lanes};
  }
  Meeting meeting_of(const Instruction& now) const;
  void number_actors();
  void start_actor(Group& group, unsigned waves);
  bool has_room(const Instruction& now);
  void gather_release(const Cell& cell, std::uint64_t address, Release& release) const;
  Access access_of(const Record& record, AccessKind kind) const;
  void report(const Instruction& now, const LaneRange& range, unsigned lane, const Access& earlier,
              machine::MemorySpace space, std::uint64_t address, unsigned bytes);

  Memory& memory_;
  const LaunchFacts facts_;
  Findings& findings_;
  std::uint32_t first_actor_ = 0;  ///< what earlier actors did is ordered before all of now
  bool gave_up_ = false;
  std::uint64_t passed_global_barrier_ = 0;
  std::unordered_map<std::uint32_t, std::vector<WaveOrder>> orders_;
  /// What atomics have handed on, by the address of the word.
  std::unordered_map<std::uint64_t, Release> words_;
};

}  // namespace wavetank::check
