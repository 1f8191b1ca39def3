// Sets of registers, for whoever follows values through code.
#pragma once

#include <algorithm>
#include <bitset>
#include <cstddef>

#include "machine/step.hpp"

namespace wavetank::machine {

inline constexpr unsigned kVccRegister = 106;   ///< in StepFacts' scalar ranges
inline constexpr unsigned kExecRegister = 126;  ///< in StepFacts' scalar ranges

/// Registers of both files, numbered as in StepFacts, and SCC.
struct RegisterSet {
  std::bitset<512> vector;
  std::bitset<128> scalar;
  bool scc = false;

  bool operator==(const RegisterSet&) const = default;
  void operator|=(const RegisterSet& other) {
    vector |= other.vector;
    scalar |= other.scalar;
    scc = scc || other.scc;
  }
  template <std::size_t kBits>
  static void put(std::bitset<kBits>& set, const RegisterRange& range, bool value) {
    for (unsigned i = range.first; i < range.first + range.count && i < kBits; ++i) set[i] = value;
  }
  template <std::size_t kBits>
  static bool any(const std::bitset<kBits>& set, const RegisterRange& range) {
    for (unsigned i = range.first; i < range.first + range.count && i < kBits; ++i) {
      if (set[i]) return true;
    }
    return false;
  }
  /// Puts what an instruction writes into the set, or takes it out.
  void put_results(const StepFacts& facts, bool value) {
    for (const RegisterRange& range : facts.vector_writes) put(vector, range, value);
    for (const RegisterRange& range : facts.scalar_writes) put(scalar, range, value);
  }
  /// True if an instruction reads one of the set's registers; SCC does not count.
  bool any_read(const StepFacts& facts) const {
    return std::any_of(facts.vector_reads.begin(), facts.vector_reads.end(),
                       [&](const RegisterRange& range) { return any(vector, range); }) ||
           any_scalar_read(facts);
  }
  bool any_scalar_read(const StepFacts& facts) const {
    return std::any_of(facts.scalar_reads.begin(), facts.scalar_reads.end(),
                       [&](const RegisterRange& range) { return any(scalar, range); });
  }
  /// True if a conditional branch, which asks for SCC, VCC or EXEC, may depend on the set.
  bool decides_branch() const {
    return scc || any(scalar, {kVccRegister, 2}) || any(scalar, {kExecRegister, 2});
  }
};

/// True for an instruction that says which lanes go on.
inline bool writes_exec(const StepFacts& facts) {
  return std::any_of(facts.scalar_writes.begin(), facts.scalar_writes.end(),
                     [](const RegisterRange& range) { return range.overlaps({kExecRegister, 2}); });
}

}  // namespace wavetank::machine
