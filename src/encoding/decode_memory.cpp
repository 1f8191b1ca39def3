// DS, FLAT, GLOBAL, SCRATCH, MUBUF and MTBUF.
#include "encoding/decode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

/// VADDR and SADDR of the three segments.
Problem decode_flat_address(const Encoded& in, Instruction& out) {
  namespace f = fields::flat;
  const bool scratch = out.segment == Format::kScratch;
  const std::uint32_t saddr = f::kSaddr.get(in.words);
  const bool has_saddr = out.segment != Format::kFlat && saddr != f::kSaddrOff;
  if (has_saddr) {
    const unsigned dwords = scratch ? 1 : 2;
    out.scalar_base = in.scalar(saddr, dwords);
    if (!is_scalar_register(out.scalar_base, dwords)) return "no such scalar address";
  }
  if (scratch) {
    out.scratch_vaddr = in.target.has_scratch_vaddr_bit ? f::kSve.get(in.words) != 0 : !has_saddr;
    if (!out.scratch_vaddr) return {};
  }
  const unsigned address_dwords = scratch || has_saddr ? 1 : 2;
  return set_registers({{out.address, vgpr(f::kAddress.get(in.words)), address_dwords}});
}

}  // namespace

Problem decode_ds(const Encoded& in, Instruction& out) {
  namespace f = fields::ds;
  const DsLayout layout = ds_layout(*in.row);
  const bool acc = f::kAcc.get(in.words) != 0;
  out.dwords = 2;
  if (layout.offset) out.offset = static_cast<std::int32_t>(f::kOffset.get(in.words));
  out.gds = layout.gds_only;
  if (layout.address) out.address = vgpr(f::kAddress.get(in.words));
  // A global-wave-sync row takes its count from the register in ADDR's place.
  const Field data_field = layout.gds_only ? f::kAddress : f::kData0;
  const auto data = [&](Field field) { return data_register(field.get(in.words), acc); };
  return set_registers({{out.data, data(data_field), layout.data_dwords},
                        {out.data2, data(f::kData1), layout.data2_dwords},
                        {out.dst, data(f::kDst), layout.result_dwords}});
}

Problem decode_flat(const Encoded& in, Instruction& out) {
  namespace f = fields::flat;
  const VectorMemoryLayout layout = vector_memory_layout(*in.row);
  const bool acc = f::kAcc.get(in.words) != 0;
  const bool flat = out.segment == Format::kFlat;
  out.dwords = 2;
  out.glc = f::kGlc.get(in.words) != 0;
  out.slc = f::kSlc.get(in.words) != 0;
  out.scc = f::kScc.get(in.words) != 0;
  out.offset = flat ? static_cast<std::int32_t>(f::kFlatOffset.get(in.words))
                    : f::kOffset.get_signed(in.words);
  if (const Problem problem = decode_flat_address(in, out); !problem.empty()) return problem;
  const bool returns = !layout.returns_with_glc || out.glc;
  return set_registers(
      {{out.data, data_register(f::kData.get(in.words), acc), layout.data_dwords},
       {out.dst, data_register(f::kDst.get(in.words), acc), returns ? layout.result_dwords : 0u}});
}

Problem decode_buffer(const Encoded& in, Instruction& out) {
  namespace f = fields::buffer;
  const VectorMemoryLayout layout = vector_memory_layout(*in.row);
  const bool typed = in.row->encoding.format == Format::kMtbuf;
  const bool acc = f::kAcc.get(in.words) != 0;
  out.dwords = 2;
  if (layout.policy_bits) {
    out.glc = f::kGlc.get(in.words) != 0;
    out.scc = (typed ? f::kTypedScc : f::kScc).get(in.words) != 0;
  }
  if (layout.no_operands) return {};
  out.slc = (typed ? f::kTypedSlc : f::kSlc).get(in.words) != 0;

  out.offset = static_cast<std::int32_t>(f::kOffset.get(in.words));
  // A store from LDS has neither index nor offset register.
  out.offen = !layout.from_lds && f::kOffen.get(in.words) != 0;
  out.idxen = !layout.from_lds && f::kIdxen.get(in.words) != 0;
  out.lds = !typed && f::kLds.get(in.words) != 0;
  if (typed) out.buffer_format = static_cast<std::uint8_t>(f::kFormat.get(in.words));
  out.scalar_base = static_cast<std::uint16_t>(4 * f::kResource.get(in.words));
  if (!is_scalar_register(out.scalar_base, 4)) return "no such buffer resource";
  out.scalar_offset = static_cast<std::uint16_t>(f::kSoffset.get(in.words));
  if (!is_scalar_source(out.scalar_offset, 1)) return "no such scalar offset";

  if (out.lds && !layout.may_set_lds && !layout.from_lds) return "LDS bit without an LDS form";
  const std::uint16_t data = data_register(f::kData.get(in.words), acc);
  const unsigned address_dwords = unsigned{out.offen} + unsigned{out.idxen};
  const bool returns = !out.lds && (!layout.returns_with_glc || out.glc);
  return set_registers({{out.address, vgpr(f::kAddress.get(in.words)), address_dwords},
                        {out.data, data, layout.data_dwords},
                        {out.dst, data, returns ? layout.result_dwords : 0u}});
}

}  // namespace wavetank::encoding
