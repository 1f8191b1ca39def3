// VOP1, VOP2 and VOPC with their SDWA and DPP forms.
#include "encoding/decode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Role;
using isa::Row;

namespace {

/// Puts a one-bit field into bit `index` of `bits`, if `allowed` has that bit.
void add_bit(std::uint8_t& bits, Field field, std::uint64_t words, unsigned index,
             unsigned allowed) {
  bits = static_cast<std::uint8_t>(bits | (field.get(words) << index & allowed));
}

/// The select and the modifiers of SRC0 + `field`.
Problem decode_sdwa_source(const Encoded& in, unsigned field, std::uint32_t number,
                           Instruction& out) {
  namespace f = fields::sdwa;
  const Row& row = *in.row;
  const auto index = static_cast<unsigned>(source_of_field(row, Form::kSdwa, field));
  const bool scalar = f::kScalar[field].get(in.words) != 0;
  const unsigned dwords = isa::dwords_of(row.sources[index].type);
  out.src[index] = scalar ? in.scalar(number, dwords) : vgpr(number);
  out.src_sel[field] = static_cast<std::uint8_t>(f::kSel[field].get(in.words));
  if (out.src_sel[field] > 6) return "reserved source select";
  const unsigned floats = float_modifier_mask(row, Form::kSdwa);
  add_bit(out.sext, f::kSext[field], in.words, field, ~floats);
  add_bit(out.neg, f::kNeg[field], in.words, field, floats);
  add_bit(out.abs, f::kAbs[field], in.words, field, floats);
  return check_source(row, index, out.src[index]);
}

Problem decode_sdwa(const Encoded& in, Instruction& out) {
  namespace f = fields::sdwa;
  const Row& row = *in.row;
  out.form = Form::kSdwa;
  out.dwords = 2;
  const std::uint32_t numbers[2] = {f::kSrc0.get(in.words), fields::vop::kSrc1.get(in.words)};
  for (unsigned field = 0; field < encoded_source_count(row, Form::kSdwa); ++field) {
    const Problem problem = decode_sdwa_source(in, field, numbers[field], out);
    if (!problem.empty()) return problem;
  }
  if (row.encoding.format == Format::kVopc) {
    const bool other = f::kSdstEnable.get(in.words) != 0;
    out.sdst = other ? in.scalar(f::kSdst.get(in.words), 2) : operand::kVcc;
    return is_scalar_register(out.sdst, 2) ? Problem{} : "no such scalar destination";
  }
  out.clamp = f::kClamp.get(in.words) != 0;
  if (has_output_modifier(row)) out.omod = static_cast<std::uint8_t>(f::kOmod.get(in.words));
  if (!has_sdwa_destination(row)) return {};
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
  const unsigned floats = float_modifier_mask(row, Form::kDpp);
  const std::uint32_t numbers[2] = {f::kSrc0.get(in.words), fields::vop::kSrc1.get(in.words)};
  for (unsigned field = 0; field < encoded_source_count(row, Form::kDpp); ++field) {
    const auto index = static_cast<unsigned>(source_of_field(row, Form::kDpp, field));
    out.src[index] = vgpr(numbers[field]);
    const Problem problem = check_source(row, index, out.src[index]);
    if (!problem.empty()) return problem;
    add_bit(out.neg, f::kNeg[field], in.words, field, floats);
    add_bit(out.abs, f::kAbs[field], in.words, field, floats);
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
      if (reads_agpr(row) && code >= operand::kVgpr0) {
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

}  // namespace wavetank::encoding
