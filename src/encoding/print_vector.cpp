// VOP1, VOP2, VOPC, VOP3 and VOP3P in words.
#include <fmt/format.h>

#include "encoding/layout.hpp"
#include "encoding/operand.hpp"
#include "encoding/print.hpp"
#include "encoding/text.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Role;
using isa::Row;

namespace {

/// "[1,0,1]" from the low bits of `bits`.
std::string bit_list(unsigned bits, unsigned count) {
  std::string text = "[";
  for (unsigned i = 0; i < count; ++i) {
    if (i != 0) text += ",";
    text += (bits >> i & 1) != 0 ? "1" : "0";
  }
  return text + "]";
}

std::string with_float_modifiers(std::string text, bool negate, bool absolute, bool constant) {
  if (absolute) text = "|" + text + "|";
  if (!negate) return text;
  // neg(1) and -1 are different constants.
  return constant && !absolute ? "neg(" + text + ")" : "-" + text;
}

/// The field number of row source `index`: the bit of its modifiers.
unsigned field_of(const Instruction& in, unsigned index) {
  const Slot slot = source_slots(*in.row, in.form)[index];
  return static_cast<unsigned>(slot) - static_cast<unsigned>(Slot::kSrc0);
}

bool packed_modifiers(const Row& row) {
  return row.encoding.format == Format::kVop3p && !is_mixed_precision(row);
}

std::string encoded_source(const Instruction& in, unsigned index) {
  const Row& row = *in.row;
  const isa::Type type =
      operand::is_vector(in.src[index]) ? row.sources[index].type : row.constant_type(index);
  const std::string text = source_text(in.src[index], type, in.literal);
  const unsigned field = field_of(in, index);
  if (packed_modifiers(row)) return text;
  if (in.form == Form::kSdwa && (in.sext >> field & 1) != 0) return "sext(" + text + ")";
  const std::uint16_t code = in.src[index];
  const bool constant = is_inline_constant(code) || code == operand::kLiteral;
  return with_float_modifiers(text, (in.neg >> field & 1) != 0, (in.abs >> field & 1) != 0,
                              constant);
}

void print_sources(Line& line, const Instruction& in) {
  const Row& row = *in.row;
  const auto slots = source_slots(row, in.form);
  for (unsigned i = 0; i < row.source_count() && i < in.src.size(); ++i) {
    if (is_field(slots[i])) {
      line.operand(encoded_source(in, i));
    } else if (slots[i] == Slot::kLiteral) {
      line.operand(hex_text(in.literal));
    } else if (slots[i] == Slot::kVcc && row.sources[i].role != Role::kImplicitVcc) {
      line.operand("vcc");
    }
  }
}

void print_destinations(Line& line, const Instruction& in) {
  const Row& row = *in.row;
  if (in.dst != operand::kNone) line.operand(register_text(in.dst, destination_dwords(row)));
  if (in.sdst != operand::kNone) line.operand(register_text(in.sdst, 2));
}

void print_output_modifiers(Line& line, const Instruction& in) {
  constexpr std::string_view kOutput[] = {"", "mul:2", "mul:4", "div:2"};
  line.flag(in.clamp, "clamp");
  line.flag(in.omod != 0, kOutput[in.omod]);
}

void print_packed_modifiers(Line& line, const Instruction& in) {
  const unsigned count = encoded_source_count(*in.row, in.form);
  const unsigned all = (1u << count) - 1;
  const bool mixed = is_mixed_precision(*in.row);
  const unsigned op_sel = in.op_sel & all;
  const unsigned op_sel_hi = in.op_sel_hi & all;
  // Pairs take the high half for the high result unless told otherwise; single values do not.
  line.flag(op_sel != 0, "op_sel:" + bit_list(op_sel, count));
  line.flag(op_sel_hi != (mixed ? 0 : all), "op_sel_hi:" + bit_list(op_sel_hi, count));
  if (!mixed) {
    line.flag((in.neg & all) != 0, "neg_lo:" + bit_list(in.neg, count));
    line.flag((in.abs & all) != 0, "neg_hi:" + bit_list(in.abs, count));
  }
  line.flag(in.clamp, "clamp");
}

void print_matrix_modifiers(Line& line, const Instruction& in) {
  line.flag(in.cbsz != 0, fmt::format("cbsz:{}", in.cbsz));
  line.flag(in.abid != 0, fmt::format("abid:{}", in.abid));
  if (in.blgp == 0) return;
  const bool negates = in.row->matrix.negates;
  line.modifier(negates ? "neg:" + bit_list(in.blgp, 3) : fmt::format("blgp:{}", in.blgp));
}

void print_half_select(Line& line, const Instruction& in) {
  if (!has_half_select(*in.row) || in.op_sel == 0) return;
  const unsigned count = half_select_sources(*in.row);
  const unsigned sources = in.op_sel & ((1u << count) - 1);
  line.modifier("op_sel:" + bit_list(sources | (in.op_sel >> 3 & 1u) << count, count + 1));
}

void print_sdwa(Line& line, const Instruction& in) {
  constexpr std::string_view kUnused[] = {"UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE"};
  print_output_modifiers(line, in);
  if (has_sdwa_destination(*in.row)) {
    line.modifier(fmt::format("dst_sel:{}", select_text(in.dst_sel)));
    line.modifier(fmt::format("dst_unused:{}", kUnused[in.dst_unused]));
  }
  for (unsigned i = 0; i < encoded_source_count(*in.row, Form::kSdwa); ++i) {
    line.modifier(fmt::format("src{}_sel:{}", i, select_text(in.src_sel[i])));
  }
}

void print_dpp(Line& line, const Instruction& in) {
  line.modifier(dpp_control_text(in.dpp_ctrl));
  line.modifier("row_mask:" + hex_text(in.row_mask));
  line.modifier("bank_mask:" + hex_text(in.bank_mask));
  line.flag(in.bound_ctrl, "bound_ctrl:1");
}

}  // namespace

void print_vector(Line& line, const Instruction& in) {
  print_destinations(line, in);
  print_sources(line, in);
  switch (in.form) {
    case Form::kSdwa: print_sdwa(line, in); return;
    case Form::kDpp: print_dpp(line, in); return;
    default: break;
  }
  if (is_matrix_encoding(*in.row)) {
    print_matrix_modifiers(line, in);
  } else if (in.row->encoding.format == Format::kVop3p) {
    print_packed_modifiers(line, in);
  } else {
    print_half_select(line, in);
    print_output_modifiers(line, in);
  }
}

}  // namespace wavetank::encoding
