// What registers hold, as far as code alone tells: every value has a number, and equal numbers are
// equal values for as long as the wave is in the same round of its loops.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "lint/blocks.hpp"
#include "lint/code.hpp"

namespace wavetank::lint {

/// A number of a value: 32 bits of a lane, or of a scalar register.
using ValueId = std::uint32_t;

/// Registers of both files in one numbering: SGPRs as StepFacts has them, then the vector
/// registers.
inline constexpr unsigned kFirstVector = 128;

/// Where a value comes from.
struct Value {
  enum class Kind : std::uint8_t {
    kConstant,  ///< `a`
    kArgument,  ///< the dword at byte `a` of the kernel's arguments
    kEntry,     ///< what register `a` holds when the kernel starts
    kResult,    ///< dword `b` of what instruction `a` writes, scalar registers first
    kJoin,      ///< register `b` at the beginning of block `a`, which differs by the way to it
    kMixed,     ///< as kResult, of a vector register that other lanes may have had written before
    kUnknown,   ///< register `b` after instruction `a`
  };
  Kind kind = Kind::kUnknown;
  std::uint32_t a = 0, b = 0;
  friend bool operator==(const Value&, const Value&) = default;
};

/// A register's content: a value, and the instruction that wrote it (kNone: none in particular).
/// Lanes that were not active there still have what was in the register before.
struct Content {
  ValueId value = 0;
  std::uint32_t writer = kNone;
  friend bool operator==(const Content&, const Content&) = default;
};

/// The values of a kernel (Numbering::values_of).
class Values {
 public:
  const Value& operator[](ValueId id) const { return values_[id]; }
  /// The value of register `reg` that an instruction reads; nullopt if it does not read it.
  std::optional<ValueId> read(std::uint32_t step, unsigned reg) const;
  /// Dword `word` of source `source` of the row, constants too; nullopt if there is none, or it is
  /// changed on the way (negated, a part of the register, another lane's).
  std::optional<ValueId> source(std::uint32_t step, unsigned source, unsigned word = 0) const;
  /// EXEC's lower half before an instruction; the upper one is made in the same way.
  ValueId exec(std::uint32_t step) const { return exec_[step]; }
  /// The content of a register when a block has run.
  const Content& at_end(std::uint32_t block, unsigned reg) const {
    return ends_[std::size_t{block} * registers_ + reg];
  }
  /// True if all active lanes surely have the same value.
  bool is_uniform(ValueId id) const;
  /// The constant that a value is.
  std::optional<std::uint32_t> constant(ValueId id) const;
  /// The instruction whose result a value is; kNone if it is no result.
  std::uint32_t result_of(ValueId id) const;
  /// Of SALU rows that add a carry: the instruction that SCC comes from; kNone: not known.
  std::uint32_t carry_of(std::uint32_t step) const;
  /// The argument's byte that a value begins with; nullopt if it is none.
  std::optional<std::uint32_t> argument(ValueId id) const;
  unsigned registers() const { return registers_; }
  const Code& code() const { return *code_; }
  const Blocks& blocks() const { return *blocks_; }
  /// The values of scalar registers alone, which do not depend on lanes; nullptr of such
  /// themselves.
  const Values* masks() const { return masks_.get(); }

 private:
  friend class Numbering;
  struct Read {
    std::uint16_t reg;
    ValueId value;
  };
  /// The part of reads_ that is an instruction's.
  struct Reads {
    std::uint32_t first = 0, count = 0;
  };
  std::span<const Read> reads(std::uint32_t step) const {
    return std::span(reads_).subspan(reads_of_[step].first, reads_of_[step].count);
  }
  Values(const Code& code, const Blocks& blocks) : code_(&code), blocks_(&blocks) {}
  bool is_uniform(ValueId id, unsigned& budget) const;
  bool is_uniform_result(const Value& value, unsigned& budget) const;

  const Code* code_;
  const Blocks* blocks_;
  unsigned registers_ = 0;
  std::vector<Value> values_;
  std::vector<Read> reads_;
  std::vector<Reads> reads_of_;  ///< for each instruction
  std::vector<ValueId> exec_;
  std::vector<Content> ends_;
  std::unordered_map<std::uint32_t, std::uint32_t> carries_;
  std::unordered_map<std::uint32_t, ValueId> constants_;
  std::unique_ptr<Values> masks_;
};

/// Number of a vector register in the common numbering.
constexpr unsigned vector_register(unsigned index) { return kFirstVector + index; }

}  // namespace wavetank::lint
