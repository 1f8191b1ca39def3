// Text: the domain in which a row's body prints itself. Its values are pieces of a formula; what a
// body does to them is written down in C++'s notation, with operand names in place of parameters.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "isa/lane_functions.hpp"

namespace wavetank::isa {

/// How tightly a piece of a formula holds together, loosest first.
enum class Binding : std::uint8_t { kChoice, kCompare, kBits, kSum, kProduct, kPrefix, kWord };

/// A piece of a formula.
class Text {
 public:
  Text(std::string word, Binding binding = Binding::kWord);  // NOLINT: a name is a piece
  Text(std::integral auto number)                            // NOLINT: b & 31u
      : Text(word_of_number(static_cast<std::int64_t>(number))) {}
  Text(bool value);  // NOLINT: as_false

  const std::string& str() const { return text_; }
  Binding binding() const { return binding_; }

  friend Text operator+(const Text& a, const Text& b);
  friend Text operator-(const Text& a, const Text& b);
  friend Text operator*(const Text& a, const Text& b);
  friend Text operator&(const Text& a, const Text& b);
  friend Text operator|(const Text& a, const Text& b);
  friend Text operator^(const Text& a, const Text& b);
  friend Text operator<<(const Text& a, const Text& b);
  friend Text operator>>(const Text& a, const Text& b);
  friend Text operator==(const Text& a, const Text& b);
  friend Text operator!=(const Text& a, const Text& b);
  friend Text operator<(const Text& a, const Text& b);
  friend Text operator>(const Text& a, const Text& b);
  friend Text operator<=(const Text& a, const Text& b);
  friend Text operator>=(const Text& a, const Text& b);
  friend Text operator~(const Text& a);
  friend Text operator!(const Text& a);
  friend Text select(const Text& condition, const Text& yes, const Text& no);
  friend Text as_false(const Text& any);

 private:
  static std::string word_of_number(std::int64_t number);
  std::string inside(Binding outer) const;
  static Text join(const Text& a, const char* sign, const Text& b, Binding binding);
  static Text compare(const Text& a, const char* sign, const Text& b);

  std::string text_;
  Binding binding_ = Binding::kWord;
  std::string_view sign_;  ///< of an operation on bits
};

/// NAME(a, b, ...).
Text call(std::string_view name, std::initializer_list<const Text*> values);

/// A lane function by its name.
template <class F, class... Values>
  requires(std::same_as<Values, Text> && ...)
Text each(LaneFunction<F> /*function*/, const Values&... values) {
  return call(F::name, {&values...});
}
/// The same bits as another type.
template <class To>
Text as(const Text& a) {
  return call(word_of(To::type).view(), {&a});
}

// The functions of the scalar rows (sop.hpp).
Text wide(const Text& a);
Text low_word(const Text& a);
Text low_half(const Text& a);
Text as_unsigned(const Text& a);
Text as_signed(const Text& a);
Text sign_extended_8(const Text& a);
Text sign_extended_16(const Text& a);
Text magnitude(const Text& a);
Text count_ones(const Text& a);
Text first_one(const Text& a);
Text leading_zeros(const Text& a);
Text leading_signs(const Text& a);
Text reversed(const Text& a);
Text whole_quads(const Text& a);
Text quad_mask(const Text& a);
Text replicate_bits(const Text& a);
Text extract_bits(const Text& a, const Text& offset, const Text& width);
Text extract_signed(const Text& a, const Text& offset, const Text& width);

/// The wave of a scalar body or a branch: what becomes of SCC, EXEC and the program counter.
struct TextWave {
  Text scc = std::string("SCC");
  std::string new_exec;  ///< empty: it stays
  std::string jumps_if;  ///< the condition of a jump; empty: there is none

  Text exec() const;
  Text vcc() const;
  void set_exec(const Text& mask);
};
struct TextOp {};
inline const TextOp* next(const TextOp* op) { return op; }
const TextOp* branch_if(TextWave& wave, const TextOp* op, const Text& condition);

}  // namespace wavetank::isa
