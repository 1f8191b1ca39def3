// VOP3A, VOP3B, VOP3P and VOP3P-MAI.
#include "encoding/formats.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

/// Clamp, output and input modifiers of VOP3A, or the scalar destination of VOP3B.
void code_modifiers(Codec& codec) {
  namespace f = fields::vop3;
  Instruction& in = codec.in;
  const Row& row = codec.row;
  const unsigned floats = float_modifier_mask(row, Form::kVop3);
  if (has_clamp(row)) codec.number(f::kClamp, in.clamp);
  codec.number(f::kNeg, in.neg, floats);
  if (has_output_modifier(row)) codec.number(f::kOmod, in.omod);
  if (has_scalar_destination(row)) {
    return codec.scalar(f::kSdst, 2, in.sdst, "no such scalar destination");
  }
  codec.number(f::kAbs, in.abs, floats);
  const unsigned halves = 8 | ((1u << half_select_sources(row)) - 1);
  if (has_half_select(row)) codec.number(f::kOpSel, in.op_sel, halves);
}

/// OP_SEL_HI, whose third bit lies elsewhere.
void code_op_sel_hi(Codec& codec) {
  namespace p = fields::vop3p;
  std::uint8_t low = codec.in.op_sel_hi & 3u, high = codec.in.op_sel_hi >> 2;
  codec.number(p::kOpSelHi, low);
  codec.number(p::kOpSelHi2, high);
  codec.in.op_sel_hi = static_cast<std::uint8_t>(low | high << 2);
}

/// Clamp and the selects and negations of the halves of VOP3P.
void code_packed_modifiers(Codec& codec) {
  namespace p = fields::vop3p;
  Instruction& in = codec.in;
  const unsigned used = (1u << encoded_source_count(codec.row, Form::kVop3)) - 1;
  codec.number(fields::vop3::kClamp, in.clamp);
  codec.number(fields::vop3::kNeg, in.neg, used);
  codec.number(p::kNegHi, in.abs, used);
  codec.number(p::kOpSel, in.op_sel, used);
  code_op_sel_hi(codec);
}

/// SRC0 to SRC2 of VOP3 and VOP3P; ACC bits turn vector registers into AccVGPRs.
void code_sources(Codec& codec, const bool (&acc)[3]) {
  for (unsigned field = 0; field < encoded_source_count(codec.row, Form::kVop3); ++field) {
    const unsigned index = source_of_field(codec.row, Form::kVop3, field);
    if (index >= codec.in.src.size()) return codec.refuse_unless(false, "too many sources");
    codec.source(index, {fields::vop3::kSrc[field], 0, acc[field]});
  }
}

/// Moves between the register files.
void code_accumulator_move(Codec& codec) {
  code_op_sel_hi(codec);
  code_vector_destination(codec, fields::vop3::kDst);
  code_sources(codec, {reads_agpr(codec.row), false, false});
}

void code_matrix(Codec& codec) {
  namespace p = fields::vop3p;
  Instruction& in = codec.in;
  codec.data(fields::vop3::kDst, p::kAccDst, destination_dwords(codec.row), in.dst);
  codec.number(p::kCbsz, in.cbsz);
  codec.number(p::kAbid, in.abid);
  const bool sparse = codec.row.matrix.sparse;
  if (!sparse) codec.number(p::kBlgp, in.blgp);
  // The index of a sparse A is always an ArchVGPR.
  bool files[3] = {operand::is_agpr(in.src[0]), operand::is_agpr(in.src[1]),
                   operand::is_agpr(in.dst) && !sparse};
  for (unsigned i = 0; i < 2; ++i) codec.number(p::kAcc[i], files[i]);
  code_sources(codec, files);
  set_implied_sources(Form::kVop3, in);
}

}  // namespace

void code_vop3(Codec& codec) {
  namespace f = fields::vop3;
  Instruction& in = codec.in;
  const Row& row = codec.row;
  const bool packed = row.encoding.format == Format::kVop3p;
  if (!packed && row.encoding.format != Format::kVop3) in.form = Form::kVop3;
  if (row.matrix.present()) return code_matrix(codec);
  if (is_matrix_encoding(row)) return code_accumulator_move(codec);

  if (row.mask_result && row.result.type == isa::Type::kNone) {
    codec.scalar(f::kDst, 2, in.sdst, "no such scalar destination");
  } else {
    code_vector_destination(codec, f::kDst);
  }
  if (packed) {
    code_packed_modifiers(codec);
  } else {
    code_modifiers(codec);
  }
  set_implied_sources(Form::kVop3, in);
  code_sources(codec, {false, false, false});
}

}  // namespace wavetank::encoding
