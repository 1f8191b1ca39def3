// VOP1, VOP2 and VOPC with their SDWA and DPP forms.
#include "encoding/formats.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"
#include "encoding/text.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

/// SRC0 of the SDWA and DPP forms, which is behind the instruction, and SRC1.
constexpr Field kSdwaSources[2] = {fields::sdwa::kSrc0, fields::vop::kSrc1};
constexpr Field kDppSources[2] = {fields::dpp::kSrc0, fields::vop::kSrc1};

/// The select and the modifiers of SRC0 + `field`.
void code_sdwa_source(Codec& codec, unsigned field) {
  namespace f = fields::sdwa;
  Instruction& in = codec.in;
  const unsigned index = source_of_field(codec.row, Form::kSdwa, field);
  bool scalar = in.src[index] < operand::kVgpr0;
  codec.number(f::kScalar[field], scalar);
  codec.number(f::kSel[field], in.src_sel[field]);
  codec.refuse_unless(in.src_sel[field] <= 6, "reserved source select");
  const unsigned floats = float_modifier_mask(codec.row, Form::kSdwa);
  codec.bit(f::kSext[field], in.sext, field, ~floats);
  codec.bit(f::kNeg[field], in.neg, field, floats);
  codec.bit(f::kAbs[field], in.abs, field, floats);
  codec.source(index, {kSdwaSources[field], scalar ? std::uint16_t{0} : operand::kVgpr0});
}

void code_sdwa(Codec& codec) {
  namespace f = fields::sdwa;
  Instruction& in = codec.in;
  for (unsigned field = 0; field < encoded_source_count(codec.row, Form::kSdwa); ++field) {
    code_sdwa_source(codec, field);
  }
  if (codec.row.encoding.format == Format::kVopc) {
    bool other = in.sdst != operand::kVcc;
    codec.number(f::kSdstEnable, other);
    if (!other) return;
    codec.scalar(f::kSdst, 2, in.sdst, "no such scalar destination");
    return codec.find_reserved(in.sdst == operand::kVcc);
  }
  codec.number(f::kClamp, in.clamp);
  if (has_output_modifier(codec.row)) codec.number(f::kOmod, in.omod);
  if (!has_sdwa_destination(codec.row)) return codec.fixed(f::kDstSel, 6);
  codec.number(f::kDstSel, in.dst_sel);
  codec.number(f::kDstUnused, in.dst_unused);
  codec.refuse_unless(in.dst_sel <= 6 && in.dst_unused <= 2, "reserved destination select");
}

void code_dpp(Codec& codec) {
  namespace f = fields::dpp;
  Instruction& in = codec.in;
  const Row& row = codec.row;
  codec.number(f::kCtrl, in.dpp_ctrl);
  codec.refuse_unless(is_dpp_control(in.dpp_ctrl), "reserved DPP control");
  const bool wide = isa::dwords_of(row.sources[0].type) > 1 || isa::dwords_of(row.result.type) > 1;
  const bool broadcast = in.dpp_ctrl >= 0x150 && in.dpp_ctrl <= 0x15f;
  codec.refuse_unless(!wide || broadcast, "64-bit DPP has ROW_NEWBCAST only");
  codec.number(f::kBoundCtrl, in.bound_ctrl);
  codec.number(f::kRowMask, in.row_mask);
  codec.number(f::kBankMask, in.bank_mask);
  const unsigned floats = float_modifier_mask(row, Form::kDpp);
  for (unsigned field = 0; field < encoded_source_count(row, Form::kDpp); ++field) {
    codec.source(source_of_field(row, Form::kDpp, field), {kDppSources[field], operand::kVgpr0});
    codec.bit(f::kNeg[field], in.neg, field, floats);
    codec.bit(f::kAbs[field], in.abs, field, floats);
  }
}

void code_e32(Codec& codec) {
  const auto slots = source_slots(codec.row, Form::kPlain);
  for (unsigned i = 0; i < codec.in.src.size(); ++i) {
    if (slots[i] == Slot::kSrc0) {
      codec.source(i, {fields::vop::kSrc0, 0, reads_agpr(codec.row), true});
    } else if (slots[i] == Slot::kSrc1) {
      codec.source(i, {fields::vop::kSrc1, operand::kVgpr0});
    } else if (slots[i] == Slot::kLiteral) {
      codec.literal();
    }
  }
}

/// SRC0 says SDWA or DPP in place of a source.
void code_form(Codec& codec) {
  Instruction& in = codec.in;
  if (encoded_source_count(codec.row, Form::kPlain) == 0) return;
  std::uint16_t src0 = in.form == Form::kSdwa  ? operand::kSdwa
                       : in.form == Form::kDpp ? operand::kDpp
                                               : 0;
  codec.number(fields::vop::kSrc0, src0);
  const isa::Encoding& encoding = codec.row.encoding;
  if (src0 == operand::kSdwa) {
    in.form = Form::kSdwa;
    codec.refuse_unless(!encoding.no_sdwa, "no SDWA form");
  } else if (src0 == operand::kDpp) {
    in.form = Form::kDpp;
    codec.refuse_unless(!encoding.no_dpp && encoding.format != Format::kVopc, "no DPP form");
  }
  if (in.form != Form::kPlain) in.dwords = 2;
}

}  // namespace

void set_implied_sources(Form form, Instruction& in) {
  const auto slots = source_slots(*in.row, form);
  for (unsigned i = 0; i < in.src.size(); ++i) {
    if (slots[i] == Slot::kDestination) in.src[i] = in.dst;
    if (slots[i] == Slot::kVcc) in.src[i] = operand::kVcc;
    if (slots[i] == Slot::kLiteral) in.src[i] = operand::kLiteral;
  }
}

void code_vector_destination(Codec& codec, Field field) {
  const Row& row = codec.row;
  if (row.result.type == isa::Type::kNone && (row.mask_result || !has_destination(row))) return;
  const unsigned dwords = destination_dwords(row);
  if (row.scalar_result) {
    codec.scalar(field, dwords, codec.in.dst, "no such scalar destination");
  } else {
    const std::uint16_t first = writes_agpr(row) ? operand::kAgpr0 : operand::kVgpr0;
    codec.registers(field, first, dwords, codec.in.dst);
  }
}

void code_vop(Codec& codec) {
  if (codec.reads() && codec.row.mask_result) codec.in.sdst = operand::kVcc;
  code_vector_destination(codec, fields::vop::kDst);
  set_implied_sources(Form::kPlain, codec.in);
  code_form(codec);
  switch (codec.in.form) {
    case Form::kSdwa: return code_sdwa(codec);
    case Form::kDpp: return code_dpp(codec);
    default: return code_e32(codec);
  }
}

}  // namespace wavetank::encoding
