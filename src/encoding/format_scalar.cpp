// SOP1, SOP2, SOPK, SOPC, SOPP and SMEM.
#include "encoding/formats.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::ImmediateKind;

namespace {

void code_source(Codec& codec, unsigned index, Field field) {
  const unsigned dwords = isa::dwords_of(codec.row.sources[index].type);
  std::uint16_t& code = codec.in.src[index];
  codec.scalar_code(field, dwords, code);
  const bool constant = code >= operand::kIntegerZero;
  codec.refuse_unless(!constant || !register_only_source(codec.row), "not a register");
  if (code == operand::kLiteral) return codec.literal();
  codec.refuse_unless(is_scalar_source(code, dwords), "no such scalar source");
}

void code_immediate(Codec& codec, ImmediateKind kind) {
  if (codec.row.encoding.format == Format::kSopc) {
    codec.number(fields::sop::kSrc1, codec.in.imm);
  } else if (kind == ImmediateKind::kSigned || kind == ImmediateKind::kBranch) {
    codec.signed_number(fields::sop::kImm, codec.in.imm);
  } else {
    codec.number(fields::sop::kImm, codec.in.imm);
  }
}

/// Registers that scalar memory reads and writes: neither M0 nor EXEC (LLVM's register classes
/// SReg_32_XM0_XEXEC and SReg_64_XEXEC).
bool is_scalar_data(std::uint16_t code, unsigned dwords) {
  return code < operand::kM0 && is_scalar_register(code, dwords);
}

bool format_has_destination(Format format) {
  return format == Format::kSop1 || format == Format::kSop2 || format == Format::kSopk;
}

/// SDATA: of an atomic the data, and the result under GLC.
void code_data(Codec& codec, const SmemLayout& layout) {
  std::uint16_t& data = layout.writes_data ? codec.in.dst : codec.in.data;
  codec.scalar_code(fields::smem::kData, layout.data_dwords, data);
  codec.refuse_unless(layout.immediate_data || is_scalar_data(data, layout.data_dwords),
                      "no such scalar data register");
  if (codec.reads() && layout.is_atomic && codec.in.glc) codec.in.dst = data;
}

}  // namespace

void code_sop(Codec& codec) {
  namespace f = fields::sop;
  Instruction& in = codec.in;
  if (format_has_destination(codec.row.encoding.format) && has_destination(codec.row)) {
    codec.scalar(f::kDst, destination_dwords(codec.row), in.dst, "no such scalar destination");
  }
  set_implied_sources(Form::kPlain, in);
  const auto slots = source_slots(codec.row, Form::kPlain);
  for (unsigned i = 0; i < in.src.size(); ++i) {
    switch (slots[i]) {
      case Slot::kSrc0: code_source(codec, i, f::kSrc0); break;
      case Slot::kSrc1: code_source(codec, i, f::kSrc1); break;
      case Slot::kImmediate: code_immediate(codec, codec.row.sources[i].immediate); break;
      case Slot::kLiteral: codec.literal(); break;
      default: break;
    }
  }
}

void code_smem(Codec& codec) {
  namespace f = fields::smem;
  Instruction& in = codec.in;
  const SmemLayout layout = smem_layout(codec.row);
  if (layout.has_glc && layout.base_dwords != 0) codec.number(f::kGlc, in.glc);
  if (layout.data_dwords != 0 || layout.immediate_data) code_data(codec, layout);
  if (layout.base_dwords == 0) return;

  codec.scalar(f::kBase, layout.base_dwords, in.scalar_base, "no such scalar base", 2);
  codec.number(f::kOffsetEnable, in.scalar_offset_enable);
  codec.number(f::kImm, in.smem_immediate);
  if (in.smem_immediate) {
    codec.signed_number(f::kOffset, in.offset);
    const bool into_buffer = layout.base_dwords == 4;
    codec.refuse_unless(!into_buffer || in.offset >= 0, "a negative offset into a buffer");
    if (!in.scalar_offset_enable) return;
  }
  codec.scalar(in.scalar_offset_enable ? f::kSoffset : f::kOffsetSgpr, 1, in.scalar_offset,
               "no such scalar offset");
}

}  // namespace wavetank::encoding
