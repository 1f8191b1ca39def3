// What a row's facts mean for its bytes: which field feeds which operand, which modifiers exist,
// what a memory row addresses. Decoder, encoder and disassembler share these rules, so that they
// cannot disagree.
#pragma once

#include <array>
#include <cstdint>

#include "encoding/instruction.hpp"
#include "isa/row.hpp"

namespace wavetank::encoding {

/// The place of a source operand in the bytes.
enum class Slot : std::uint8_t {
  kNone,  ///< the row has no such source
  kSrc0,
  kSrc1,
  kSrc2,
  kLiteral,      ///< the dword behind the instruction
  kVcc,          ///< not encoded: always VCC
  kDestination,  ///< the destination's field
  kImmediate,    ///< SIMM16, or SSRC1 as a number (SOPC)
};

/// True for the fields SRC0 up to SRC2.
constexpr bool is_field(Slot slot) { return slot >= Slot::kSrc0 && slot <= Slot::kSrc2; }

/// For each source of the row, its slot in the form (CDNA3 ISA guide, "VOP2", "VOP3A").
std::array<Slot, 4> source_slots(const isa::Row& row, Form form);

/// Encoded sources (SRC0 up to SRC2) in the form.
unsigned encoded_source_count(const isa::Row& row, Form form);

/// The row source that the field SRC0 + `field` holds, one of the encoded.
unsigned source_of_field(const isa::Row& row, Form form, unsigned field);

/// True for a 32-bit SDST field that the format's row writes or reads; false: the field is zero.
bool has_destination(const isa::Row& row);

/// Registers of the destination field.
unsigned destination_dwords(const isa::Row& row);

/// True if neg and abs exist for row source `index` (floats; both values of v_cndmask_b32).
bool has_float_modifiers(const isa::Row& row, unsigned index);

/// Bit i is set if neg and abs exist for the field SRC0 + i of the form.
std::uint8_t float_modifier_mask(const isa::Row& row, Form form);

/// True if omod exists: the result is a computed float.
bool has_output_modifier(const isa::Row& row);

/// True if the VOP3 clamp bit exists: floats are involved, or integers saturate.
bool has_clamp(const isa::Row& row);

/// True if that bit does nothing: f32 dot products of packed f16. AMD's device library sets it in
/// every __ockl_fdot2 (ROCm-Device-Libs, ockl/src/dots.cl), whose sums beyond 1 come back whole:
/// AMD's tests want 14 of amd_mixed_dot (hip-tests, hiprtc_fp16_HeaderTst.cc).
bool ignores_clamp(const isa::Row& row);

/// True for VOP3 rows that choose 16-bit halves by OP_SEL, in sources and result.
bool has_half_select(const isa::Row& row);

/// Sources that have an OP_SEL bit in a has_half_select() row; the result's bit is always bit 3.
unsigned half_select_sources(const isa::Row& row);

/// True if SDWA chooses the part of the result that is written; false: always the whole register.
bool has_sdwa_destination(const isa::Row& row);

/// True for VOP3B: a scalar destination beside the vector result.
bool has_scalar_destination(const isa::Row& row);

/// VOP3P rows of the MAI encoding (matrix rows; ACC bits select AccVGPRs).
bool is_matrix_encoding(const isa::Row& row);

/// VOP3P rows whose sources are single values selected by OP_SEL_HI, with neg and abs
/// (v_fma_mix_f32 and kin), not pairs.
bool is_mixed_precision(const isa::Row& row);

/// True for a first source, or a destination, that is an AccVGPR whatever the ACC bits say.
bool reads_agpr(const isa::Row& row);
bool writes_agpr(const isa::Row& row);

/// Sources that must be an SGPR, M0 or an inline constant, one bit each (v_readlane_b32's lane).
std::uint8_t scalar_only_sources(const isa::Row& row);
/// True for SOP1 rows whose source is a register, never a constant (jumps, indexed moves).
bool register_only_source(const isa::Row& row);
/// Sources that must be a vector register, VGPR or AccVGPR, one bit each.
std::uint8_t vector_only_sources(const isa::Row& row);

/// Operands of a DS row.
struct DsLayout {
  bool address = true;
  unsigned data_dwords = 0, data2_dwords = 0, result_dwords = 0;
  bool offset = true;        ///< an offset field exists
  bool two_offsets = false;  ///< offset0 and offset1, each 8 bits
  bool swizzle = false;      ///< the offset is a lane pattern
  bool gds_only = false;     ///< global wave sync
};
DsLayout ds_layout(const isa::Row& row);

/// Operands of a SMEM row.
struct SmemLayout {
  unsigned data_dwords = 0;  ///< SDATA: result or data; 0: the field is zero
  bool writes_data = false;  ///< SDATA is a result (loads; atomics only with GLC)
  bool is_atomic = false;
  bool has_glc = false;
  bool immediate_data = false;  ///< SDATA is a number (address-translation probes)
  unsigned base_dwords = 0;     ///< 2: address, 4: buffer resource, 0: no address at all
};
SmemLayout smem_layout(const isa::Row& row);

/// Operands of a FLAT, GLOBAL, SCRATCH, MUBUF or MTBUF row.
struct VectorMemoryLayout {
  unsigned data_dwords = 0;    ///< VDATA as source
  unsigned result_dwords = 0;  ///< VDST, or VDATA as result
  bool returns_with_glc = false;
  bool no_operands = false;  ///< cache control
  bool policy_bits = true;   ///< GLC and SCC say something: not for all cache control
  bool to_lds = false;       ///< loads whose target is LDS, not registers
  bool from_lds = false;     ///< stores whose source is LDS (MUBUF, always with the LDS bit)
  bool may_set_lds = false;  ///< MUBUF loads for which the LDS bit exists
};
VectorMemoryLayout vector_memory_layout(const isa::Row& row);

/// Registers of VDATA of an image instruction: DMASK's components (one if it has none), two to a
/// register with D16; of a compare-and-swap, data and comparand.
unsigned image_data_dwords(const Instruction& in);

/// Registers of a memory instruction's operands. VADDR: of an image the first of its coordinates,
/// whose number is in the resource.
unsigned address_dwords(const Instruction& in);
/// The first data operand, and the result where there is one.
unsigned data_dwords(const Instruction& in);
unsigned result_dwords(const Instruction& in);
/// True if a memory instruction writes a result: of an atomic's old value GLC decides.
bool returns(const Instruction& in);
/// SADDR, SBASE or SRSRC: an address, or a resource.
unsigned resource_dwords(const Instruction& in);
/// SADDR of a FLAT instruction: of scratch an offset, of global memory an address; flat has none.
constexpr unsigned saddr_dwords(isa::Format segment) {
  if (segment == isa::Format::kScratch) return 1;
  return segment == isa::Format::kGlobal ? 2 : 0;
}

/// The segment of a FLAT instruction as the SEG field counts it: 0 flat, 1 scratch, 2 global.
constexpr std::uint32_t segment_field(isa::Format segment) {
  if (segment == isa::Format::kScratch) return 1;
  return segment == isa::Format::kGlobal ? 2 : 0;
}

}  // namespace wavetank::encoding
