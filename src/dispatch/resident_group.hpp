// A workgroup that is being run: its waves, LDS and scratch, and who waits for what.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dispatch/wave_start.hpp"
#include "execute/program.hpp"
#include "machine/wave.hpp"

namespace wavetank::dispatch {

/// Shape of a launch, as every one of its workgroups needs it.
struct GroupShape {
  std::uint32_t waves = 1;  ///< of a full workgroup
  std::uint32_t vgprs = 8;  ///< per wave, both kinds
  std::uint32_t accum_offset = 4;
  std::uint32_t lds_bytes = 0;  ///< allocated
  std::uint32_t scratch_bytes_per_lane = 0;
};

/// Which workgroup of a launch one is.
struct GroupPlace {
  std::uint64_t index = 0;  ///< in dispatch order
  Dim3 id;
  Dim3 size;  ///< in work-items
  std::uint32_t waves() const { return static_cast<std::uint32_t>((size.count() + 63) / 64); }
};

/// How far a group came in one turn.
enum class Progress : std::uint8_t {
  kFinished,  ///< all waves ended
  kStopped,   ///< a wave faulted, trapped or cannot go on: stopped_wave() says which
  kWorking,   ///< the time slice of a wave is over
  kWaiting,   ///< the same, and no wave did more than wait for what others do
  kGws,       ///< all waves that are left wait at a global barrier
};

/// Reusable storage for one workgroup and its execution.
class ResidentGroup {
 public:
  /// `scratch` is device-visible memory of waves * 64 * scratch_bytes_per_lane bytes, or nullptr.
  /// Waves, registers and LDS are in `memory` of memory_bytes(), or in the group's own (nullptr).
  ResidentGroup(const GroupShape& shape, std::byte* scratch, machine::Environment& environment,
                std::byte* memory = nullptr);
  /// In whole lines of the host's caches.
  static std::size_t memory_bytes(const GroupShape& shape);

  /// Sets all waves to the start of a kernel.
  void start(const WaveStart& start, execute::Program* program, const execute::Op* entry,
             const GroupPlace& place);
  /// Runs each wave, through barriers, until it stops or its time slice of `budget` backward
  /// branches is over.
  Progress run_turn(std::int64_t budget);
  /// Of what `of_wave` gives for each wave (wave_numbers.hpp).
  std::uint64_t number_of(std::uint64_t (*of_wave)(const machine::Wave&)) const;
  /// Lets waves that wait at the global barrier go on.
  void release_gws();
  /// Waves that wait at the global barrier and have not been counted yet; counts them.
  std::uint32_t take_gws_arrivals();

  machine::Wave& wave(std::uint32_t index) { return waves_[index]; }
  std::span<const machine::Wave> waves() const { return waves_.first(wave_count_); }
  /// Remembers a wave that cannot go on, for whoever steps waves itself.
  void note_stop(machine::Wave& wave) { stopped_ = &wave; }
  machine::Wave* stopped_wave() const { return stopped_; }
  /// A wave that only waited in its last turn, for what others store; nullptr if none did.
  const machine::Wave* polling_wave() const;
  const machine::Workgroup& workgroup() const { return workgroup_; }
  /// Asked by a wave (MSG_INTERRUPT) since the last call.
  bool take_host_request();

 private:
  bool release_barrier();

  GroupShape shape_;
  std::byte* scratch_;
  machine::Environment& environment_;
  machine::Workgroup workgroup_;
  struct FreeDeleter {
    void operator()(void* memory) const;
  };
  std::unique_ptr<std::byte, FreeDeleter> own_memory_;
  std::span<machine::Wave> waves_;
  std::vector<bool> gws_counted_;
  std::uint32_t wave_count_ = 0;
  machine::Wave* stopped_ = nullptr;
  bool host_request_ = false;
};

}  // namespace wavetank::dispatch
