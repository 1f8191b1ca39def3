// A workgroup under way, as checks see it.
#pragma once

#include <memory>
#include <vector>

#include "check/barrier_check.hpp"
#include "check/group_clock.hpp"
#include "check/lds_check.hpp"
#include "check/wave_order.hpp"
#include "machine/step.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {

struct Group {
  std::uint64_t index = 0;  ///< in dispatch order
  GroupClock clock;
  BarrierCheck barriers;
  LdsCheck lds;
  std::vector<WaveOrder>* orders = nullptr;  ///< of its waves, where waves learn of others
};

/// An instruction that touches memory.
struct Instruction {
  const machine::Wave& wave;
  Group& group;
  const machine::StepFacts& facts;
  const machine::Step& step;
  AccessKind kind;
};

}  // namespace wavetank::check
