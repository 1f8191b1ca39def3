#include "lint/constant.hpp"

#include "encoding/operand.hpp"
#include "isa/type.hpp"

namespace wavetank::lint {

namespace code = encoding::operand;

std::optional<std::uint32_t> constant_of(const encoding::Instruction& instruction, unsigned source,
                                         unsigned word) {
  const isa::Row& row = *instruction.row;
  if (row.memory.action != isa::MemoryAction::kNone || source >= row.source_count()) return {};
  const isa::Operand& operand = row.sources[source];
  const unsigned dwords = isa::dwords_of(operand.type);
  if (word >= dwords || dwords > 2 || source >= instruction.src.size()) return std::nullopt;
  if (operand.role == isa::Role::kImmediate) {
    const bool number = operand.immediate == isa::ImmediateKind::kSigned ||
                        operand.immediate == isa::ImmediateKind::kUnsigned;
    return number && word == 0 ? std::optional(static_cast<std::uint32_t>(instruction.imm))
                               : std::nullopt;
  }
  const std::uint16_t from = instruction.src[source];
  const bool constant = from == code::kLiteral || encoding::is_inline_float(from) ||
                        encoding::inline_integer(from).has_value();
  if (!constant) return std::nullopt;
  const std::uint64_t bits = encoding::constant_bits(from, operand.type, instruction.literal);
  return static_cast<std::uint32_t>(bits >> (32 * word));
}

}  // namespace wavetank::lint
