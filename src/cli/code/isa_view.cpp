#include "cli/code/isa_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <span>

#include "encoding/disassembler.hpp"

namespace wavetank::cli {
namespace {

using code_object::CodeObject;
using code_object::Kernel;
using encoding::Instruction;

/// Words that compilers put behind the last instruction: s_nop 0, s_code_end, zeros.
bool is_padding(std::uint32_t word) {
  return word == 0xbf800000 || word == 0xbf9f0000 || word == 0;
}

/// The address where the kernel's code ends: the next entry of anything, or the segment's end.
std::uint64_t end_of(const CodeObject& object, const Kernel& kernel, std::uint64_t segment_end) {
  std::uint64_t end = segment_end;
  const auto consider = [&](std::uint64_t address) {
    if (address > kernel.entry_address) end = std::min(end, address);
  };
  for (const Kernel& other : object.kernels) consider(other.entry_address);
  for (const code_object::Symbol& symbol : object.symbols) {
    if (symbol.kind == code_object::Symbol::Kind::kFunction) consider(symbol.address);
  }
  return end;
}

Result<std::vector<std::uint32_t>> words_of(const CodeObject& object, const Kernel& kernel) {
  for (const code_object::Segment& s : object.segments) {
    const std::uint64_t entry = kernel.entry_address;
    if (!s.executable || entry < s.address || entry - s.address >= s.file_size_bytes) continue;
    const std::uint64_t end = end_of(object, kernel, s.address + s.file_size_bytes);
    const std::uint64_t offset = s.file_offset + (entry - s.address);
    const std::uint64_t size = (end - entry) / 4 * 4;
    if (offset > object.image.size() || object.image.size() - offset < size) break;
    std::vector<std::uint32_t> words(size / 4);
    std::memcpy(words.data(), object.image.data() + offset, size);
    while (!words.empty() && is_padding(words.back())) words.pop_back();
    return words;
  }
  return fail(ErrorCode::kBadElf, fmt::format("the code of {} lies outside the file", kernel.name));
}

/// The address that a direct branch goes to.
std::optional<std::uint64_t> branch_target(const Instruction& in, std::uint64_t address) {
  for (const isa::Operand& operand : in.row->sources) {
    if (operand.immediate != isa::ImmediateKind::kBranch) continue;
    return address + 4 * in.dwords + 4 * static_cast<std::int64_t>(in.imm);
  }
  return std::nullopt;
}

struct Decoded {
  std::uint64_t address;
  std::size_t word;
  std::optional<Instruction> instruction;
};

std::vector<Decoded> decode_all(std::span<const std::uint32_t> words, std::uint64_t address,
                                const encoding::Decoder& decoder) {
  std::vector<Decoded> all;
  for (std::size_t at = 0; at < words.size();) {
    const std::uint64_t pc = address + 4 * at;
    Result<Instruction> instruction = decoder.decode(words.subspan(at), pc);
    if (instruction) {
      all.push_back({pc, at, *instruction});
      at += std::max<std::size_t>(instruction->dwords, 1);
    } else {
      all.push_back({pc, at, std::nullopt});
      at += 1;
    }
  }
  return all;
}

}  // namespace

Result<const isa::Target*> isa_target(const std::string& processor) {
  if (const isa::Target* target = isa::find_target(processor)) return target;
  return fail(ErrorCode::kUnsupportedInstruction,
              fmt::format("{} is not a processor that Wavetank disassembles", processor));
}

Result<std::vector<IsaLine>> disassemble_kernel(const CodeObject& object, const Kernel& kernel,
                                                const encoding::Decoder& decoder) {
  const Result<std::vector<std::uint32_t>> words = words_of(object, kernel);
  if (!words) return tl::unexpected(words.error());
  const std::vector<Decoded> decoded = decode_all(*words, kernel.entry_address, decoder);
  std::map<std::uint64_t, std::string> labels;
  for (const Decoded& d : decoded) {
    if (!d.instruction) continue;
    if (const auto target = branch_target(*d.instruction, d.address)) labels[*target];
  }
  std::size_t number = 0;
  for (auto& [address, label] : labels) label = fmt::format("L{}", number++);
  std::vector<IsaLine> lines;
  for (const Decoded& d : decoded) {
    IsaLine line{d.address, {}, {}, {}, d.instruction.has_value()};
    const std::size_t count = d.instruction ? d.instruction->dwords : 1;
    line.words.assign(words->begin() + static_cast<std::ptrdiff_t>(d.word),
                      words->begin() + static_cast<std::ptrdiff_t>(d.word + count));
    if (const auto label = labels.find(d.address); label != labels.end())
      line.label = label->second;
    if (d.instruction) {
      const auto target = branch_target(*d.instruction, d.address);
      line.text = disassemble(*d.instruction, decoder.target(),
                              target ? std::string_view(labels[*target]) : std::string_view());
    } else {
      line.text = fmt::format(".long {:#010x}", line.words.front());
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace wavetank::cli
