// Listens to one launch and finds what is wrong in it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

#include "check/bounds_check.hpp"
#include "check/findings.hpp"
#include "check/group.hpp"
#include "check/group_queue.hpp"
#include "check/guesses.hpp"
#include "check/race_check.hpp"
#include "check/scratch_check.hpp"
#include "machine/listener.hpp"

namespace wavetank::check {

class LaunchCheck final : public machine::Listener {
 public:
  /// `edges` must live until the launch ends.
  LaunchCheck(Memory& memory, UndefinedMemory& undefined, const LaunchFacts& facts,
              std::span<const machine::Edge> edges = {});

  bool wants_one_thread() const override { return !facts_.groups_are_independent; }
  bool wants_every_instruction() const override {
    return facts_.wait_states != nullptr || facts_.follows_guesses;
  }
  std::span<const machine::Edge> edges() const override { return edges_; }
  void on_group(machine::Workgroup& group, std::uint64_t index,
                std::span<machine::Wave> waves) override;
  void on_instruction(machine::Wave& wave, const machine::StepFacts& facts,
                      const machine::Step& step) override;
  void on_undefined_branch(machine::Wave& wave, const machine::StepFacts& facts,
                           const machine::UndefinedOrigin& origin) override;
  void on_call(machine::Wave& wave, const machine::StepFacts& facts, std::uint64_t back) override;
  void on_jump(machine::Wave& wave, std::uint64_t target) override;
  void on_barrier(machine::Workgroup& group, std::span<const machine::Wave> waves) override;
  void on_global_barrier(machine::Workgroup& group) override;

  /// Looks at what is left of a launch that is over; of one that broke off, up to the workgroup
  /// that did not end.
  void finish();
  /// True if a wave made what it had stored visible to the host: the host may have been told.
  bool releases_to_system() const { return releases_to_system_; }
  /// After finish().
  const Findings& findings() const { return findings_; }
  /// True if the launch is larger than what can be kept of it, so that races may be missing.
  bool gave_up() const { return races_.gave_up(); }
  /// What its fences are good for, if there are workgroups that might learn of each other.
  const FenceUses& fences() const { return races_.fences(); }
  /// What the launch touched in global memory.
  TouchedRanges touched() const { return races_.touched(); }

 private:
  Group& begin_group(machine::Workgroup& group, const machine::DeviceMemory& memory);
  void end_wave(Group& group);
  const machine::StepFacts& as_called(Group& group, const machine::Wave& wave,
                                      const machine::StepFacts& facts) const;
  void catch_up(Group& group);
  AccessKind kind_of(const machine::StepFacts& facts, machine::MemorySpace space) const;
  bool reads_arguments(const Instruction& now) const;
  void look_at_undefined(const Instruction& now);
  void follow_guesses(const Instruction& now);
  void drop_seeds();
  void access_memory(const Instruction& now, bool is_known);
  void access_global(const Instruction& now, std::uint64_t lanes, bool is_known);
  void access_lds(const Instruction& now, std::uint64_t lanes, bool is_known);
  void access_lds_target(const Instruction& now, std::uint64_t lanes);
  void access_scratch(const Instruction& now);
  void drop_scratch(const machine::Workgroup& group, std::vector<LaneRange>& ranges) const;
  static void drop_unread(const machine::StepFacts& facts, std::vector<LaneRange>& ranges);
  void look_at_lanes(const Instruction& now, std::uint64_t lanes, machine::MemorySpace space);
  std::uint32_t lds_bytes_of(const machine::Workgroup& group) const;
  OutOfBounds outside(const Instruction& now, const LaneRange& range, machine::MemorySpace space);
  void look_at_alignment(const Instruction& now, std::uint64_t lds_lanes);
  void report_misaligned(const Instruction& now, unsigned lane, machine::MemorySpace space,
                         std::uint64_t ignored_bytes);
  bool look_at_bounds(const Instruction& now, machine::MemorySpace space);
  void report_outside(const Instruction& now, const LaneRange& range, const OutOfBounds& place,
                      machine::MemorySpace space);

  const LaunchFacts facts_;
  const std::span<const machine::Edge> edges_;
  Findings findings_;
  RaceCheck races_;
  UndefinedCheck undefined_;
  GuessSites guess_sites_;
  GroupQueue queue_;
  std::mutex groups_mutex_;
  std::atomic<bool> releases_to_system_ = false;
  std::vector<std::unique_ptr<Group>> groups_;
};

}  // namespace wavetank::check
