#include "dispatch/stepped_text.hpp"

#include "dispatch/source_line.hpp"
#include "encoding/disassembler.hpp"

namespace wavetank::dispatch {

std::vector<SteppedInstruction> describe_instructions(const Launch& launch,
                                                      const StepTable& table) {
  const execute::ProgramSpec& spec = table.spec();
  const auto code = reinterpret_cast<std::uint64_t>(spec.code);
  const auto base = reinterpret_cast<std::uint64_t>(launch.code->base);
  const encoding::Decoder decoder(spec.target);
  std::vector<SteppedInstruction> instructions;
  std::vector<std::uint64_t> addresses;
  for (const auto& facts : table.seen()) {
    SteppedInstruction one;
    one.virtual_address = code + facts->offset_bytes - base;
    one.offset_bytes = one.virtual_address - launch.kernel->entry_address;
    const std::span<const std::uint32_t> dwords(
        reinterpret_cast<const std::uint32_t*>(spec.code + facts->offset_bytes), facts->dwords);
    if (const auto decoded = decoder.decode(dwords, code + facts->offset_bytes)) {
      one.text = encoding::disassemble(*decoded, spec.target);
    }
    addresses.push_back(one.virtual_address);
    instructions.push_back(std::move(one));
  }
  const std::vector<std::string> lines = source_lines(*launch.code, addresses);
  for (std::size_t i = 0; i < lines.size(); ++i) instructions[i].source = lines[i];
  return instructions;
}

}  // namespace wavetank::dispatch
