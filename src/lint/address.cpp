#include "lint/address.hpp"

#include "isa/row.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using isa::Meaning;
namespace code = encoding::operand;

/// Additions that are followed.
constexpr unsigned kDepth = 8;

/// Bytes that are counted from a base: more is no address in the same array.
constexpr std::int64_t kMostOffset = std::int64_t{1} << 40;

/// The sum modulo 2^64.
std::int64_t plus(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

/// The pair that an instruction has as a 64-bit source, or as the halves of two.
std::optional<Pair> pair_of(const std::optional<ValueId>& low, const std::optional<ValueId>& high) {
  return low && high ? std::optional(Pair{*low, *high}) : std::nullopt;
}

/// True if `high` adds the carry of `low`.
bool carries_over(const Subject& subject, std::uint32_t low, std::uint32_t high) {
  const Values& values = *subject.values;
  const isa::Row &first = subject.code.row(low), &second = subject.code.row(high);
  if (first.meaning != Meaning::kAdd || second.meaning != Meaning::kAddCarry) {
    return false;
  }
  if (second.unit == isa::Unit::kSalu) return values.carry_of(high) == low;
  const auto carry = values.source(high, 2);
  return carry && values.result_of(*carry) == low && values[*carry].b == 0;
}

/// The sum of one instruction with 64-bit operands: (s0 << s1) + s2.
std::vector<Addends> addends_of_wide(const Subject& subject, std::uint32_t step) {
  const Values& values = *subject.values;
  const isa::Row& row = subject.code.row(step);
  const bool adds = row.meaning == Meaning::kShiftLeftAdd && isa::dwords_of(row.result.type) == 2;
  if (!adds) return {};
  Addends addends;
  const auto shift = values.source(step, 1);
  if (shift && values.constant(*shift) == 0u) {
    addends.first = pair_of(values.source(step, 0, 0), values.source(step, 0, 1));
  }
  addends.second = pair_of(values.source(step, 2, 0), values.source(step, 2, 1));
  return {addends};
}

std::optional<std::int64_t> constant_of_pair(const Subject& subject, const Pair& pair) {
  const auto low = subject.values->constant(pair.low), high = subject.values->constant(pair.high);
  if (!low || !high) return std::nullopt;
  return static_cast<std::int64_t>(std::uint64_t{*high} << 32 | *low);
}

/// Takes constants that were added out of a 32-bit value.
Sum sum_of_word(const Subject& subject, ValueId value) {
  Sum sum{{value, kNone}, 0};
  for (unsigned depth = 0; depth < kDepth; ++depth) {
    const std::uint32_t step = subject.values->result_of(sum.base.low);
    if (step == kNone || subject.code.row(step).meaning != Meaning::kAdd) break;
    if (isa::dwords_of(subject.code.row(step).result.type) != 1 ||
        isa::is_float(subject.code.row(step).result.type) ||
        subject.code.row(step).keeps_high_half || subject.code.instructions[step].clamp) {
      break;
    }
    const auto first = subject.values->source(step, 0), second = subject.values->source(step, 1);
    if (!first || !second) break;
    const auto a = subject.values->constant(*first), b = subject.values->constant(*second);
    if (!a && !b) break;
    sum.offset += static_cast<std::int32_t>(a ? *a : *b);
    sum.base.low = a ? *second : *first;
  }
  return sum;
}

std::optional<Address> lds_address(const Subject& subject, std::uint32_t step) {
  const Instruction& in = subject.code.instructions[step];
  if (in.gds || !code::is_vgpr(in.address)) return std::nullopt;
  const auto value = subject.values->read(step, vector_register(in.address - code::kVgpr0));
  if (!value) return std::nullopt;
  const Sum sum = sum_of_word(subject, *value);
  Address address;
  address.base[0] = sum.base;
  address.offset = sum.offset + in.offset;
  return address;
}

std::optional<Address> global_address(const Subject& subject, std::uint32_t step) {
  const Instruction& in = subject.code.instructions[step];
  Address address;
  address.offset = in.offset;
  if (in.segment == isa::Format::kGlobal && in.scalar_base != code::kNone) {
    const auto index = subject.values->read(step, vector_register(in.address - code::kVgpr0));
    const auto base = pair_of(subject.values->read(step, in.scalar_base),
                              subject.values->read(step, in.scalar_base + 1u));
    if (!code::is_vgpr(in.address) || !index || !base) return std::nullopt;
    address.base[0] = {*index, kNone};
    const Sum sum = sum_of(subject, *base);
    address.base[1] = sum.base;
    address.offset += sum.offset;
    return address;
  }
  const auto pointer = vector_pair(subject, step, in.address);
  if (!pointer) return std::nullopt;
  const Sum sum = sum_of(subject, *pointer);
  address.base[0] = sum.base;
  address.offset += sum.offset;
  return address;
}

}  // namespace

std::optional<Pair> vector_pair(const Subject& subject, std::uint32_t step, std::uint16_t operand) {
  if (!code::is_vgpr(operand)) return std::nullopt;
  const unsigned reg = vector_register(operand - code::kVgpr0);
  return pair_of(subject.values->read(step, reg), subject.values->read(step, reg + 1));
}

std::vector<Addends> addends_of(const Subject& subject, Pair value) {
  const Values& values = *subject.values;
  const std::uint32_t low = values.result_of(value.low), high = values.result_of(value.high);
  if (low == kNone || high == kNone) return {};
  if (low == high) return addends_of_wide(subject, low);
  // Of vector rows the carry's mask is the first of the result's dwords.
  const std::uint32_t word = subject.code.row(low).mask_result ? 2 : 0;
  const std::uint32_t high_word = subject.code.row(high).mask_result ? 2 : 0;
  if (values[value.low].b != word || values[value.high].b != high_word) return {};
  if (!carries_over(subject, low, high)) return {};
  std::vector<Addends> found;
  for (const unsigned other : {0u, 1u}) {
    found.push_back({pair_of(values.source(low, 0), values.source(high, other)),
                     pair_of(values.source(low, 1), values.source(high, 1 - other))});
  }
  return found;
}

namespace {

/// The value without one constant that was added; nullopt if there is none.
std::optional<Sum> without_constant(const Subject& subject, const Pair& value) {
  for (const Addends& addends : addends_of(subject, value)) {
    if (!addends.first || !addends.second) continue;
    const auto a = constant_of_pair(subject, *addends.first);
    const auto b = constant_of_pair(subject, *addends.second);
    if (a || b) return Sum{a ? *addends.second : *addends.first, a ? *a : *b};
  }
  return std::nullopt;
}

}  // namespace

Sum sum_of(const Subject& subject, Pair value) {
  Sum sum{value, 0};
  for (unsigned depth = 0; depth < kDepth; ++depth) {
    const auto less = without_constant(subject, sum.base);
    if (!less) break;
    const std::int64_t offset = plus(sum.offset, less->offset);
    if (offset > kMostOffset || offset < -kMostOffset) break;
    sum = {less->base, offset};
  }
  return sum;
}

std::optional<Address> address_of(const Subject& subject, std::uint32_t step) {
  if (subject.values == nullptr) return std::nullopt;
  const isa::Row& row = subject.code.row(step);
  switch (row.encoding.format) {
    case isa::Format::kDs: return lds_address(subject, step);
    case isa::Format::kFlat:
    case isa::Format::kGlobal:
      return subject.code.instructions[step].segment == isa::Format::kScratch
                 ? std::nullopt
                 : global_address(subject, step);
    default: return std::nullopt;
  }
}

}  // namespace wavetank::lint
