// An instruction ready to run: a handler and resolved operands, one cache line. A program is an
// array of ops with one slot for each dword of code, so branch arithmetic is pointer arithmetic.
#pragma once

#include <cstddef>
#include <cstdint>

#include "isa/catalogue.hpp"
#include "isa/row.hpp"
#include "machine/wave.hpp"

namespace wavetank::execute {

struct Op;
/// Runs an op and gives the next, or nullptr when the wave stops (wave.stop says why).
using Handler = const Op* (*)(machine::Wave&, const Op*);

/// Where a source is found.
enum class Source : std::uint8_t {
  kVector,    ///< offset into the vector file: 64 dwords per register
  kScalar,    ///< offset into the wave object: an SGPR or a special register
  kConstant,  ///< Op::constant[i]
};

/// Data of a DPP or SDWA op, which wraps the row's usual handler.
struct LaneControl {
  Handler inner;
  std::uint16_t dpp_ctrl;
  std::uint8_t row_mask, bank_mask;
  std::uint8_t dst_sel, dst_unused, src0_sel, src1_sel;
  std::uint8_t sext;
  bool bound_ctrl;
};

/// Data of a memory op; operand numbers are register indices of the unified vector file.
struct MemoryOperands {
  static constexpr std::uint8_t kNoScalarBase = 0x7f;   ///< `scalar_base` of none
  static constexpr std::uint16_t kNoRegister = 0xffff;  ///< a register number of none
  std::int32_t offset;                                  ///< bytes; DS read2: offset0 | offset1 << 8
  std::uint16_t address;                                ///< VADDR register
  std::uint16_t data, data2;                            ///< data registers; SMEM: SGPR index
  std::uint16_t result;                                 ///< first result register; SMEM: Op::dst
  std::uint8_t scalar_base;                             ///< SGPR index, or kNoScalarBase
  std::uint8_t scalar_offset;                           ///< operand code of SOFFSET
  bool has_scalar_base() const { return scalar_base != kNoScalarBase; }
  bool returns : 1;
  bool use_address : 1;
  bool glc : 1, slc : 1, scc : 1, lds : 1;
  bool asks_others : 1;  ///< isa::asks_others, of those bits
  bool offen : 1, idxen : 1;
  bool scalar_offset_enable : 1;
  bool ends_wave : 1;          ///< the only store of its kernel, s_endpgm follows it
  bool coarse_only : 1;        ///< an atomic that the target drops on fine-grained memory
  isa::Format segment;         ///< FLAT family: kFlat, kGlobal or kScratch
  std::uint8_t buffer_format;  ///< MTBUF: DFMT | NFMT << 4
};

struct alignas(64) Op : machine::CodeSlot {
  Handler run = nullptr;
  std::uint32_t dst = 0;   ///< byte offset in the file the row writes
  std::uint32_t sdst = 0;  ///< SGPR index of a mask result
  std::uint32_t src[3] = {};
  Source kind[3] = {};
  std::uint8_t dwords = 1;
  std::uint16_t row = 0;
  union {
    std::uint8_t neg = 0;  ///< VALU: bit i negates source i
    std::uint8_t neg_lo;   ///< packed VOP3P rows: its low half
    std::uint8_t blgp;     ///< matrix
  };
  union {
    std::uint8_t abs = 0;  ///< VALU: bit i takes source i's magnitude
    std::uint8_t neg_hi;   ///< packed VOP3P rows: negates source i's high half
  };
  union {
    std::uint8_t op_sel = 0;
    std::uint8_t cbsz;  ///< matrix
  };
  union {
    std::uint8_t op_sel_hi = 0;
    std::uint8_t abid;  ///< matrix
  };
  std::uint8_t omod = 0;
  bool clamp : 1 = false;
  bool keeps_high_half : 1 = false;  ///< from the row
  bool gives_turn : 1 = false;       ///< behind it the workgroup's other waves go first (turns.hpp)
  bool polls : 1 = false;            ///< a backward branch of a loop that asks for what others do
  bool flushes_f32 : 1 = false;      ///< VALU: its program is for such a MODE (FloatModes)
  bool is_not_ieee : 1 = false, clamps_no_nan : 1 = false;  ///< likewise
  bool under_indexing : 1 = false;  ///< in a region that s_set_gpr_idx_on's handler executes
  union {
    std::uint64_t constant[3] = {};
    MemoryOperands memory;
    LaneControl lanes;
    std::int64_t branch;     ///< rows that jump by SIMM16: ops to go from the following instruction
    std::int64_t immediate;  ///< the other rows of SOPP: SIMM16
  };
};
static_assert(sizeof(Op) == 64);

/// Leaves the executor: the wave goes on at `next` once whoever runs it lets it.
inline const Op* leave(machine::Wave& wave, const Op* next, machine::Stop stop) {
  wave.stop = stop;
  wave.next = next;
  return nullptr;
}

/// The 64 lanes of a vector register at a byte offset into the vector file: Op::src, Op::dst.
inline std::uint32_t* vector_at(const machine::Wave& wave, std::uint32_t offset) {
  return reinterpret_cast<std::uint32_t*>(reinterpret_cast<std::byte*>(wave.vgpr) + offset);
}

/// What an op does.
inline const isa::Row& row_of(const Op& op) { return isa::catalogue()[op.row]; }

/// The op that a wave goes on with, and the one that touches memory.
inline const Op* next_op(const machine::Wave& wave) { return static_cast<const Op*>(wave.next); }
inline const Op* current_op(const machine::Wave& wave) {
  return static_cast<const Op*>(wave.current);
}

}  // namespace wavetank::execute
