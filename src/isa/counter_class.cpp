#include "isa/counter_class.hpp"

#include <array>
#include <utility>

namespace wavetank::isa {
namespace {

enum class Kind : std::uint8_t { kNone, kAdd, kMultiply, kFma, kTranscendental };

/// Name beginnings, the longer ones first where one begins with another.
constexpr std::array kBeginnings = {
    std::pair{std::string_view("v_pk_add_f"), Kind::kAdd},
    std::pair{std::string_view("v_pk_mul_f"), Kind::kMultiply},
    std::pair{std::string_view("v_pk_fma_f"), Kind::kFma},
    std::pair{std::string_view("v_add_f"), Kind::kAdd},
    std::pair{std::string_view("v_sub_f"), Kind::kAdd},
    std::pair{std::string_view("v_subrev_f"), Kind::kAdd},
    std::pair{std::string_view("v_mul_f"), Kind::kMultiply},
    std::pair{std::string_view("v_mul_legacy_f"), Kind::kMultiply},
    std::pair{std::string_view("v_fma_mix"), Kind::kFma},
    std::pair{std::string_view("v_fma"), Kind::kFma},
    std::pair{std::string_view("v_mad_f"), Kind::kFma},
    std::pair{std::string_view("v_mac_f"), Kind::kFma},
    std::pair{std::string_view("v_dot2_f32"), Kind::kFma},
    std::pair{std::string_view("v_div_fmas"), Kind::kFma},
};

Kind kind_of(const Row& row) {
  if (row.rate == Rate::kTranscendental) return Kind::kTranscendental;
  for (const auto& [beginning, kind] : kBeginnings) {
    if (row.name.starts_with(beginning)) return kind;
  }
  return Kind::kNone;
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
  if (row.name.starts_with("v_cvt_")) return CounterClass::kConvert;
  const Kind kind = kind_of(row);
  const Type type = row.result.type;
  if (kind != Kind::kNone) {
    if (type == Type::kF16 || type == Type::kPkF16) return class_at(CounterClass::kAddF16, kind);
    if (type == Type::kF64) return class_at(CounterClass::kAddF64, kind);
    return class_at(CounterClass::kAddF32, kind);
  }
  if (row.mask_result && type == Type::kNone) return CounterClass::kNone;
  const bool moves = row.name.starts_with("v_mov") || row.name.starts_with("v_pk_mov") ||
                     row.name.starts_with("v_cndmask") || row.name.starts_with("v_accvgpr");
  if (moves) return CounterClass::kNone;
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
