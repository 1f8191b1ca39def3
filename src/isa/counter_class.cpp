#include "isa/counter_class.hpp"

namespace wavetank::isa {
namespace {

enum class Kind : std::uint8_t { kNone, kAdd, kMultiply, kFma, kTranscendental };

/// What a meaning counts as, of floats.
Kind kind_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::kAdd:
    case Meaning::kSubtract:
    case Meaning::kSubtractReversed: return Kind::kAdd;
    case Meaning::kMultiply: return Kind::kMultiply;
    case Meaning::kFused:
    case Meaning::kDivideFuse: return Kind::kFma;
    default: return Kind::kNone;
  }
}

Kind kind_of(const Row& row) {
  if (row.rate == Rate::kTranscendental) return Kind::kTranscendental;
  switch (row.arithmetic) {
    case Arithmetic::kAdd: return Kind::kAdd;
    case Arithmetic::kMultiply: return Kind::kMultiply;
    case Arithmetic::kFma: return Kind::kFma;
    case Arithmetic::kNothing: return Kind::kNone;
    case Arithmetic::kByMeaning: break;
  }
  return is_float(row.result.type) ? kind_of(row.meaning) : Kind::kNone;
}

/// Copies, of which no counter tells: also those from one vector register file to the other.
bool is_copy(const Row& row) {
  return row.meaning == Meaning::kMove || row.arithmetic == Arithmetic::kNothing ||
         row.result.registers == RegisterClass::kAgpr ||
         row.sources[0].registers == RegisterClass::kAgpr;
}

/// Offset of a kind within its precision's four classes.
CounterClass class_at(CounterClass first, Kind kind) {
  return static_cast<CounterClass>(static_cast<unsigned>(first) + static_cast<unsigned>(kind) - 1);
}

/// By a number of bits; what also adds or multiplies has a third source.
bool is_shift(const Row& row) { return row.source_count() == 2; }

bool is_packed(Type type) { return type == Type::kPkF16 || type == Type::kPkF32; }

}  // namespace

CounterClass counter_class(const Row& row) {
  if (row.unit != Unit::kValu || row.scalar_result) return CounterClass::kNone;
  if (row.meaning == Meaning::kConvert) return CounterClass::kConvert;
  const Kind kind = kind_of(row);
  const Type type = row.result.type;
  if (kind != Kind::kNone) {
    if (type == Type::kF16 || type == Type::kPkF16) return class_at(CounterClass::kAddF16, kind);
    if (type == Type::kF64) return class_at(CounterClass::kAddF64, kind);
    return class_at(CounterClass::kAddF32, kind);
  }
  if (row.mask_result && type == Type::kNone) return CounterClass::kNone;
  if (is_copy(row)) return CounterClass::kNone;
  switch (type) {
    case Type::kU32:
    case Type::kI32:
    case Type::kU16:
    case Type::kI16:
    case Type::kPkI16:
    case Type::kPkU16: break;
    // Shifts count as what has 32 bits: the vcopy workload of rocprofiler-compute has no
    // SQ_INSTS_VALU_INT64 on MI200, and two on MI300X, which are v_lshl_add_u64.
    case Type::kU64:
    case Type::kI64: return is_shift(row) ? CounterClass::kInt32 : CounterClass::kInt64;
    default: return CounterClass::kNone;
  }
  return CounterClass::kInt32;
}

unsigned operations_per_lane(const Row& row) {
  const Kind kind = kind_of(row);
  const CounterClass counter = counter_class(row);
  unsigned operations = counter == CounterClass::kInt32 || counter == CounterClass::kInt64 ? 1 : 0;
  if (kind != Kind::kNone) operations = kind == Kind::kFma ? 2 : 1;
  return is_packed(row.result.type) ? 2 * operations : operations;
}

}  // namespace wavetank::isa
