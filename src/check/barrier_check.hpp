// Who misses a barrier: lanes that another lane of their wave waits for, waves that another wave of
// their workgroup waits for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>

#include "check/findings.hpp"
#include "check/group_clock.hpp"
#include "machine/step.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

/// True if the code leads from one instruction to another (both by StepFacts::index).
using Leads = std::function<bool(std::uint32_t from, std::uint32_t to)>;

/// One workgroup's barriers. On the device a barrier counts waves, and one that ends counts as
/// there. HIP wants every work-item to come; those that left the kernel before are forgiven, as
/// CUDA's rules do (Programming Guide, "Synchronization Functions"), but noted.
class BarrierCheck {
 public:
  void begin(std::uint64_t group, std::span<const machine::Wave> waves);
  /// A wave is about to execute an instruction that checks hear of.
  void on_instruction(const machine::Wave& wave, const machine::StepFacts& facts,
                      Findings& findings) {
    WaveState& state = waves_[wave.id_in_group];
    if (state.missing == 0 && facts.row->pause == isa::Pause::kNone) {
      state.last_site = facts.index;
    } else {
      on_pause(wave, facts, findings);
    }
  }
  /// The waves that are left pass a barrier; those that have ended missed it. They went around it
  /// if the last that they did is behind it: the barrier leads there, and nothing leads back.
  void pass_barrier(std::span<const machine::Wave> waves, const Leads& leads, Findings& findings);

 private:
  void on_pause(const machine::Wave& wave, const machine::StepFacts& facts, Findings& findings);
  struct WaveState {
    std::uint64_t work_items = 0;  ///< lanes at the start
    std::uint64_t missing = 0;     ///< lanes that did not come to the last barrier
    std::uint32_t barrier_site = 0;
    std::uint32_t last_site = 0;  ///< what it did last, waits and ends aside; 0: nothing
  };
  void note_other_barrier(const machine::Wave& one, const machine::Wave& other, Findings& findings);
  Finding finding(const machine::Wave& wave, std::uint64_t lanes, std::uint32_t barrier,
                  std::uint32_t beyond) const;

  std::uint64_t group_ = 0;
  std::array<WaveState, kMostWaves> waves_ = {};
};

}  // namespace wavetank::check
