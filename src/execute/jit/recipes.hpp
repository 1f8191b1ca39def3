// How each row that blocks may contain is written in host instructions.
#pragma once

#include "execute/jit/strip_code.hpp"

namespace wavetank::execute::jit {

/// What a row's result is, where addresses are made of it (follow.cpp).
enum class Follows : std::uint8_t {
  kNothing,
  kMove,
  kAdd,
  kShift,         ///< source 1 << source 0
  kSign,          ///< source 1 >> source 0 with its sign
  kShiftPair,     ///< the same of 64 bits
  kShiftAddPair,  ///< (source 0 << source 1) + source 2 of 64 bits
  kAddLow,        ///< a sum and its carry
  kAddHigh,       ///< a sum with a carry
};

/// The recipe of a row: emit(code, recipe) writes one op.
struct Recipe {
  std::string_view name;
  void (*emit)(StripCode&, const Recipe&);
  Opcode opcode{};
  std::uint8_t immediate = 0, mirrored = 0;
  bool modifiers = false;  ///< neg and abs of the sources are honoured
  bool commutes = false;
  bool reversed = false;  ///< src1 comes first
  Follows follows = Follows::kNothing;
};

/// The recipe of a row, or nullptr where there is none.
const Recipe* recipe_of(const isa::Row& row);

/// v_div_scale of operands that need no scaling sets no lane of VCC.
inline void give_empty_mask(StripCode& c) {
  if (!c.mask_needed()) return;
  const KMask none = c.mask_result();
  c.code.mask_op(kMaskXor, none, none, none);
}
/// v_div_fmas is a plain v_fma where VCC is clear.
inline void require_empty_vcc(StripCode& c) {
  constexpr unsigned kVcc = 106;
  c.require_none(c.mask_source(kVcc));
}

/// The tables, each in a file of its name.
std::span<const Recipe> float_recipes();
std::span<const Recipe> double_recipes();
std::span<const Recipe> compare_recipes();
std::span<const Recipe> integer_recipes();
std::span<const Recipe> wide_recipes();

}  // namespace wavetank::execute::jit
