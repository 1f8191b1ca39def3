#include "cli/isa/example.hpp"

#include "encoding/decoder.hpp"
#include "encoding/disassembler.hpp"
#include "encoding/encoder.hpp"
#include "encoding/layout.hpp"
#include "isa/row.hpp"

namespace wavetank::cli {

using encoding::Form;
using encoding::Slot;
using isa::Format;
using isa::ImmediateKind;
using isa::Row;
namespace operand = encoding::operand;

namespace {

constexpr std::uint16_t vgpr(unsigned number) {
  return static_cast<std::uint16_t>(operand::kVgpr0 + number);
}

/// The next register for a tuple of `dwords`, aligned as the targets want.
class Registers {
 public:
  std::uint16_t take(unsigned dwords, unsigned alignment) {
    next_ = (next_ + alignment - 1) / alignment * alignment;
    const unsigned first = next_;
    next_ += dwords;
    return static_cast<std::uint16_t>(first);
  }
  std::uint16_t vector(unsigned dwords) { return vgpr(take(dwords, dwords > 1 ? 2 : 1)); }
  std::uint16_t scalar(unsigned dwords) { return take(dwords, dwords > 2 ? 4 : dwords); }

 private:
  unsigned next_ = 0;
};

std::int32_t immediate_example(ImmediateKind kind) {
  switch (kind) {
    case ImmediateKind::kWaitcnt: return 0xc07f;
    case ImmediateKind::kHwreg: return 0xf801;
    default: return 1;
  }
}

void fill_scalar(const Row& row, encoding::Instruction& x) {
  Registers s;
  if (row.encoding.format != Format::kSopc && encoding::has_destination(row)) {
    x.dst = s.scalar(encoding::destination_dwords(row));
  }
  const auto slots = encoding::source_slots(row, Form::kPlain);
  for (unsigned i = 0; i < x.src.size(); ++i) {
    if (slots[i] == Slot::kSrc0 || slots[i] == Slot::kSrc1) {
      x.src[i] = s.scalar(isa::dwords_of(row.sources[i].type));
    } else if (slots[i] == Slot::kDestination) {
      x.src[i] = x.dst;
    } else if (slots[i] == Slot::kLiteral) {
      x.src[i] = operand::kLiteral, x.literal = 0x12345678, x.dwords = 2;
    } else if (slots[i] == Slot::kImmediate) {
      x.imm = immediate_example(row.sources[i].immediate);
    }
  }
}

/// AccVGPR where the row wants one, SGPR or VGPR otherwise.
void fill_vector(const Row& row, Form form, encoding::Instruction& x) {
  const bool e32 = form != Form::kVop3 && row.encoding.format < Format::kVop3;
  const bool compare = row.mask_result && row.result.type == isa::Type::kNone;
  constexpr unsigned kToAcc = operand::kAgpr0 - operand::kVgpr0;
  Registers v;
  x.dwords = e32 && form == Form::kPlain ? 1 : 2;
  if (row.mask_result) x.sdst = e32 ? operand::kVcc : std::uint16_t{0};
  if (!compare && encoding::has_destination(row)) {
    x.dst = row.scalar_result ? std::uint16_t{0} : v.vector(encoding::destination_dwords(row));
    if (encoding::writes_agpr(row)) x.dst = static_cast<std::uint16_t>(x.dst + kToAcc);
  }
  const auto slots = encoding::source_slots(row, form);
  for (unsigned i = 0; i < x.src.size(); ++i) {
    const bool mask = row.sources[i].type == isa::Type::kMask;
    const bool scalar = mask || (encoding::scalar_only_sources(row) >> i & 1) != 0;
    switch (slots[i]) {
      case Slot::kSrc0:
      case Slot::kSrc1:
      case Slot::kSrc2:
        x.src[i] = scalar ? std::uint16_t{2} : v.vector(isa::dwords_of(row.sources[i].type));
        if (i == 0 && encoding::reads_agpr(row))
          x.src[i] = static_cast<std::uint16_t>(x.src[i] + kToAcc);
        break;
      case Slot::kLiteral: x.src[i] = operand::kLiteral, x.literal = 0x1234, x.dwords = 2; break;
      case Slot::kVcc: x.src[i] = operand::kVcc; break;
      case Slot::kDestination: x.src[i] = x.dst; break;
      default: break;
    }
  }
  const bool packed = row.encoding.format == Format::kVop3p && !encoding::is_matrix_encoding(row);
  if (packed && !encoding::is_mixed_precision(row)) x.op_sel_hi = 7;
  if (encoding::reads_agpr(row) || encoding::writes_agpr(row)) x.op_sel_hi = 7;
  // 64-bit operands have row_newbcast only (LLVM, "DP ALU DPP").
  const bool wide =
      isa::dwords_of(row.result.type) == 2 || isa::dwords_of(row.sources[0].type) == 2;
  if (form == Form::kDpp) x.dpp_ctrl = wide ? 0x151 : 0x111;  // row_newbcast:1, row_shr:1
  if (form == Form::kSdwa) x.src_sel[0] = 4;                  // WORD_0
}

void fill_smem(const Row& row, encoding::Instruction& x) {
  const encoding::SmemLayout layout = encoding::smem_layout(row);
  Registers s;
  x.dwords = 2;
  if (layout.immediate_data) x.data = 5;
  if (layout.data_dwords != 0) {
    (layout.writes_data ? x.dst : x.data) = s.scalar(layout.data_dwords);
  }
  if (layout.base_dwords == 0) return;
  x.scalar_base = s.scalar(layout.base_dwords);
  x.smem_immediate = true;
  x.offset = 16;
}

void fill_ds(const Row& row, encoding::Instruction& x) {
  const encoding::DsLayout layout = encoding::ds_layout(row);
  Registers v;
  x.dwords = 2;
  if (layout.result_dwords != 0) x.dst = v.vector(layout.result_dwords);
  if (layout.address) x.address = v.vector(1);
  if (layout.data_dwords != 0) x.data = v.vector(layout.data_dwords);
  if (layout.data2_dwords != 0) x.data2 = v.vector(layout.data2_dwords);
  x.gds = layout.gds_only;
  if (layout.two_offsets) x.offset = 0x100;
  if (layout.swizzle) x.offset = 0x80e4;
}

void fill_vector_memory(const Row& row, Format segment, encoding::Instruction& x) {
  const encoding::VectorMemoryLayout layout = encoding::vector_memory_layout(row);
  const Format format = row.encoding.format;
  const bool buffer = format == Format::kMubuf || format == Format::kMtbuf;
  Registers v;
  x.dwords = 2;
  x.segment = segment;
  if (layout.no_operands) return;
  if (layout.result_dwords != 0 && !layout.returns_with_glc) x.dst = v.vector(layout.result_dwords);
  if (buffer) {
    x.scalar_base = 4, x.scalar_offset = 0, x.lds = layout.from_lds;
  } else {
    x.scratch_vaddr = segment == Format::kScratch;
    x.address = v.vector(x.scratch_vaddr ? 1 : 2);
  }
  if (layout.data_dwords != 0) x.data = v.vector(layout.data_dwords);
}

void fill_image(const Row& row, encoding::Instruction& x) {
  const isa::MemoryShape& memory = row.memory;
  const bool pair = memory.atomic == isa::AtomicOperation::kCompareSwap;
  Registers v;
  x.dwords = 2;
  x.dmask = pair ? 0x3 : 0x1;
  x.unorm = row.memory.image.access != isa::ImageAccess::kSample;
  if (memory.always_returns) x.dst = v.vector(1);
  if (memory.data_dwords != 0) x.data = v.vector(pair ? 2 : 1);
  x.address = v.vector(1);
  x.scalar_base = 4;
  if (!x.unorm) x.scalar_offset = 12;
}

}  // namespace

std::optional<IsaExample> isa_example(const Row& row, Form form, Format segment,
                                      const isa::Target& target) {
  encoding::Instruction x;
  x.row = &row;
  x.form = form;
  switch (row.encoding.format) {
    case Format::kSop1:
    case Format::kSop2:
    case Format::kSopk:
    case Format::kSopc:
    case Format::kSopp: fill_scalar(row, x); break;
    case Format::kVop1:
    case Format::kVop2:
    case Format::kVopc:
    case Format::kVop3:
    case Format::kVop3p: fill_vector(row, form, x); break;
    case Format::kSmem: fill_smem(row, x); break;
    case Format::kDs: fill_ds(row, x); break;
    case Format::kMimg: fill_image(row, x); break;
    default: fill_vector_memory(row, segment, x); break;
  }
  const encoding::Words words = encoding::encode(x, target);
  const encoding::Decoder& decoder = encoding::decoder_of(target);
  const auto decoded = decoder.decode({words.dwords.data(), words.count}, 0);
  if (!decoded || decoded->row != &row || decoded->form != form) return {};
  return IsaExample{encoding::disassemble(*decoded, target),
                    {words.dwords.begin(), words.dwords.begin() + words.count}};
}

}  // namespace wavetank::cli
