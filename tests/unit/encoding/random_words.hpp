// Random instruction words for the comparison with LLVM: noise, every opcode of every format, and
// damaged valid instructions.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "isa/target.hpp"
#include "unit/encoding/oracle.hpp"

namespace wavetank::test {

/// An endless sequence of pairs of dwords, the same for the same target and seed.
class RandomWords {
 public:
  RandomWords(const isa::Target& target, std::uint64_t seed);
  /// A third each: 64 random bits; a format and an opcode, both uniform, with random, sparse or
  /// zero bits around; a valid instruction with some bits or a byte changed.
  Dwords next();

 private:
  Dwords noise();
  Dwords opcode();
  Dwords damaged();
  std::uint32_t bits() { return static_cast<std::uint32_t>(random_()); }
  std::uint32_t below(std::uint32_t limit) { return bits() % limit; }

  std::mt19937_64 random_;
  std::vector<Dwords> valid_;  ///< of every row: every form and every kind of operand
};

}  // namespace wavetank::test
