#include "encoding/decoder.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <fmt/format.h>

#include "encoding/formats.hpp"
#include "isa/absent.hpp"
#include "isa/catalogue.hpp"

namespace wavetank::encoding {

using isa::Format;
using isa::Row;

namespace {

std::string place(std::uint64_t pc) { return fmt::format("address {:#014x}", pc); }

tl::unexpected<Error> unknown(std::span<const std::uint32_t> dwords, const isa::Target& target,
                              std::string_view reason, std::uint64_t pc) {
  return fail(ErrorCode::kUnknownInstruction,
              fmt::format("{:08x} is no instruction of {}: {}", fmt::join(dwords, " "), target.name,
                          reason),
              place(pc));
}

/// An opcode without a row: an instruction that exists and is not run here, or none of the target.
tl::unexpected<Error> no_row(const FormatInfo& info, std::uint32_t opcode,
                             std::span<const std::uint32_t> dwords, const isa::Target& target,
                             std::uint64_t pc) {
  const std::string code = fmt::format("{} opcode {}", info.name, opcode);
  const isa::AbsentInstruction* const absent = isa::find_absent(info.format, opcode, target);
  if (absent == nullptr) return unknown(dwords, target, code + " does not exist", pc);
  return fail(ErrorCode::kUnsupportedInstruction,
              fmt::format("{} ({} of {}, {:08x}) is not implemented", absent->mnemonic, code,
                          target.name, dwords[0]),
              place(pc));
}

/// FLAT's table by SEG: flat, scratch, global; 3 is reserved.
constexpr Format kSegments[] = {Format::kFlat, Format::kScratch, Format::kGlobal};

std::uint64_t first_words(std::span<const std::uint32_t> dwords) {
  return dwords[0] | (dwords.size() > 1 ? std::uint64_t{dwords[1]} << 32 : 0);
}

}  // namespace

Decoder::Decoder(const isa::Target& target) : Decoder(target, isa::catalogue()) {}

Decoder::Decoder(const isa::Target& target, std::span<const Row> rows) : target_(target) {
  for (const Row& row : rows) {
    if (target.has(row.lifetime)) add(row);
  }
}

void Decoder::add(const Row& row) {
  const auto put = [&](Format format, std::uint16_t opcode) {
    tables_[static_cast<unsigned>(format)][opcode] = &row;
  };
  const Format format = row.encoding.format;
  put(format, row.encoding.opcode);
  if (format == Format::kFlat) {
    put(Format::kGlobal, row.encoding.opcode);
    // Scratch memory is private to a lane: it has no atomics (CDNA3 ISA guide, "Scratch").
    if (row.memory.action != isa::MemoryAction::kAtomic) {
      put(Format::kScratch, row.encoding.opcode);
    }
  }
  if (isa::has_long_forms(format) && !row.encoding.no_vop3)
    put(Format::kVop3, isa::vop3_opcode(row.encoding));
}

const Row* Decoder::row_of(Format format, std::uint32_t opcode) const {
  return tables_[static_cast<unsigned>(format)][opcode];
}

Result<Instruction> Decoder::decode(std::span<const std::uint32_t> dwords, std::uint64_t pc,
                                    Reserved reserved) const {
  if (dwords.empty()) {
    return fail(ErrorCode::kUnknownInstruction, "the code ends here", place(pc));
  }
  const auto shown = dwords.first(std::min<std::size_t>(2, dwords.size()));
  const FormatInfo* info = format_of(dwords[0]);
  if (info == nullptr) return unknown(dwords.first(1), target_, "reserved format", pc);
  if (dwords.size() < info->dwords) return unknown(shown, target_, "the code ends", pc);

  const std::uint64_t words = first_words(dwords);
  Instruction instruction;
  Format format = info->format;
  if (format == Format::kFlat) {
    const std::uint32_t segment = fields::flat::kSegment.get(words);
    if (segment > 2) return unknown(shown, target_, "reserved segment", pc);
    format = instruction.segment = kSegments[segment];
  }
  const std::uint32_t opcode = info->opcode.get(words);
  const Row* row = row_of(format, opcode);
  if (row == nullptr) return no_row(*info, opcode, shown, target_, pc);

  instruction.row = row;
  instruction.dwords = info->dwords;
  const bool lenient = reserved == Reserved::kIgnore;
  Codec codec(lenient ? Codec::Way::kReadLeniently : Codec::Way::kRead, words, info->opcode_bits(),
              instruction, target_);
  info->code(codec);
  if (!codec.problem().empty()) return unknown(shown, target_, codec.problem(), pc);
  if (dwords.size() < instruction.dwords) return unknown(shown, target_, "the code ends", pc);
  if (!lenient && codec.sets_reserved_bits()) {
    return unknown(dwords.first(instruction.dwords), target_, "reserved bits are set", pc);
  }
  return instruction;
}

const Decoder& decoder_of(const isa::Target& target) {
  static auto& mutex = *new std::mutex;
  static auto& decoders = *new std::map<isa::Version, std::unique_ptr<Decoder>>;
  const std::lock_guard lock(mutex);
  std::unique_ptr<Decoder>& decoder = decoders[target.version];
  if (decoder == nullptr) decoder = std::make_unique<Decoder>(target);
  return *decoder;
}

}  // namespace wavetank::encoding
