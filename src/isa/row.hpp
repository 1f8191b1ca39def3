// A row: all that is true of one instruction, as plain data. Decoder, disassembler, executor,
// timing, docs and tests loop over rows; none of them knows an instruction by name.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "isa/lifetime.hpp"
#include "isa/matrix_shape.hpp"
#include "isa/meaning.hpp"
#include "isa/type.hpp"

namespace wavetank::isa {

/// Encoding families (CDNA3 ISA guide, "Microcode Formats"). A VOP1, VOP2 or VOPC row also has the
/// VOP3 form, at the opcode vop3_opcode() gives, and the SDWA and DPP forms, unless a Form flag
/// says no. kFlat rows exist as flat_, global_ and scratch_ by the SEG field.
enum class Format : std::uint8_t {
  kSop1,
  kSop2,
  kSopk,
  kSopc,
  kSopp,
  kSmem,
  kVop1,
  kVop2,
  kVopc,
  kVop3,
  kVop3p,
  kDs,
  kFlat,
  kGlobal,
  kScratch,
  kMubuf,
  kMtbuf,
  kMimg,
};

/// True for the formats of one dword whose rows may have longer forms: VOP3, SDWA and DPP.
constexpr bool has_long_forms(Format format) {
  return format == Format::kVop1 || format == Format::kVop2 || format == Format::kVopc;
}

/// Where a row's bytes come from: family, opcode and the forms that do not exist.
struct Encoding {
  Format format;
  std::uint16_t opcode;
  bool no_vop3 = false;
  bool no_sdwa = false;
  bool no_dpp = false;
  bool whole_sdwa_result = false;  ///< the SDWA form chooses parts of its source only
  /// The form without a VOP3 form, and so on; chainable in a row.
  constexpr Encoding only_e32() const { return {format, opcode, true, true, true}; }
  constexpr Encoding without_sdwa() const { return {format, opcode, no_vop3, true, no_dpp}; }
  constexpr Encoding without_dpp() const { return {format, opcode, no_vop3, no_sdwa, true}; }
  constexpr Encoding without_sdwa_dpp() const { return {format, opcode, no_vop3, true, true}; }
  constexpr Encoding with_whole_sdwa_result() const {
    return {format, opcode, no_vop3, no_sdwa, no_dpp, true};
  }
};

constexpr Encoding sop1(std::uint16_t op) { return {Format::kSop1, op}; }
constexpr Encoding sop2(std::uint16_t op) { return {Format::kSop2, op}; }
constexpr Encoding sopk(std::uint16_t op) { return {Format::kSopk, op}; }
constexpr Encoding sopc(std::uint16_t op) { return {Format::kSopc, op}; }
constexpr Encoding sopp(std::uint16_t op) { return {Format::kSopp, op}; }
constexpr Encoding smem(std::uint16_t op) { return {Format::kSmem, op}; }
constexpr Encoding vop1(std::uint16_t op) { return {Format::kVop1, op}; }
constexpr Encoding vop2(std::uint16_t op) { return {Format::kVop2, op}; }
constexpr Encoding vopc(std::uint16_t op) { return {Format::kVopc, op}; }
constexpr Encoding vop3(std::uint16_t op) { return {Format::kVop3, op}; }
constexpr Encoding vop3p(std::uint16_t op) { return {Format::kVop3p, op}; }
constexpr Encoding ds(std::uint16_t op) { return {Format::kDs, op}; }
/// flat_, global_ and scratch_ forms; global()/scratch() for instructions of one segment only.
constexpr Encoding flat(std::uint16_t op) { return {Format::kFlat, op}; }
constexpr Encoding global(std::uint16_t op) { return {Format::kGlobal, op}; }
constexpr Encoding scratch(std::uint16_t op) { return {Format::kScratch, op}; }
constexpr Encoding mubuf(std::uint16_t op) { return {Format::kMubuf, op}; }
constexpr Encoding mtbuf(std::uint16_t op) { return {Format::kMtbuf, op}; }

/// Opcode of the VOP3 form of a VOPC, VOP2 or VOP1 opcode (CDNA3 ISA guide, VOP3A).
constexpr std::uint16_t vop3_opcode(const Encoding& encoding) {
  switch (encoding.format) {
    case Format::kVop1: return static_cast<std::uint16_t>(0x140 + encoding.opcode);
    case Format::kVop2: return static_cast<std::uint16_t>(0x100 + encoding.opcode);
    default: return encoding.opcode;
  }
}

/// The unit that executes a row.
enum class Unit : std::uint8_t {
  kSalu,
  kBranch,
  kInternal,
  kSmem,
  kValu,
  kMatrix,
  kLds,
  kVectorMemory,
  kFlat,
  kMessage,
};

/// Issue rate classes of the VALU; cycles come from the device description.
enum class Rate : std::uint8_t { kFull, kDouble, kQuarter, kTranscendental };

/// Whether an integer row saturates under the VOP3 clamp bit.
enum class IntegerClamp : std::uint8_t { kNone, kSaturates };

/// Where a source of a VALU row comes from. A kMask source is VCC in VOP2 form and src2 in VOP3.
enum class Role : std::uint8_t {
  kSource,
  kAccumulator,
  kLiteral,
  kImplicitVcc,
  kLaneNumber,
  kImmediate
};

/// True for sources that an instruction's bytes name or hold: all but the destination as a source,
/// VCC where it is always that, and the lane's number.
constexpr bool is_encoded(Role role) {
  return role != Role::kAccumulator && role != Role::kImplicitVcc && role != Role::kLaneNumber;
}

/// What an immediate field means, which is how it is printed: SIMM16 of SOPK and SOPP, the raw
/// SSRC1 field of SOPC (s_set_gpr_idx_on).
enum class ImmediateKind : std::uint8_t {
  kNone,
  kSigned,
  kUnsigned,
  kBranch,
  kWaitcnt,
  kMessage,
  kHwreg,
  kGprIndexMode,
};

/// The registers that may hold an operand, where its field could name more (LLVM
/// VOP3Instructions.td, SOPInstructions.td: the operands' register classes).
enum class RegisterClass : std::uint8_t {
  kAny,     ///< whatever the field can name
  kVgpr,    ///< a vector register; where the encoding has ACC bits, they choose its file
  kAgpr,    ///< an AccVGPR, whatever the ACC bits say
  kScalar,  ///< an SGPR, M0 or an inline constant: no vector register
  kSgpr,    ///< a scalar register: no constant
};

/// One operand of a row.
struct Operand {
  Type type = Type::kNone;
  Role role = Role::kSource;
  ImmediateKind immediate = ImmediateKind::kNone;
  RegisterClass registers = RegisterClass::kAny;
};

/// What a VALU row is counted as, where its meaning does not say it (counter_class.hpp): nothing,
/// or an arithmetic of floats.
enum class Arithmetic : std::uint8_t { kByMeaning, kNothing, kAdd, kMultiply, kFma };

/// What OP_SEL chooses in the VOP3 form of a row (VOP3P has rules of its own).
enum class OpSel : std::uint8_t {
  kHalves,      ///< the halves of 16-bit operands, if the row has some
  kNothing,     ///< GFX8's versions of 16-bit rows: low halves only (LLVM, "legacy")
  kResultHalf,  ///< conversions to two FP8: also the half they go to; no CLAMP
  kResultByte,  ///< to one FP8: its byte, by the bits of SRC2 and the result; no CLAMP
};

/// How a memory row moves data; absent (kNone) for all others.
enum class MemoryAction : std::uint8_t { kNone, kLoad, kStore, kAtomic, kLoadToLds, kCacheControl };

/// What an atomic does to memory; isa/atomics.hpp has the arithmetic. "Flush" takes denormals as
/// zero whatever MODE says.
enum class AtomicOperation : std::uint8_t {
  kNone,
  kSwap,
  kCompareSwap,
  kAdd,
  kSub,
  kReverseSub,
  kSignedMin,
  kUnsignedMin,
  kSignedMax,
  kUnsignedMax,
  kAnd,
  kOr,
  kXor,
  kInc,
  kDec,
  kMaskOr,
  kWrap,
  kConditionalSwap,
  kFloatCompareSwap,
  kFloatAdd,
  kFloatAddFlush,
  kFloatMin,
  kFloatMax,
  kPackedAddF16,
  kPackedAddBf16,
  kAppend,
  kConsume,
};

/// What a row asks of the sequencer instead of work.
enum class Pause : std::uint8_t {
  kNone,
  kWait,     ///< lets time pass, at most until the wave's own memory accesses are done
  kSleep,    ///< waits for what others do
  kBarrier,  ///< waits for the waves of the workgroup
  kEnd,      ///< for ever
};

/// Where a memory row departs from "address, data, result".
enum class MemorySpecial : std::uint8_t {
  kNone,
  kThreadAddress,  ///< the address is M0 + offset + 4 * lane
  kSwizzle,
  kPermute,
  kBackwardPermute,  ///< no memory: lanes exchange registers
  kGwsInit,
  kGwsBarrier,
  kGwsSemaphore,  ///< global wave sync
  kCycles,
  kReferenceTime,  ///< no memory: reads a clock
  kFormat,         ///< converts between registers and the buffer's data format
  kFromLds,        ///< the data comes from LDS
  kScratchOffset,  ///< scalar: the offset counts 64 bytes
  kProbe,          ///< address-translation probe: no effect
};

/// True for rows whose lanes exchange registers: they touch no memory.
constexpr bool exchanges_registers(MemorySpecial special) {
  return special == MemorySpecial::kSwizzle || special == MemorySpecial::kPermute ||
         special == MemorySpecial::kBackwardPermute;
}

/// True for rows that give the time.
constexpr bool reads_clock(MemorySpecial special) {
  return special == MemorySpecial::kCycles || special == MemorySpecial::kReferenceTime;
}

/// What an image instruction does with a texel.
enum class ImageAccess : std::uint8_t {
  kTexel,      ///< converts between registers and the image's format
  kRaw,        ///< no conversion; 8 and 16 bits are zero-extended
  kRawSigned,  ///< no conversion; 8 and 16 bits are sign-extended
  kSample,     ///< filters, at float coordinates
  kAtomic,     ///< 32 or 64 bits, as DMASK says
  kInfo,       ///< no memory: the image's size
};

/// What a MIMG row adds to its data shape; how many components move is in its DMASK.
struct ImageShape {
  ImageAccess access = ImageAccess::kTexel;
  bool mip = false;      ///< the last coordinate is the level
  bool has_d16 = false;  ///< the D16 bit exists: 16-bit components, two in a register
};

/// The data shape of a memory row.
struct MemoryShape {
  MemoryAction action = MemoryAction::kNone;
  std::uint8_t element_bytes = 0;  ///< bytes per lane and access
  std::uint8_t element_count = 1;  ///< 2 for ds_read2 and its kin
  std::uint8_t data_dwords = 0;    ///< registers of the first data operand (0: none)
  std::uint8_t data2_dwords = 0;   ///< registers of DS data1 (0: none)
  std::uint8_t result_dwords = 0;  ///< registers written (for atomics: if GLC or _rtn)
  bool always_returns = false;     ///< loads and DS _rtn rows
  bool sign_extend = false;
  bool d16 = false;       ///< 16 bits of the register only
  bool d16_high = false;  ///< the upper 16
  bool stride64 = false;  ///< ds_*st64: offsets count 64 elements
  AtomicOperation atomic = AtomicOperation::kNone;
  MemorySpecial special = MemorySpecial::kNone;
  bool writes_back_l2 = false;   ///< cache control: dirty lines of the L2 go to memory
  bool invalidates_l1 = false;   ///< cache control: the vector L1 forgets
  bool volatile_lines = false;   ///< cache control: of volatile memory only
  bool has_scope = false;        ///< cache control: SC1 and SC0 say how far it reaches
  std::uint8_t components = 0;   ///< values that kFormat converts
  std::uint8_t base_dwords = 0;  ///< SMEM's SBASE: 2 an address, 4 a buffer resource, 0 absent
  ImageShape image = {};
};

/// True for rows that have to do with memory, or with its caches.
constexpr bool concerns_memory(const MemoryShape& shape) {
  return shape.action != MemoryAction::kNone && !exchanges_registers(shape.special);
}

/// When the instruction after one is reached from it: if these bits of its SIMM16 are `value`.
struct GoesOn {
  std::uint16_t mask = 0;
  std::uint16_t value = 0;
  /// True of rows that never go on, whatever SIMM16 is.
  constexpr bool never() const { return mask == 0 && value != 0; }
};

/// Regions whose vector operands are moved by M0 (s_set_gpr_idx_on, _off).
enum class RegisterIndexing : std::uint8_t { kNone, kBegins, kEnds };

/// The kinds of definition; the executor has one handler family for each.
enum class Shape : std::uint8_t {
  kValu,     ///< body(lane values...) -> lane value; see SignatureFacts
  kPacked,   ///< VOP3P: body on one half; op_sel and neg_lo/neg_hi around it
  kMixed,    ///< VOP3P: body on whole registers; op_sel picks the halves of packed sources
  kWave,     ///< body(lanes): cross-lane, whole wave at once; see execute/whole_wave.hpp
  kScalar,   ///< body(wave, uniform values...) -> uniform value
  kControl,  ///< body(wave, op) -> next op: branches, waits, stops
  kMemory,   ///< the shape in the row says all
  kMatrix,   ///< the same
};

/// Facts of one instruction.
struct Row {
  std::string_view name = {};     ///< base mnemonic; for kFlat rows without the segment prefix
  std::string_view summary = {};  ///< one sentence
  Encoding encoding = {Format::kSop1, 0};
  Lifetime lifetime = {};  ///< the processors that have it
  Shape shape = Shape::kValu;
  Unit unit = Unit::kValu;
  Rate rate = Rate::kFull;
  IntegerClamp integer_clamp = IntegerClamp::kNone;
  GoesOn goes_on = {};         ///< what jumps only does not
  bool indirect_flow = false;  ///< jumps to an address in registers
  Pause pause = Pause::kNone;
  RegisterIndexing indexing = RegisterIndexing::kNone;
  Meaning meaning = Meaning::kOther;
  Arithmetic arithmetic = Arithmetic::kByMeaning;
  OpSel op_sel = OpSel::kHalves;
  bool counts_slots = false;            ///< passes SIMM16[3:0] + 1 issue slots (s_nop)
  bool sets_priority = false;           ///< SIMM16[1:0] becomes the wave's priority (s_setprio)
  bool scalar_result = false;           ///< a VALU row that writes an SGPR (v_readlane_b32)
  bool exec_result = false;             ///< writes EXEC beside its result or mask
  bool lane_result = false;             ///< writes the lane that src1 names (v_writelane_b32)
  bool dot_product = false;             ///< a VALU row that sums several products (v_dot)
  bool keeps_denormals = false;         ///< takes and leaves floats as they are in every MODE
  bool keeps_high_half = false;         ///< 16-bit results leave the register's other half alone
  Operand result = {};                  ///< kNone when there is none
  bool mask_result = false;             ///< a lane mask beside (or instead of) the result
  std::array<Operand, 4> sources = {};  ///< in encoding order; kNone ends the list
  MemoryShape memory = {};
  MatrixShape matrix = {};
  std::uint16_t id = 0;  ///< index in the catalogue

  /// True if an instruction of this row, with this SIMM16, is no way to the one after it.
  constexpr bool ends_flow(std::int64_t immediate) const {
    return (immediate & goes_on.mask) != goes_on.value;
  }
  constexpr unsigned source_count() const {
    unsigned count = 0;
    while (count < sources.size() && sources[count].type != Type::kNone) ++count;
    return count;
  }
  /// What an inline constant as source `index` is: the operand's type, or of C its element's.
  constexpr Type constant_type(unsigned index) const {
    if (!matrix.present()) return sources[index].type;
    return matrix.c == MatrixElement::kF64 ? Type::kF64 : Type::kF32;
  }
};

}  // namespace wavetank::isa
