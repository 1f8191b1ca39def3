// Where a wave keeps a value that is followed through what it executes.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "machine/register_set.hpp"
#include "machine/step.hpp"

namespace wavetank::check {

/// Where a value is: in which lanes of which registers, and in which dwords of private memory.
class HeldValue {
 public:
  bool is_gone() const { return vector_.empty() && scalar_.none() && !scc_ && memory_.empty(); }
  /// The lanes in which one of these registers holds it.
  std::uint64_t lanes_of(const machine::RegisterRange& range) const;
  /// The lanes in which an instruction's vector operands hold it.
  std::uint64_t lanes_read(const machine::StepFacts& facts) const;
  bool reads_scalar(const machine::StepFacts& facts) const;
  /// True if a conditional branch may depend on it.
  bool decides_branch() const;
  /// These lanes of a register hold it, others of `written` no longer do.
  void put(unsigned vector, std::uint64_t lanes, std::uint64_t written);
  void put_vectors(const machine::StepFacts& facts, std::uint64_t lanes, std::uint64_t written);
  void put_scalars(const machine::StepFacts& facts, bool holds);
  void put_scc(bool holds) { scc_ = holds; }
  /// These lanes hold it no more, in whatever register or memory of theirs.
  void forget(std::uint64_t lanes);
  /// Private memory takes what the registers of a store hold, or gives it to those of a load.
  void store(const machine::StepFacts& facts, const machine::Step& step);
  void load(const machine::StepFacts& facts, const machine::Step& step);

 private:
  std::map<unsigned, std::uint64_t> vector_;  ///< lanes, of registers where there are any
  std::bitset<128> scalar_;
  bool scc_ = false;
  std::unordered_map<std::uint64_t, unsigned> memory_;  ///< by address its lane
};

}  // namespace wavetank::check
