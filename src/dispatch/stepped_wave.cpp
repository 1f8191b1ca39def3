#include "dispatch/stepped_wave.hpp"

#include "dispatch/failure.hpp"
#include "dispatch/fault_guard.hpp"
#include "execute/private_op.hpp"
#include "execute/step_address.hpp"

namespace wavetank::dispatch {

using machine::Stop;
using machine::Wave;

namespace {

thread_local machine::StepClock now;

/// More backward branches than any wave makes in a step.
constexpr std::int64_t kEndlessBudget = std::int64_t{1} << 40;

}  // namespace

const machine::StepClock& step_clock() { return now; }

void SteppedWaveOnGroup::start() {
  ahead_ = 0;
  next_stretch_ = stretch_count_ = 0;
  addresses_ = nullptr;
  go_to(execute::next_op(*wave_));
}

void SteppedWaveOnGroup::go_to(const execute::Op* op) {
  program_ = &execute::program_of(*wave_);
  come_to(program_->address_of(op));
}

void SteppedWaveOnGroup::come_to(std::uint64_t address) {
  address_ = address;
  place_ = table_->place(*program_, address);
  upcoming_ = place_ == nullptr ? nullptr : place_->load(std::memory_order_acquire);
}

void SteppedWaveOnGroup::prefetch() const {
  // Instructions of a window that were executed ahead touch none of this.
  constexpr unsigned kSoon = 8;
  if (ahead_ >= kSoon || next_stretch_ != stretch_count_) return;
  constexpr unsigned kLineDwords = 16, kAddressLines = 8;
  const auto* const own = reinterpret_cast<const std::uint32_t*>(wave_);
  constexpr unsigned kScalarDwords = isa::operand::kScalarFile;
  for (unsigned dword = kScalarDwords - kLineDwords; dword < kScalarDwords + 2 * kLineDwords;
       dword += kLineDwords) {
    __builtin_prefetch(own + dword);
  }
  if (addresses_ == nullptr) return;
  for (unsigned line = 0; line < kAddressLines; ++line) {
    __builtin_prefetch(addresses_ + line * kLineDwords);
  }
}

bool SteppedWaveOnGroup::passes_on(const machine::StepFacts& facts, const execute::Op* next) {
  const std::uint64_t following = address_ + std::uint64_t{4} * facts.dwords;
  // A change of MODE goes on in another program, which is not a branch.
  go_to(next);
  return address_ != following;
}

Result<const machine::StepFacts*> SteppedWaveOnGroup::next() {
  auto facts = table_->at(*program_, address_);
  if (facts) come_to(address_);  // whose place may not have been there before
  return facts;
}

Result<void> SteppedWaveOnGroup::step(machine::Step& step) {
  const isa::MemoryAction action = step.facts->row->memory.action;
  // Where no step has tried it before: at the wave's first instruction, behind one that stopped the
  // wave, and where running ahead ended because EXEC or the program changed. Before an access
  // there is nothing to run.
  if (ahead_ == 0 && action == isa::MemoryAction::kNone) run_ahead();
  if (tell(step)) return {};
  if (ahead_ != 0) {
    show_last(step);
    return {};
  }
  now = step.clock;
  Wave& wave = *wave_;
  const execute::Op* const op = execute::next_op(wave);
  step.exec = wave.exec();
  step.taken = step.ended = step.at_barrier = step.slept = step.at_global_barrier = false;
  if (action != isa::MemoryAction::kNone) execute::collect_addresses(wave, op, step);
  wave.budget = kEndlessBudget;
  wave.stop = Stop::kRunning;
  const execute::Op* const next =
      action == isa::MemoryAction::kNone ? op->run(wave, op) : run_guarded(wave, op);
  if (next == nullptr) {
    auto done = stopped(step);
    go_to(execute::next_op(wave));
    return done;
  }
  step.taken = passes_on(*step.facts, next);
  wave.next = next;
  run_ahead();
  return {};
}

void SteppedWaveOnGroup::run_ahead() {
  Wave& wave = *wave_;
  exec_ = wave.exec();
  const execute::Program* const program = &execute::program_of(wave);
  next_stretch_ = stretch_count_ = 0;
  const execute::Op* op = run_stretch(execute::next_op(wave), ahead_);
  unsigned* executed = &ahead_;
  while (&execute::program_of(wave) == program && wave.exec() == exec_ &&
         execute::is_private_branch(*op) && stretch_count_ != kMostStretches) {
    wave.budget = kEndlessBudget;
    op = op->run(wave, op);
    ++*executed;
    Stretch& stretch = stretches_[stretch_count_];
    stretch = {program->address_of(op), 0};
    op = run_stretch(op, stretch.count);
    executed = &stretch.count;
    ++stretch_count_;
  }
  // Nothing was executed behind the last branch.
  if (*executed == 0 && stretch_count_ != 0) --stretch_count_;
  wave.next = op;
  const isa::Row& row = execute::row_of(*op);
  const bool by_lanes =
      row.memory.action != isa::MemoryAction::kNone && row.encoding.format != isa::Format::kSmem;
  addresses_ = by_lanes ? wave.vector(op->memory.address) : nullptr;
}

const execute::Op* SteppedWaveOnGroup::run_stretch(const execute::Op* op, unsigned& executed) {
  Wave& wave = *wave_;
  const execute::Program* const program = &execute::program_of(wave);
  unsigned left = table_->straight_from(*program, op);
  while (left != 0) {
    const execute::Op* next = op->run(wave, op);
    if (next == nullptr) {
      // A wait, whose end the model knows; what cannot run stops the wave when its time comes.
      if (wave.stop != Stop::kTurn) break;
      next = execute::next_op(wave);
    }
    if (&execute::program_of(wave) != program) {
      ++executed;
      op = next;
      break;
    }
    // Compiled code executes several.
    const bool one = next == op + op->dwords;
    const unsigned behind = one ? left - 1 : table_->straight_from(*program, next);
    executed += left - behind;
    left = behind;
    op = next;
    if (wave.exec() != exec_) break;
  }
  return op;
}

void SteppedWaveOnGroup::show_last(machine::Step& step) {
  step.exec = exec_;
  step.taken = step.ended = step.at_barrier = step.slept = step.at_global_barrier = false;
  --ahead_;
  if (next_stretch_ == stretch_count_) {
    step.taken = passes_on(*step.facts, execute::next_op(*wave_));
    return;
  }
  const Stretch& stretch = stretches_[next_stretch_++];
  step.taken = stretch.address != address_ + std::uint64_t{4} * step.facts->dwords;
  come_to(stretch.address);
  ahead_ = stretch.count;
}

Result<void> SteppedWaveOnGroup::stopped(machine::Step& step) {
  switch (wave_->stop) {
    case Stop::kEnded: step.ended = true; return {};
    case Stop::kBarrier: step.at_barrier = true; return {};
    case Stop::kGwsBarrier: step.at_global_barrier = true; return {};
    case Stop::kYield:
    case Stop::kWaiting: step.slept = true; return {};
    case Stop::kTurn: return {};  // the model knows when the wave may go on
    case Stop::kHost: plan_->serve_host(); return {};
    default: break;
  }
  group_->note_stop(*wave_);
  return tl::unexpected(describe_failure(*plan_, *group_));
}

}  // namespace wavetank::dispatch
