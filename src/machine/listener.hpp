// Who wants to know what the waves of a functional launch do: checks, and whatever counts or traces
// without being part of the engine. A launch without a listener runs as if this did not exist.
#pragma once

#include <cstdint>
#include <span>

#include "machine/edge.hpp"
#include "machine/step.hpp"
#include "machine/undefined_registers.hpp"
#include "machine/wave.hpp"

namespace wavetank::machine {

/// Hears of one launch. Workgroups may run on several threads at once; a workgroup's waves never
/// do.
class Listener {
 public:
  virtual ~Listener() = default;
  /// True if all workgroups must run on one thread, one instruction after the other.
  virtual bool wants_one_thread() const { return false; }
  /// True if on_instruction() is to be called for every instruction, which then run one by one.
  virtual bool wants_every_instruction() const { return false; }
  /// What the launch is to behave as if it had. The same for all launches of a kernel.
  virtual std::span<const Edge> edges() const { return {}; }
  /// A workgroup begins, the `index`th of the launch in dispatch order. Its waves have their
  /// initial registers.
  virtual void on_group(Workgroup& group, std::uint64_t index, std::span<Wave> waves) = 0;
  /// A wave is about to execute an instruction: one that touches memory or controls caches (`step`
  /// says which lanes touch what), or waits, arrives at a barrier or ends (`step` is empty); or any
  /// other one, if the listener wants that. A
  /// listener that sets bits of Wave::undefined for what is loaded finds them followed from there.
  virtual void on_instruction(Wave& wave, const StepFacts& facts, const Step& step) = 0;
  /// What a wave does next depends on registers that Wave::undefined calls undefined: a branch, or
  /// which lanes go on. They count as defined from here on.
  virtual void on_undefined_branch(Wave& wave, const StepFacts& facts,
                                   const UndefinedOrigin& origin) {
    (void)wave, (void)facts, (void)origin;
  }
  /// A wave is about to call a function, which comes back to the address `back`.
  virtual void on_call(Wave& wave, const StepFacts& facts, std::uint64_t back) {
    (void)wave, (void)facts, (void)back;
  }
  /// A wave is about to jump to an address in registers: back from a call, or anywhere.
  virtual void on_jump(Wave& wave, std::uint64_t target) { (void)wave, (void)target; }
  /// All waves of a workgroup that are left have arrived at s_barrier and go on.
  virtual void on_barrier(Workgroup& group, std::span<const Wave> waves) = 0;
  /// All waves of the launch that are left have arrived at ds_gws_barrier; called once for each
  /// workgroup, before any of its waves goes on.
  virtual void on_global_barrier(Workgroup& group) = 0;
};

}  // namespace wavetank::machine
