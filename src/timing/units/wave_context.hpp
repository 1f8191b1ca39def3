// What the model keeps of one resident wave.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "profile/reason.hpp"
#include "timing/units/hazards.hpp"
#include "timing/units/outstanding.hpp"

namespace wavetank::timing {

struct GroupContext;

/// A reason that keeps the wave from its next instruction, and until when.
struct Blocker {
  profile::Reason reason = profile::Reason::kNotPicked;
  std::uint64_t until = 0;
};

/// What a wave's instruction buffer holds, and what it waits for.
struct FetchState {
  std::uint64_t held_end = 0;  ///< code offset at which what it holds, or waits for, ends; 0: empty
  std::uint64_t came = 0, came_before = 0;  ///< to the last piece of it, and the one before
  std::array<Due, 2> awaited;  ///< when the cache has the pieces of the next instruction
  bool waits = false;          ///< there are such pieces
};

/// What a wave does when the answers of the window are there.
enum class Resume : std::uint8_t { kNothing, kAfterWait, kNextInstruction, kEnd };

/// What nearly every issue looks at comes first, in a few lines of the host's caches.
struct WaveContext {
  alignas(64) machine::SteppedWave* stepped = nullptr;
  const machine::StepFacts* next = nullptr;
  const machine::StepFacts* previous = nullptr;  ///< issued last; null before the first
  std::uint64_t accounted = 0;                   ///< every cycle before this has its reason
  std::uint64_t issue_end = 0;                   ///< the last instruction's issue is over
  std::uint64_t assembled = 0;                   ///< its next instruction is put together
  std::uint64_t ready = 0;                       ///< the last blocker is gone
  std::uint64_t vector_until = 0;  ///< its own vector instruction occupies the unit ...

  bool vector_is_matrix = false;  ///< ... which is the matrix unit
  bool branched = false, taken = false;
  bool held_back = false;  ///< by a branch, a barrier or a sleep that it has come through
  bool waits_at_barrier = false;
  Resume resume = Resume::kNothing;
  unsigned blocker_count = 0;
  std::uint64_t instructions = 0;  ///< that it has issued
  std::uint64_t branch_until = 0, barrier_until = 0, sleep_until = 0;
  std::array<Blocker, 12> blockers;
  FetchState fetch;
  Hazards hazards;
  Outstanding<24> scalar_and_lds;
  Outstanding<64> vector_memory;
  GroupContext* group = nullptr;
  std::uint64_t begin = 0;  ///< when the slot was taken
  std::uint32_t trace_index = 0;
  /// By StepFacts::index, modulo 256: how often it made a narrow access, where those are joined,
  /// since the last barrier or fence, across which no access is.
  std::vector<std::uint8_t> narrow_turns;

  /// Lets the host bring the beginning.
  void prefetch() const {
    constexpr std::size_t kLineBytes = 64, kLines = 7;
    const char* const first = reinterpret_cast<const char*>(this);
    for (std::size_t line = 0; line < kLines; ++line) __builtin_prefetch(first + line * kLineBytes);
  }
  /// Its next instruction may not issue before `until`.
  void block(profile::Reason reason, std::uint64_t until) {
    if (until <= issue_end || blocker_count == blockers.size()) return;
    blockers[blocker_count++] = {reason, until};
    ready = std::max(ready, until);
  }
  /// The wave takes a slot at `time`.
  void start(machine::SteppedWave& wave, GroupContext& of, std::uint64_t time) {
    stepped = &wave;
    group = &of;
    previous = nullptr;
    begin = accounted = issue_end = time;
    instructions = 0;
    fetch = {};
    resume = Resume::kNothing;
    held_back = branched = taken = waits_at_barrier = vector_is_matrix = false;
    branch_until = barrier_until = sleep_until = vector_until = assembled = 0;
    vector_memory.clear();
    scalar_and_lds.clear();
    hazards.start_wave();
    narrow_turns.clear();
  }
  /// It may go on at `time`.
  void pass_barrier(std::uint64_t time) {
    stepped->pass_barrier();
    barrier_until = time;
    held_back = true;
    branched = taken = false;
  }
};

/// A workgroup on a CU.
struct GroupContext {
  machine::SteppedGroup* stepped = nullptr;
  std::uint64_t workgroup = 0;
  std::uint64_t order = 0;  ///< in which the dispatcher handed it out
  std::uint32_t waves = 0, alive = 0, at_barrier = 0;
  std::uint32_t cu = 0;
  std::uint64_t begin = 0;         ///< of its first wave
  std::uint64_t instructions = 0;  ///< of its waves that have ended
};

}  // namespace wavetank::timing
