#include "isa/text.hpp"

#include <fmt/format.h>

#include <utility>

namespace wavetank::isa {

Text::Text(std::string word, Binding binding) : text_(std::move(word)), binding_(binding) {}
Text::Text(bool value) : text_(value ? "true" : "false") {}

/// Masks are read in hexadecimal.
std::string Text::word_of_number(std::int64_t number) {
  return number > 127 ? fmt::format("0x{:x}", number) : std::to_string(number);
}

/// As an operand of what binds so: in brackets if it is looser itself.
std::string Text::inside(Binding outer) const {
  return binding_ < outer ? "(" + text_ + ")" : text_;
}

/// Operations on bits are told apart by brackets, but for a row of the same.
Text Text::join(const Text& a, const char* sign, const Text& b, Binding binding) {
  const bool bits = binding == Binding::kBits;
  const bool goes_on = a.binding_ == binding && (!bits || a.sign_ == sign);
  const auto above = static_cast<Binding>(static_cast<unsigned>(binding) + 1);
  const std::string left = goes_on ? a.text_ : a.inside(bits ? Binding::kPrefix : binding);
  const std::string right = b.inside(bits ? Binding::kPrefix : above);
  Text joined(fmt::format("{} {} {}", left, sign, right), binding);
  joined.sign_ = sign;
  return joined;
}

Text Text::compare(const Text& a, const char* sign, const Text& b) {
  return {fmt::format("{} {} {}", a.inside(Binding::kSum), sign, b.inside(Binding::kSum)),
          Binding::kCompare};
}

Text operator+(const Text& a, const Text& b) { return Text::join(a, "+", b, Binding::kSum); }
Text operator-(const Text& a, const Text& b) { return Text::join(a, "-", b, Binding::kSum); }
Text operator*(const Text& a, const Text& b) { return Text::join(a, "*", b, Binding::kProduct); }
Text operator&(const Text& a, const Text& b) { return Text::join(a, "&", b, Binding::kBits); }
Text operator|(const Text& a, const Text& b) { return Text::join(a, "|", b, Binding::kBits); }
Text operator^(const Text& a, const Text& b) { return Text::join(a, "^", b, Binding::kBits); }
Text operator<<(const Text& a, const Text& b) { return Text::join(a, "<<", b, Binding::kBits); }
Text operator>>(const Text& a, const Text& b) { return Text::join(a, ">>", b, Binding::kBits); }
Text operator==(const Text& a, const Text& b) { return Text::compare(a, "==", b); }
Text operator!=(const Text& a, const Text& b) { return Text::compare(a, "!=", b); }
Text operator<(const Text& a, const Text& b) { return Text::compare(a, "<", b); }
Text operator>(const Text& a, const Text& b) { return Text::compare(a, ">", b); }
Text operator<=(const Text& a, const Text& b) { return Text::compare(a, "<=", b); }
Text operator>=(const Text& a, const Text& b) { return Text::compare(a, ">=", b); }
Text operator~(const Text& a) { return {"~" + a.inside(Binding::kPrefix), Binding::kPrefix}; }
Text operator!(const Text& a) {
  if (a.text_ == "false") return true;
  return {"!" + a.inside(Binding::kPrefix), Binding::kPrefix};
}

Text select(const Text& condition, const Text& yes, const Text& no) {
  return {fmt::format("{} ? {} : {}", condition.inside(Binding::kCompare),
                      yes.inside(Binding::kCompare), no.inside(Binding::kCompare)),
          Binding::kChoice};
}
Text as_false(const Text& /*any*/) { return false; }

Text call(std::string_view name, std::initializer_list<const Text*> values) {
  std::string text = std::string(name) + "(";
  const char* separator = "";
  for (const Text* const value : values) {
    text += separator + value->str();
    separator = ", ";
  }
  return text + ")";
}

Text wide(const Text& a) { return call("wide", {&a}); }
Text low_word(const Text& a) { return call("low_word", {&a}); }
Text low_half(const Text& a) { return call("low_half", {&a}); }
Text as_unsigned(const Text& a) { return call("u32", {&a}); }
Text as_signed(const Text& a) { return call("i32", {&a}); }
Text sign_extended_8(const Text& a) { return call("sign_extended_8", {&a}); }
Text sign_extended_16(const Text& a) { return call("sign_extended_16", {&a}); }
Text magnitude(const Text& a) { return call("magnitude", {&a}); }
Text count_ones(const Text& a) { return call("count_ones", {&a}); }
Text first_one(const Text& a) { return call("first_one", {&a}); }
Text leading_zeros(const Text& a) { return call("leading_zeros", {&a}); }
Text leading_signs(const Text& a) { return call("leading_signs", {&a}); }
Text reversed(const Text& a) { return call("reversed", {&a}); }
Text whole_quads(const Text& a) { return call("whole_quads", {&a}); }
Text quad_mask(const Text& a) { return call("quad_mask", {&a}); }
Text replicate_bits(const Text& a) { return call("replicate_bits", {&a}); }
Text extract_bits(const Text& a, const Text& offset, const Text& width) {
  return call("extract_bits", {&a, &offset, &width});
}
Text extract_signed(const Text& a, const Text& offset, const Text& width) {
  return call("extract_signed", {&a, &offset, &width});
}

Text TextWave::exec() const { return std::string("EXEC"); }
Text TextWave::vcc() const { return std::string("VCC"); }
void TextWave::set_exec(const Text& mask) { new_exec = mask.str(); }
const TextOp* branch_if(TextWave& wave, const TextOp* op, const Text& condition) {
  wave.jumps_if = condition.str();
  return op;
}

}  // namespace wavetank::isa
