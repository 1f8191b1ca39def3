#include "dispatch/stepped_grid.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "dispatch/stepped_wave.hpp"
#include "number/host_float.hpp"

namespace wavetank::dispatch {

std::uint64_t SteppedGrid::ModelClock::cycles() { return step_clock().cycles; }
std::uint64_t SteppedGrid::ModelClock::reference() { return step_clock().reference_ticks(); }

/// A workgroup's storage, which the thread makes on which it first begins, and the stepped face of
/// its waves.
class SteppedResident final : public machine::SteppedGroup {
 public:
  SteppedResident(StepTable& table, const GridPlan& plan, std::byte* memory, std::byte* scratch,
                  machine::Environment& environment)
      : table_(table),
        plan_(plan),
        memory_(memory),
        scratch_(scratch),
        environment_(environment),
        waves_(plan.shape.waves) {}
  /// The workgroup that begins next.
  void set_workgroup(std::uint64_t workgroup) {
    workgroup_ = workgroup;
    wave_count_ = group_place(plan_, workgroup).waves();
    runs_ = true;
  }
  void end() { runs_ = false; }
  /// Its group while it runs; else nullptr.
  const ResidentGroup* running() const { return runs_ && group_ ? &*group_ : nullptr; }
  unsigned waves() const override { return wave_count_; }
  machine::SteppedWave& wave(unsigned index) override { return waves_[index]; }
  void begin() override {
    if (!group_) make_group();
    start_group(plan_, workgroup_, *group_);
    for (unsigned i = 0; i < wave_count_; ++i) waves_[i].start();
  }

 private:
  void make_group() {
    group_.emplace(plan_.shape, scratch_, environment_, memory_);
    for (unsigned i = 0; i < waves_.size(); ++i) {
      waves_[i].attach(table_, plan_, *group_, group_->wave(i));
    }
  }

  StepTable& table_;
  const GridPlan& plan_;
  std::byte* const memory_;
  std::byte* const scratch_;
  machine::Environment& environment_;
  std::uint64_t workgroup_ = 0;
  std::uint32_t wave_count_ = 0;
  bool runs_ = false;
  std::optional<ResidentGroup> group_;
  std::vector<SteppedWaveOnGroup> waves_;
};

SteppedGrid::SteppedGrid(const GridPlan& plan, machine::Environment& environment, WorkerPool& pool,
                         GroupArena& arena, RunPart run_part, TellStandstill tell_standstill)
    : plan_(plan),
      environment_(environment),
      run_part_(std::move(run_part)),
      tell_standstill_(std::move(tell_standstill)),
      table_(plan.program->spec()),
      pool_(pool),
      arena_(arena) {
  arena_.reuse();
  environment_.clock = &model_clock_;
}

SteppedGrid::~SteppedGrid() = default;

Result<machine::SteppedGroup*> SteppedGrid::start(std::uint64_t workgroup) {
  if (idle_.empty()) {
    auto scratch = scratch_for_group(plan_);
    if (!scratch) return tl::unexpected(scratch.error());
    std::byte* const memory = arena_.take(ResidentGroup::memory_bytes(plan_.shape));
    if (memory == nullptr) {
      return fail(ErrorCode::kOutOfMemory, "no memory is left for the registers of workgroups");
    }
    all_.push_back(
        std::make_unique<SteppedResident>(table_, plan_, memory, *scratch, environment_));
    idle_.push_back(all_.back().get());
  }
  SteppedResident* const resident = idle_.back();
  idle_.pop_back();
  resident->set_workgroup(workgroup);
  ++changes_;
  return resident;
}

void SteppedGrid::finish(machine::SteppedGroup* group) {
  auto* const resident = static_cast<SteppedResident*>(group);
  resident->end();
  ++changes_;
  idle_.push_back(resident);
}

void SteppedGrid::window_passed() {
  if (++windows_ % SteppedStandstill::kWindowsOfCall != 0) return;
  const auto all_waves = [this] {
    SteppedStandstill::Waves waves;
    for (const auto& resident : all_) {
      if (const ResidentGroup* group = resident->running(); group != nullptr) {
        for (const machine::Wave& wave : group->waves()) waves.push_back(&wave);
      }
    }
    return waves;
  };
  if (standstill_.windows_passed(changes_, SteppedStandstill::Clock::now(), all_waves))
    tell_standstill();
}

void SteppedGrid::tell_standstill() const {
  const auto goes_round = [](const machine::Wave& wave) {
    return !machine::is_over_or_held(wave.stop);
  };
  for (const auto& resident : all_) {
    const ResidentGroup* const group = resident->running();
    if (group == nullptr || !tell_standstill_) continue;
    const auto wave = std::ranges::find_if(group->waves(), goes_round);
    if (wave != group->waves().end()) return tell_standstill_(*group, *wave);
  }
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

void SteppedGrid::serve_host() { plan_.serve_host(); }

}  // namespace wavetank::dispatch
