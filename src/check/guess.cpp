#include "check/guess.hpp"

#include <bit>
#include <cstring>

namespace wavetank::check {

using isa::Format;
using isa::MemoryAction;
using machine::RegisterRange;
using machine::Step;
using machine::StepFacts;
using machine::Wave;

namespace {

/// What an instruction's result takes of a value: in which lanes, if it is a vector.
struct Taken {
  bool any = false;
  std::uint64_t lanes = 0;
};

Taken taken(const HeldValue& value, const StepFacts& facts, std::uint64_t exec) {
  const bool scalar = value.reads_scalar(facts);
  const std::uint64_t lanes = value.lanes_read(facts);
  // What goes from lane to lane may go to any.
  if (facts.row->scalar_result || isa::exchanges_registers(facts.row->memory.special)) {
    return {scalar || lanes != 0, scalar || lanes != 0 ? exec : 0};
  }
  return {scalar || (lanes & exec) != 0, scalar ? exec : lanes & exec};
}

void put(HeldValue& value, const StepFacts& facts, const Taken& taken, std::uint64_t exec) {
  const isa::Row& row = *facts.row;
  if (!row.lane_result) value.put_vectors(facts, taken.lanes, exec);
  value.put_scalars(facts, taken.any);
  if (row.unit == isa::Unit::kSalu && row.encoding.format != Format::kSop1) {
    value.put_scc(taken.any);
  }
}

}  // namespace

bool is_compare_and_swap(const isa::Row& row) {
  return row.memory.action == MemoryAction::kAtomic &&
         row.memory.atomic == isa::AtomicOperation::kCompareSwap &&
         row.encoding.format != Format::kSmem;
}

Guess::Guess(const StepFacts& load, const Step& step) : site_(load.index), open_(step.lanes) {
  for (unsigned lane = 0; lane < 64; ++lane) from_[lane] = step.address[lane];
  guess_.put_vectors(load, step.lanes, step.lanes);
}

Guess::Use Guess::follow(const Wave& wave, const StepFacts& facts, const Step& step,
                         bool is_private) {
  if (asked_.lanes != 0) take_answer(wave);
  const isa::Row& row = *facts.row;
  if (row.pause == isa::Pause::kEnd || row.pause == isa::Pause::kBarrier) {
    return is_tried() ? Use::kDecides : Use::kNone;
  }
  if (facts.conditional_branch) {
    branched_ = branched_ || guess_.decides_branch();
    return Use::kNone;
  }
  if (row.indirect_flow) return guess_.reads_scalar(facts) ? Use::kDecides : Use::kNone;
  if (is_compare_and_swap(row)) return swap(wave, facts, step);
  return isa::concerns_memory(row.memory) ? access(facts, step, wave.exec(), is_private)
                                          : compute(facts, wave.exec());
}

/// It may be compared, and what is stored may be computed from it where it is.
Guess::Use Guess::swap(const Wave& wave, const StepFacts& facts, const Step& step) {
  const std::uint64_t exec = wave.exec();
  if ((guess_.lanes_of(facts.address) & exec) != 0 || guess_.reads_scalar(facts)) {
    return Use::kDecides;
  }
  const bool lds = facts.row->encoding.format == Format::kDs;
  const auto dwords = static_cast<std::uint16_t>(facts.row->memory.element_bytes / 4);
  RegisterRange compared{facts.data, dwords};
  RegisterRange stored = facts.stored2;
  if (!lds) {
    stored = compared;
    compared.first = static_cast<std::uint16_t>(compared.first + dwords);
  }
  const std::uint64_t lanes = guess_.lanes_of(compared) & exec;
  if ((guess_.lanes_of(stored) & exec & ~lanes) != 0) return Use::kDecides;
  for (std::uint64_t left = lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    if (step.address[lane] != from_[lane]) return Use::kDecides;
  }
  if (facts.returns) {
    asked_.lanes = lanes;
    asked_.result = facts.vector_writes.range[0];
    for (unsigned i = 0; i < dwords; ++i) {
      std::memcpy(asked_.compared[i].data(), wave.vgpr + std::size_t{64} * (compared.first + i),
                  sizeof asked_.compared[i]);
    }
  }
  open_ &= ~lanes;
  if (is_tried() && lanes == 0) return Use::kDecides;
  guess_.put_vectors(facts, 0, exec);
  swapped_.put_vectors(facts, exec, exec);
  return lanes != 0 ? Use::kSeeds : Use::kNone;
}

/// Where the guess was good it is what the swap found.
void Guess::take_answer(const Wave& wave) {
  std::uint64_t good = 0;
  for (std::uint64_t left = asked_.lanes; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    bool same = true;
    for (unsigned i = 0; i < asked_.result.count; ++i) {
      const std::uint32_t* const found = wave.vgpr + std::size_t{64} * (asked_.result.first + i);
      same = same && found[lane] == asked_.compared[i][lane];
    }
    good |= std::uint64_t{same} << lane;
  }
  guess_.forget(good);
  asked_.lanes = 0;
}

Guess::Use Guess::access(const StepFacts& facts, const Step& step, std::uint64_t exec,
                         bool is_private) {
  if ((guess_.lanes_of(facts.address) & exec) != 0 || guess_.reads_scalar(facts)) {
    return Use::kDecides;
  }
  const MemoryAction action = facts.row->memory.action;
  const bool moves =
      is_private && (action == MemoryAction::kStore || action == MemoryAction::kLoad);
  if (!moves && (guess_.lanes_read(facts) & exec) != 0) return Use::kDecides;
  if (!moves && is_tried() && action != MemoryAction::kLoad) return Use::kDecides;
  for (HeldValue* const value : {&guess_, &swapped_}) {
    if (!moves) {
      value->put_vectors(facts, 0, exec);
      value->put_scalars(facts, false);
    } else if (action == MemoryAction::kStore) {
      value->store(facts, step);
    } else {
      value->load(facts, step);
    }
  }
  return Use::kNone;
}

/// To compare what a swap gave with the guess is to ask whether it was good. A mask that goes to
/// EXEC is a branch, and so is one that is kept in a lane of a register until it does.
Guess::Use Guess::compute(const StepFacts& facts, std::uint64_t exec) {
  const isa::Row& row = *facts.row;
  Taken guessed = taken(guess_, facts, exec), swapped = taken(swapped_, facts, exec);
  const bool scalar_compares = row.encoding.format == Format::kSopc;
  if (scalar_compares && swapped.any) guessed = {};
  if (row.mask_result) {
    guessed.lanes &= ~swapped.lanes;
    guessed.any = guessed.lanes != 0;
    swapped = {};
  }
  if (guessed.any && (machine::writes_exec(facts) || row.lane_result)) {
    branched_ = true;
    guessed = {};
  }
  put(guess_, facts, guessed, exec);
  put(swapped_, facts, swapped, exec);
  return Use::kNone;
}

}  // namespace wavetank::check
