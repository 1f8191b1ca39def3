#include "lint/address.hpp"

#include <algorithm>

#include "isa/meaning.hpp"

namespace wavetank::lint {
namespace {

using encoding::Instruction;
using isa::Meaning;
namespace code = encoding::operand;

/// Additions that are followed.
constexpr unsigned kDepth = 8;

/// The pair that an instruction has as a 64-bit source, or as the halves of two.
std::optional<Pair> pair_of(const std::optional<ValueId>& low, const std::optional<ValueId>& high) {
  return low && high ? std::optional(Pair{*low, *high}) : std::nullopt;
}

/// True if `high` adds the carry of `low`.
bool carries_over(const Subject& subject, std::uint32_t low, std::uint32_t high) {
  const Values& values = *subject.values;
  const isa::Row &first = subject.code.row(low), &second = subject.code.row(high);
  if (isa::meaning_of(first) != Meaning::kAdd || isa::meaning_of(second) != Meaning::kAddCarry) {
    return false;
  }
  if (second.unit == isa::Unit::kSalu) return values.carry_of(high) == low;
  const auto carry = values.source(high, 2);
  return carry && values.result_of(*carry) == low && values[*carry].b == 0;
}

/// The sum of one instruction with 64-bit operands: (s0 << s1) + s2.
std::optional<Addends> addends_of_wide(const Subject& subject, std::uint32_t step) {
  const Values& values = *subject.values;
  const isa::Row& row = subject.code.row(step);
  const bool adds =
      isa::meaning_of(row) == Meaning::kShiftLeftAdd && isa::dwords_of(row.result.type) == 2;
  if (!adds) return std::nullopt;
  Addends addends;
  const auto shift = values.source(step, 1);
  if (shift && values.constant(*shift) == 0u) {
    addends.first = pair_of(values.source(step, 0, 0), values.source(step, 0, 1));
  }
  addends.second = pair_of(values.source(step, 2, 0), values.source(step, 2, 1));
  return addends;
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
    if (step == kNone || isa::meaning_of(subject.code.row(step)) != Meaning::kAdd) break;
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

std::optional<Pair> vector_pair(const Subject& subject, std::uint32_t step, std::uint16_t operand) {
  if (!code::is_vgpr(operand)) return std::nullopt;
  const unsigned reg = vector_register(operand - code::kVgpr0);
  return pair_of(subject.values->read(step, reg), subject.values->read(step, reg + 1));
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

bool is_pointer_argument(const Subject& subject, const Pair& pair) {
  const auto low = subject.values->argument(pair.low), high = subject.values->argument(pair.high);
  if (!low || !high || *high != *low + 4) return false;
  return std::ranges::any_of(subject.kernel.arguments, [&](const code_object::Argument& argument) {
    return argument.offset_bytes == *low && argument.size_bytes == 8 &&
           argument.kind == code_object::ArgumentKind::kGlobalBuffer;
  });
}

/// True if a value is the upper half of addresses in LDS.
bool is_lds_aperture(const Subject& subject, ValueId high) {
  const std::uint32_t step = subject.values->result_of(high);
  if (step == kNone || isa::meaning_of(subject.code.row(step)) != Meaning::kMove) return false;
  const bool upper =
      isa::dwords_of(subject.code.row(step).result.type) == 1 || (*subject.values)[high].b == 1;
  return subject.code.instructions[step].src[0] == code::kSharedBase && upper &&
         isa::dwords_of(subject.code.row(step).result.type) == 2;
}

/// The pointer that an address is made of by adding to it: what `wanted` says of it, nullopt if it
/// says nothing of either side of an addition, or of both.
template <class Wanted>
auto made_of(const Subject& subject, const Pair& pointer, unsigned depth, const Wanted& wanted)
    -> decltype(wanted(pointer)) {
  if (const auto found = wanted(pointer)) return found;
  const auto addends = depth == 0 ? std::nullopt : addends_of(subject, pointer);
  if (!addends) return std::nullopt;
  const auto first = addends->first ? made_of(subject, *addends->first, depth - 1, wanted)
                                    : decltype(wanted(pointer))();
  const auto second = addends->second ? made_of(subject, *addends->second, depth - 1, wanted)
                                      : decltype(wanted(pointer))();
  if (first && second) return std::nullopt;
  return first ? first : second;
}

/// The argument that a pointer is.
std::optional<std::uint32_t> pointer_argument(const Subject& subject, const Pair& pair) {
  if (!is_pointer_argument(subject, pair)) return std::nullopt;
  return subject.values->argument(pair.low);
}

}  // namespace

std::optional<Addends> addends_of(const Subject& subject, Pair value) {
  const Values& values = *subject.values;
  const std::uint32_t low = values.result_of(value.low), high = values.result_of(value.high);
  if (low == kNone || high == kNone) return std::nullopt;
  if (low == high) return addends_of_wide(subject, low);
  // Of vector rows the carry's mask is the first of the result's dwords.
  const std::uint32_t word = subject.code.row(low).mask_result ? 2 : 0;
  const std::uint32_t high_word = subject.code.row(high).mask_result ? 2 : 0;
  if (values[value.low].b != word || values[value.high].b != high_word) return std::nullopt;
  if (!carries_over(subject, low, high)) return std::nullopt;
  return Addends{pair_of(values.source(low, 0), values.source(high, 0)),
                 pair_of(values.source(low, 1), values.source(high, 1))};
}

Sum sum_of(const Subject& subject, Pair value) {
  Sum sum{value, 0};
  for (unsigned depth = 0; depth < kDepth; ++depth) {
    const auto addends = addends_of(subject, sum.base);
    if (!addends || !addends->first || !addends->second) break;
    const auto a = constant_of_pair(subject, *addends->first);
    const auto b = constant_of_pair(subject, *addends->second);
    if (!a && !b) break;
    sum.offset += a ? *a : *b;
    sum.base = a ? *addends->second : *addends->first;
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

Points points_to(const Subject& subject, std::uint32_t step) {
  if (subject.values == nullptr) return Points::kUnknown;
  const auto pointer = vector_pair(subject, step, subject.code.instructions[step].address);
  if (!pointer) return Points::kUnknown;
  const auto found =
      made_of(subject, *pointer, kDepth, [&](const Pair& pair) -> std::optional<Points> {
        if (is_lds_aperture(subject, pair.high)) return Points::kLds;
        if (is_pointer_argument(subject, pair)) return Points::kGlobal;
        return std::nullopt;
      });
  return found.value_or(Points::kUnknown);
}

std::optional<std::uint32_t> argument_accessed(const Subject& subject, std::uint32_t step) {
  const auto address = address_of(subject, step);
  if (!address || subject.code.row(step).encoding.format == isa::Format::kDs) return std::nullopt;
  const Pair& base = address->base[1].low == kNone ? address->base[0] : address->base[1];
  return made_of(subject, base, kDepth,
                 [&](const Pair& pair) { return pointer_argument(subject, pair); });
}

}  // namespace wavetank::lint
