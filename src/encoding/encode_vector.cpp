// VOP1, VOP2 and VOPC with their SDWA and DPP forms; VOP3A, VOP3B, VOP3P and VOP3P-MAI.
#include "encoding/encode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

/// The code that the field SRC0 + `field` gets; AccVGPRs have the numbers of vector registers.
std::uint64_t field_source(const Instruction& in, Form form, unsigned field) {
  const int index = source_of_field(*in.row, form, field);
  if (index < 0 || index >= static_cast<int>(in.src.size())) return 0;
  const std::uint16_t code = in.src[static_cast<unsigned>(index)];
  return operand::is_agpr(code) ? code - operand::kAgpr0 + operand::kVgpr0 : code;
}

bool field_is_agpr(const Instruction& in, Form form, unsigned field) {
  const int index = source_of_field(*in.row, form, field);
  return index >= 0 && operand::is_agpr(in.src[static_cast<unsigned>(index)]);
}

std::uint64_t destination(const Instruction& in) {
  if (in.dst == operand::kNone) return 0;
  return in.dst & 0xffu;
}

std::uint64_t encode_sdwa(const Instruction& in) {
  namespace f = fields::sdwa;
  const Row& row = *in.row;
  std::uint64_t words = 0;
  const unsigned neg = in.neg & float_modifier_mask(*in.row, Form::kSdwa);
  const unsigned abs = in.abs & float_modifier_mask(*in.row, Form::kSdwa);
  for (unsigned field = 0; field < 2 && field < encoded_source_count(row, Form::kSdwa); ++field) {
    const auto index = static_cast<unsigned>(source_of_field(row, Form::kSdwa, field));
    const std::uint64_t code = field_source(in, Form::kSdwa, field);
    if (field == 0) words |= f::kSrc0.put(code);
    words |= f::kScalar[field].put(code < operand::kVgpr0) | f::kSel[field].put(in.src_sel[field]);
    if (!has_float_modifiers(row, index)) words |= f::kSext[field].put(in.sext >> field & 1u);
    words |= f::kNeg[field].put(neg >> field & 1u) | f::kAbs[field].put(abs >> field & 1u);
  }
  if (row.encoding.format == Format::kVopc) {
    if (in.sdst != operand::kVcc) words |= f::kSdstEnable.put(1) | f::kSdst.put(in.sdst);
    return words;
  }
  const bool parts = has_sdwa_destination(row);
  words |= f::kClamp.put(in.clamp) | f::kDstSel.put(parts ? in.dst_sel : 6);
  if (parts) words |= f::kDstUnused.put(in.dst_unused);
  return has_output_modifier(row) ? words | f::kOmod.put(in.omod) : words;
}

std::uint64_t encode_dpp(const Instruction& in) {
  namespace f = fields::dpp;
  std::uint64_t words = f::kSrc0.put(field_source(in, Form::kDpp, 0)) | f::kCtrl.put(in.dpp_ctrl);
  const unsigned neg = in.neg & float_modifier_mask(*in.row, Form::kDpp);
  const unsigned abs = in.abs & float_modifier_mask(*in.row, Form::kDpp);
  for (unsigned field = 0; field < 2; ++field) {
    words |= f::kNeg[field].put(neg >> field & 1u) | f::kAbs[field].put(abs >> field & 1u);
  }
  words |= f::kBoundCtrl.put(in.bound_ctrl) | f::kBankMask.put(in.bank_mask);
  return words | f::kRowMask.put(in.row_mask);
}

std::uint64_t vop_prefix(const Instruction& in) {
  namespace f = fields::vop;
  const std::uint16_t opcode = in.row->encoding.opcode;
  const std::uint64_t dst = f::kDst.put(destination(in));
  switch (in.row->encoding.format) {
    case Format::kVop1: return prefix::kVop1.value | f::kOp1.put(opcode) | dst;
    case Format::kVop2: return prefix::kVop2.value | f::kOp2.put(opcode) | dst;
    default: return prefix::kVopc.value | f::kOpc.put(opcode);
  }
}

std::uint64_t encode_matrix(const Instruction& in, std::uint64_t words) {
  namespace p = fields::vop3p;
  if (reads_agpr(*in.row) || writes_agpr(*in.row)) {
    return words | p::kOpSelHi.put(in.op_sel_hi & 3u) | p::kOpSelHi2.put(in.op_sel_hi >> 2);
  }
  words |= p::kCbsz.put(in.cbsz) | p::kAbid.put(in.abid);
  if (!in.row->matrix.sparse) words |= p::kBlgp.put(in.blgp);
  words |= p::kAccDst.put(operand::is_agpr(in.dst));
  for (unsigned i = 0; i < 2; ++i) words |= p::kAcc[i].put(field_is_agpr(in, Form::kVop3, i));
  return words;
}

std::uint64_t encode_packed(const Instruction& in, std::uint64_t words) {
  namespace p = fields::vop3p;
  const unsigned used = (1u << encoded_source_count(*in.row, Form::kVop3)) - 1;
  words |= prefix::kVop3p.value | p::kOp.put(in.row->encoding.opcode);
  if (is_matrix_encoding(*in.row)) return encode_matrix(in, words);
  words |= fields::vop3::kNeg.put(in.neg & used) | p::kNegHi.put(in.abs & used);
  words |= p::kOpSel.put(in.op_sel & used) | p::kOpSelHi.put(in.op_sel_hi & 3u);
  return words | p::kOpSelHi2.put(in.op_sel_hi >> 2) | fields::vop3::kClamp.put(in.clamp);
}

}  // namespace

std::uint64_t encode_vop(const Instruction& in) {
  std::uint64_t words = vop_prefix(in);
  const std::uint64_t src1 = fields::vop::kSrc1.put(field_source(in, in.form, 1));
  if (in.form == Form::kSdwa) {
    return words | src1 | fields::vop::kSrc0.put(operand::kSdwa) | encode_sdwa(in);
  }
  if (in.form == Form::kDpp) {
    return words | src1 | fields::vop::kSrc0.put(operand::kDpp) | encode_dpp(in);
  }
  words |= src1 | fields::vop::kSrc0.put(field_source(in, in.form, 0));
  for (std::uint16_t code : in.src) {
    if (code == operand::kLiteral) return words | std::uint64_t{in.literal} << 32;
  }
  return words;
}

std::uint64_t encode_vop3(const Instruction& in) {
  namespace f = fields::vop3;
  const Row& row = *in.row;
  std::uint64_t words = 0;
  for (unsigned field = 0; field < 3; ++field) {
    words |= f::kSrc[field].put(field_source(in, Form::kVop3, field));
  }
  const unsigned modifiers = float_modifier_mask(row, Form::kVop3);
  const bool mask_only = row.mask_result && row.result.type == isa::Type::kNone;
  words |= f::kDst.put(mask_only ? in.sdst : destination(in));
  if (row.encoding.format == Format::kVop3p) return encode_packed(in, words);

  words |= prefix::kVop3.value | f::kOp.put(isa::vop3_opcode(row.encoding));
  words |= f::kClamp.put(in.clamp && has_clamp(row));
  words |= f::kNeg.put(in.neg & modifiers);
  if (has_output_modifier(row)) words |= f::kOmod.put(in.omod);
  if (has_scalar_destination(row)) return words | f::kSdst.put(in.sdst);
  words |= f::kAbs.put(in.abs & modifiers);
  const unsigned halves = 8 | ((1u << half_select_sources(row)) - 1);
  return has_half_select(row) ? words | f::kOpSel.put(in.op_sel & halves) : words;
}

}  // namespace wavetank::encoding
