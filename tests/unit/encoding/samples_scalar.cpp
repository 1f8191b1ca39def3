#include "unit/encoding/collector.hpp"

namespace wavetank::test {

using namespace encoding;
using isa::Format;
using isa::ImmediateKind;
using isa::Row;

namespace {

/// Literals: with and without an inline constant of the same value, 16 bits and more.
constexpr std::uint32_t kLiterals[] = {0x1234, 0x12345678, 0xdeadbeef, 0x80000000};

bool is_16_bit(isa::Type type) {
  return type == isa::Type::kU16 || type == isa::Type::kI16 || type == isa::Type::kF16;
}

}  // namespace

std::vector<std::uint16_t> scalar_kinds(unsigned dwords) {
  if (dwords > 2) return {0, 96, 112};
  std::vector<std::uint16_t> kinds = {0, 100, operand::kFlatScratch, operand::kXnackMask,
                                      operand::kVcc, operand::kTtmp0, 122, operand::kExec};
  for (std::uint16_t constant : {128, 129, 192, 193, 208}) kinds.push_back(constant);
  for (std::uint16_t constant = 240; constant <= 248; ++constant) kinds.push_back(constant);
  for (std::uint16_t special : {235, 236, 237, 238, 251, 252, 253}) kinds.push_back(special);
  if (dwords == 1) kinds.insert(kinds.end(), {101, 103, 105, 107, operand::kM0, 127, 239});
  return kinds;
}

void vary_literals(Collector& collector, unsigned index, isa::Type type) {
  for (std::uint32_t literal : kLiterals) {
    if (is_16_bit(type) && literal > 0xffff) continue;
    collector.vary([&](Instruction& x) {
      x.src[index] = operand::kLiteral;
      x.literal = literal;
      x.dwords = 2;
    });
  }
}

namespace {

std::vector<std::int32_t> immediates(ImmediateKind kind) {
  switch (kind) {
    case ImmediateKind::kSigned: return {0, 1, 64, 65, 0x7fff, -1, -16, -32768};
    case ImmediateKind::kBranch: return {0, 1, 32767, -1, -32768};
    case ImmediateKind::kWaitcnt: return {0, 0xcf7f, 0x0f70, 0xc07f, 0xcf6f, 0x4f7f};
    case ImmediateKind::kMessage: return {1, 0x22, 0x13, 3, 0x333, 4, 5, 6, 7, 8, 9, 10, 31, 11};
    case ImmediateKind::kHwreg: return {0xf801, 0x1043, 0xf805, 0xf814, 0xf80f, 0x0001, 0xf83e};
    case ImmediateKind::kGprIndexMode: return {0, 1, 8, 15};
    default: return {0, 1, 7, 64, 65, 0xffff};
  }
}

Instruction sop_base(const Row& row) {
  Instruction base;
  base.row = &row;
  const bool dst_format = row.encoding.format == Format::kSop1 ||
                          row.encoding.format == Format::kSop2 ||
                          row.encoding.format == Format::kSopk;
  if (dst_format && has_destination(row)) base.dst = 4;
  const auto slots = source_slots(row, Form::kPlain);
  for (unsigned i = 0; i < base.src.size(); ++i) {
    if (slots[i] == Slot::kSrc0 || slots[i] == Slot::kSrc1) base.src[i] = code(8 + 4 * i);
    if (slots[i] == Slot::kDestination) base.src[i] = base.dst;
    if (slots[i] == Slot::kLiteral) {
      base.src[i] = operand::kLiteral;
      base.literal = 0x12345678;
      base.dwords = 2;
    }
    if (slots[i] == Slot::kImmediate) base.imm = immediates(row.sources[i].immediate)[0];
  }
  return base;
}

}  // namespace

void sop_samples(const Row& row, std::vector<Instruction>& out) {
  Collector collector(sop_base(row));
  const auto slots = source_slots(row, Form::kPlain);
  if (collector.base().dst != operand::kNone) {
    for (std::uint16_t dst : {code(100), operand::kFlatScratch, operand::kXnackMask, operand::kVcc,
                              code(122), operand::kExec, operand::kM0}) {
      if (dst == operand::kM0 && destination_dwords(row) > 1) continue;
      collector.vary([&](Instruction& x) {
        for (unsigned i = 0; i < 3; ++i) {
          if (slots[i] == Slot::kDestination) x.src[i] = dst;
        }
        x.dst = dst;
      });
    }
  }
  for (unsigned i = 0; i < 3; ++i) {
    const isa::Operand& source = row.sources[i];
    if (slots[i] == Slot::kSrc0 || slots[i] == Slot::kSrc1) {
      for (std::uint16_t kind : scalar_kinds(dwords_of(source.type))) {
        if (register_only_source(row) && kind >= 128) continue;
        collector.vary([&](Instruction& x) { x.src[i] = kind; });
      }
      if (!register_only_source(row)) vary_literals(collector, i, source.type);
    }
    if (slots[i] == Slot::kImmediate) {
      for (std::int32_t imm : immediates(source.immediate)) {
        collector.vary([&](Instruction& x) { x.imm = imm; });
      }
    }
  }
  collector.append_to(out);
}


void smem_samples(const Row& row, std::vector<Instruction>& out) {
  const SmemLayout layout = smem_layout(row);
  Instruction base;
  base.row = &row;
  base.dwords = 2;
  if (layout.immediate_data) base.data = 5;
  if (layout.data_dwords != 0) (layout.writes_data ? base.dst : base.data) = 16;
  if (layout.base_dwords != 0) {
    base.scalar_base = 8;
    base.smem_immediate = true;
  }
  Collector collector(base);
  if (layout.base_dwords != 0) {
    for (std::int32_t offset : {4, 0xfffff, -4, -0x100000}) {
      if (offset < 0 && layout.base_dwords == 4) continue;
      collector.vary([&](Instruction& x) { x.offset = offset; });
    }
    for (std::uint16_t sgpr : {code(3), code(101), operand::kM0, operand::kVcc}) {
      collector.vary([&](Instruction& x) {
        x.smem_immediate = false;
        x.scalar_offset = sgpr;
      });
      collector.vary([&](Instruction& x) {
        x.scalar_offset_enable = true;
        x.scalar_offset = sgpr;
        x.offset = 0x10;
      });
    }
    if (layout.has_glc) {
      collector.vary([&](Instruction& x) {
        x.glc = true;
        if (layout.is_atomic) x.dst = x.data;
      });
    }
  }
  collector.append_to(out);
}

}  // namespace wavetank::test
