// Text: the domain in which a row's body prints itself. Its values are pieces of a formula; what a
// body does to them is written down in C++'s notation, with operand names in place of parameters.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "isa/lane_functions.hpp"

namespace wavetank::isa {

/// How tightly a piece of a formula holds together, loosest first.
enum class Binding : std::uint8_t { kChoice, kCompare, kBits, kSum, kProduct, kPrefix, kWord };

/// A piece of a formula.
class Text {
 public:
  Text(std::string word, Binding binding = Binding::kWord)  // NOLINT: a name is a piece
      : text_(std::move(word)), binding_(binding) {}
  Text(std::integral auto number) : text_(word_of_number(number)) {}  // NOLINT: b & 31u
  Text(bool value) : text_(value ? "true" : "false") {}               // NOLINT: as_false

  const std::string& str() const { return text_; }
  Binding binding() const { return binding_; }

  friend Text operator+(const Text& a, const Text& b) { return join(a, "+", b, Binding::kSum); }
  friend Text operator-(const Text& a, const Text& b) { return join(a, "-", b, Binding::kSum); }
  friend Text operator*(const Text& a, const Text& b) { return join(a, "*", b, Binding::kProduct); }
  friend Text operator&(const Text& a, const Text& b) { return join(a, "&", b, Binding::kBits); }
  friend Text operator|(const Text& a, const Text& b) { return join(a, "|", b, Binding::kBits); }
  friend Text operator^(const Text& a, const Text& b) { return join(a, "^", b, Binding::kBits); }
  friend Text operator<<(const Text& a, const Text& b) { return join(a, "<<", b, Binding::kBits); }
  friend Text operator>>(const Text& a, const Text& b) { return join(a, ">>", b, Binding::kBits); }
  friend Text operator==(const Text& a, const Text& b) { return compare(a, "==", b); }
  friend Text operator!=(const Text& a, const Text& b) { return compare(a, "!=", b); }
  friend Text operator<(const Text& a, const Text& b) { return compare(a, "<", b); }
  friend Text operator>(const Text& a, const Text& b) { return compare(a, ">", b); }
  friend Text operator<=(const Text& a, const Text& b) { return compare(a, "<=", b); }
  friend Text operator>=(const Text& a, const Text& b) { return compare(a, ">=", b); }
  friend Text operator~(const Text& a) { return {"~" + a.inside(Binding::kPrefix), kPrefix}; }
  friend Text operator!(const Text& a) {
    if (a.text_ == "false") return true;
    return {"!" + a.inside(Binding::kPrefix), kPrefix};
  }
  friend Text select(const Text& condition, const Text& yes, const Text& no) {
    return {condition.inside(Binding::kCompare) + " ? " + yes.inside(Binding::kCompare) + " : " +
                no.inside(Binding::kCompare),
            Binding::kChoice};
  }
  friend Text as_false(const Text& /*any*/) { return false; }

 private:
  static constexpr Binding kPrefix = Binding::kPrefix;

  /// Masks are read in hexadecimal.
  static std::string word_of_number(std::integral auto number) {
    return number > 127 ? fmt::format("0x{:x}", number) : std::to_string(number);
  }

  /// As an operand of what binds so: in brackets if it is looser itself.
  std::string inside(Binding outer) const { return binding_ < outer ? "(" + text_ + ")" : text_; }
  /// Operations on bits are told apart by brackets, but for a row of the same.
  static Text join(const Text& a, const char* sign, const Text& b, Binding binding) {
    const bool goes_on = a.binding_ == binding && (binding != Binding::kBits || a.sign_ == sign);
    const bool tight = binding == Binding::kBits;
    const Binding least = tight ? Binding::kPrefix : binding;
    const auto above = static_cast<Binding>(static_cast<unsigned>(binding) + 1);
    Text joined((goes_on ? a.text_ : a.inside(least)) + " " + sign + " " +
                    b.inside(tight ? Binding::kPrefix : above),
                binding);
    joined.sign_ = sign;
    return joined;
  }
  static Text compare(const Text& a, const char* sign, const Text& b) {
    return {a.inside(Binding::kSum) + " " + sign + " " + b.inside(Binding::kSum),
            Binding::kCompare};
  }

  std::string text_;
  Binding binding_ = Binding::kWord;
  std::string_view sign_;  ///< of an operation on bits
};

/// NAME(a, b, ...).
template <class... Values>
Text call(std::string_view name, const Values&... values) {
  std::string text = std::string(name) + "(";
  const char* separator = "";
  ((text += separator + Text(values).str(), separator = ", "), ...);
  return text + ")";
}

/// A lane function by its name.
template <class F, class... Values>
  requires(std::same_as<Values, Text> && ...)
Text each(LaneFunction<F> /*function*/, const Values&... values) {
  return call(F::name, values...);
}
/// The same bits as another type.
template <class To>
Text as(const Text& a) {
  return call(word_of(To::type).view(), a);
}

// The functions of the scalar rows (sop.hpp).
inline Text wide(const Text& a) { return call("wide", a); }
inline Text low_word(const Text& a) { return call("low_word", a); }
inline Text low_half(const Text& a) { return call("low_half", a); }
inline Text as_unsigned(const Text& a) { return call("u32", a); }
inline Text as_signed(const Text& a) { return call("i32", a); }
inline Text sign_extended_8(const Text& a) { return call("sign_extended_8", a); }
inline Text sign_extended_16(const Text& a) { return call("sign_extended_16", a); }
inline Text magnitude(const Text& a) { return call("magnitude", a); }
inline Text count_ones(const Text& a) { return call("count_ones", a); }
inline Text first_one(const Text& a) { return call("first_one", a); }
inline Text leading_zeros(const Text& a) { return call("leading_zeros", a); }
inline Text leading_signs(const Text& a) { return call("leading_signs", a); }
inline Text reversed(const Text& a) { return call("reversed", a); }
inline Text whole_quads(const Text& a) { return call("whole_quads", a); }
inline Text quad_mask(const Text& a) { return call("quad_mask", a); }
inline Text replicate_bits(const Text& a) { return call("replicate_bits", a); }
inline Text extract_bits(const Text& a, const Text& offset, const Text& width) {
  return call("extract_bits", a, offset, width);
}
inline Text extract_signed(const Text& a, const Text& offset, const Text& width) {
  return call("extract_signed", a, offset, width);
}

/// The wave of a scalar body or a branch: what becomes of SCC, EXEC and the program counter.
struct TextWave {
  Text scc = std::string("SCC");
  std::string new_exec;  ///< empty: it stays
  std::string jumps_if;  ///< the condition of a jump; empty: there is none

  Text exec() const { return std::string("EXEC"); }
  Text vcc() const { return std::string("VCC"); }
  void set_exec(const Text& mask) { new_exec = mask.str(); }
};
struct TextOp {};
inline const TextOp* branch_if(TextWave& wave, const TextOp* op, const Text& condition) {
  wave.jumps_if = condition.str();
  return op;
}

}  // namespace wavetank::isa
