#include "encoding/operand.hpp"
#include "unit/encoding/collector.hpp"

namespace wavetank::test {

using namespace encoding;
using isa::Format;
using isa::ImmediateKind;
using isa::Row;

namespace {

/// A row that reads a lane mask or a literal has used up its one scalar operand.
bool reads_scalar(const Row& row) {
  for (const isa::Operand& source : row.sources) {
    if (source.type == isa::Type::kMask || source.role == isa::Role::kLiteral) return true;
  }
  return false;
}

std::vector<std::uint16_t> field_kinds(const Row& row, Form form, unsigned index, unsigned field) {
  const unsigned dwords = isa::dwords_of(row.sources[index].type);
  const unsigned top = 256 - dwords - (dwords > 1 ? dwords % 2 : 0);
  std::vector<std::uint16_t> kinds;
  const bool agpr_source = reads_agpr(row);
  const bool scalar_only = (scalar_only_sources(row) >> index & 1) != 0;
  const bool is_mask = row.sources[index].type == isa::Type::kMask;
  if (!scalar_only && !is_mask) {
    kinds = {vgpr(0), vgpr(top)};
    if (agpr_source) kinds = {agpr(0), agpr(top)};
  }
  const bool vector_field = form == Form::kDpp || (form == Form::kPlain && field == 1 &&
                                                   row.encoding.format < Format::kVop3);
  if (vector_field || (vector_only_sources(row) >> index & 1) != 0) return kinds;
  // C of a matrix row has constants of one register, whatever its size.
  for (std::uint16_t kind : scalar_kinds(row.matrix.present() ? 1 : dwords)) {
    const bool constant = inline_integer(kind) || is_inline_float(kind);
    // A float constant as a 16-bit integer has no spelling of its own.
    const isa::Type type = row.sources[index].type;
    if (is_inline_float(kind) && (type == isa::Type::kU16 || type == isa::Type::kI16)) continue;
    if (is_mask ? kind >= 128 : reads_scalar(row) && !constant) continue;
    if (row.matrix.present() && !constant) continue;
    kinds.push_back(kind);
  }
  return kinds;
}

Instruction vop_base(const Row& row, Form form) {
  Instruction base;
  base.row = &row;
  base.form = form;
  const bool e32 = form != Form::kVop3 && row.encoding.format < Format::kVop3;
  base.dwords = e32 && form == Form::kPlain ? 1 : 2;
  const bool compare = row.mask_result && row.result.type == isa::Type::kNone;
  if (row.mask_result) base.sdst = e32 ? operand::kVcc : code(20);
  if (!compare && has_destination(row)) {
    base.dst = row.scalar_result ? code(4) : vgpr(32);
    if (writes_agpr(row)) base.dst = agpr(32);
  }
  const auto slots = source_slots(row, form);
  for (unsigned i = 0; i < base.src.size(); ++i) {
    const bool scalar = (scalar_only_sources(row) >> i & 1) != 0;
    switch (slots[i]) {
      case Slot::kSrc0:
      case Slot::kSrc1:
      case Slot::kSrc2:
        base.src[i] = scalar ? code(133) : vgpr(64 + 32 * i);
        if (row.sources[i].type == isa::Type::kMask) base.src[i] = 30;
        if (i == 0 && reads_agpr(row)) base.src[i] = agpr(64);
        break;
      case Slot::kLiteral:
        base.src[i] = operand::kLiteral;
        base.literal = row.sources[i].type == isa::Type::kF16 ? 0x1234 : 0x3f801234;
        base.dwords = 2;
        break;
      case Slot::kVcc: base.src[i] = operand::kVcc; break;
      case Slot::kDestination: base.src[i] = base.dst; break;
      default: break;
    }
  }
  if (row.encoding.format == Format::kVop3p) {
    base.op_sel_hi = is_mixed_precision(row) ? 0 : 7;
    if (is_matrix_encoding(row) && !reads_agpr(row) && !writes_agpr(row)) {
      base.op_sel_hi = 0;
    }
  }
  return base;
}

void vary_sources(Collector& collector, const Row& row, Form form) {
  for (unsigned field = 0; field < encoded_source_count(row, form); ++field) {
    const unsigned index = source_of_field(row, form, field);
    for (std::uint16_t kind : field_kinds(row, form, index, field)) {
      collector.vary([&](Instruction& x) { x.src[index] = kind; });
    }
    const bool e32 = form == Form::kPlain && row.encoding.format < Format::kVop3;
    const bool has_literal = source_slots(row, form)[1] == Slot::kLiteral ||
                             source_slots(row, form)[2] == Slot::kLiteral;
    if (e32 && field == 0 && !has_literal && !reads_scalar(row) && vector_only_sources(row) == 0) {
      vary_literals(collector, index, row.sources[index].type);
    }
    if (form != Form::kPlain || !e32) {
      if (!has_float_modifiers(row, index)) continue;
      const auto bit = static_cast<std::uint8_t>(1u << field);
      collector.vary([&](Instruction& x) { x.neg = bit; });
      if (form == Form::kSdwa || form == Form::kDpp || !has_scalar_destination(row)) {
        collector.vary([&](Instruction& x) { x.abs = bit; });
        collector.vary([&](Instruction& x) { x.abs = x.neg = bit; });
      }
      if (form == Form::kVop3 || row.encoding.format == Format::kVop3) {
        collector.vary([&](Instruction& x) {
          if (row.sources[index].type == isa::Type::kMask) return;
          x.src[index] = 242;
          x.neg = bit;
        });
      }
    }
  }
}

void vary_destinations(Collector& collector, const Row& row, Form form) {
  const bool e32 = form != Form::kVop3 && row.encoding.format < Format::kVop3;
  const bool compare_sdwa = form == Form::kSdwa && row.encoding.format == Format::kVopc;
  if (row.mask_result && (!e32 || compare_sdwa)) {
    for (std::uint16_t sdst :
         {code(0), code(100), operand::kVcc, operand::kFlatScratch, code(122), operand::kExec}) {
      collector.vary([&](Instruction& x) { x.sdst = sdst; });
    }
  }
  if (operand::is_vgpr(collector.base().dst)) {
    const unsigned dwords = destination_dwords(row);
    collector.vary([&](Instruction& x) {
      const auto slots = source_slots(row, form);
      x.dst = vgpr(256 - dwords - (dwords > 1 ? dwords % 2 : 0));
      for (unsigned i = 0; i < 3; ++i) {
        if (slots[i] == Slot::kDestination) x.src[i] = x.dst;
      }
    });
  }
}

void vary_packed_modifiers(Collector& collector, const Row& row) {
  const unsigned count = encoded_source_count(row, Form::kPlain);
  for (std::uint8_t bit : {1, 2, 4}) {
    if (bit >= 1 << count) continue;
    collector.vary([&](Instruction& x) { x.op_sel = bit; });
    collector.vary(
        [&](Instruction& x) { x.op_sel_hi = static_cast<std::uint8_t>(x.op_sel_hi ^ bit); });
    if (!is_float(row.sources[0].type) || !is_float(row.sources[count - 1].type)) continue;
    collector.vary([&](Instruction& x) { x.neg = bit; });
    collector.vary([&](Instruction& x) { x.abs = bit; });
  }
}

/// AccVGPRs of all operands, and the modifiers of the MAI encoding.
void vary_matrix(Collector& collector, const Row& row) {
  for (unsigned i = 0; i < 2; ++i) {
    collector.vary([&](Instruction& x) { x.src[i] = agpr(x.src[i] - operand::kVgpr0); });
  }
  collector.vary([&](Instruction& x) {
    x.dst = agpr(32);
    if (!row.matrix.sparse) x.src[2] = agpr(128);
  });
  collector.vary([&](Instruction& x) {
    x.dst = agpr(32);
    if (!row.matrix.sparse) x.src[2] = 129;
  });
  for (std::uint8_t value : {1, 2, 4, 7}) {
    collector.vary([&](Instruction& x) { x.cbsz = value; });
    collector.vary([&](Instruction& x) { x.abid = value; });
    if (!row.matrix.sparse) collector.vary([&](Instruction& x) { x.blgp = value; });
  }
}

void vary_half_selects(Collector& collector, const Row& row) {
  for (std::uint8_t bit : {1, 2, 4, 8}) {
    if (bit < 8 && bit >= 1 << half_select_sources(row)) continue;
    collector.vary([&](Instruction& x) { x.op_sel = bit; });
  }
}

void vary_output_modifiers(Collector& collector, const Row& row, Form form) {
  const bool sdwa = form == Form::kSdwa;
  const bool vop3 = form == Form::kVop3 || row.encoding.format >= Format::kVop3;
  if ((!vop3 && !sdwa) || is_matrix_encoding(row)) return;
  if (sdwa && row.encoding.format == Format::kVopc) return;
  if (has_clamp(row) || sdwa) collector.vary([](Instruction& x) { x.clamp = true; });
  if (!has_output_modifier(row) || row.encoding.format == Format::kVop3p) return;
  for (std::uint8_t omod = 1; omod < 4; ++omod) {
    collector.vary([&](Instruction& x) { x.omod = omod; });
  }
}

void vary_sdwa(Collector& collector, const Row& row) {
  const unsigned count = encoded_source_count(row, Form::kSdwa);
  for (std::uint8_t select = 0; select < 6; ++select) {
    for (unsigned field = 0; field < count; ++field) {
      collector.vary([&](Instruction& x) { x.src_sel[field] = select; });
    }
    if (!has_sdwa_destination(row)) continue;
    collector.vary([&](Instruction& x) { x.dst_sel = select; });
  }
  for (unsigned field = 0; field < count; ++field) {
    const unsigned index = source_of_field(row, Form::kSdwa, field);
    if (has_float_modifiers(row, index)) continue;
    collector.vary([&](Instruction& x) { x.sext = static_cast<std::uint8_t>(1u << field); });
  }
  if (!has_sdwa_destination(row)) return;
  for (std::uint8_t unused : {1, 2}) {
    collector.vary([&](Instruction& x) { x.dst_unused = unused; });
  }
}

void vary_dpp(Collector& collector, const Row& row) {
  for (std::uint16_t control :
       {0x000, 0x0e4, 0x0ff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f, 0x130, 0x134, 0x138, 0x13c,
        0x140, 0x141, 0x142, 0x143, 0x150, 0x15f}) {
    const bool wide =
        isa::dwords_of(row.sources[0].type) > 1 || isa::dwords_of(row.result.type) > 1;
    if (wide && control < 0x150) continue;
    collector.vary([&](Instruction& x) { x.dpp_ctrl = control; });
  }
  collector.vary([](Instruction& x) { x.row_mask = 0xa; });
  collector.vary([](Instruction& x) { x.bank_mask = 0x5; });
  collector.vary([](Instruction& x) { x.bound_ctrl = true; });
}

}  // namespace

void vop_samples(const Row& row, std::vector<Instruction>& out) {
  const bool short_form = row.encoding.format < Format::kVop3;
  for (Form form : {Form::kPlain, Form::kVop3, Form::kSdwa, Form::kDpp}) {
    const isa::Encoding& e = row.encoding;
    if (form != Form::kPlain && !short_form) continue;
    if (form == Form::kVop3 && e.no_vop3) continue;
    if (form == Form::kSdwa && (e.no_sdwa || row.source_count() == 0)) continue;
    if (form == Form::kDpp && (e.no_dpp || e.format == Format::kVopc)) continue;
    if (form == Form::kDpp && row.source_count() == 0) continue;
    Collector base(vop_base(row, form));
    Instruction start = base.base();
    if (form == Form::kDpp) start.dpp_ctrl = 0x151;
    Collector collector(start);
    vary_sources(collector, row, form);
    vary_destinations(collector, row, form);
    vary_output_modifiers(collector, row, form);
    if (has_half_select(row)) vary_half_selects(collector, row);
    if (row.encoding.format == Format::kVop3p && !is_matrix_encoding(row)) {
      vary_packed_modifiers(collector, row);
    }
    if (row.matrix.present()) vary_matrix(collector, row);
    if (form == Form::kSdwa) vary_sdwa(collector, row);
    if (form == Form::kDpp) vary_dpp(collector, row);
    collector.append_to(out);
  }
}

}  // namespace wavetank::test
