// The sources that an instruction's bytes, and an op, have places for.
#pragma once

#include <algorithm>
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

/// All sources of a row that are encoded.
constexpr EncodedSources encoded_sources(const Row& row) {
  EncodedSources sources;
  for (const Operand& source : row.sources) {
    if (source.type == Type::kNone) break;
    if (is_encoded(source.role)) sources.all[sources.count++] = source;
  }
  return sources;
}

/// True if the row has a source of that role.
constexpr bool has_source(const Row& row, Role role) {
  return std::ranges::any_of(row.sources, [&](const Operand& source) {
    return source.type != Type::kNone && source.role == role;
  });
}

}  // namespace wavetank::isa
