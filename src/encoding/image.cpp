// MIMG, in bits and in words.
#include <algorithm>
#include <bit>
#include <string_view>

#include "encoding/formats.hpp"
#include "encoding/layout.hpp"
#include "encoding/print.hpp"
#include "encoding/text.hpp"

namespace wavetank::encoding {
namespace {

namespace f = fields::image;

/// What is on or off, in the order of the text.
struct ImageFlag {
  Field field;
  bool Instruction::* value;
  std::string_view name;
};
constexpr ImageFlag kImageFlags[] = {
    {f::kUnorm, &Instruction::unorm, "unorm"}, {f::kGlc, &Instruction::glc, "glc"},
    {f::kSlc, &Instruction::slc, "slc"},       {f::kScc, &Instruction::scc, "scc"},
    {f::kA16, &Instruction::a16, "a16"},       {f::kLwe, &Instruction::lwe, "lwe"},
    {f::kDa, &Instruction::da, "da"},          {f::kD16, &Instruction::d16, "d16"}};

/// True if the masks of an atomic say what DMASK means for one element of 32 or of 64 bits.
bool is_atomic_mask(const Instruction& in) {
  const bool two = in.row->memory.atomic == isa::AtomicOperation::kCompareSwap;
  const unsigned narrow = two ? 0x3 : 0x1, wide = two ? 0xf : 0x3;
  return in.dmask == narrow || in.dmask == wide;
}

}  // namespace

unsigned image_data_dwords(const Instruction& in) {
  const unsigned components = std::max(1, std::popcount(in.dmask));
  return in.d16 ? (components + 1) / 2 : components;
}

void code_image(Codec& codec) {
  Instruction& in = codec.in;
  const isa::MemoryShape& memory = codec.row.memory;
  codec.number(f::kDmask, in.dmask);
  for (const ImageFlag& flag : kImageFlags) codec.number(flag.field, in.*flag.value);
  codec.find_reserved(in.d16 && !memory.image.has_d16);
  in.d16 = in.d16 && memory.image.has_d16;
  codec.registers(f::kAddress, operand::kVgpr0, 1, in.address);
  codec.scalar(f::kResource, 8, in.scalar_base, "no such image resource", 4);
  if (memory.image.access == isa::ImageAccess::kSample) {
    codec.scalar(f::kSampler, 4, in.scalar_offset, "no such sampler", 4);
  }
  codec.refuse_unless(memory.image.access != isa::ImageAccess::kAtomic || is_atomic_mask(in),
                      "DMASK says neither 32 nor 64 bits");
  const unsigned dwords = image_data_dwords(in);
  codec.data(f::kData, f::kAcc, memory.data_dwords != 0 ? dwords : 0, in.data);
  codec.data(f::kData, f::kAcc, returns(in) ? dwords : 0, in.dst);
}

void print_image(Line& line, const Instruction& in) {
  const std::uint16_t data = in.data != operand::kNone ? in.data : in.dst;
  line.operand(register_text(data, image_data_dwords(in)));
  // How many registers the address takes is in the resource; LLVM names the first as well.
  line.operand(register_text(in.address, 1));
  line.operand(register_text(in.scalar_base, 8));
  if (in.scalar_offset != operand::kNone) line.operand(register_text(in.scalar_offset, 4));
  if (in.dmask != 0) line.modifier("dmask:" + hex_text(in.dmask));
  for (const ImageFlag& flag : kImageFlags) line.flag(in.*flag.value, flag.name);
}

}  // namespace wavetank::encoding
