// How code comes into the instruction buffers of waves: a buffer holds a line of the instruction
// cache and has asked for the next one.
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
    const std::uint64_t end = facts.offset_bytes + 4u * facts.dwords;
    if (!jumped && end <= wave.held_end && end <= wave.counted_end) return;
    look_beyond(wave, facts, jumped, time);
  }
  /// When the instruction is in the buffer; nullopt if this window's answers decide it.
  static std::optional<std::uint64_t> ready(const FetchState& wave) {
    if (!wave.waits) return 0;
    const auto& [first, second] = wave.awaited;
    if (!first.known() || !second.known()) return std::nullopt;
    return std::max({wave.not_before, first.cycle() + wave.extra, second.cycle()});
  }
  /// The window's requests are answered: all of these waves know when their lines come.
  void settle();
  /// The next window has begun: a wave asks for what it could not ask for before.
  void ask_on(FetchState& wave);

 private:
  /// look() at what the buffer does not hold, or what is the first of a fetch.
  void look_beyond(FetchState& wave, const machine::StepFacts& facts, bool jumped,
                   std::uint64_t time);
  /// Asks for a line, by its number in the code.
  Due request(std::uint64_t line, std::uint64_t time);
  void count(FetchState& wave, std::uint64_t first, std::uint64_t end, bool jumped);
  void settle(Due& due) const { due = Due::at(cache_.cycle_of(due)); }

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
