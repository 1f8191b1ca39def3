// Listens to one launch and finds what is wrong in it.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "check/bounds_check.hpp"
#include "check/findings.hpp"
#include "check/group.hpp"
#include "check/group_queue.hpp"
#include "check/race_check.hpp"
#include "machine/listener.hpp"

namespace wavetank::check {

class LaunchCheck final : public machine::Listener {
 public:
  /// `edges` must live until the launch ends.
  LaunchCheck(Memory& memory, const LaunchFacts& facts, std::span<const machine::Edge> edges = {});

  bool wants_one_thread() const override { return !facts_.groups_are_independent; }
  bool wants_every_instruction() const override { return facts_.wait_states != nullptr; }
  std::span<const machine::Edge> edges() const override { return edges_; }
  void on_group(machine::Workgroup& group, std::uint64_t index,
                std::span<machine::Wave> waves) override;
  void on_instruction(machine::Wave& wave, const machine::StepFacts& facts,
                      const machine::Step& step) override;
  void on_barrier(machine::Workgroup& group, std::span<const machine::Wave> waves) override;
  void on_global_barrier(machine::Workgroup& group) override;

  /// Looks at what is left of a launch that is over; of one that broke off, up to the workgroup
  /// that did not end.
  void finish();
  /// After finish().
  const Findings& findings() const { return findings_; }
  /// True if the launch is larger than what can be kept of it, so that races may be missing.
  bool gave_up() const { return races_.gave_up(); }

 private:
  Group& begin_group(machine::Workgroup& group, const machine::DeviceMemory& memory);
  void end_wave(Group& group);
  AccessKind kind_of(const machine::StepFacts& facts) const;
  void access_memory(const Instruction& now);
  void drop_scratch(const machine::Workgroup& group, std::vector<LaneRange>& ranges) const;
  OutOfBounds outside(const Instruction& now, const LaneRange& range, machine::MemorySpace space);
  bool look_at_bounds(const Instruction& now, machine::MemorySpace space);
  void report_outside(const Instruction& now, const LaneRange& range, const OutOfBounds& place,
                      machine::MemorySpace space);

  const LaunchFacts facts_;
  const std::span<const machine::Edge> edges_;
  Findings findings_;
  RaceCheck races_;
  GroupQueue queue_;
  std::mutex groups_mutex_;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace wavetank::check
