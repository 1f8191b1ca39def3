// Which slots of a SIMD have what kind of instruction next: for each kind a byte, for each slot a
// bit, all in one word.
#pragma once

#include <cstdint>

#include "machine/step.hpp"

namespace wavetank::timing {

class SlotKinds {
 public:
  SlotKinds() = default;
  /// Of one instruction, for slot 0.
  SlotKinds(const machine::StepFacts& facts, bool is_f64) {
    bits_ = byte(static_cast<unsigned>(facts.port)) | (facts.pairs ? byte(kPairs) : 0) |
            (is_f64 ? byte(kF64) : 0);
  }
  /// The slot has `one` from now on.
  void set(unsigned slot, const SlotKinds& one) {
    bits_ = (bits_ & ~(kEach << slot)) | one.bits_ << slot;
  }
  /// The slots whose next instruction is for a port; issues together with others of its sort; is
  /// f64. One bit each.
  unsigned of(machine::Port port) const { return at(static_cast<unsigned>(port)); }
  unsigned pairs() const { return at(kPairs); }
  unsigned f64() const { return at(kF64); }

 private:
  static constexpr unsigned kPairs = machine::kPortCount, kF64 = kPairs + 1, kBits = 8;
  static_assert(kF64 * kBits < 64);
  static constexpr std::uint64_t kEach = 0x0101010101010101;
  static constexpr std::uint64_t byte(unsigned kind) { return std::uint64_t{1} << kBits * kind; }
  unsigned at(unsigned kind) const { return bits_ >> kBits * kind & 0xff; }

  std::uint64_t bits_ = 0;
};

}  // namespace wavetank::timing
