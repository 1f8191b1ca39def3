// Operands that all vector formats have: sources of every kind, and the destination.
#include "encoding/decode.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Row;

Problem check_source(const Row& row, unsigned index, std::uint16_t code) {
  const unsigned dwords = isa::dwords_of(row.sources[index].type);
  if (row.sources[index].type == isa::Type::kMask) {
    return is_scalar_register(code, dwords) ? Problem{} : "a lane mask is a pair of SGPRs";
  }
  if (operand::is_vgpr(code) || operand::is_agpr(code)) {
    if ((scalar_only_sources(row) >> index & 1) != 0) return "a vector register where none may be";
    return is_vector_register(code, dwords) ? Problem{} : kBadTuple;
  }
  if ((vector_only_sources(row) >> index & 1) != 0) return "only a vector register may be here";
  if (row.matrix.present()) {
    const bool constant = inline_integer(code) || is_inline_float(code);
    return constant ? Problem{} : "C is a vector register or an inline constant";
  }
  return is_scalar_source(code, dwords) ? Problem{} : "no such source";
}

Problem set_source(const Encoded& in, unsigned index, std::uint32_t code, bool literal_allowed,
                   Instruction& out) {
  out.src[index] = in.scalar(code, isa::dwords_of(in.row->sources[index].type));
  if (code == operand::kLiteral && literal_allowed && vector_only_sources(*in.row) == 0) {
    out.literal = static_cast<std::uint32_t>(in.words >> 32);
    out.dwords = 2;
    return {};
  }
  return check_source(*in.row, index, out.src[index]);
}

void set_implied_sources(const Row& row, Form form, Instruction& out) {
  const auto slots = source_slots(row, form);
  for (unsigned i = 0; i < out.src.size(); ++i) {
    if (slots[i] == Slot::kDestination) out.src[i] = out.dst;
    if (slots[i] == Slot::kVcc) out.src[i] = operand::kVcc;
    if (slots[i] == Slot::kLiteral) out.src[i] = operand::kLiteral;
  }
}

Problem set_registers(std::initializer_list<VectorOperand> operands) {
  for (const auto& [slot, code, dwords] : operands) {
    if (dwords == 0) continue;
    slot = code;
    if (!is_vector_register(code, dwords)) return kBadTuple;
  }
  return {};
}

Problem set_vector_destination(const Encoded& in, std::uint32_t number, Instruction& out) {
  const Row& row = *in.row;
  if (row.result.type == isa::Type::kNone && !has_destination(row)) return {};
  if (row.result.type == isa::Type::kNone && row.mask_result) return {};
  const unsigned dwords = destination_dwords(row);
  if (row.scalar_result) {
    out.dst = in.scalar(number, dwords);
    return is_scalar_register(out.dst, dwords) ? Problem{} : "no such scalar destination";
  }
  out.dst = writes_agpr(row) ? agpr(number) : vgpr(number);
  return is_vector_register(out.dst, dwords) ? Problem{} : kBadTuple;
}

}  // namespace wavetank::encoding
