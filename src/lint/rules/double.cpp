// Arithmetic in f64 between values of f32, because of a constant.
#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "encoding/operand.hpp"
#include "isa/row.hpp"
#include "lint/constant.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using isa::Meaning;
using isa::Type;
namespace code = encoding::operand;

/// Operations in f64 that are followed from a conversion back.
constexpr unsigned kExpressionDepth = 6;

bool converts(const isa::Row& row, Type to, Type from) {
  return row.meaning == Meaning::kConvert && row.result.type == to && row.sources[0].type == from;
}

/// What an expression in f64 is made of.
struct Parts {
  unsigned operations = 0, constants = 0, floats = 0;
  std::uint32_t operation = kNone;  ///< one of them
};

/// Follows expressions.
class Expressions {
 public:
  explicit Expressions(const Subject& subject) : subject_(subject) {
    for (std::uint32_t step = 0; step < subject.code.size(); ++step) count_reads(step);
  }

  /// Adds what source `source` of an instruction is made of. False if that is anything else than
  /// constants, f32 values and operations on them whose results nothing else reads.
  bool follow(std::uint32_t step, unsigned source, unsigned depth, Parts& parts) const {
    const auto low = half(step, source, 0), high = half(step, source, 1);
    if (low == Half::constant() && high == Half::constant()) return ++parts.constants, true;
    if (!low.value || !high.value || depth == 0) return false;
    const Values& values = *subject_.values;
    if (values.constant(*low.value) && values.constant(*high.value)) return ++parts.constants, true;
    const std::uint32_t made_by = values.result_of(*high.value);
    if (made_by == kNone || values.result_of(*low.value) != made_by) return false;
    const isa::Row& row = subject_.code.row(made_by);
    if (converts(row, Type::kF64, Type::kF32)) return ++parts.floats, true;
    const Meaning meaning = row.meaning;
    const bool computes =
        meaning == Meaning::kAdd || meaning == Meaning::kMultiply || meaning == Meaning::kFused;
    if (!computes || row.result.type != Type::kF64 || reads_of(*high.value) != 1) return false;
    ++parts.operations;
    parts.operation = made_by;
    for (unsigned i = 0; i < row.source_count(); ++i) {
      if (!follow(made_by, i, depth - 1, parts)) return false;
    }
    return true;
  }

 private:
  /// Half of a source: a constant of the instruction, or a value, whatever its sign.
  struct Half {
    std::optional<ValueId> value;
    bool is_constant = false;
    static Half constant() { return {std::nullopt, true}; }
    friend bool operator==(const Half&, const Half&) = default;
  };

  Half half(std::uint32_t step, unsigned source, unsigned word) const {
    const encoding::Instruction& in = subject_.code.instructions[step];
    if (constant_of(in, source, word)) return Half::constant();
    const std::uint16_t from = in.src[source];
    if (from < kFirstVector) return {subject_.values->read(step, from + word)};
    if (!code::is_vgpr(from)) return {};
    return {subject_.values->read(step, vector_register(from - code::kVgpr0 + word))};
  }

  void count_reads(std::uint32_t step) {
    const machine::StepFacts& facts = subject_.code.flow[step].facts;
    for (const auto& range : facts.vector_reads) {
      for (unsigned i = 0; i < range.count; ++i) {
        if (const auto value = subject_.values->read(step, vector_register(range.first + i))) {
          ++reads_[*value];
        }
      }
    }
  }
  unsigned reads_of(ValueId value) const {
    const auto known = reads_.find(value);
    return known == reads_.end() ? 0 : known->second;
  }

  const Subject& subject_;
  std::unordered_map<ValueId, unsigned> reads_;
};

}  // namespace

void find_double_literal(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  std::optional<Expressions> expressions;
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    if (!converts(subject.code.row(step), Type::kF32, Type::kF64)) continue;
    if (!expressions) expressions.emplace(subject);
    Parts parts;
    if (!expressions->follow(step, 0, kExpressionDepth, parts)) continue;
    if (parts.operations == 0 || parts.constants == 0 || parts.floats == 0) continue;
    Finding finding;
    finding.step = parts.operation;
    finding.others = {step};
    finding.what = fmt::format(
        "{} operation{} in f64 on f32 values and constants, whose result becomes f32 again",
        parts.operations, parts.operations == 1 ? "" : "s");
    finding.note = "in f32 the last bit of the result may differ";
    findings.push_back(std::move(finding));
  }
}

}  // namespace wavetank::lint
