// MIMG: decoded, encoded and in words.
#include <algorithm>
#include <bit>
#include <string>

#include "encoding/decode.hpp"
#include "encoding/encode.hpp"
#include "encoding/fields.hpp"
#include "encoding/layout.hpp"
#include "encoding/operand.hpp"
#include "encoding/print.hpp"
#include "encoding/text.hpp"
#include "isa/row.hpp"

namespace wavetank::encoding {
namespace {

namespace f = fields::image;

/// Of the masks of an atomic: what DMASK means for one element of 32 and of 64 bits.
Problem check_atomic_mask(const Instruction& in) {
  const bool two = in.row->memory.atomic == isa::AtomicOperation::kCompareSwap;
  const unsigned narrow = two ? 0x3 : 0x1, wide = two ? 0xf : 0x3;
  if (in.dmask == narrow || in.dmask == wide) return {};
  return "DMASK says neither 32 nor 64 bits";
}

Problem decode_data(const Encoded& in, Instruction& out) {
  const std::uint16_t data = data_register(f::kData.get(in.words), f::kAcc.get(in.words) != 0);
  const unsigned dwords = image_data_dwords(out);
  const isa::MemoryShape& memory = in.row->memory;
  const bool returns = memory.always_returns || (memory.result_dwords != 0 && out.glc);
  return set_registers({{out.data, data, memory.data_dwords != 0 ? dwords : 0},
                        {out.dst, data, returns ? dwords : 0}});
}

}  // namespace

unsigned image_data_dwords(const Instruction& in) {
  const unsigned components = std::max(1, std::popcount(in.dmask));
  return in.d16 ? (components + 1) / 2 : components;
}

Problem decode_image(const Encoded& in, Instruction& out) {
  const isa::ImageShape shape = in.row->memory.image;
  out.dwords = 2;
  out.dmask = static_cast<std::uint8_t>(f::kDmask.get(in.words));
  out.unorm = f::kUnorm.get(in.words) != 0;
  out.glc = f::kGlc.get(in.words) != 0;
  out.slc = f::kSlc.get(in.words) != 0;
  out.scc = f::kScc.get(in.words) != 0;
  out.da = f::kDa.get(in.words) != 0;
  out.a16 = f::kA16.get(in.words) != 0;
  out.lwe = f::kLwe.get(in.words) != 0;
  out.d16 = shape.has_d16 && f::kD16.get(in.words) != 0;
  out.address = vgpr(f::kAddress.get(in.words));
  out.scalar_base = static_cast<std::uint16_t>(4 * f::kResource.get(in.words));
  if (!is_scalar_register(out.scalar_base, 8)) return "no such image resource";
  if (shape.access == isa::ImageAccess::kSample) {
    out.scalar_offset = static_cast<std::uint16_t>(4 * f::kSampler.get(in.words));
    if (!is_scalar_register(out.scalar_offset, 4)) return "no such sampler";
  }
  if (shape.access == isa::ImageAccess::kAtomic) {
    if (const Problem problem = check_atomic_mask(out); !problem.empty()) return problem;
  }
  return decode_data(in, out);
}

std::uint64_t encode_image(const Instruction& in) {
  const std::uint16_t data = in.data != operand::kNone ? in.data : in.dst;
  std::uint64_t words = prefix::kMimg.value | f::kOp.put(in.row->encoding.opcode);
  words |= f::kDmask.put(in.dmask) | f::kUnorm.put(in.unorm) | f::kGlc.put(in.glc);
  words |= f::kSlc.put(in.slc) | f::kScc.put(in.scc) | f::kDa.put(in.da) | f::kA16.put(in.a16);
  words |= f::kLwe.put(in.lwe) | f::kD16.put(in.d16) | f::kAcc.put(operand::is_agpr(data));
  words |= f::kAddress.put(in.address & 0xffu) | f::kData.put(data & 0xffu);
  words |= f::kResource.put(in.scalar_base / 4u);
  if (in.scalar_offset != operand::kNone) words |= f::kSampler.put(in.scalar_offset / 4u);
  return words;
}

void print_image(Line& line, const Instruction& in) {
  const std::uint16_t data = in.data != operand::kNone ? in.data : in.dst;
  line.operand(register_text(data, image_data_dwords(in)));
  // How many registers the address takes is in the resource; LLVM names the first as well.
  line.operand(register_text(in.address, 1));
  line.operand(register_text(in.scalar_base, 8));
  if (in.scalar_offset != operand::kNone) line.operand(register_text(in.scalar_offset, 4));
  if (in.dmask != 0) line.modifier(std::string("dmask:0x") + "0123456789abcdef"[in.dmask]);
  line.flag(in.unorm, "unorm");
  line.flag(in.glc, "glc");
  line.flag(in.slc, "slc");
  line.flag(in.scc, "scc");
  line.flag(in.a16, "a16");
  line.flag(in.lwe, "lwe");
  line.flag(in.da, "da");
  line.flag(in.d16, "d16");
}

}  // namespace wavetank::encoding
