#include "isa/row.hpp"
#include "unit/encoding/collector.hpp"

namespace wavetank::test {

using namespace encoding;
using isa::Format;
using isa::ImmediateKind;
using isa::Row;

namespace {

/// GLC, SLC and SCC; an atomic returns into `result` under GLC.
void vary_cache_policy(Collector& collector, std::uint16_t result) {
  collector.vary([&](Instruction& x) {
    x.glc = true;
    if (result != operand::kNone) x.dst = result;
  });
  collector.vary([](Instruction& x) { x.slc = true; });
  collector.vary([](Instruction& x) { x.scc = true; });
}

/// AccVGPRs in place of the data registers.
void vary_register_file(Collector& collector) {
  const Instruction& base = collector.base();
  if (base.data == operand::kNone && base.dst == operand::kNone) return;
  collector.vary([](Instruction& x) {
    for (std::uint16_t* slot : {&x.data, &x.data2, &x.dst}) {
      if (*slot != operand::kNone) *slot = code(*slot + 256u);
    }
  });
}

/// SADDR of GLOBAL and SCRATCH; scratch addresses with and without VADDR.
void vary_scalar_addresses(Collector& collector, bool scratch, const isa::Target& target) {
  const bool has_bit = target.has_scratch_vaddr_bit;
  for (std::uint16_t saddr : {code(4), code(100), operand::kVcc, code(122)}) {
    collector.vary([&](Instruction& x) {
      x.scalar_base = saddr;
      if (!scratch || has_bit) return;
      x.address = operand::kNone;
      x.scratch_vaddr = false;
    });
  }
  if (!scratch || !has_bit) return;
  for (std::uint16_t saddr : {operand::kNone, code(4)}) {
    collector.vary([&](Instruction& x) {
      x.scalar_base = saddr;
      x.address = operand::kNone;
      x.scratch_vaddr = false;
    });
  }
}

}  // namespace

void ds_samples(const Row& row, std::vector<Instruction>& out) {
  const DsLayout layout = ds_layout(row);
  Instruction base;
  base.row = &row;
  base.dwords = 2;
  if (layout.address) base.address = vgpr(2);
  if (layout.data_dwords != 0) base.data = vgpr(16);
  if (layout.data2_dwords != 0) base.data2 = vgpr(32);
  if (layout.result_dwords != 0) base.dst = vgpr(48);
  base.gds = layout.gds_only;
  Collector collector(base);
  const std::vector<std::int32_t> offsets =
      layout.swizzle ? std::vector<std::int32_t>{0x80e4, 0x041f, 0x1c1f, 0x0018, 0x0445, 0xc123}
                     : std::vector<std::int32_t>{1, 0x80, 0x100, 0xff01, 0xffff};
  for (std::int32_t offset : offsets) {
    if (!layout.offset) break;
    collector.vary([&](Instruction& x) { x.offset = offset; });
  }
  if (!layout.gds_only) vary_register_file(collector);
  collector.append_to(out);
}

void flat_samples(const Row& row, Format segment, const isa::Target& target,
                  std::vector<Instruction>& out) {
  const VectorMemoryLayout layout = vector_memory_layout(row);
  const bool scratch = segment == Format::kScratch;
  Instruction base;
  base.row = &row;
  base.dwords = 2;
  base.segment = segment;
  base.address = vgpr(2);
  base.scratch_vaddr = scratch;
  if (layout.data_dwords != 0) base.data = vgpr(16);
  if (layout.result_dwords != 0 && !layout.returns_with_glc) base.dst = vgpr(32);
  Collector collector(base);
  const bool flat = segment == Format::kFlat;
  for (std::int32_t offset : {1, 4095, -1, -4096}) {
    if (flat && offset < 0) continue;
    collector.vary([&](Instruction& x) { x.offset = offset; });
  }
  if (!flat) vary_scalar_addresses(collector, scratch, target);
  vary_cache_policy(collector, layout.returns_with_glc ? vgpr(32) : operand::kNone);
  vary_register_file(collector);
  collector.append_to(out);
}

void buffer_samples(const Row& row, std::vector<Instruction>& out) {
  const VectorMemoryLayout layout = vector_memory_layout(row);
  Instruction base;
  base.row = &row;
  base.dwords = 2;
  if (layout.no_operands) {
    out.push_back(base);
    return;
  }
  if (layout.data_dwords != 0) base.data = vgpr(16);
  if (layout.result_dwords != 0 && !layout.returns_with_glc) base.dst = vgpr(16);
  base.scalar_base = 8;
  base.scalar_offset = 3;
  base.lds = layout.from_lds;
  Collector collector(base);
  for (std::uint16_t soffset : {code(101), operand::kM0, code(128), code(192)}) {
    collector.vary([&](Instruction& x) { x.scalar_offset = soffset; });
  }
  for (std::int32_t offset : {1, 4095}) collector.vary([&](Instruction& x) { x.offset = offset; });
  if (!layout.from_lds) {
    for (unsigned mode = 1; mode < 4; ++mode) {
      collector.vary([&](Instruction& x) {
        x.offen = (mode & 1) != 0;
        x.idxen = (mode & 2) != 0;
        x.address = vgpr(2);
      });
    }
  }
  vary_cache_policy(collector, layout.returns_with_glc ? base.data : operand::kNone);
  if (layout.may_set_lds) {
    collector.vary([](Instruction& x) {
      x.lds = true;
      x.dst = operand::kNone;
    });
  }
  vary_register_file(collector);
  collector.append_to(out);
}

void image_samples(const Row& row, std::vector<Instruction>& out) {
  const isa::ImageShape shape = row.memory.image;
  const bool atomic = shape.access == isa::ImageAccess::kAtomic;
  const bool pair = row.memory.atomic == isa::AtomicOperation::kCompareSwap;
  Instruction base;
  base.row = &row;
  base.dwords = 2;
  base.dmask = pair ? 0x3 : 0x1;
  base.address = vgpr(2);
  base.scalar_base = 8;
  if (shape.access == isa::ImageAccess::kSample) base.scalar_offset = 20;
  if (row.memory.data_dwords != 0) base.data = vgpr(16);
  if (row.memory.always_returns) base.dst = vgpr(16);
  Collector collector(base);
  for (const std::uint8_t mask : {0x0, 0x3, 0x5, 0x7, 0xf}) {
    const bool valid = !atomic || mask == (pair ? 0xf : 0x3);
    if (valid) collector.vary([&](Instruction& x) { x.dmask = mask; });
  }
  collector.vary([](Instruction& x) { x.scalar_base = 92; });
  collector.vary([](Instruction& x) { x.unorm = true; });
  collector.vary([](Instruction& x) { x.da = x.lwe = true; });
  collector.vary([](Instruction& x) { x.a16 = true; });
  if (shape.has_d16) {
    collector.vary([](Instruction& x) { x.d16 = true, x.dmask = 0xf; });
    collector.vary([](Instruction& x) { x.d16 = true, x.dmask = 0x7; });
  }
  vary_cache_policy(collector, atomic ? base.data : operand::kNone);
  vary_register_file(collector);
  collector.append_to(out);
}

}  // namespace wavetank::test
