// What the counters of a CU (SQ, SPI) and of the caches beside it (SQC) say of its waves and their
// instructions.
#pragma once

#include <array>
#include <cstdint>

#include "machine/step.hpp"
#include "profile/launch_profile.hpp"
#include "timing/caches/small_cache.hpp"
#include "timing/counter_bank.hpp"
#include "timing/units/bank_cycles.hpp"
#include "timing/units/issue_class.hpp"

namespace wavetank::timing {

class IssueCounting {
 public:
  /// `shared`: of the caches that the CU shares.
  IssueCounting(CuCounters& own, CuCounters& shared) : bank_(own), shared_(shared) {}
  void start_launch();

  void wave_started(const machine::SteppedWave& wave);
  /// A wave leaves its slot after so many cycles.
  void wave_ended(std::uint64_t cycles);
  /// The CU held waves for so long.
  void was_busy(std::uint64_t cycles);
  void l1_invalidated();
  /// An instruction takes its port for so many cycles, with so many lanes active.
  void issued(IssueClass kind, std::uint32_t cycles, std::uint32_t lanes,
              std::uint32_t operations) {
    IssuedSum& sum = sums_[static_cast<std::size_t>(kind)];
    ++sum.instructions;
    sum.cycles += cycles;
    sum.lane_cycles += std::uint64_t{cycles} * lanes;
    sum.operations += operations;
  }
  /// A matrix instruction executes for so many cycles.
  void matrix_worked(std::uint64_t cycles) { matrix_busy_ += cycles; }
  /// A memory instruction was under way for so many cycles.
  void vector_memory_was_under_way(std::uint64_t cycles);
  /// An access of the LDS, by its own instructions or by FLAT ones.
  void lds_access(const machine::Step& step, const BankCycles& banks, std::uint64_t cycles);
  void scalar_load(unsigned bytes);
  void scalar_was_under_way(const machine::StepFacts& facts, std::uint64_t cycles);
  /// A look-up in the scalar, or instruction, cache.
  void scalar_line(const SmallCache::Answer& answer);
  void instruction_line(const SmallCache::Answer& answer);
  /// A line that a wave asked for was in its buffer after so many cycles.
  void line_fetched(std::uint64_t cycles);
  /// A wave fetched another piece of code.
  void fetched();

  /// Counts what was issued, which the counters do not show before.
  void end_launch();
  /// Instructions that were issued, up to now.
  std::uint64_t instructions() const;
  // The rest is known when the launch has ended.
  /// Cycles in which a port took instructions.
  std::uint64_t busy(machine::Port port) const { return busy_[static_cast<std::size_t>(port)]; }
  std::uint64_t matrix_busy() const { return matrix_busy_; }
  const profile::Operations& operations() const { return operations_; }
  /// Bytes of lanes' accesses to the LDS; of atomics as written.
  double lds_read() const { return lds_read_; }
  double lds_written() const { return lds_written_; }

 private:
  struct LineCounters {
    CuCounter asked, hits, misses, duplicates, of_l2;
  };
  void line(const SmallCache::Answer& answer, const LineCounters& counters);
  /// Instructions and their cycles, into two counters.
  void count(const IssuedSum& sum, CuCounter instructions, CuCounter cycles) {
    bank_.add(instructions, sum.instructions);
    bank_.add(cycles, sum.cycles);
  }
  /// Adds what was issued of a class, for which `port` worked.
  void count(IssueClass kind, const IssuedSum& sum);
  void count_all(machine::Port port, const IssuedSum& sum);
  void count_scalar_memory(const IssuedSum& sum, std::uint64_t level);
  void count_vector_memory(IssueClass first, IssueClass kind, const IssuedSum& sum);
  void count_vector(const IssuedSum& sum);
  void count_valu(isa::CounterClass kind, const IssuedSum& sum);
  void count_matrix(isa::MatrixElement a, const IssuedSum& sum);

  CuCounters& bank_;
  CuCounters& shared_;
  IssuedSums sums_ = {};
  std::array<std::uint64_t, machine::kPortCount> busy_ = {};
  std::uint64_t matrix_busy_ = 0;
  profile::Operations operations_;
  double lds_read_ = 0, lds_written_ = 0;
};

}  // namespace wavetank::timing
