#include "dispatch/resident_group.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>

#include "dispatch/fault_guard.hpp"
#include "execute/lane_control.hpp"
#include "execute/program.hpp"
#include "machine/listener.hpp"

namespace wavetank::dispatch {
namespace {

using machine::Stop;
using machine::Wave;

std::size_t wave_vgpr_dwords(const GroupShape& shape) {
  return std::size_t{64} * (shape.vgprs + execute::kScratchRows);
}

constexpr std::size_t kLineBytes = 64;

constexpr std::size_t whole_lines(std::size_t bytes) {
  return (bytes + kLineBytes - 1) / kLineBytes * kLineBytes;
}

/// With a line behind the LDS, as what reads at its end may read more than it uses.
std::size_t lds_room(const GroupShape& shape) { return whole_lines(shape.lds_bytes + kLineBytes); }

/// Registers and LDS start undefined on the device, with what ran before; here too, but not with
/// what this process had in its memory.
std::byte* zeros(std::size_t bytes) {
  void* const memory = std::aligned_alloc(kLineBytes, bytes);
  std::memset(memory, 0, bytes);
  return static_cast<std::byte*>(memory);
}

}  // namespace

void ResidentGroup::FreeDeleter::operator()(void* memory) const { std::free(memory); }

std::size_t ResidentGroup::memory_bytes(const GroupShape& shape) {
  return lds_room(shape) + (sizeof(Wave) + 4 * wave_vgpr_dwords(shape)) * shape.waves;
}

ResidentGroup::ResidentGroup(const GroupShape& shape, std::byte* scratch,
                             machine::Environment& environment, std::byte* memory)
    : shape_(shape),
      scratch_(scratch),
      environment_(environment),
      own_memory_(memory == nullptr ? zeros(memory_bytes(shape)) : nullptr),
      gws_counted_(shape.waves) {
  static_assert(sizeof(Wave) % kLineBytes == 0 && std::is_trivially_destructible_v<Wave>);
  if (memory == nullptr) memory = own_memory_.get();
  waves_ = {reinterpret_cast<Wave*>(memory), shape.waves};
  std::uninitialized_default_construct(waves_.begin(), waves_.end());
  std::byte* const lds = memory + waves_.size_bytes();
  auto* const vgprs = reinterpret_cast<std::uint32_t*>(lds + lds_room(shape));
  workgroup_.lds = lds;
  workgroup_.lds_bytes = shape.lds_bytes;
  workgroup_.scratch = scratch;
  workgroup_.scratch_bytes =
      scratch == nullptr ? 0 : std::uint64_t{64} * shape.waves * shape.scratch_bytes_per_lane;
  for (std::uint32_t i = 0; i < shape.waves; ++i) {
    Wave& wave = waves_[i];
    wave.vgpr = vgprs + wave_vgpr_dwords(shape) * i;
    wave.vgpr_count = shape.vgprs;
    wave.accum_offset = shape.accum_offset;
    wave.environment = &environment_;
    wave.workgroup = &workgroup_;
    wave.id_in_group = i;
    wave.hardware_id = i;
  }
}

void ResidentGroup::start(const WaveStart& start, execute::Program* program,
                          const execute::Op* entry, const GroupPlace& place) {
  const auto& [index, id, size] = place;
  workgroup_.id = id;
  wave_count_ = place.waves();
  stopped_ = nullptr;
  const std::span<Wave> waves = waves_.first(wave_count_);
  start.start(waves, id, size, scratch_);
  for (Wave& wave : waves) {
    wave.program = program;
    wave.next = entry;
    wave.stop = Stop::kRunning;
    wave.shares_turns = wave_count_ > 1;
  }
  std::fill_n(gws_counted_.begin(), wave_count_, false);
  if (environment_.listener != nullptr) environment_.listener->on_group(workgroup_, index, waves);
}

Progress ResidentGroup::run_turn(std::int64_t budget) {
  const std::span<Wave> waves = waves_.first(wave_count_);
  for (Wave& wave : waves) wave.budget = budget;
  while (true) {
    run_until_stop(waves);
    bool working = false, waiting = false;
    std::uint32_t ended = 0;
    for (Wave& wave : waves) {
      switch (wave.stop) {
        case Stop::kEnded: ++ended; break;
        case Stop::kHost:
          host_request_ = true;
          working = true;
          break;
        case Stop::kYield: working = true; break;
        case Stop::kWaiting: waiting = true; break;
        case Stop::kBarrier:
        case Stop::kGwsBarrier:
        case Stop::kTurn: break;
        default: stopped_ = &wave; return Progress::kStopped;
      }
    }
    if (ended == wave_count_) return Progress::kFinished;
    if (working) return Progress::kWorking;
    if (waiting) return Progress::kWaiting;
    if (!release_barrier()) return Progress::kGws;
  }
}

std::uint64_t ResidentGroup::number_of(std::uint64_t (*of_wave)(const Wave&)) const {
  std::uint64_t all = 0;
  for (const Wave& wave : waves()) all = 31 * all + of_wave(wave);
  return all;
}

const machine::Wave* ResidentGroup::polling_wave() const {
  const auto found = std::ranges::find(waves(), Stop::kWaiting, &Wave::stop);
  return found == waves().end() ? nullptr : &*found;
}

bool ResidentGroup::release_barrier() {
  bool any_waiting = false;
  for (std::uint32_t i = 0; i < wave_count_; ++i) {
    const Stop stop = waves_[i].stop;
    if (stop != Stop::kEnded && stop != Stop::kBarrier) return false;
    any_waiting = any_waiting || stop == Stop::kBarrier;
  }
  if (any_waiting && environment_.listener != nullptr) {
    environment_.listener->on_barrier(workgroup_, waves_.first(wave_count_));
  }
  for (std::uint32_t i = 0; any_waiting && i < wave_count_; ++i) {
    if (waves_[i].stop == Stop::kBarrier) waves_[i].stop = Stop::kRunning;
  }
  return any_waiting;
}

std::uint32_t ResidentGroup::take_gws_arrivals() {
  std::uint32_t arrivals = 0;
  for (std::uint32_t i = 0; i < wave_count_; ++i) {
    if (waves_[i].stop != Stop::kGwsBarrier || gws_counted_[i]) continue;
    gws_counted_[i] = true;
    ++arrivals;
  }
  return arrivals;
}

void ResidentGroup::release_gws() {
  if (environment_.listener != nullptr) environment_.listener->on_global_barrier(workgroup_);
  for (std::uint32_t i = 0; i < wave_count_; ++i) {
    if (!gws_counted_[i]) continue;
    gws_counted_[i] = false;
    waves_[i].stop = Stop::kRunning;
  }
}

bool ResidentGroup::take_host_request() {
  const bool asked = host_request_;
  host_request_ = false;
  return asked;
}

}  // namespace wavetank::dispatch
