#include "dispatch/stepped_grid.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "dispatch/failure.hpp"
#include "dispatch/fault_guard.hpp"
#include "execute/step_address.hpp"
#include "execute/step_facts.hpp"
#include "number/host_float.hpp"

namespace wavetank::dispatch {

using machine::Stop;
using machine::Wave;

namespace {

/// Of the step that this thread executes.
thread_local machine::StepClock now;

}  // namespace

std::uint64_t SteppedGrid::ModelClock::cycles() { return now.cycles; }
std::uint64_t SteppedGrid::ModelClock::reference() { return now.reference_ticks(); }

/// The code of one program: a place for each of its dwords, mostly untouched.
struct StepTable::Section {
  using Slot = std::atomic<const machine::StepFacts*>;

  Section(const execute::ProgramSpec& spec, Section* older)
      : older(older),
        code(reinterpret_cast<std::uint64_t>(spec.code)),
        code_bytes(spec.code_bytes),
        reserved_bytes((spec.code_bytes / 4 + 1) * sizeof(*slots)) {
    void* memory = mmap(nullptr, reserved_bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) slots = static_cast<Slot*>(memory);
  }
  ~Section() {
    if (slots != nullptr) munmap(slots, reserved_bytes);
  }
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  bool holds(std::uint64_t address) const { return address - code < code_bytes; }
  Slot& slot(std::uint64_t address) { return slots[(address - code) / 4]; }

  Section* const older;
  const std::uint64_t code, code_bytes;
  const std::size_t reserved_bytes;
  Slot* slots = nullptr;  ///< zeroed by the host; nullptr: no address space is left
};

StepTable::StepTable(const execute::ProgramSpec& own)
    : first_code_(reinterpret_cast<std::uint64_t>(own.code)), decoder_(own.target) {}

StepTable::~StepTable() = default;

StepTable::Section* StepTable::find(std::uint64_t address) const {
  Section* section = newest_.load(std::memory_order_acquire);
  while (section != nullptr && !section->holds(address)) section = section->older;
  return section;
}

Result<StepTable::Section*> StepTable::section_of(const execute::Program& program,
                                                  std::uint64_t address) {
  if (Section* const known = find(address)) return known;
  if (!program.holds(address)) return fail(ErrorCode::kBadElf, "a wave left its code");
  auto made = std::make_unique<Section>(program.spec(), newest_.load());
  if (made->slots == nullptr) {
    return fail(ErrorCode::kOutOfMemory, "no address space for step facts");
  }
  sections_.push_back(std::move(made));
  newest_.store(sections_.back().get(), std::memory_order_release);
  return sections_.back().get();
}

Result<const machine::StepFacts*> StepTable::at(const execute::Program& program,
                                                std::uint64_t address) {
  if (Section* const section = find(address)) {
    const machine::StepFacts* const known = section->slot(address).load(std::memory_order_acquire);
    if (known != nullptr) return known;
  }
  return add(program, address);
}

Result<const machine::StepFacts*> StepTable::add(const execute::Program& program,
                                                 std::uint64_t address) {
  const std::lock_guard lock(adding_);
  auto found = section_of(program, address);
  if (!found) return tl::unexpected(found.error());
  Section& section = **found;
  Section::Slot& slot = section.slot(address);
  if (const machine::StepFacts* const known = slot.load()) return known;
  const std::span<const std::uint32_t> dwords(reinterpret_cast<const std::uint32_t*>(address),
                                              (section.code + section.code_bytes - address) / 4);
  auto instruction = decoder_.decode(dwords, address);
  if (!instruction) return tl::unexpected(instruction.error());
  auto facts =
      std::make_unique<machine::StepFacts>(execute::step_facts(*instruction, program.spec()));
  facts->offset_bytes = address - first_code_;
  facts->index = static_cast<std::uint32_t>(seen_.size());
  seen_.push_back(std::move(facts));
  slot.store(seen_.back().get(), std::memory_order_release);
  return seen_.back().get();
}

/// One wave of a resident group.
class SteppedWaveOnGroup final : public machine::SteppedWave {
 public:
  void attach(SteppedGrid& grid, ResidentGroup& group, Wave& wave) {
    grid_ = &grid;
    group_ = &group;
    wave_ = &wave;
  }

  Result<const machine::StepFacts*> next() override {
    return grid_->table_.at(*wave_->program, wave_->program->address_of(wave_->next));
  }

  Result<void> step(machine::Step& step) override {
    now = step.clock;
    Wave& wave = *wave_;
    const execute::Op* const op = wave.next;
    const isa::MemoryAction action = step.facts->row->memory.action;
    step.exec = wave.exec();
    step.taken = step.ended = step.at_barrier = step.slept = step.at_global_barrier = false;
    if (action != isa::MemoryAction::kNone) execute::collect_addresses(wave, op, step);
    wave.budget = kEndlessBudget;
    wave.stop = Stop::kRunning;
    const execute::Program* const program = wave.program;
    const execute::Op* const next =
        action == isa::MemoryAction::kNone ? op->run(wave, op) : run_guarded(wave, op);
    if (next != nullptr) {
      // A change of MODE goes on in another program, which is not a branch.
      step.taken =
          wave.program->address_of(next) != program->address_of(op) + std::uint64_t{4} * op->dwords;
      wave.next = next;
      return {};
    }
    return stopped(step);
  }

  unsigned work_items() const override {
    return static_cast<unsigned>(std::popcount(wave_->exec()));
  }

  void pass_barrier() override { wave_->stop = Stop::kRunning; }

 private:
  /// More backward branches than any wave makes in a step.
  static constexpr std::int64_t kEndlessBudget = std::int64_t{1} << 40;

  Result<void> stopped(machine::Step& step) {
    switch (wave_->stop) {
      case Stop::kEnded: step.ended = true; return {};
      case Stop::kBarrier: step.at_barrier = true; return {};
      case Stop::kGwsBarrier: step.at_global_barrier = true; return {};
      case Stop::kYield:
      case Stop::kWaiting: step.slept = true; return {};
      case Stop::kTurn: return {};  // the model knows when the wave may go on
      case Stop::kHost: grid_->serve_host(); return {};
      default: break;
    }
    group_->note_stop(*wave_);
    return tl::unexpected(describe_failure(grid_->plan_, *group_));
  }

  SteppedGrid* grid_ = nullptr;
  ResidentGroup* group_ = nullptr;
  Wave* wave_ = nullptr;
};

/// A workgroup's storage and the stepped face of its waves.
class SteppedResident final : public machine::SteppedGroup {
 public:
  SteppedResident(SteppedGrid& grid, const GroupShape& shape, std::byte* scratch,
                  machine::Environment& environment)
      : group_(shape, scratch, environment), waves_(shape.waves) {
    for (unsigned i = 0; i < shape.waves; ++i) waves_[i].attach(grid, group_, group_.wave(i));
  }
  unsigned waves() const override { return group_.wave_count(); }
  machine::SteppedWave& wave(unsigned index) override { return waves_[index]; }
  ResidentGroup& group() { return group_; }

 private:
  ResidentGroup group_;
  std::vector<SteppedWaveOnGroup> waves_;
};

SteppedGrid::SteppedGrid(const GridPlan& plan, machine::Environment& environment, WorkerPool& pool,
                         RunPart run_part)
    : plan_(plan),
      environment_(environment),
      run_part_(std::move(run_part)),
      table_(plan.program->spec()),
      pool_(pool) {
  environment_.clock = &model_clock_;
}

SteppedGrid::~SteppedGrid() = default;

Result<machine::SteppedGroup*> SteppedGrid::start(std::uint64_t workgroup) {
  if (idle_.empty()) {
    auto scratch = scratch_for_group(plan_);
    if (!scratch) return tl::unexpected(scratch.error());
    all_.push_back(std::make_unique<SteppedResident>(*this, plan_.shape, *scratch, environment_));
    idle_.push_back(all_.back().get());
  }
  SteppedResident* const resident = idle_.back();
  idle_.pop_back();
  start_group(plan_, workgroup, resident->group());
  return resident;
}

void SteppedGrid::finish(machine::SteppedGroup* group) {
  idle_.push_back(static_cast<SteppedResident*>(group));
}

Result<void> SteppedGrid::run_functionally(std::uint64_t first, std::uint64_t last) {
  return first < last ? run_part_(first, last) : Result<void>{};
}

void SteppedGrid::with_helpers(const std::function<void()>& help,
                               const std::function<void()>& lead) {
  const std::function<void()> task = [&] {
    const number::HostFloatDefaults float_defaults;
    help();
  };
  Team team(pool_, pool_.threads() - 1, task);
  team.call_helpers();
  lead();
}

void SteppedGrid::serve_host() {
  if (plan_.host_service) plan_.host_service();
}

}  // namespace wavetank::dispatch
