#include "encoding/encoder.hpp"

#include "encoding/formats.hpp"

namespace wavetank::encoding {

Words encode(const Instruction& instruction, const isa::Target& target) {
  const FormatInfo& format = format_of(instruction);
  const isa::Encoding& encoding = instruction.row->encoding;
  const bool vop3 = instruction.form == Form::kVop3;
  const std::uint16_t opcode = vop3 ? isa::vop3_opcode(encoding) : encoding.opcode;
  Instruction copy = instruction;
  Codec codec(Codec::Way::kWrite, format.prefix.value | format.opcode.put(opcode),
              format.opcode_bits(), copy, target);
  format.code(codec);
  const std::uint64_t words = codec.words();
  return {{static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(words >> 32)},
          instruction.dwords};
}

}  // namespace wavetank::encoding
