#include <array>
#include <cstddef>
#include <cstring>

#include "execute/reference/lane_row.hpp"
#include "number/integer.hpp"
#include "number/sad.hpp"

namespace wavetank::execute::reference {
namespace {

using isa::Type;
using machine::Wave;

bool is_16(Type type) { return type == Type::kU16 || type == Type::kI16 || type == Type::kF16; }
bool bit(unsigned bits, unsigned index) { return ((bits >> index) & 1) != 0; }

/// The dword at a byte offset of the vector file, for one lane.
std::uint32_t& vector_dword(Wave& wave, std::uint32_t offset, unsigned dword, unsigned lane) {
  return wave.vgpr[offset / 4 + 64 * dword + lane];
}

/// A dword of a source.
std::uint32_t source_dword(Wave& wave, const Op* op, unsigned source, unsigned dword,
                           unsigned lane) {
  switch (op->kind[source]) {
    case Source::kVector: return vector_dword(wave, op->src[source], dword, lane);
    case Source::kConstant:
      return dword < 2 ? static_cast<std::uint32_t>(op->constant[source] >> (32 * dword)) : 0;
    case Source::kScalar: break;
  }
  std::uint32_t bits;
  std::memcpy(&bits, reinterpret_cast<const std::byte*>(&wave) + op->src[source] + 4 * dword, 4);
  return bits;
}

/// All bits of a source: one register or two.
std::uint64_t source_bits(Wave& wave, const Op* op, unsigned source, unsigned dwords,
                          unsigned lane) {
  const std::uint64_t low = source_dword(wave, op, source, 0, lane);
  if (dwords == 1) return low;
  return low | std::uint64_t{source_dword(wave, op, source, 1, lane)} << 32;
}

std::uint64_t sign_bit(Type type) {
  switch (type) {
    case Type::kF16: return 0x8000;
    case Type::kF32: return 0x80000000;
    case Type::kF64: return std::uint64_t{1} << 63;
    default: return 0;
  }
}

/// The abs and neg modifiers; nothing for integers.
std::uint64_t modify(std::uint64_t bits, Type type, bool absolute, bool negated) {
  const std::uint64_t sign = sign_bit(type);
  if (absolute) bits &= ~sign;
  return negated ? bits ^ sign : bits;
}

std::uint64_t half(std::uint64_t bits, bool high) { return (high ? bits >> 16 : bits) & 0xffff; }

/// A source of an ordinary row.
std::uint64_t plain_source(Wave& wave, const Op* op, unsigned source, Type type, unsigned lane) {
  std::uint64_t bits = source_bits(wave, op, source, isa::dwords_of(type), lane);
  if (is_16(type)) bits = half(bits, bit(op->op_sel, source));
  return modify(bits, type, bit(op->abs, source), bit(op->neg, source));
}

/// The low or high half (of f32: register) of a packed source.
std::uint64_t packed_source(Wave& wave, const Op* op, unsigned source, Type type, bool high_result,
                            unsigned lane) {
  const bool high = bit(high_result ? op->op_sel_hi : op->op_sel, source);
  const bool negated = bit(high_result ? op->neg_hi : op->neg_lo, source);
  const std::uint64_t bits = source_bits(wave, op, source, is_16(type) ? 1 : 2, lane);
  const std::uint64_t chosen =
      is_16(type) ? half(bits, high) : (high ? bits >> 32 : bits & 0xffffffff);
  return modify(chosen, type, false, negated);
}

std::uint64_t pair_source(Wave& wave, const Op* op, unsigned source, Type type, unsigned lane) {
  const std::uint64_t bits = source_bits(wave, op, source, 1, lane);
  const Type element = type == Type::kPkF16 ? Type::kF16 : Type::kU16;
  const auto pick = [&](unsigned selects, unsigned negations) {
    return modify(half(bits, bit(selects, source)), element, false, bit(negations, source));
  };
  return pick(op->op_sel, op->neg_lo) | (pick(op->op_sel_hi, op->neg_hi) << 16);
}

std::uint64_t mix_source(Wave& wave, const Op* op, unsigned source, unsigned lane) {
  const std::uint64_t bits = source_bits(wave, op, source, 1, lane);
  const bool absolute = bit(op->abs, source), negated = bit(op->neg, source);
  if (!bit(op->op_sel_hi, source)) return modify(bits, Type::kF32, absolute, negated);
  const auto chosen = modify(half(bits, bit(op->op_sel, source)), Type::kF16, absolute, negated);
  return number::f16_to_f32({static_cast<std::uint16_t>(chosen)}).bits;
}

/// The old value of the destination.
std::uint64_t accumulator(Wave& wave, const Op* op, const LaneRow& row, Type type, bool high_result,
                          unsigned lane) {
  const std::uint64_t low = vector_dword(wave, op->dst, 0, lane);
  if (is_16(type)) return half(low, row.packed && high_result);
  if (isa::dwords_of(type) == 1) return low;
  return low | (std::uint64_t{vector_dword(wave, op->dst, 1, lane)} << 32);
}

LaneInputs gather(Wave& wave, const Op* op, const LaneRow& row, bool high_result, unsigned lane) {
  LaneInputs inputs;
  unsigned source = 0;
  for (std::size_t i = 0; i < row.parameters.size(); ++i) {
    const auto [type, from] = row.parameters[i];
    std::uint64_t& bits = inputs.bits[i];
    switch (from) {
      case From::kNothing: break;
      case From::kRegister:
        bits = row.packed ? packed_source(wave, op, source++, type, high_result, lane)
                          : plain_source(wave, op, source++, type, lane);
        break;
      case From::kPair: bits = pair_source(wave, op, source++, type, lane); break;
      case From::kMix: bits = mix_source(wave, op, source++, lane); break;
      case From::kWord:
        bits = source_bits(wave, op, source, 2, lane) >> (bit(op->op_sel, source) ? 32 : 0);
        ++source;
        break;
      case From::kAccumulator: bits = accumulator(wave, op, row, type, high_result, lane); break;
      case From::kMask: bits = (source_bits(wave, op, source++, 2, lane) >> lane) & 1; break;
      case From::kVcc: bits = (wave.vcc() >> lane) & 1; break;
      case From::kLaneNumber: bits = lane; break;
    }
  }
  return inputs;
}

/// omod and clamp of a float result.
template <class T>
std::uint64_t modify_float(std::uint64_t bits, const Op* op) {
  T value = number::from_bits<T>(bits);
  value = number::omod(value, op->omod, current_modes(value));
  if (op->clamp) value = number::clamp(value, current_modes(value));
  return value.bits;
}
std::uint64_t modify_result(std::uint64_t bits, const LaneRow& row, const Op* op) {
  if (op->omod == 0 && !op->clamp) return bits;
  switch (row.result) {
    case Type::kF16: return modify_float<number::f16>(bits, op);
    case Type::kF32: return modify_float<number::f32>(bits, op);
    case Type::kF64: return modify_float<number::f64>(bits, op);
    default: return bits;
  }
}

LaneResult run_lane(Wave& wave, const Op* op, const LaneRow& row, bool high_result, unsigned lane) {
  const LaneInputs inputs = gather(wave, op, row, high_result, lane);
  const bool saturates = op->clamp && row.saturating != nullptr;
  LaneResult result = saturates ? row.saturating(inputs) : row.evaluate(inputs);
  result.bits = modify_result(result.bits, row, op);
  return result;
}

void put(Wave& wave, const Op* op, const LaneRow& row, std::uint64_t bits, unsigned lane) {
  std::uint32_t& low = vector_dword(wave, op->dst, 0, lane);
  if (row.to == To::kNothing) return;
  if (row.to == To::kByte) {
    const unsigned place = 8 * (op->op_sel >> 2);
    low = (low & ~(0xffu << place)) | static_cast<std::uint32_t>(bits << place);
  } else if (is_16(row.result) && (row.to == To::kHighHalf || bit(op->op_sel, 3))) {
    low = (low & 0xffff) | static_cast<std::uint32_t>(bits << 16);
  } else if (is_16(row.result)) {
    low = (op->keeps_high_half ? low & 0xffff0000 : 0) | static_cast<std::uint32_t>(bits);
  } else {
    low = static_cast<std::uint32_t>(bits);
    if (isa::dwords_of(row.result) == 2) {
      vector_dword(wave, op->dst, 1, lane) = static_cast<std::uint32_t>(bits >> 32);
    }
  }
}

/// Both results of a packed row.
void run_packed_lane(Wave& wave, const Op* op, const LaneRow& row, unsigned lane) {
  const std::uint64_t low = run_lane(wave, op, row, false, lane).bits;
  const std::uint64_t high = run_lane(wave, op, row, true, lane).bits;
  std::uint32_t& first = vector_dword(wave, op->dst, 0, lane);
  if (is_16(row.result)) {
    first = static_cast<std::uint32_t>(low | (high << 16));
  } else {
    first = static_cast<std::uint32_t>(low);
    vector_dword(wave, op->dst, 1, lane) = static_cast<std::uint32_t>(high);
  }
}

}  // namespace

const Op* run_lane_by_lane(Wave& wave, const Op* op, const LaneRow& row) {
  current_modes = {number::f32_mode(wave.mode.bits), number::f64_f16_mode(wave.mode.bits),
                   wave.mode.fp16_overflow()};
  std::uint64_t mask = 0;
  machine::for_each_lane(wave.exec(), [&](unsigned lane) {
    if (row.packed) return run_packed_lane(wave, op, row, lane);
    const LaneResult result = run_lane(wave, op, row, false, lane);
    mask |= std::uint64_t{result.mask} << lane;
    put(wave, op, row, result.bits, lane);
  });
  if (row.mask_result) wave.set_scalar64(op->sdst, mask);
  if (row_of(*op).exec_result) wave.set_exec(mask);
  return op + op->dwords;
}

const Op* run_mqsad(Wave& wave, const Op* op) {
  machine::for_each_lane(wave.exec(), [&](unsigned lane) {
    const std::uint64_t window = source_bits(wave, op, 0, 2, lane);
    const std::uint32_t reference = source_dword(wave, op, 1, 0, lane);
    std::array<std::uint32_t, 4> start;
    for (unsigned i = 0; i < start.size(); ++i) start[i] = source_dword(wave, op, 2, i, lane);
    const auto none = std::array<std::uint32_t, 4>{};
    auto sums = number::mqsad_u32_u8(window, reference, op->clamp ? none : start);
    for (unsigned i = 0; i < sums.size(); ++i) {
      if (op->clamp) sums[i] = number::add_saturate(sums[i], start[i]);
      vector_dword(wave, op->dst, i, lane) = sums[i];
    }
  });
  return op + op->dwords;
}

}  // namespace wavetank::execute::reference
