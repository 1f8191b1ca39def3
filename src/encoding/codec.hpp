// Moves the fields of one instruction between its bits and an Instruction, whichever way it was
// made for: so the decoder and the encoder have one description of each format. Private to
// src/encoding.
#pragma once

#include <cstdint>
#include <string_view>

#include "encoding/fields.hpp"
#include "encoding/instruction.hpp"
#include "isa/row.hpp"
#include "isa/target.hpp"

namespace wavetank::encoding {

/// Why bytes are no instruction; empty when they are one.
using Problem = std::string_view;

/// A field that names a source, and what its numbers are.
struct SourceField {
  Field field;
  std::uint16_t first = 0;  ///< operand code of its 0; kVgpr0 where it names vector registers only
  bool acc = false;         ///< its vector registers are AccVGPRs
  bool literal = false;     ///< 255 is the dword behind the instruction, where the row takes one
};

/// The way between bits and an instruction.
class Codec {
 public:
  enum class Way : std::uint8_t {
    kRead,
    kReadLeniently,  ///< aligns scalar tuples down instead of refusing odd ones
    kWrite,
  };
  /// Reads `words`, the first two dwords (the second is 0 where the code ends), into `instruction`,
  /// of which the row is known; or writes what it holds over `words`. The bits of `opcode` are
  /// those that led to the row.
  Codec(Way way, std::uint64_t words, std::uint64_t opcode, Instruction& instruction,
        const isa::Target& of_target)
      : in(instruction),
        row(*instruction.row),
        target(of_target),
        way_(way),
        words_(words),
        taken_(opcode) {}

  Instruction& in;
  const isa::Row& row;
  const isa::Target& target;

  bool reads() const { return way_ != Way::kWrite; }
  std::uint64_t words() const { return words_; }
  /// The first reason why the bits are no instruction.
  Problem problem() const { return problem_; }
  /// Keeps the problem if it is the first.
  void refuse_unless(bool fits, Problem problem) {
    if (!fits && problem_.empty()) problem_ = problem;
  }
  /// True if bits are set that the instruction does not have: those of no field that was moved,
  /// and what was found reserved.
  bool sets_reserved_bits() const;
  /// Takes note of bits that say nothing, or say again what is said already.
  void find_reserved(bool set) { sets_reserved_bits_ = sets_reserved_bits_ || set; }

  /// A number or flag, of which only the `allowed` bits exist.
  template <class T>
  void number(Field field, T& value, std::uint32_t allowed = ~0u) {
    if (reads()) {
      value = static_cast<T>(take(field, allowed));
    } else {
      words_ |= field.put(static_cast<std::uint64_t>(value) & allowed);
    }
  }
  /// A number whose top bit is its sign.
  void signed_number(Field field, std::int32_t& value) {
    number(field, value);
    if (reads()) value = field.get_signed(words_);
  }
  /// Bit `index` of `bits`, if it is allowed.
  void bit(Field field, std::uint8_t& bits, unsigned index, unsigned allowed) {
    auto value = static_cast<std::uint8_t>(bits >> index & 1u);
    number(field, value, allowed >> index & 1u);
    if (reads()) bits = static_cast<std::uint8_t>(bits | value << index);
  }
  /// What the bits always are.
  void fixed(Field field, std::uint32_t value) {
    std::uint32_t is = value;
    number(field, is);
    find_reserved(is != value);
  }
  /// The dword behind the instruction.
  void literal();

  /// The operand code of a scalar tuple, which counts `unit` registers; left alone where absent.
  void scalar_code(Field field, unsigned dwords, std::uint16_t& code, unsigned unit = 1);
  /// The same of what must be registers.
  void scalar(Field field, unsigned dwords, std::uint16_t& code, Problem problem,
              unsigned unit = 1);
  /// A tuple of vector registers of the file that starts at `first`; nothing if it has none.
  void registers(Field field, std::uint16_t first, unsigned dwords, std::uint16_t& code);
  /// The same of the file that a bit chooses (CDNA3 ISA guide, "FLAT", field ACC).
  void data(Field field, Field acc, unsigned dwords, std::uint16_t& code);
  /// Source `index` of a vector row.
  void source(unsigned index, const SourceField& from);

 private:
  /// The bits of a field, which the instruction has.
  std::uint32_t take(Field field, std::uint32_t allowed = ~0u) {
    taken_ |= field.put(allowed);
    return field.get(words_) & allowed;
  }
  std::uint16_t aligned(std::uint32_t code, unsigned dwords) const;
  void check_source(unsigned index);

  const Way way_;
  std::uint64_t words_;
  std::uint64_t taken_;
  bool sets_reserved_bits_ = false;
  Problem problem_;
};

}  // namespace wavetank::encoding
