// Instructions that somebody listens to (machine/listener.hpp): their handler tells the listener
// first. Programs are translated with or without such handlers; those without know nothing of them.
#pragma once

#include <cstdint>
#include <memory>

#include "base/error.hpp"
#include "execute/edge.hpp"
#include "execute/op.hpp"
#include "machine/step.hpp"

namespace wavetank::execute {

/// What a program keeps of an instruction that is listened to or watched.
struct Heard {
  Handler inner = nullptr;   ///< what executes it
  machine::StepFacts facts;  ///< `index` is the same in all programs of a kernel, and no other's
  std::uint64_t following;   ///< address of what stands behind it
  bool is_told = true;       ///< to the listener, beside where a call or jump leads
  std::unique_ptr<const EdgeStop> edge = {};
};

/// What the handlers of a program's instructions know of it, if somebody listens.
class ListenedCode : public machine::Code {
 public:
  virtual ~ListenedCode() = default;
  /// What is known of an op that tells the listener.
  const Heard& heard(const Op* op) const { return *heard_[op - ops_]; }
  /// The same place in the watched form of this code, or back in the other one, and that code.
  /// Errors: kOutOfMemory.
  virtual Result<const Op*> watched(const Op* op, bool watched, machine::Code*& code) = 0;

 protected:
  Op* ops_ = nullptr;        ///< a slot for each dword of the code
  Heard** heard_ = nullptr;  ///< for each slot; only where somebody listens
};

/// The code that a wave runs, for handlers that are listened to.
inline ListenedCode& listened_code_of(const machine::Wave& wave) {
  return static_cast<ListenedCode&>(*wave.program);
}

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

}  // namespace wavetank::execute
