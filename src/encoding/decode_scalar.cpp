// SOP1, SOP2, SOPK, SOPC, SOPP and SMEM.
#include "encoding/decode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Role;
using isa::Row;

namespace {

Problem take_literal(const Encoded& in, Instruction& out) {
  out.literal = static_cast<std::uint32_t>(in.words >> 32);
  out.dwords = 2;
  return {};
}

Problem decode_source(const Encoded& in, unsigned index, std::uint32_t code, Instruction& out) {
  const unsigned dwords = isa::dwords_of(in.row->sources[index].type);
  out.src[index] = in.scalar(code, dwords);
  if (register_only_source(*in.row) && code >= operand::kIntegerZero) return "not a register";
  if (code == operand::kLiteral) return take_literal(in, out);
  return is_scalar_source(out.src[index], dwords) ? Problem{} : "no such scalar source";
}

Problem decode_immediate(const Encoded& in, const isa::Operand& operand, Instruction& out) {
  if (in.row->encoding.format == Format::kSopc) {
    out.imm = static_cast<std::int32_t>(fields::sop::kSrc1.get(in.words));
  } else if (operand.immediate == isa::ImmediateKind::kUnsigned ||
             operand.immediate == isa::ImmediateKind::kWaitcnt ||
             operand.immediate == isa::ImmediateKind::kMessage ||
             operand.immediate == isa::ImmediateKind::kHwreg ||
             operand.immediate == isa::ImmediateKind::kGprIndexMode) {
    out.imm = static_cast<std::int32_t>(fields::sop::kImm.get(in.words));
  } else {
    out.imm = fields::sop::kImm.get_signed(in.words);
  }
  return {};
}

Problem decode_sources(const Encoded& in, Instruction& out) {
  const auto slots = source_slots(*in.row, Form::kPlain);
  for (unsigned i = 0; i < out.src.size(); ++i) {
    Problem problem;
    switch (slots[i]) {
      case Slot::kSrc0:
        problem = decode_source(in, i, fields::sop::kSrc0.get(in.words), out);
        break;
      case Slot::kSrc1:
        problem = decode_source(in, i, fields::sop::kSrc1.get(in.words), out);
        break;
      case Slot::kDestination: out.src[i] = out.dst; break;
      case Slot::kImmediate: problem = decode_immediate(in, in.row->sources[i], out); break;
      case Slot::kLiteral:
        out.src[i] = operand::kLiteral;
        problem = take_literal(in, out);
        break;
      default: break;
    }
    if (!problem.empty()) return problem;
  }
  return {};
}

/// Registers that scalar memory reads and writes: neither M0 nor EXEC (LLVM's register classes
/// SReg_32_XM0_XEXEC and SReg_64_XEXEC).
bool is_scalar_data(std::uint16_t code, unsigned dwords) {
  return code < operand::kM0 && is_scalar_register(code, dwords);
}

bool format_has_destination(Format format) {
  return format == Format::kSop1 || format == Format::kSop2 || format == Format::kSopk;
}

}  // namespace

Problem decode_sop(const Encoded& in, Instruction& out) {
  if (format_has_destination(in.row->encoding.format) && has_destination(*in.row)) {
    out.dst = in.scalar(fields::sop::kDst.get(in.words), destination_dwords(*in.row));
    if (!is_scalar_register(out.dst, destination_dwords(*in.row))) {
      return "no such scalar destination";
    }
  }
  return decode_sources(in, out);
}

Problem decode_smem(const Encoded& in, Instruction& out) {
  namespace f = fields::smem;
  const SmemLayout layout = smem_layout(*in.row);
  out.dwords = 2;
  out.glc = layout.has_glc && f::kGlc.get(in.words) != 0;
  if (layout.data_dwords != 0 || layout.immediate_data) {
    const std::uint16_t data = in.scalar(f::kData.get(in.words), layout.data_dwords);
    const bool writes = layout.writes_data || (layout.is_atomic && out.glc);
    if (writes) out.dst = data;
    if (!layout.writes_data) out.data = data;
    if (!layout.immediate_data && !is_scalar_data(data, layout.data_dwords)) {
      return "no such scalar data register";
    }
  }
  if (layout.base_dwords == 0) return {};

  out.scalar_base = in.scalar(2 * f::kBase.get(in.words), layout.base_dwords);
  if (!is_scalar_register(out.scalar_base, layout.base_dwords)) return "no such scalar base";
  out.scalar_offset_enable = f::kOffsetEnable.get(in.words) != 0;
  out.smem_immediate = f::kImm.get(in.words) != 0;
  if (out.smem_immediate) {
    out.offset = f::kOffset.get_signed(in.words);
    if (layout.base_dwords == 4 && out.offset < 0) return "a negative offset into a buffer";
    if (out.scalar_offset_enable) {
      out.scalar_offset = static_cast<std::uint16_t>(f::kSoffset.get(in.words));
    }
  } else {
    const Field field = out.scalar_offset_enable ? f::kSoffset : f::kOffsetSgpr;
    out.scalar_offset = static_cast<std::uint16_t>(field.get(in.words));
  }
  if (out.scalar_offset != operand::kNone && !is_scalar_register(out.scalar_offset, 1)) {
    return "no such scalar offset";
  }
  return {};
}

}  // namespace wavetank::encoding
