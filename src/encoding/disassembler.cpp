#include "encoding/disassembler.hpp"

#include "encoding/formats.hpp"
#include "encoding/layout.hpp"
#include "encoding/text.hpp"
#include "isa/mnemonic.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::ImmediateKind;
using isa::Row;

void Line::operand(std::string_view text) {
  text_ += has_operand_ ? ", " : " ";
  text_ += text;
  has_operand_ = true;
}

void Line::modifier(std::string_view text) {
  text_ += ' ';
  text_ += text;
}

void Line::flag(bool set, std::string_view text) {
  if (set) modifier(text);
}

namespace {

void print_immediate(Line& line, const Instruction& in, const isa::Operand& operand) {
  const Format format = in.row->encoding.format;
  const std::uint32_t imm = static_cast<std::uint32_t>(in.imm) & 0xffffu;
  const bool number =
      operand.immediate == ImmediateKind::kSigned || operand.immediate == ImmediateKind::kUnsigned;
  if (operand.immediate == ImmediateKind::kBranch && !line.label.empty()) {
    line.operand(line.label);
  } else if (number && format == Format::kSopp && imm <= 64) {
    line.operand(std::to_string(imm));
  } else {
    line.operand(immediate_text(imm, operand.immediate, line.target));
  }
}

/// SOPK names the register first, read or written; a store to a hardware register names it last.
bool destination_comes_last(const Row& row) {
  return row.encoding.format == Format::kSopk && row.result.type == isa::Type::kNone &&
         row.sources[0].immediate == ImmediateKind::kHwreg;
}

std::string spelling(const Instruction& in) {
  const Row& row = *in.row;
  std::string name = isa::mnemonic(row, in.segment);
  // An instruction of one form needs no suffix, one without operands gets none.
  const bool any_operand = has_destination(row) || row.source_count() != 0;
  if (!isa::has_long_forms(row.encoding.format) || !any_operand) return name;
  switch (in.form) {
    case Form::kVop3: return name + "_e64";
    case Form::kSdwa: return name + "_sdwa";
    case Form::kDpp: return name + "_dpp";
    case Form::kPlain: break;
  }
  // Among the rows without a VOP3 form, packed arithmetic keeps the suffix.
  const bool single = row.encoding.no_vop3 && row.result.type != isa::Type::kPkF16;
  return single ? name : name + "_e32";
}

}  // namespace

void print_sop(Line& line, const Instruction& in) {
  const Row& row = *in.row;
  const bool last = destination_comes_last(row);
  const bool has_dst = in.dst != operand::kNone;
  const auto destination = [&] { line.operand(register_text(in.dst, destination_dwords(row))); };
  if (has_dst && !last) destination();
  for (unsigned i = 0; i < row.source_count(); ++i) {
    const isa::Operand& operand = row.sources[i];
    if (operand.role == isa::Role::kImmediate) {
      print_immediate(line, in, operand);
    } else if (operand.role != isa::Role::kAccumulator) {
      line.operand(source_text(in.src[i], operand.type, in.literal));
    }
  }
  if (has_dst && last) destination();
}

void print_smem(Line& line, const Instruction& in) {
  const SmemLayout layout = smem_layout(*in.row);
  const std::uint16_t data = layout.writes_data ? in.dst : in.data;
  if (layout.immediate_data) {
    line.operand(data <= 64 ? std::to_string(data) : hex_text(data));
  } else if (layout.data_dwords != 0) {
    line.operand(register_text(data, layout.data_dwords));
  }
  if (layout.base_dwords == 0) return;
  line.operand(register_text(in.scalar_base, layout.base_dwords));
  if (in.scalar_offset == operand::kNone) {
    line.operand(hex_text(in.offset));
  } else {
    line.operand(register_text(in.scalar_offset, 1));
    if (in.smem_immediate) line.modifier("offset:" + hex_text(in.offset));
  }
  line.flag(in.glc, "glc");
}

std::string disassemble(const Instruction& in, const isa::Target& target, std::string_view label) {
  Line line(spelling(in), target, label);
  format_of(in).print(line, in);
  return line.take();
}

}  // namespace wavetank::encoding
