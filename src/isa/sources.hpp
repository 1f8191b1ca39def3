// The sources that an instruction's bytes, and an op, have places for.
#pragma once

#include <array>
#include <cstddef>

#include "isa/row.hpp"

namespace wavetank::isa {

/// Sources in encoding order; the index of one is its place in Instruction::src and Op::src.
struct EncodedSources {
  std::array<Operand, 4> all = {};
  std::size_t count = 0;
  constexpr const Operand* begin() const { return all.data(); }
  constexpr const Operand* end() const { return all.data() + count; }
  constexpr std::size_t size() const { return count; }
  constexpr const Operand& operator[](std::size_t index) const { return all[index]; }
};

/// All sources of a row but those that are not said: the destination as a source, and VCC where it
/// is always that.
constexpr EncodedSources encoded_sources(const Row& row) {
  EncodedSources sources;
  for (const Operand& source : row.sources) {
    if (source.type == Type::kNone) break;
    if (source.role == Role::kAccumulator || source.role == Role::kImplicitVcc) continue;
    sources.all[sources.count++] = source;
  }
  return sources;
}

}  // namespace wavetank::isa
