// Tools for making samples: a base instruction and its variations. Private to samples_*.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "encoding/instruction.hpp"
#include "encoding/layout.hpp"
#include "isa/target.hpp"

namespace wavetank::test {

using encoding::Instruction;
namespace operand = encoding::operand;

/// Collects instructions; each is the base with one change.
class Collector {
 public:
  explicit Collector(Instruction base) : base_(base), items_{base} {}
  Instruction& base() { return base_; }
  template <class Change>
  void vary(Change change) {
    Instruction copy = base_;
    change(copy);
    items_.push_back(copy);
  }
  void append_to(std::vector<Instruction>& out) const {
    out.insert(out.end(), items_.begin(), items_.end());
  }

 private:
  Instruction base_;
  std::vector<Instruction> items_;
};

inline std::uint16_t code(unsigned number) { return static_cast<std::uint16_t>(number); }
inline std::uint16_t vgpr(unsigned number) { return code(operand::kVgpr0 + number); }
inline std::uint16_t agpr(unsigned number) { return code(operand::kAgpr0 + number); }

/// Scalar sources of every kind for a value of `dwords` registers.
std::vector<std::uint16_t> scalar_kinds(unsigned dwords);

/// Adds literals in source `index`, with and without 16-bit range.
void vary_literals(Collector& collector, unsigned index, isa::Type type);

void sop_samples(const isa::Row& row, std::vector<Instruction>& out);
void smem_samples(const isa::Row& row, std::vector<Instruction>& out);
void vop_samples(const isa::Row& row, std::vector<Instruction>& out);
void ds_samples(const isa::Row& row, std::vector<Instruction>& out);
void flat_samples(const isa::Row& row, isa::Format segment, const isa::Target& target,
                  std::vector<Instruction>& out);
void buffer_samples(const isa::Row& row, std::vector<Instruction>& out);
void image_samples(const isa::Row& row, std::vector<Instruction>& out);

}  // namespace wavetank::test
