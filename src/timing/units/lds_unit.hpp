// The LDS of a CU: 32 banks that two pairs of SIMDs share.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/spec.hpp"
#include "timing/units/known_banks.hpp"

namespace wavetank::timing {

class LdsUnit {
 public:
  explicit LdsUnit(const TimingSpec& spec) : spec_(spec) { start_launch(); }

  void start_launch();
  /// The first cycle in which SIMD `simd`'s pair takes another instruction.
  std::uint64_t accepts_at(unsigned simd) const { return accepts_at_[simd]; }
  struct Answer {
    std::uint64_t done = 0;  ///< when its result is there, or the write is done
    BankCycles banks;
  };
  /// Takes an instruction at `time`.
  Answer issue(const machine::Step& step, std::uint64_t lanes, unsigned simd, std::uint64_t time,
               KnownBanks& known);
  /// Cycles in which the banks were in use.
  std::uint64_t busy_cycles() const { return busy_; }
  /// Cycles in which the bus of a pair of SIMDs carried addresses and data, of the average pair.
  double bus_busy_cycles() const {
    return static_cast<double>(bus_busy_) / static_cast<double>(pairs_.size());
  }

 private:
  struct Pair {
    std::uint64_t free = 0;
    std::vector<std::uint64_t> started;  ///< ring: when the last queue_depth instructions started
    std::size_t next = 0;
  };

  Pair& pair_of(unsigned simd) { return pairs_[simd / 2 % pairs_.size()]; }
  std::uint32_t bus_cycles(const machine::Step& step) const;
  std::uint32_t latency(const machine::Step& step) const;

  const TimingSpec& spec_;
  std::vector<Pair> pairs_;
  std::array<std::uint64_t, 4> accepts_at_ = {};  ///< by SIMD
  std::uint64_t banks_free_ = 0;
  std::uint64_t busy_ = 0, bus_busy_ = 0;  ///< of the banks, of all buses
};

}  // namespace wavetank::timing
