// The LDS of a CU: 32 banks that two pairs of SIMDs share. Lanes go in groups that depend on the
// width of the access; within a group each bank serves one dword address a cycle, and lanes that
// want the same dword share it.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "machine/step.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// Cycles in which the banks work for an instruction.
struct BankCycles {
  std::uint32_t total = 0;         ///< SQ_LDS_IDX_ACTIVE
  std::uint32_t conflict = 0;      ///< of those, beyond one for each group: SQ_LDS_BANK_CONFLICT
  std::uint32_t same_address = 0;  ///< atomics to one address: SQ_LDS_ADDR_CONFLICT
  /// Lets the banks take so many times as long.
  void scale(double factor) {
    for (std::uint32_t* const cycles : {&total, &conflict}) {
      *cycles = static_cast<std::uint32_t>(*cycles * factor + 0.5);
    }
  }
};

/// Counts the bank cycles of a step whose addresses are bytes into LDS; `lanes` take part, but for
/// those that lie beyond it.
BankCycles count_bank_cycles(const machine::Step& step, std::uint64_t lanes, const LdsSpec& lds);

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
  Answer issue(const machine::Step& step, std::uint64_t lanes, unsigned simd, std::uint64_t time);
  /// Cycles in which the banks were in use.
  std::uint64_t busy_cycles() const { return busy_; }

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
  std::uint64_t busy_ = 0;
};

}  // namespace wavetank::timing
