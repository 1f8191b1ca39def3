#include "encoding/encoder.hpp"

#include "encoding/encode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

std::uint64_t literal_of(const Instruction& in) {
  return std::uint64_t{in.literal} << 32;
}

bool has_literal(const Instruction& in) {
  for (std::uint16_t code : in.src) {
    if (code == operand::kLiteral) return true;
  }
  return false;
}

std::uint64_t register_number(std::uint16_t code) {
  return code == operand::kNone ? 0 : code & 0xffu;
}

bool is_accumulator(const Instruction& in) {
  return operand::is_agpr(in.dst) || operand::is_agpr(in.data) || operand::is_agpr(in.data2);
}

std::uint64_t sop_source(const Instruction& in, unsigned field) {
  const int index = source_of_field(*in.row, Form::kPlain, field);
  if (index < 0) return 0;
  return in.src[static_cast<unsigned>(index)];
}

bool has_immediate(const Row& row) {
  for (const isa::Operand& source : row.sources) {
    if (source.type != isa::Type::kNone && source.role == isa::Role::kImmediate) return true;
  }
  return false;
}

std::uint64_t dispatch(const Instruction& in, const isa::Target& target) {
  switch (in.row->encoding.format) {
    case Format::kSop1: case Format::kSop2: case Format::kSopk: case Format::kSopc:
    case Format::kSopp: return encode_sop(in);
    case Format::kSmem: return encode_smem(in);
    case Format::kVop1: case Format::kVop2: case Format::kVopc:
      return in.form == Form::kVop3 ? encode_vop3(in) : encode_vop(in);
    case Format::kVop3: case Format::kVop3p: return encode_vop3(in);
    case Format::kDs: return encode_ds(in);
    case Format::kFlat: case Format::kGlobal: case Format::kScratch:
      return encode_flat(in, target);
    case Format::kMubuf: case Format::kMtbuf: return encode_buffer(in);
    case Format::kMimg: return encode_image(in);
  }
  return 0;
}

}  // namespace

std::uint64_t encode_sop(const Instruction& in) {
  namespace f = fields::sop;
  const std::uint16_t opcode = in.row->encoding.opcode;
  const std::uint64_t dst = in.dst == operand::kNone ? 0 : f::kDst.put(in.dst);
  const std::uint64_t src0 = f::kSrc0.put(sop_source(in, 0));
  const std::uint64_t src1 = f::kSrc1.put(sop_source(in, 1));
  const auto imm = static_cast<std::uint64_t>(static_cast<std::int64_t>(in.imm));
  const bool immediate = has_immediate(*in.row);
  const std::uint64_t literal = has_literal(in) ? literal_of(in) : 0;
  switch (in.row->encoding.format) {
    case Format::kSop1: return prefix::kSop1.value | f::kOp1.put(opcode) | dst | src0 | literal;
    case Format::kSop2:
      return prefix::kSop2.value | f::kOp2.put(opcode) | dst | src0 | src1 | literal;
    case Format::kSopc:
      return prefix::kSopc.value | f::kOpc.put(opcode) | src0 |
             (immediate ? f::kSrc1.put(imm) : src1) | literal;
    case Format::kSopk:
      return prefix::kSopk.value | f::kOpk.put(opcode) | dst | f::kImm.put(imm) | literal;
    default:
      return prefix::kSopp.value | f::kOpp.put(opcode) | (immediate ? f::kImm.put(imm) : 0);
  }
}

std::uint64_t encode_smem(const Instruction& in) {
  namespace f = fields::smem;
  const SmemLayout layout = smem_layout(*in.row);
  std::uint64_t words = prefix::kSmem.value | f::kOp.put(in.row->encoding.opcode);
  const std::uint16_t data = layout.writes_data ? in.dst : in.data;
  if (layout.data_dwords != 0 || layout.immediate_data) words |= f::kData.put(data);
  if (layout.base_dwords == 0) return words;
  words |= f::kGlc.put(in.glc && layout.has_glc) | f::kBase.put(in.scalar_base / 2u);
  const bool sgpr = in.scalar_offset != operand::kNone;
  if (in.smem_immediate) {
    words |= f::kImm.put(1) | f::kOffset.put(static_cast<std::uint32_t>(in.offset));
  }
  words |= f::kOffsetEnable.put(in.scalar_offset_enable);
  if (!sgpr) return words;
  return words | (in.scalar_offset_enable ? f::kSoffset : f::kOffsetSgpr).put(in.scalar_offset);
}

std::uint64_t encode_ds(const Instruction& in) {
  namespace f = fields::ds;
  const DsLayout layout = ds_layout(*in.row);
  std::uint64_t words = prefix::kDs.value | f::kOp.put(in.row->encoding.opcode);
  if (layout.offset) words |= f::kOffset.put(static_cast<std::uint32_t>(in.offset));
  // There is no GDS memory on these targets; global wave sync has the bit set.
  words |= f::kGds.put(layout.gds_only);
  words |= f::kAcc.put(is_accumulator(in)) | f::kAddress.put(register_number(in.address));
  const Field data_field = layout.gds_only ? f::kAddress : f::kData0;
  words |= data_field.put(register_number(in.data)) | f::kData1.put(register_number(in.data2));
  return words | f::kDst.put(register_number(in.dst));
}

std::uint64_t encode_flat(const Instruction& in, const isa::Target& target) {
  namespace f = fields::flat;
  std::uint64_t words = prefix::kFlat.value | f::kOp.put(in.row->encoding.opcode);
  const Field offset = in.segment == Format::kFlat ? f::kFlatOffset : f::kOffset;
  words |= offset.put(static_cast<std::uint32_t>(in.offset));
  const bool sve = in.segment == Format::kScratch && target.has_scratch_vaddr_bit;
  words |= f::kSve.put(sve && in.scratch_vaddr) | f::kSegment.put(segment_field(in.segment));
  words |= f::kGlc.put(in.glc) | f::kSlc.put(in.slc) | f::kScc.put(in.scc);
  words |= f::kAddress.put(register_number(in.address)) | f::kData.put(register_number(in.data));
  const std::uint32_t off = in.segment == Format::kFlat ? 0 : f::kSaddrOff;
  words |= f::kSaddr.put(in.scalar_base == operand::kNone ? off : in.scalar_base);
  return words | f::kAcc.put(is_accumulator(in)) | f::kDst.put(register_number(in.dst));
}

std::uint64_t encode_buffer(const Instruction& in) {
  namespace f = fields::buffer;
  const bool typed = in.row->encoding.format == Format::kMtbuf;
  const std::uint16_t opcode = in.row->encoding.opcode;
  const VectorMemoryLayout layout = vector_memory_layout(*in.row);
  std::uint64_t words = f::kGlc.put(in.glc);
  if (typed) {
    words |= prefix::kMtbuf.value | f::kTypedOp.put(opcode) | f::kTypedScc.put(in.scc) |
             f::kTypedSlc.put(in.slc) | f::kFormat.put(in.buffer_format);
  } else {
    words |= prefix::kMubuf.value | f::kOp.put(opcode) | f::kScc.put(in.scc) |
             f::kSlc.put(in.slc) | f::kLds.put(in.lds || layout.from_lds);
  }
  if (layout.no_operands) return words;
  words |= f::kOffset.put(static_cast<std::uint32_t>(in.offset));
  words |= f::kOffen.put(in.offen) | f::kIdxen.put(in.idxen);
  const std::uint16_t data = in.data != operand::kNone ? in.data : in.dst;
  words |= f::kAddress.put(register_number(in.address)) | f::kData.put(register_number(data));
  words |= f::kResource.put(in.scalar_base / 4u) | f::kAcc.put(is_accumulator(in));
  return words | f::kSoffset.put(in.scalar_offset);
}

Words encode(const Instruction& in, const isa::Target& target) {
  const std::uint64_t words = dispatch(in, target);
  return {{static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(words >> 32)}, in.dwords};
}

}  // namespace wavetank::encoding
