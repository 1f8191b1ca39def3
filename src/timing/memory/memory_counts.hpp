// What the levels behind the CUs did in a launch or in a part of it, as numbers that add up.
#pragma once

#include <array>
#include <vector>

#include "timing/counter_bank.hpp"
#include "timing/memory/memory_system.hpp"

namespace wavetank::timing {

struct MemoryCounts {
  using Channel = std::array<double, kChannelCounterCount>;

  MemorySystem::Traffic traffic;
  MemorySystem::BusyCycles busy;
  std::vector<Channel> channels;  ///< of the L2s, XCD by XCD
  std::vector<ArrayTally::Bytes> l2_arrays, hbm_arrays;

  /// Since the launch began. `busy` is that of the waves' work, without what the kernel's end does.
  static MemoryCounts of(const MemorySystem& memory, const MemorySystem::BusyCycles& busy);
  /// Adds what happened between two moments of the same launch, `times` over.
  void add(const MemoryCounts& from, const MemoryCounts& to, double times);
};

/// The memory side of a launch of which a part is simulated: what happens in its steady part, for
/// each instruction that is issued there, stands for the rest.
class SteadyMemory {
 public:
  void start_launch() { *this = SteadyMemory(); }
  /// An interval of the sampler has ended, when so many instructions had been issued.
  void interval_ended(MemoryCounts counts, std::uint64_t instructions);
  /// `simulated` and `unseen_instructions` more. The first half of the intervals is warm-up.
  MemoryCounts whole(MemoryCounts simulated, double unseen_instructions) const;

 private:
  struct Moment {
    std::size_t interval = 0;  ///< the number of those that have ended
    std::uint64_t instructions = 0;
    MemoryCounts counts;
  };
  std::size_t intervals_ = 0;
  std::vector<Moment> kept_;
};

}  // namespace wavetank::timing
