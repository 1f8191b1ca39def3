// Hands workgroups to compute units: consecutive ids go round the XCDs, within an XCD round the
// shader engines, there to the next CU with room. A shader engine starts one wave in a few cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "machine/step.hpp"
#include "timing/dispatch/group_stays.hpp"
#include "timing/spec.hpp"
#include "timing/units/compute_unit.hpp"

namespace wavetank::timing {

class Dispatcher {
 public:
  Dispatcher(const TimingSpec& spec, std::deque<ComputeUnit>& units) : spec_(spec), units_(units) {}

  /// Waves of workgroup `id` of the launch (fewer at the grid's edge is not modelled: a group takes
  /// what a full one takes).
  /// `grid_in_rows`: it has more than one row of workgroups.
  void start_launch(machine::GridSource& source, std::uint32_t waves_per_group, bool grid_in_rows);
  /// Places what fits on an XCD, in what was free at `since`, at or after `time`. Errors: the
  /// source's.
  Result<void> dispatch(unsigned xcd, std::uint64_t since, std::uint64_t time);
  /// No further workgroup starts.
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

  std::uint32_t waves_per_group() const { return waves_per_group_; }
  /// Cycles of a shader engine for a workgroup.
  double engine_cycles() const { return engine_cycles_; }
  /// Workgroups that were started.
  std::uint64_t started() const { return started_; }
  std::uint64_t active() const { return started_ - ended_; }
  void ended(GroupContext& group, std::uint64_t time);
  const GroupStays& stays() const { return stays_; }
  /// True when every workgroup was started.
  bool exhausted() const;
  /// The time at which an XCD first had nothing left to start.
  std::uint64_t exhausted_at() const { return exhausted_at_; }
  /// Slot cycles that stayed empty because an engine starts one wave after the other.
  double waited_slot_cycles() const { return waited_slot_cycles_; }
  /// Calls run(first, last) for all workgroups that were not started.
  Result<void> for_rest(const std::function<Result<void>(std::uint64_t, std::uint64_t)>& run) const;

  unsigned xcd_of(std::uint32_t cu) const { return cu / units_per_xcd(); }
  unsigned engine_of(std::uint32_t cu) const {
    return xcd_of(cu) * engines_per_xcd() + cu % units_per_xcd() % engines_per_xcd();
  }
  unsigned units_per_xcd() const { return spec_.compute_units / spec_.xcds; }
  unsigned engines_per_xcd() const { return spec_.shader_engines / spec_.xcds; }

 private:
  struct Engine {
    std::vector<std::uint32_t> units;
    std::size_t next_unit = 0;
    double wave_free = 0;  ///< when it can start another wave
  };
  struct Xcd {
    std::uint64_t next_group = 0;
    unsigned next_engine = 0;
    std::vector<Engine> engines;
  };

  /// A CU with room and its engine.
  struct Room {
    Engine* engine = nullptr;  ///< null if there is none
    std::uint32_t cu = 0;
  };
  Room find_room(Xcd& xcd, std::uint64_t since);
  /// Sets start_times_ of a workgroup's waves, which are chosen at `time`.
  void place_waves(const Room& room, std::uint32_t waves, std::uint64_t time);
  GroupContext* context();

  const TimingSpec& spec_;
  std::deque<ComputeUnit>& units_;
  machine::GridSource* source_ = nullptr;
  std::uint32_t waves_per_group_ = 1;
  double engine_cycles_ = 0;
  std::vector<Xcd> xcds_;
  std::vector<std::unique_ptr<GroupContext>> contexts_;
  std::vector<GroupContext*> idle_;
  std::vector<std::uint64_t> start_times_;
  GroupStays stays_;
  std::uint64_t started_ = 0, ended_ = 0, exhausted_at_ = 0;
  double waited_slot_cycles_ = 0;
  bool stopped_ = false;
};

}  // namespace wavetank::timing
