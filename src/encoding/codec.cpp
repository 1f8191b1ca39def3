#include "encoding/codec.hpp"

#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {
namespace {

constexpr Problem kBadTuple = "a register tuple is odd or passes register 255";

}  // namespace

bool Codec::sets_reserved_bits() const {
  const std::uint64_t own = in.dwords == 1 ? 0xffffffffu : ~std::uint64_t{0};
  return sets_reserved_bits_ || (words_ & ~taken_ & own) != 0;
}

void Codec::literal() {
  number(fields::kLiteral, in.literal);
  in.dwords = 2;
}

std::uint16_t Codec::aligned(std::uint32_t code, unsigned dwords) const {
  const std::uint32_t low = dwords <= 1 ? 0 : dwords == 2 ? 1 : 3;
  const bool aligns = way_ == Way::kReadLeniently && code < operand::kM0;
  return static_cast<std::uint16_t>(aligns ? code & ~low : code);
}

void Codec::scalar_code(Field field, unsigned dwords, std::uint16_t& code, unsigned unit) {
  if (reads()) {
    code = aligned(unit * take(field), dwords);
  } else if (code != operand::kNone) {
    words_ |= field.put(code / unit);
  }
}

void Codec::scalar(Field field, unsigned dwords, std::uint16_t& code, Problem problem,
                   unsigned unit) {
  scalar_code(field, dwords, code, unit);
  refuse_unless(is_scalar_register(code, dwords), problem);
}

void Codec::registers(Field field, std::uint16_t first, unsigned dwords, std::uint16_t& code) {
  if (dwords == 0) return;
  if (reads()) {
    code = static_cast<std::uint16_t>(first + take(field));
    refuse_unless(is_vector_register(code, dwords), kBadTuple);
  } else if (code != operand::kNone) {
    words_ |= field.put(code);
  }
}

void Codec::data(Field field, Field acc, unsigned dwords, std::uint16_t& code) {
  if (dwords == 0) return;
  bool is_agpr = operand::is_agpr(code);
  number(acc, is_agpr);
  registers(field, is_agpr ? operand::kAgpr0 : operand::kVgpr0, dwords, code);
}

void Codec::check_source(unsigned index) {
  const std::uint16_t code = in.src[index];
  const unsigned dwords = isa::dwords_of(row.sources[index].type);
  const auto has_bit = [&](std::uint8_t sources) { return (sources >> index & 1) != 0; };
  if (row.sources[index].type == isa::Type::kMask) {
    refuse_unless(is_scalar_register(code, dwords), "a lane mask is a pair of SGPRs");
  } else if (operand::is_vector(code)) {
    refuse_unless(!has_bit(scalar_only_sources(row)), "a vector register where none may be");
    refuse_unless(is_vector_register(code, dwords), kBadTuple);
  } else if (has_bit(vector_only_sources(row))) {
    refuse_unless(false, "only a vector register may be here");
  } else if (row.matrix.present()) {
    refuse_unless(is_inline_constant(code), "C is a vector register or an inline constant");
  } else {
    refuse_unless(is_scalar_source(code, dwords), "no such source");
  }
}

void Codec::source(unsigned index, const SourceField& from) {
  constexpr std::uint16_t kToAgpr = operand::kAgpr0 - operand::kVgpr0;
  std::uint16_t& code = in.src[index];
  if (reads()) {
    std::uint32_t number = from.first + take(from.field);
    if (from.acc && number >= operand::kVgpr0) number += kToAgpr;
    code = aligned(number, isa::dwords_of(row.sources[index].type));
  } else {
    words_ |= from.field.put(operand::is_agpr(code) ? code - kToAgpr : code);
  }
  if (code == operand::kLiteral && from.literal && vector_only_sources(row) == 0) {
    literal();
  } else {
    check_source(index);
  }
}

}  // namespace wavetank::encoding
