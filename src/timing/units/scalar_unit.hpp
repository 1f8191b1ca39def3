// The scalar unit of a CU, which all SIMDs share: an operation in a cycle, and loads through the
// scalar cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/caches/small_cache.hpp"
#include "timing/spec.hpp"
#include "timing/units/issue_counting.hpp"

namespace wavetank::timing {

class ScalarUnit {
 public:
  ScalarUnit(const ScalarMemorySpec& spec, SmallCache& cache, IssueCounting& counting)
      : spec_(spec), cache_(cache), counting_(counting) {}

  void start_launch();
  /// The first cycle in which the unit takes another instruction.
  std::uint64_t accepts_at() const { return free_; }
  void take(std::uint64_t time) { free_ = time + 1; }
  /// A load from `address` on, at `time`. Gives when its data is there, or the number by which
  /// done() knows it.
  Due load(const machine::Step& step, std::uint64_t address, std::uint64_t time);
  /// The window's requests were answered: settles when its loads end.
  void settle();
  /// When load `number` of this window ends. settle() must have been called.
  std::uint64_t done(std::uint32_t number) const { return flights_[number].done; }
  void forget_window() {
    flights_.clear();
    awaited_.clear();
  }

 private:
  /// A load whose end is not known yet.
  struct Flight {
    const machine::StepFacts* facts;
    std::size_t first, end;  ///< of awaited_: its lines that are still to come
    std::uint64_t begin;
    std::uint64_t done;  ///< not before; after settle(), when
  };

  const ScalarMemorySpec& spec_;
  SmallCache& cache_;
  IssueCounting& counting_;
  std::uint64_t free_ = 0;
  std::vector<Flight> flights_;
  std::vector<Due> awaited_;
};

}  // namespace wavetank::timing
