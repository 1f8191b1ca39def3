// A workgroup under way, as checks see it.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "check/barrier_check.hpp"
#include "check/bounds_check.hpp"
#include "check/call_stack.hpp"
#include "check/group_clock.hpp"
#include "check/group_order.hpp"
#include "check/guesses.hpp"
#include "check/lds_check.hpp"
#include "check/lds_dwords.hpp"
#include "check/memory_log.hpp"
#include "check/undefined/undefined_check.hpp"
#include "check/waits/wait_check.hpp"
#include "check/wave_order.hpp"
#include "machine/step.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

/// What is kept of a workgroup until its turn in dispatch order comes.
struct GroupRecord {
  std::uint64_t index = 0;  ///< in dispatch order
  unsigned waves = 0;
  MemoryLog log;
  Findings findings;  ///< in it alone

  void clear() {
    log.clear();
    findings = {};
  }
};

struct Group {
  std::uint64_t index = 0;  ///< in dispatch order
  GroupClock clock;
  std::array<CallStack, kMostWaves> calls;  ///< of its waves
  CalledCode called;
  std::array<Guesses, kMostWaves> guesses;  ///< of its waves
  BarrierCheck barriers;
  BoundsCheck bounds;
  std::unique_ptr<WaitCheck> waits;  ///< where the code may use results early
  LdsCheck lds;
  LdsDwords lds_dwords;                  ///< of the present instruction
  std::vector<Cell> lds_cells;           ///< where more than barriers orders accesses to LDS
  std::vector<Record> lds_first_stores;  ///< of each of them
  GroupOrder order;                      ///< where waves learn of each other without a barrier
  UndefinedGroup undefined;
  std::vector<WaveOrder>* orders = nullptr;  ///< of its waves, where waves learn of others
  std::uint64_t meetings = 0;                ///< of all workgroups, that it has been at
  std::uint16_t at_meeting = 0;              ///< its waves that are at the next
  bool l1_is_new = true;  ///< no load went through the L1 since a wave invalidated it
  unsigned running_waves = 0;
  std::unique_ptr<GroupRecord> record;  ///< where workgroups run side by side
  /// Where accesses are written down until the workgroups before it are over; nullptr: they are
  /// looked at as they come.
  MemoryLog* log = nullptr;
  Findings* findings = nullptr;
  std::vector<LaneRange> ranges;  ///< of the present instruction
};

/// An instruction that touches memory.
struct Instruction {
  machine::Wave& wave;
  Group& group;
  const machine::StepFacts& facts;
  const machine::Step& step;
  AccessKind kind;
};

}  // namespace wavetank::check
