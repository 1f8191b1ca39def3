// Loops around a compare-and-swap that do what one atomic instruction does.
#include <fmt/format.h>

#include <algorithm>

#include "isa/catalogue.hpp"
#include "isa/row.hpp"
#include "isa/mnemonic.hpp"
#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using isa::AtomicOperation;
using isa::Meaning;
using isa::Type;
namespace code = encoding::operand;

/// The vector registers of a compare-and-swap's operands.
struct Operands {
  unsigned stored = 0, expected = 0, dwords = 0;
};

std::optional<Operands> operands_of(const Subject& subject, std::uint32_t step) {
  const Instruction& in = subject.code.instructions[step];
  const isa::MemoryShape& shape = in.row->memory;
  if (shape.atomic != AtomicOperation::kCompareSwap || !code::is_vgpr(in.data)) return {};
  const unsigned dwords = shape.element_bytes / 4u;
  const unsigned data = vector_register(in.data - code::kVgpr0);
  if (in.row->encoding.format != isa::Format::kDs) return Operands{data, data + dwords, dwords};
  if (!code::is_vgpr(in.data2)) return std::nullopt;
  return Operands{vector_register(in.data2 - code::kVgpr0), data, dwords};
}

/// The operation on memory that a row does with registers; several where the device may have one or
/// the other.
std::vector<AtomicOperation> operations_of(const isa::Row& row) {
  const Type type = row.result.type;
  const bool is_float = isa::is_float(type);
  const bool is_signed = type == Type::kI32 || type == Type::kI64;
  switch (row.meaning) {
    case Meaning::kAdd:
      if (is_float) return {AtomicOperation::kFloatAdd, AtomicOperation::kFloatAddFlush};
      return {AtomicOperation::kAdd};
    case Meaning::kAnd: return {AtomicOperation::kAnd};
    case Meaning::kOr: return {AtomicOperation::kOr};
    case Meaning::kXor: return {AtomicOperation::kXor};
    case Meaning::kMinimum:
      if (is_float) return {AtomicOperation::kFloatMin};
      return {is_signed ? AtomicOperation::kSignedMin : AtomicOperation::kUnsignedMin};
    case Meaning::kMaximum:
      if (is_float) return {AtomicOperation::kFloatMax};
      return {is_signed ? AtomicOperation::kSignedMax : AtomicOperation::kUnsignedMax};
    default: return {};
  }
}

/// The instruction that makes the stored value of the expected one and something else.
std::uint32_t maker_of(const Subject& subject, std::uint32_t step, const Operands& operands) {
  const Values& values = *subject.values;
  std::uint32_t maker = kNone;
  for (unsigned word = 0; word < operands.dwords; ++word) {
    const auto stored = values.read(step, operands.stored + word);
    if (!stored || values.result_of(*stored) == kNone) return kNone;
    if (word != 0 && values.result_of(*stored) != maker) return kNone;
    maker = values.result_of(*stored);
  }
  const isa::Row& row = subject.code.row(maker);
  if (isa::dwords_of(row.result.type) != operands.dwords || row.source_count() != 2) return kNone;
  for (const unsigned source : {0u, 1u}) {
    bool same = true;
    for (unsigned word = 0; word < operands.dwords && same; ++word) {
      const auto from = values.source(maker, source, word);
      same = from.has_value() && from == values.read(step, operands.expected + word);
    }
    if (same) return maker;
  }
  return kNone;
}

/// The atomic of the target, without a result, that does the first operation that it has where the
/// compare-and-swap works.
const isa::Row* find_atomic(const Subject& subject, std::uint32_t step,
                            const std::vector<AtomicOperation>& operations) {
  const Instruction& in = subject.code.instructions[step];
  const bool global = in.segment == isa::Format::kGlobal;
  const auto fits = [&](const isa::Row& row, AtomicOperation operation) {
    const bool here = row.encoding.format == in.row->encoding.format ||
                      (global && row.encoding.format == isa::Format::kGlobal &&
                       in.row->encoding.format == isa::Format::kFlat);
    return subject.target.has(row.lifetime) && here && row.memory.atomic == operation &&
           !row.memory.always_returns && row.memory.element_bytes == in.row->memory.element_bytes;
  };
  for (const AtomicOperation operation : operations) {
    for (const isa::Row& row : isa::catalogue()) {
      if (fits(row, operation)) return &row;
    }
  }
  return nullptr;
}

}  // namespace

void find_swap_loop(const Subject& subject, Findings& findings) {
  if (subject.values == nullptr) return;
  for (std::uint32_t step = 0; step < subject.code.size(); ++step) {
    if (subject.blocks.loop_of(step) == kNone) continue;
    const auto operands = operands_of(subject, step);
    const std::uint32_t maker = operands ? maker_of(subject, step, *operands) : kNone;
    if (maker == kNone) continue;
    const isa::Row& made_by = subject.code.row(maker);
    const isa::Row* const atomic = find_atomic(subject, step, operations_of(made_by));
    if (atomic == nullptr) continue;
    Finding finding;
    finding.step = step;
    finding.others = {maker};
    finding.what = fmt::format("a loop around a compare-and-swap does what {} does",
                               isa::mnemonic(*atomic, subject.code.instructions[step].segment));
    const bool memory = atomic->encoding.format != isa::Format::kDs;
    if (memory && isa::is_float(made_by.result.type)) {
      finding.note = "if the memory is the device's own (coarse-grained)";
      if (atomic->memory.atomic == AtomicOperation::kFloatAddFlush) {
        finding.note += ", and denormals may become zero";
      }
    }
    findings.push_back(std::move(finding));
  }
}

}  // namespace wavetank::lint
