// Bytes to instructions. The decoder is built from the catalogue: one flat table per format, opcode
// to row, for one target. It knows formats and fields, and no instruction.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/error.hpp"
#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// What to do about bits that the format reserves and scalar tuples that are not aligned: refuse
/// the instruction, or look past them as LLVM's disassembler does.
enum class Reserved : std::uint8_t { kRefuse, kIgnore };

/// Decodes the instructions of one target. Immutable; may be shared by threads.
class Decoder {
 public:
  /// A decoder of `target` for all rows of isa::catalogue().
  explicit Decoder(const isa::Target& target);
  /// A decoder for the given rows, which must outlive it.
  Decoder(const isa::Target& target, std::span<const isa::Row> rows);

  /// The instruction that starts at dwords[0]. `pc` is the address of that dword; it is only used
  /// in diagnostics. Errors: kUnknownInstruction if the bytes are no instruction, reserved fields
  /// are set or the code ends inside the instruction; kUnsupportedInstruction if the opcode is one
  /// of isa::absent_instructions().
  Result<Instruction> decode(std::span<const std::uint32_t> dwords, std::uint64_t pc,
                             Reserved reserved = Reserved::kRefuse) const;

  const isa::Target& target() const { return target_; }

 private:
  using Rows = std::array<const isa::Row*, 1024>;

  void add(const isa::Row& row);
  const isa::Row* row_of(isa::Format format, std::uint32_t opcode) const;

  isa::Target target_;
  std::array<Rows, 18> tables_ = {};  ///< by Format, then opcode
};

/// The decoder of a target, made once: it is a large table. Safe from any thread.
const Decoder& decoder_of(const isa::Target& target);

}  // namespace wavetank::encoding
