// VOP1, VOP2 and VOPC with their SDWA and DPP forms; VOP3A, VOP3B, VOP3P and VOP3P-MAI.
#include "encoding/decode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Role;
using isa::Row;

namespace {

std::uint16_t vgpr(std::uint32_t number) {
  return static_cast<std::uint16_t>(operand::kVgpr0 + number);
}
std::uint16_t agpr(std::uint32_t number) {
  return static_cast<std::uint16_t>(operand::kAgpr0 + number);
}

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
  return is_scalar_source(code, dwords) ? Problem{} : "no such source";
}

/// SRC0 of e32 and the fields of VOP3: 9 bits, where 255 is a literal if the form has one.
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

/// Sources that have no field of their own.
void set_implied_sources(const Row& row, Form form, Instruction& out) {
  const auto slots = source_slots(row, form);
  for (unsigned i = 0; i < out.src.size(); ++i) {
    if (slots[i] == Slot::kDestination) out.src[i] = out.dst;
    if (slots[i] == Slot::kVcc) out.src[i] = operand::kVcc;
    if (slots[i] == Slot::kLiteral) out.src[i] = operand::kLiteral;
  }
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
  out.dst = accumulator_moves(row).destination ? agpr(number) : vgpr(number);
  return is_vector_register(out.dst, dwords) ? Problem{}
                                             : kBadTuple;
}

Problem decode_sdwa(const Encoded& in, Instruction& out) {
  namespace f = fields::sdwa;
  const Row& row = *in.row;
  const bool compare = row.encoding.format == Format::kVopc;
  out.form = Form::kSdwa;
  out.dwords = 2;
  const unsigned count = encoded_source_count(row, Form::kSdwa);
  const unsigned mask = float_modifier_mask(row, Form::kSdwa);
  const std::uint32_t numbers[2] = {f::kSrc0.get(in.words), fields::vop::kSrc1.get(in.words)};
  for (unsigned field = 0; field < 2 && field < count; ++field) {
    const int index = source_of_field(row, Form::kSdwa, field);
    const bool scalar = f::kScalar[field].get(in.words) != 0;
    const unsigned dwords = isa::dwords_of(row.sources[static_cast<unsigned>(index)].type);
    const auto code = scalar ? in.scalar(numbers[field], dwords) : vgpr(numbers[field]);
    out.src[static_cast<unsigned>(index)] = code;
    const Problem problem = check_source(row, static_cast<unsigned>(index), code);
    if (!problem.empty()) return problem;
    out.src_sel[field] = static_cast<std::uint8_t>(f::kSel[field].get(in.words));
    if (out.src_sel[field] > 6) return "reserved source select";
    out.sext = static_cast<std::uint8_t>(out.sext | f::kSext[field].get(in.words) << field);
    out.neg = static_cast<std::uint8_t>(out.neg | (f::kNeg[field].get(in.words) << field & mask));
    out.abs = static_cast<std::uint8_t>(out.abs | (f::kAbs[field].get(in.words) << field & mask));
  }
  out.clamp = f::kClamp.get(in.words) != 0 && !compare;
  if (compare) {
    const bool other = f::kSdstEnable.get(in.words) != 0;
    out.sdst = other ? in.scalar(f::kSdst.get(in.words), 2) : operand::kVcc;
    return is_scalar_register(out.sdst, 2) ? Problem{} : "no such scalar destination";
  }
  if (has_output_modifier(row)) out.omod = static_cast<std::uint8_t>(f::kOmod.get(in.words));
  out.dst_sel = static_cast<std::uint8_t>(f::kDstSel.get(in.words));
  out.dst_unused = static_cast<std::uint8_t>(f::kDstUnused.get(in.words));
  return out.dst_sel > 6 || out.dst_unused > 2 ? "reserved destination select" : Problem{};
}

/// DPP controls that exist (CDNA3 ISA guide, "DPP_CTRL").
bool is_dpp_control(std::uint32_t control) {
  if (control <= 0xff) return true;
  if (control >= 0x101 && control <= 0x12f) return control != 0x110 && control != 0x120;
  if (control >= 0x140 && control <= 0x143) return true;
  if (control >= 0x150 && control <= 0x15f) return true;
  return control == 0x130 || control == 0x134 || control == 0x138 || control == 0x13c;
}

Problem decode_dpp(const Encoded& in, Instruction& out) {
  namespace f = fields::dpp;
  const Row& row = *in.row;
  out.form = Form::kDpp;
  out.dwords = 2;
  out.dpp_ctrl = static_cast<std::uint16_t>(f::kCtrl.get(in.words));
  if (!is_dpp_control(out.dpp_ctrl)) return "reserved DPP control";
  const bool wide = isa::dwords_of(row.sources[0].type) > 1 || isa::dwords_of(row.result.type) > 1;
  if (wide && (out.dpp_ctrl < 0x150 || out.dpp_ctrl > 0x15f)) {
    return "64-bit DPP has ROW_NEWBCAST only";
  }
  out.bound_ctrl = f::kBoundCtrl.get(in.words) != 0;
  out.row_mask = static_cast<std::uint8_t>(f::kRowMask.get(in.words));
  out.bank_mask = static_cast<std::uint8_t>(f::kBankMask.get(in.words));
  const unsigned count = encoded_source_count(row, Form::kDpp);
  const unsigned mask = float_modifier_mask(row, Form::kDpp);
  const std::uint32_t numbers[2] = {f::kSrc0.get(in.words), fields::vop::kSrc1.get(in.words)};
  for (unsigned field = 0; field < 2 && field < count; ++field) {
    const auto index = static_cast<unsigned>(source_of_field(row, Form::kDpp, field));
    out.src[index] = vgpr(numbers[field]);
    const Problem problem = check_source(row, index, out.src[index]);
    if (!problem.empty()) return problem;
    out.neg = static_cast<std::uint8_t>(out.neg | (f::kNeg[field].get(in.words) << field & mask));
    out.abs = static_cast<std::uint8_t>(out.abs | (f::kAbs[field].get(in.words) << field & mask));
  }
  return {};
}

Problem decode_e32(const Encoded& in, Instruction& out) {
  const Row& row = *in.row;
  const auto slots = source_slots(row, Form::kPlain);
  for (unsigned i = 0; i < out.src.size(); ++i) {
    Problem problem;
    if (slots[i] == Slot::kSrc0) {
      std::uint32_t code = fields::vop::kSrc0.get(in.words);
      if (accumulator_moves(row).source && code >= operand::kVgpr0) {
        code += operand::kAgpr0 - operand::kVgpr0;
      }
      problem = set_source(in, i, code, true, out);
    } else if (slots[i] == Slot::kSrc1) {
      problem = set_source(in, i, vgpr(fields::vop::kSrc1.get(in.words)), false, out);
    } else if (slots[i] == Slot::kLiteral) {
      out.literal = static_cast<std::uint32_t>(in.words >> 32);
      out.dwords = 2;
    }
    if (!problem.empty()) return problem;
  }
  return {};
}

/// SRC0 to SRC2 of VOP3 and VOP3P; ACC bits turn vector registers into AccVGPRs.
Problem decode_vop3_sources(const Encoded& in, Instruction& out, const bool (&acc)[3]) {
  const Row& row = *in.row;
  const unsigned count = encoded_source_count(row, Form::kVop3);
  for (unsigned field = 0; field < count; ++field) {
    const auto index = static_cast<unsigned>(source_of_field(row, Form::kVop3, field));
    std::uint32_t code = fields::vop3::kSrc[field].get(in.words);
    if (acc[field] && code >= operand::kVgpr0) code += operand::kAgpr0 - operand::kVgpr0;
    if (index >= out.src.size()) return "too many sources";
    const Problem problem = set_source(in, index, code, false, out);
    if (!problem.empty()) return problem;
  }
  return {};
}

Problem decode_matrix(const Encoded& in, Instruction& out) {
  namespace p = fields::vop3p;
  const AccumulatorMoves moves = accumulator_moves(*in.row);
  out.op_sel_hi = static_cast<std::uint8_t>(p::kOpSelHi.get(in.words) |
                                            p::kOpSelHi2.get(in.words) << 2);
  if (moves.source || moves.destination) {
    const std::uint32_t number = fields::vop3::kDst.get(in.words);
    out.dst = moves.destination ? agpr(number) : vgpr(number);
    return decode_vop3_sources(in, out, {moves.source, false, false});
  }
  const bool acc = p::kAccDst.get(in.words) != 0;
  const std::uint32_t number = fields::vop3::kDst.get(in.words);
  out.dst = acc ? agpr(number) : vgpr(number);
  out.cbsz = static_cast<std::uint8_t>(p::kCbsz.get(in.words));
  out.abid = static_cast<std::uint8_t>(p::kAbid.get(in.words));
  out.blgp = static_cast<std::uint8_t>(p::kBlgp.get(in.words));
  if (!is_vector_register(out.dst, destination_dwords(*in.row))) {
    return kBadTuple;
  }
  const bool files[3] = {p::kAcc[0].get(in.words) != 0, p::kAcc[1].get(in.words) != 0, acc};
  const Problem problem = decode_vop3_sources(in, out, files);
  set_implied_sources(*in.row, Form::kVop3, out);
  return problem;
}

}  // namespace

Problem decode_vop(const Encoded& in, Instruction& out) {
  const Row& row = *in.row;
  const Format format = row.encoding.format;
  if (format == Format::kVopc) {
    out.sdst = operand::kVcc;
  } else {
    if (row.mask_result) out.sdst = operand::kVcc;
    const Problem problem = set_vector_destination(in, fields::vop::kDst.get(in.words), out);
    if (!problem.empty()) return problem;
  }
  set_implied_sources(row, Form::kPlain, out);
  const std::uint32_t src0 = fields::vop::kSrc0.get(in.words);
  const bool any_source = encoded_source_count(row, Form::kPlain) != 0;
  if (any_source && src0 == operand::kSdwa) {
    return row.encoding.no_sdwa ? "no SDWA form" : decode_sdwa(in, out);
  }
  if (any_source && src0 == operand::kDpp) {
    const bool none = row.encoding.no_dpp || format == Format::kVopc;
    return none ? "no DPP form" : decode_dpp(in, out);
  }
  return decode_e32(in, out);
}

Problem decode_vop3(const Encoded& in, Instruction& out) {
  namespace f = fields::vop3;
  const Row& row = *in.row;
  out.dwords = 2;
  const bool packed = row.encoding.format == Format::kVop3p;
  out.form = packed || row.encoding.format == Format::kVop3 ? Form::kPlain : Form::kVop3;
  if (is_matrix_encoding(row)) return decode_matrix(in, out);

  const std::uint32_t number = f::kDst.get(in.words);
  if (row.mask_result && row.result.type == isa::Type::kNone) {
    out.sdst = in.scalar(number, 2);
    if (!is_scalar_register(out.sdst, 2)) return "no such scalar destination";
  } else {
    const Problem problem = set_vector_destination(in, number, out);
    if (!problem.empty()) return problem;
  }
  out.clamp = f::kClamp.get(in.words) != 0 && (packed || has_clamp(row));
  out.neg = static_cast<std::uint8_t>(f::kNeg.get(in.words));
  if (packed) {
    namespace p = fields::vop3p;
    out.abs = static_cast<std::uint8_t>(p::kNegHi.get(in.words));
    out.op_sel = static_cast<std::uint8_t>(p::kOpSel.get(in.words));
    out.op_sel_hi = static_cast<std::uint8_t>(p::kOpSelHi.get(in.words) |
                                              p::kOpSelHi2.get(in.words) << 2);
  } else {
    const unsigned mask = float_modifier_mask(row, Form::kVop3);
    out.neg = static_cast<std::uint8_t>(out.neg & mask);
    if (has_output_modifier(row)) out.omod = static_cast<std::uint8_t>(f::kOmod.get(in.words));
    if (has_scalar_destination(row)) {
      out.sdst = in.scalar(f::kSdst.get(in.words), 2);
      if (!is_scalar_register(out.sdst, 2)) return "no such scalar destination";
    } else {
      out.abs = static_cast<std::uint8_t>(f::kAbs.get(in.words) & mask);
      if (has_half_select(row)) out.op_sel = static_cast<std::uint8_t>(f::kOpSel.get(in.words));
    }
  }
  set_implied_sources(row, Form::kVop3, out);
  return decode_vop3_sources(in, out, {false, false, false});
}

}  // namespace wavetank::encoding
