// Instructions that somebody listens to (machine/listener.hpp): their handler tells the listener
// first. Programs are translated with or without such handlers; those without know nothing of them.
#pragma once

#include <memory>

#include "execute/edge.hpp"
#include "execute/op.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// Whether a program's instructions tell the launch's listener.
enum class Listening : std::uint8_t {
  kNone,
  kHeard,    ///< those that is_heard() names; the rest may be compiled
  kWatched,  ///< those, and all are executed one by one, to follow undefined bits
             ///< (watch/watched.hpp)
};

/// What a program keeps of an instruction that is listened to or watched.
struct Heard {
  Handler inner = nullptr;   ///< what executes it
  machine::StepFacts facts;  ///< `index` is the same in all programs of a kernel, and no other's
  bool is_told = true;       ///< to the listener
  std::unique_ptr<const EdgeStop> edge = {};
};

/// Runs an op of a listened program: tells the listener, then executes.
const Op* run_heard(machine::Wave& wave, const Op* op);
/// Tells the listener of an op that is about to be executed.
void tell_listener(machine::Wave& wave, const Op* op, const Heard& heard);

/// True if a listener wants to know of instructions of this row: memory, caches, waits, barriers,
/// ends, calls and jumps. Waits only matter where another workgroup can learn of what was waited
/// for.
bool is_heard(const isa::Row& row, bool hears_waits);
/// True for rows by which a wave learns of what others did in the same launch: they make the vector
/// L1 forget, or wait for all waves of the launch.
bool learns_of_others(const isa::Row& row);

/// True for ops that show a wave what other workgroups did before: atomics with a result, and loads
/// past the caches.
bool asks_other_groups(const Op& op);

/// A number for an instruction that no other instruction of the process has.
std::uint32_t next_instruction_index();

}  // namespace wavetank::execute
