#include "execute/argument_use.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "encoding/layout.hpp"
#include "encoding/operand.hpp"
#include "execute/scalar_use.hpp"

namespace wavetank::execute {
namespace {

using encoding::Instruction;
using isa::Meaning;
using machine::RegisterRange;
using machine::StepFacts;

constexpr std::uint32_t kAllBits = ~0u;

std::uint32_t bits_of_type(isa::Type type) {
  const bool is_half =
      type == isa::Type::kU16 || type == isa::Type::kI16 || type == isa::Type::kF16;
  return is_half ? 0xffffu : kAllBits;
}

/// Source `index` of an instruction, if it is a constant.
std::optional<std::uint32_t> constant(const Instruction& in, unsigned index) {
  const std::uint16_t code = in.src[index];
  if (!encoding::is_inline_constant(code) && code != encoding::operand::kLiteral)
    return std::nullopt;
  const isa::Type type = in.row->sources[index].type;
  return static_cast<std::uint32_t>(encoding::constant_bits(code, type, in.literal));
}

/// Bits [first, first + count) of a word.
std::uint32_t field(std::uint32_t first, std::uint32_t count) {
  const std::uint64_t ones = (std::uint64_t{1} << std::min(count, 32u)) - 1;
  return static_cast<std::uint32_t>(ones << first);
}

/// The bits of a source of one register that an instruction takes in.
std::uint32_t bits_of_source(const Instruction& in, unsigned index) {
  const bool is_whole = in.form == encoding::Form::kPlain || in.form == encoding::Form::kVop3;
  if (!is_whole || in.op_sel != 0 || in.op_sel_hi != 0) return kAllBits;
  const std::uint32_t bits = bits_of_type(in.row->sources[index].type);
  const Meaning meaning = in.row->meaning;
  if (meaning == Meaning::kExtendByte) return 0xff;
  if (meaning == Meaning::kExtendHalf) return 0xffff;
  const bool has_other = index < 2 && in.row->source_count() == 2;
  const auto other = has_other ? constant(in, 1 - index) : std::nullopt;
  if (!other) return bits;
  const std::uint32_t amount = *other & (bits == kAllBits ? 31u : 15u);
  if (meaning == Meaning::kAnd) return bits & *other;
  if (meaning == Meaning::kShiftRightReversed && index == 1) return bits & (kAllBits << amount);
  if (index != 0) return bits;
  switch (meaning) {
    case Meaning::kShiftRight: return bits & (kAllBits << amount);
    case Meaning::kTestBit: return field(amount, 1);
    case Meaning::kBitField: return field(amount, *other >> 16 & 127);
    default: return bits;
  }
}

/// The bits of a scalar register that an instruction takes in: all if it also reads the register in
/// a way that is no source of its row.
std::uint32_t bits_of_reader(const Instruction& in, const StepFacts& facts, unsigned scalar) {
  std::uint32_t bits = 0;
  std::ptrdiff_t found = 0;
  for (unsigned i = 0; i < std::min<std::size_t>(in.row->source_count(), in.src.size()); ++i) {
    if (in.src[i] != scalar || isa::dwords_of(in.row->sources[i].type) != 1) continue;
    bits |= bits_of_source(in, i);
    ++found;
  }
  const RegisterRange wanted{static_cast<std::uint16_t>(scalar), 1};
  const auto reads = std::ranges::count_if(
      facts.scalar_reads, [&](const RegisterRange& range) { return range.overlaps(wanted); });
  return found == reads ? bits : kAllBits;
}

class ArgumentUse {
 public:
  ArgumentUse(const ProgramOps& program, const FactsOf& facts_of,
              const InstructionOf& instruction_of, std::size_t bytes)
      : program_(program), facts_of_(facts_of), instruction_of_(instruction_of), used_(bytes) {}

  /// Takes in what the code from a slot on does with the address in a pair of registers; false if
  /// that is not known.
  bool follow(unsigned pair, std::size_t from) {
    const auto hand_on = [&](std::size_t slot, const StepFacts&) {
      return this->hand_on(at(slot), slot, pair);
    };
    return visit_readers(program_, known_facts_, pair, from, hand_on) &&
           visit_readers(program_, known_facts_, pair + 1, from, hand_on);
  }
  std::vector<std::uint8_t> used() && { return std::move(used_); }

 private:
  struct Known {
    Instruction instruction;
    StepFacts facts;  ///< without a row if it is no instruction
  };

  const Known& at(std::size_t slot) {
    const auto [place, added] = known_.try_emplace(slot);
    if (added) {
      const auto instruction = instruction_of_(slot);
      if (instruction) place->second = {*instruction, facts_of_(slot)};
    }
    return place->second;
  }

  /// Takes in what an instruction that reads the pair does with it.
  bool hand_on(const Known& known, std::size_t slot, unsigned pair) {
    const Instruction& in = known.instruction;
    const std::size_t behind = slot + in.dwords;
    const bool is_move = in.row->meaning == Meaning::kMove && in.src[0] == pair &&
                         isa::dwords_of(in.row->sources[0].type) == 2;
    if (!is_move && !is_load_from(in, pair)) return false;
    if (!handed_on_.emplace(slot, pair).second) return true;
    if (is_move) return follow(in.dst, behind);
    const RegisterRange result = known.facts.scalar_writes.range[0];
    for (unsigned i = 0; i < result.count; ++i)
      take(in.offset + std::int64_t{4} * i, bits_taken(result.first + i, behind));
    return true;
  }

  static bool is_load_from(const Instruction& in, unsigned pair) {
    return in.row->encoding.format == isa::Format::kSmem &&
           in.row->memory.action == isa::MemoryAction::kLoad &&
           encoding::smem_layout(*in.row).base_dwords == 2 && in.scalar_base == pair &&
           in.smem_immediate && !in.scalar_offset_enable;
  }

  /// The bits of a register that the code from a slot on takes in before it is written again.
  std::uint32_t bits_taken(unsigned scalar, std::size_t from) {
    std::uint32_t bits = 0;
    const bool is_known = visit_readers(
        program_, known_facts_, scalar, from, [&](std::size_t slot, const StepFacts& facts) {
          bits |= bits_of_reader(at(slot).instruction, facts, scalar);
          return bits != kAllBits;
        });
    return is_known ? bits : kAllBits;
  }

  /// The four bytes from an offset on, as far as they are arguments.
  void take(std::int64_t offset, std::uint32_t bits) {
    for (unsigned i = 0; i < 4; ++i, bits >>= 8) {
      const std::int64_t at = offset + i;
      if (at >= 0 && at < std::ssize(used_))
        used_[static_cast<std::size_t>(at)] |= static_cast<std::uint8_t>(bits);
    }
  }

  const ProgramOps& program_;
  const FactsOf& facts_of_;
  const InstructionOf& instruction_of_;
  std::vector<std::uint8_t> used_;
  std::unordered_map<std::size_t, Known> known_;
  const FactsOf known_facts_ = [this](std::size_t slot) { return at(slot).facts; };
  std::set<std::pair<std::size_t, unsigned>> handed_on_;  ///< slots and pairs
};

}  // namespace

std::vector<std::uint8_t> used_argument_bits(const ProgramOps& program, const FactsOf& facts_of,
                                             const InstructionOf& instruction_of, std::size_t entry,
                                             unsigned pointer, std::size_t bytes) {
  ArgumentUse use(program, facts_of, instruction_of, bytes);
  if (!use.follow(pointer, entry)) return std::vector<std::uint8_t>(bytes, 0xff);
  return std::move(use).used();
}

}  // namespace wavetank::execute
