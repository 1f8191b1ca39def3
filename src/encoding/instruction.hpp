// A decoded instruction: the row and every field of the encoding, as the ISA guide names them.
// The executor translates it, the disassembler prints it, the encoder turns it back into bytes.
#pragma once

#include <array>
#include <cstdint>

#include "isa/operand_code.hpp"
#include "isa/row.hpp"

namespace wavetank::encoding {

/// The form the bytes have; VOP3, SDWA and DPP are forms of VOP1, VOP2 and VOPC rows. All others,
/// also rows of format kVop3 and kVop3p, have only the plain form.
enum class Form : std::uint8_t { kPlain, kVop3, kSdwa, kDpp };

namespace operand = isa::operand;

/// Fields of one instruction. Operand codes are those of isa/operand_code.hpp; kNone where absent.
struct Instruction {
  const isa::Row* row = nullptr;
  Form form = Form::kPlain;
  std::uint8_t dwords = 1;                       ///< length
  std::uint16_t dst = operand::kNone;            ///< VDST or SDST; DS/FLAT/MUBUF/SMEM: result
  std::uint16_t sdst = operand::kNone;           ///< mask result of VOPC and VOP3B forms
  /// src[i] is the row's source i: an accumulator holds dst's code, a literal kLiteral, a lane mask
  /// of an e32 form kVcc. SOPK: src[0] is the SDST field where the row reads it.
  std::array<std::uint16_t, 3> src = {operand::kNone, operand::kNone, operand::kNone};
  std::uint32_t literal = 0;                     ///< the dword behind the instruction
  std::int32_t imm = 0;                          ///< SIMM16, signed where the row's immediate is

  // VOP3, VOP3P, SDWA, DPP modifiers; bit i belongs to source i
  std::uint8_t neg = 0;      ///< VOP3P: neg_lo
  std::uint8_t abs = 0;      ///< VOP3P: neg_hi
  std::uint8_t op_sel = 0;   ///< bit 3: destination
  std::uint8_t op_sel_hi = 0;
  std::uint8_t omod = 0;     ///< 1: *2, 2: *4, 3: /2
  bool clamp = false;
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;  ///< matrix encodings (VOP3P-MAI)

  // SDWA
  std::uint8_t dst_sel = 6, dst_unused = 0;      ///< 0-3 bytes, 4-5 words, 6 dword
  std::array<std::uint8_t, 2> src_sel = {6, 6};
  std::uint8_t sext = 0;

  // DPP
  std::uint16_t dpp_ctrl = 0;
  std::uint8_t row_mask = 0xf, bank_mask = 0xf;
  bool bound_ctrl = false;                       ///< as encoded: true lets invalid lanes read 0

  // memory
  std::uint16_t address = operand::kNone;        ///< VADDR / DS ADDR (a VGPR)
  std::uint16_t data = operand::kNone;           ///< VDATA / DS DATA0 of stores and atomics
  std::uint16_t data2 = operand::kNone;          ///< DS DATA1
  std::uint16_t scalar_base = operand::kNone;    ///< SADDR, SRSRC or SBASE
  std::uint16_t scalar_offset = operand::kNone;  ///< SOFFSET; SSAMP
  std::int32_t offset = 0;  ///< byte offset, SMEM too; DS: offset0 | offset1 << 8 raw
  bool glc = false, slc = false, scc = false;    ///< gfx942: sc0, nt, sc1
  bool lds = false, offen = false, idxen = false, gds = false;
  bool scalar_offset_enable = false;             ///< SMEM SOFFSET_EN
  bool smem_immediate = false;                   ///< SMEM IMM
  isa::Format segment = isa::Format::kFlat;      ///< of kFlat rows: flat, global or scratch
  bool scratch_vaddr = false;                    ///< SCRATCH: VADDR is used (SVE / saddr off forms)
  std::uint8_t buffer_format = 0;                ///< MTBUF: DFMT | NFMT << 4

  // MIMG; the resource is scalar_base, the sampler scalar_offset
  std::uint8_t dmask = 0;                        ///< components that move
  bool unorm = false, da = false, a16 = false, lwe = false, d16 = false;

  friend bool operator==(const Instruction&, const Instruction&) = default;
};

}  // namespace wavetank::encoding
