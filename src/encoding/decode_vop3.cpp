// VOP3A, VOP3B, VOP3P and VOP3P-MAI.
#include "encoding/decode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

/// Clamp, output and input modifiers of VOP3A, or the scalar destination of VOP3B.
Problem decode_modifiers(const Encoded& in, Instruction& out) {
  namespace f = fields::vop3;
  const Row& row = *in.row;
  const unsigned floats = float_modifier_mask(row, Form::kVop3);
  out.clamp = has_clamp(row) && f::kClamp.get(in.words) != 0;
  out.neg = static_cast<std::uint8_t>(f::kNeg.get(in.words) & floats);
  if (has_output_modifier(row)) out.omod = static_cast<std::uint8_t>(f::kOmod.get(in.words));
  if (has_scalar_destination(row)) {
    out.sdst = in.scalar(f::kSdst.get(in.words), 2);
    return is_scalar_register(out.sdst, 2) ? Problem{} : "no such scalar destination";
  }
  out.abs = static_cast<std::uint8_t>(f::kAbs.get(in.words) & floats);
  if (has_half_select(row)) out.op_sel = static_cast<std::uint8_t>(f::kOpSel.get(in.words));
  return {};
}

/// Clamp and the selects and negations of the halves of VOP3P.
Problem decode_packed_modifiers(const Encoded& in, Instruction& out) {
  namespace p = fields::vop3p;
  out.clamp = fields::vop3::kClamp.get(in.words) != 0;
  out.neg = static_cast<std::uint8_t>(fields::vop3::kNeg.get(in.words));
  out.abs = static_cast<std::uint8_t>(p::kNegHi.get(in.words));
  out.op_sel = static_cast<std::uint8_t>(p::kOpSel.get(in.words));
  out.op_sel_hi =
      static_cast<std::uint8_t>(p::kOpSelHi.get(in.words) | p::kOpSelHi2.get(in.words) << 2);
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
  const bool from_agpr = reads_agpr(*in.row), to_agpr = writes_agpr(*in.row);
  if (from_agpr || to_agpr) {
    out.op_sel_hi =
        static_cast<std::uint8_t>(p::kOpSelHi.get(in.words) | p::kOpSelHi2.get(in.words) << 2);
    const std::uint32_t number = fields::vop3::kDst.get(in.words);
    out.dst = to_agpr ? agpr(number) : vgpr(number);
    return decode_vop3_sources(in, out, {from_agpr, false, false});
  }
  const bool acc = p::kAccDst.get(in.words) != 0;
  const std::uint32_t number = fields::vop3::kDst.get(in.words);
  out.dst = acc ? agpr(number) : vgpr(number);
  out.cbsz = static_cast<std::uint8_t>(p::kCbsz.get(in.words));
  out.abid = static_cast<std::uint8_t>(p::kAbid.get(in.words));
  if (!in.row->matrix.sparse) out.blgp = static_cast<std::uint8_t>(p::kBlgp.get(in.words));
  if (!is_vector_register(out.dst, destination_dwords(*in.row))) {
    return kBadTuple;
  }
  // The index of a sparse A is always an ArchVGPR.
  const bool files[3] = {p::kAcc[0].get(in.words) != 0, p::kAcc[1].get(in.words) != 0,
                         acc && !in.row->matrix.sparse};
  const Problem problem = decode_vop3_sources(in, out, files);
  set_implied_sources(*in.row, Form::kVop3, out);
  return problem;
}

}  // namespace

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
    const Problem bad = set_vector_destination(in, number, out);
    if (!bad.empty()) return bad;
  }
  const Problem problem = packed ? decode_packed_modifiers(in, out) : decode_modifiers(in, out);
  if (!problem.empty()) return problem;
  set_implied_sources(row, Form::kVop3, out);
  return decode_vop3_sources(in, out, {false, false, false});
}

}  // namespace wavetank::encoding
