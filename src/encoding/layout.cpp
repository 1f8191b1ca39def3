#include "encoding/layout.hpp"

#include <algorithm>

namespace wavetank::encoding {

using isa::Format;
using isa::MemoryAction;
using isa::RegisterClass;
using isa::Role;
using isa::Row;
using isa::Type;

namespace {

bool is_16_bit(Type type) { return type == Type::kU16 || type == Type::kI16 || type == Type::kF16; }

/// True if the result or a source is of a type that the predicate holds for.
bool any_operand(const Row& row, bool (*applies)(Type)) {
  return applies(row.result.type) || std::ranges::any_of(row.sources, applies, &isa::Operand::type);
}

bool is_vop(Format format) { return format >= Format::kVop1 && format <= Format::kVop3p; }

/// The choice between two values by a lane mask (v_cndmask_b32): no arithmetic, but the values may
/// be floats. An addition with carry also writes a mask.
bool selects_by_mask(const Row& row) {
  return !row.mask_result && row.sources[2].type == Type::kMask &&
         row.sources[2].role == Role::kSource;
}

/// Conversions to FP8, which choose the byte or half they write (CDNA3 ISA guide).
bool is_fp8_conversion(const Row& row) {
  return row.op_sel == isa::OpSel::kResultHalf || row.op_sel == isa::OpSel::kResultByte;
}

/// The sources whose registers are restricted so, one bit for each in the order of their fields.
template <class Applies>
std::uint8_t sources_that(const Row& row, Applies applies) {
  unsigned mask = 0;
  unsigned field = 0;
  for (unsigned i = 0; i < row.source_count(); ++i) {
    if (row.sources[i].role != Role::kSource) continue;
    if (applies(row.sources[i].registers)) mask |= 1u << field;
    ++field;
  }
  return static_cast<std::uint8_t>(mask);
}

Slot slot_of(const isa::Operand& operand, const Row& row, Form form, unsigned& next) {
  switch (operand.role) {
    case Role::kAccumulator: return Slot::kDestination;
    case Role::kLiteral: return Slot::kLiteral;
    case Role::kImplicitVcc: return Slot::kVcc;
    case Role::kLaneNumber: return Slot::kNone;
    case Role::kImmediate: return Slot::kImmediate;
    case Role::kSource: break;
  }
  const bool e32 = is_vop(row.encoding.format) && row.encoding.format != Format::kVop3 &&
                   row.encoding.format != Format::kVop3p && form != Form::kVop3;
  if (operand.type == Type::kMask && e32) return Slot::kVcc;
  return static_cast<Slot>(static_cast<unsigned>(Slot::kSrc0) + next++);
}

}  // namespace

std::array<Slot, 4> source_slots(const Row& row, Form form) {
  std::array<Slot, 4> slots = {Slot::kNone, Slot::kNone, Slot::kNone, Slot::kNone};
  unsigned next = 0;
  for (unsigned i = 0; i < row.source_count(); ++i) {
    slots[i] = slot_of(row.sources[i], row, form, next);
  }
  return slots;
}

unsigned encoded_source_count(const Row& row, Form form) {
  return static_cast<unsigned>(std::ranges::count_if(source_slots(row, form), is_field));
}

unsigned source_of_field(const Row& row, Form form, unsigned field) {
  const auto slots = source_slots(row, form);
  const auto slot = static_cast<Slot>(static_cast<unsigned>(Slot::kSrc0) + field);
  return static_cast<unsigned>(std::ranges::find(slots, slot) - slots.begin());
}

bool has_destination(const Row& row) { return destination_dwords(row) != 0; }

unsigned destination_dwords(const Row& row) {
  if (row.result.type != Type::kNone) return isa::dwords_of(row.result.type);
  if (row.mask_result) return 2;
  for (const isa::Operand& source : row.sources) {
    if (source.role == Role::kAccumulator) return isa::dwords_of(source.type);
  }
  return 0;
}

bool has_float_modifiers(const Row& row, unsigned index) {
  return isa::is_float(row.sources[index].type) || (selects_by_mask(row) && index < 2);
}

std::uint8_t float_modifier_mask(const Row& row, Form form) {
  unsigned mask = 0;
  for (unsigned field = 0; field < encoded_source_count(row, form); ++field) {
    if (has_float_modifiers(row, source_of_field(row, form, field))) mask |= 1u << field;
  }
  return static_cast<std::uint8_t>(mask);
}

bool has_output_modifier(const Row& row) {
  return isa::is_float(row.result.type) && !selects_by_mask(row);
}

bool has_clamp(const Row& row) {
  if (row.integer_clamp == isa::IntegerClamp::kSaturates) return true;
  if (selects_by_mask(row) || is_fp8_conversion(row)) return false;
  // A class test looks at a float and computes none: the second source is a set of classes.
  if (row.encoding.format == Format::kVopc) {
    return isa::is_float(row.sources[0].type) && isa::is_float(row.sources[1].type);
  }
  return any_operand(row, isa::is_float);
}

bool ignores_clamp(const Row& row) {
  return row.encoding.format == Format::kVop3p && row.unit == isa::Unit::kValu &&
         row.result.type == isa::Type::kF32 && row.sources[0].type == isa::Type::kPkF16;
}

bool has_half_select(const Row& row) {
  if (row.encoding.format != Format::kVop3) return false;
  if (row.op_sel == isa::OpSel::kNothing) return false;
  if (is_fp8_conversion(row)) return true;
  return any_operand(row, is_16_bit);
}

unsigned half_select_sources(const Row& row) {
  return row.op_sel == isa::OpSel::kResultByte ? 3 : encoded_source_count(row, Form::kVop3);
}

bool has_sdwa_destination(const Row& row) {
  // A compare writes a mask.
  return row.encoding.format != Format::kVopc && !row.encoding.whole_sdwa_result;
}

bool has_scalar_destination(const Row& row) {
  return row.mask_result && row.result.type != Type::kNone;
}

bool is_matrix_encoding(const Row& row) {
  return row.matrix.present() ||
         (row.encoding.format == Format::kVop3p && (reads_agpr(row) || writes_agpr(row)));
}

bool is_mixed_precision(const Row& row) {
  if (row.encoding.format != Format::kVop3p || is_matrix_encoding(row)) return false;
  const Type first = row.sources[0].type;
  return first == Type::kF32 || first == Type::kF16;
}

bool reads_agpr(const Row& row) { return row.sources[0].registers == RegisterClass::kAgpr; }

bool writes_agpr(const Row& row) { return row.result.registers == RegisterClass::kAgpr; }

std::uint8_t scalar_only_sources(const Row& row) {
  return sources_that(row, [](RegisterClass held) { return held == RegisterClass::kScalar; });
}

bool register_only_source(const Row& row) {
  return row.sources[0].registers == RegisterClass::kSgpr;
}

std::uint8_t vector_only_sources(const Row& row) {
  return sources_that(row, [](RegisterClass held) {
    return held == RegisterClass::kVgpr || held == RegisterClass::kAgpr;
  });
}

DsLayout ds_layout(const Row& row) {
  using isa::MemorySpecial;
  const isa::MemoryShape& memory = row.memory;
  DsLayout layout;
  layout.data_dwords = memory.data_dwords;
  layout.data2_dwords = memory.data2_dwords;
  layout.result_dwords = memory.result_dwords;
  layout.two_offsets = memory.element_count == 2;
  layout.swizzle = memory.special == MemorySpecial::kSwizzle;
  layout.gds_only = memory.special == MemorySpecial::kGwsInit ||
                    memory.special == MemorySpecial::kGwsBarrier ||
                    memory.special == MemorySpecial::kGwsSemaphore;
  // No ADDR: the address comes from M0 or the lane number, or there is none.
  const bool from_m0 = memory.special == MemorySpecial::kThreadAddress ||
                       memory.atomic == isa::AtomicOperation::kAppend ||
                       memory.atomic == isa::AtomicOperation::kConsume;
  layout.offset = memory.action != MemoryAction::kCacheControl || layout.gds_only;
  layout.address = !from_m0 && memory.action != MemoryAction::kCacheControl;
  return layout;
}

SmemLayout smem_layout(const Row& row) {
  SmemLayout layout;
  const isa::MemoryShape& memory = row.memory;
  layout.is_atomic = memory.action == MemoryAction::kAtomic;
  layout.has_glc = memory.action != MemoryAction::kCacheControl;
  layout.writes_data = memory.action == MemoryAction::kLoad;
  layout.data_dwords = layout.writes_data ? memory.result_dwords : memory.data_dwords;
  layout.immediate_data = memory.special == isa::MemorySpecial::kProbe;
  layout.base_dwords = memory.base_dwords;
  return layout;
}

VectorMemoryLayout vector_memory_layout(const Row& row) {
  VectorMemoryLayout layout;
  const isa::MemoryShape& memory = row.memory;
  layout.no_operands = memory.action == MemoryAction::kCacheControl;
  layout.policy_bits = !layout.no_operands || memory.has_scope;
  layout.to_lds = memory.action == MemoryAction::kLoadToLds;
  const bool buffer = row.encoding.format == Format::kMubuf;
  layout.from_lds = memory.special == isa::MemorySpecial::kFromLds;
  layout.data_dwords = memory.data_dwords;
  layout.result_dwords = layout.to_lds ? 0 : memory.result_dwords;
  layout.returns_with_glc = memory.action == MemoryAction::kAtomic && !memory.always_returns;
  // The LDS bit exists for format_x, the byte, short and dword loads: one register, not D16.
  layout.may_set_lds =
      buffer && memory.action == MemoryAction::kLoad && memory.result_dwords == 1 && !memory.d16;
  if (layout.from_lds) layout.data_dwords = 0;
  return layout;
}

unsigned address_dwords(const Instruction& in) {
  switch (in.row->encoding.format) {
    case Format::kFlat:
    case Format::kGlobal:
    case Format::kScratch:
      if (in.segment == Format::kScratch) return 1;
      return in.scalar_base == operand::kNone ? 2 : 1;
    case Format::kMubuf:
    case Format::kMtbuf: return (in.idxen ? 1u : 0u) + (in.offen ? 1u : 0u);
    default: return 1;
  }
}

unsigned data_dwords(const Instruction& in) {
  const bool image = in.row->encoding.format == Format::kMimg;
  return image ? image_data_dwords(in) : in.row->memory.data_dwords;
}

unsigned result_dwords(const Instruction& in) {
  const bool image = in.row->encoding.format == Format::kMimg;
  return image ? image_data_dwords(in) : in.row->memory.result_dwords;
}

bool returns(const Instruction& in) {
  const isa::MemoryShape& memory = in.row->memory;
  return memory.always_returns || (memory.result_dwords != 0 && in.glc);
}

unsigned resource_dwords(const Instruction& in) {
  switch (in.row->encoding.format) {
    case Format::kSmem: return smem_layout(*in.row).base_dwords;
    case Format::kMubuf:
    case Format::kMtbuf: return 4;
    case Format::kMimg: return 8;
    case Format::kFlat:
    case Format::kGlobal:
    case Format::kScratch: return saddr_dwords(in.segment);
    default: return 0;
  }
}

}  // namespace wavetank::encoding
