// DS, FLAT, GLOBAL, SCRATCH, MUBUF and MTBUF.
#include "encoding/formats.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;

namespace {

/// VADDR and SADDR of the three segments.
void code_flat_address(Codec& codec) {
  namespace f = fields::flat;
  Instruction& in = codec.in;
  const bool scratch = in.segment == Format::kScratch, flat = in.segment == Format::kFlat;
  std::uint32_t saddr = in.scalar_base == operand::kNone ? f::kSaddrOff : in.scalar_base;
  if (!flat) codec.number(f::kSaddr, saddr);
  const bool has_saddr = saddr != f::kSaddrOff;
  if (has_saddr) {
    codec.scalar(f::kSaddr, saddr_dwords(in.segment), in.scalar_base, "no such scalar address");
  }
  if (scratch && codec.target.has_scratch_vaddr_bit) {
    codec.number(f::kSve, in.scratch_vaddr);
  } else if (scratch) {
    in.scratch_vaddr = !has_saddr;
  }
  const unsigned dwords = scratch ? unsigned{in.scratch_vaddr} : has_saddr ? 1 : 2;
  codec.registers(f::kAddress, operand::kVgpr0, dwords, in.address);
}

}  // namespace

void code_ds(Codec& codec) {
  namespace f = fields::ds;
  Instruction& in = codec.in;
  const DsLayout layout = ds_layout(codec.row);
  if (layout.offset) codec.number(f::kOffset, in.offset);
  // There is no GDS memory on these targets; global wave sync has the bit set.
  in.gds = layout.gds_only;
  codec.fixed(f::kGds, layout.gds_only);
  codec.registers(f::kAddress, operand::kVgpr0, layout.address ? 1 : 0, in.address);
  // A global-wave-sync row takes its count from the register in ADDR's place.
  const Field data = layout.gds_only ? f::kAddress : f::kData0;
  codec.data(data, f::kAcc, layout.data_dwords, in.data);
  codec.data(f::kData1, f::kAcc, layout.data2_dwords, in.data2);
  codec.data(f::kDst, f::kAcc, layout.result_dwords, in.dst);
}

void code_flat(Codec& codec) {
  namespace f = fields::flat;
  Instruction& in = codec.in;
  const VectorMemoryLayout layout = vector_memory_layout(codec.row);
  codec.fixed(f::kSegment, segment_field(in.segment));
  codec.number(f::kGlc, in.glc);
  codec.number(f::kSlc, in.slc);
  codec.number(f::kScc, in.scc);
  if (in.segment == Format::kFlat) {
    codec.number(f::kFlatOffset, in.offset);
  } else {
    codec.signed_number(f::kOffset, in.offset);
  }
  code_flat_address(codec);
  codec.data(f::kData, f::kAcc, layout.data_dwords, in.data);
  codec.data(f::kDst, f::kAcc, returns(in) ? layout.result_dwords : 0u, in.dst);
}

void code_buffer(Codec& codec) {
  namespace f = fields::buffer;
  Instruction& in = codec.in;
  const VectorMemoryLayout layout = vector_memory_layout(codec.row);
  const bool typed = codec.row.encoding.format == Format::kMtbuf;
  if (layout.policy_bits) {
    codec.number(f::kGlc, in.glc);
    codec.number(typed ? f::kTypedScc : f::kScc, in.scc);
  }
  if (layout.no_operands) return;
  codec.number(typed ? f::kTypedSlc : f::kSlc, in.slc);
  codec.number(f::kOffset, in.offset);
  // A store from LDS has neither index nor offset register, and always the bit.
  if (!layout.from_lds) {
    codec.number(f::kOffen, in.offen);
    codec.number(f::kIdxen, in.idxen);
  }
  if (typed) {
    codec.number(f::kFormat, in.buffer_format);
  } else {
    in.lds = in.lds || layout.from_lds;
    codec.number(f::kLds, in.lds);
    codec.find_reserved(layout.from_lds && !in.lds);
  }
  codec.scalar(f::kResource, 4, in.scalar_base, "no such buffer resource", 4);
  codec.number(f::kSoffset, in.scalar_offset);
  codec.refuse_unless(is_scalar_source(in.scalar_offset, 1), "no such scalar offset");
  codec.refuse_unless(!in.lds || layout.may_set_lds || layout.from_lds,
                      "LDS bit without an LDS form");
  const bool has_result = !in.lds && returns(in);
  codec.registers(f::kAddress, operand::kVgpr0, unsigned{in.offen} + unsigned{in.idxen},
                  in.address);
  codec.data(f::kData, f::kAcc, layout.data_dwords, in.data);
  codec.data(f::kData, f::kAcc, has_result ? layout.result_dwords : 0u, in.dst);
}

}  // namespace wavetank::encoding
