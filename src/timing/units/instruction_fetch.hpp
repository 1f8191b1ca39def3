// How code comes into the instruction buffers of waves: piece by piece, each a request to the
// instruction cache. Two pieces behind the one that a wave comes to are asked for then: one alone
// would not be there in time for instructions of 8 bytes, which issue every four cycles (4.01
// cycles for v_pk_mul_f32, tingqli/pyhip). Those that the wave does not come to cost nothing:
// behind s_endpgm there are none (SQ_IFETCH of rocprofiler-compute's vcopy is 4 for 128 bytes of
// code), of those behind a branch nothing is published. Where a branch leads to is asked for when
// it is taken.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "machine/step.hpp"
#include "timing/caches/small_cache.hpp"
#include "timing/spec.hpp"
#include "timing/units/issue_counting.hpp"
#include "timing/units/wave_context.hpp"

namespace wavetank::timing {

class InstructionFetch {
 public:
  InstructionFetch(const FetchSpec& spec, SmallCache& cache, IssueCounting& counting)
      : spec_(spec), cache_(cache), counting_(counting) {}

  /// `code_base`: address of the kernel's code.
  void start_launch(std::uint64_t code_base);
  /// A wave comes to an instruction at `time`; `jumped`: its buffer holds other code.
  void look(FetchState& wave, const machine::StepFacts& facts, bool jumped, std::uint64_t time) {
    wave.waits = false;
    if (!jumped && end_of(facts) <= wave.held_end) return;
    look_beyond(wave, facts, jumped, time);
  }
  /// When the instruction is in the buffer; nullopt if this window's answers decide it.
  std::optional<std::uint64_t> ready(const FetchState& wave) const {
    if (!wave.waits) return 0;
    const auto& [first, second] = wave.awaited;
    if (!first.known() || !second.known()) return std::nullopt;
    return std::max(first.cycle(), second.cycle()) + spec_.hit_latency;
  }
  /// The window's requests are answered: all of these waves know when their code comes.
  void settle();

 private:
  /// What the cache had to do longer ago keeps no piece from being there in time: as many requests
  /// as the waves of two CUs have, one in a cycle. More if a hit takes longer.
  static constexpr std::uint64_t kMostAheadCycles = 64;

  static std::uint64_t end_of(const machine::StepFacts& facts) {
    return facts.offset_bytes + 4u * facts.dwords;
  }
  /// look() at what the buffer does not hold.
  void look_beyond(FetchState& wave, const machine::StepFacts& facts, bool jumped,
                   std::uint64_t time);
  /// Asks for the piece at an offset of the code, `ahead` of when it is to be in the buffer.
  Due request(std::uint64_t offset, std::uint64_t time, std::uint64_t ahead);

  const FetchSpec& spec_;
  SmallCache& cache_;
  IssueCounting& counting_;
  std::uint64_t code_base_ = 0;
  std::vector<FetchState*> waiting_;  ///< for answers of this window
  struct Asked {
    Due ready;
    std::uint64_t time;
  };
  std::vector<Asked> asked_;
};

}  // namespace wavetank::timing
