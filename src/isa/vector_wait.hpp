// Wait states that the program must put between two instructions of a wave, other than matrix ones
// (isa/matrix_wait.hpp): who makes others wait, who has to, and by which registers they meet. The
// numbers are parameters of the device. Source: LLVM GCNHazardRecognizer.cpp; CDNA3 ISA guide,
// "Manually Inserted Wait States (NOPs)".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "isa/row.hpp"

namespace wavetank::isa {

/// What makes later instructions wait.
enum class WaitAfter : std::uint8_t {
  kScalarOfValu,    ///< a VALU instruction writes an SGPR or VCC
  kExecOfValu,      ///< v_cmpx
  kVectorOfValu,    ///< a VALU instruction writes VGPRs
  kTranscendental,  ///< the same, of that rate
  kPartOfVgpr,      ///< the same, and leaves a part of the register alone (SDWA, op_sel)
  kDotProduct,
  kF64Matrix,
  kWideStore,  ///< vector memory takes more than 8 bytes of a lane
  kM0OfSalu,
  kHardwareRegister,  ///< s_setreg
};

/// What has to wait.
enum class WaitBefore : std::uint8_t {
  kVectorMemory,
  kDivFmas,
  kLaneSelect,  ///< v_readlane, v_writelane with the lane in an SGPR
  kReadLane,    ///< v_readlane, v_readfirstlane
  kLane,        ///< these and v_writelane
  kDpp,
  kMatrix,
  kValu,
  kNotTranscendental,  ///< VALU of another rate
  kVectorUser,         ///< VALU and memory
  kF64Fma,
  kM0,                ///< messages, GDS, loads to LDS, M0 as address or index
  kHardwareRegister,  ///< s_getreg, s_setreg
};

/// Which registers of the two have to overlap.
enum class WaitMeets : std::uint8_t {
  kAlways,
  kScalarRead,
  kVcc,
  kLaneSelect,
  kVectorRead,
  kDotResult,   ///< read, unless by the same instruction as its sum; or written by another one
  kStoredData,  ///< written while the store still reads it
  kHardwareRegister,
};

/// A rule and the parameter that holds its number, in wait states.
struct VectorWait {
  std::string_view parameter;  ///< "hazard.vgpr_to_dpp"
  std::string_view label;      ///< what waits, in words
  WaitAfter after;
  WaitBefore before;
  WaitMeets meets;
  /// LLVM asks for it, but AMD's own assembly (Tensile's kernels in rocBLAS) does without:
  /// compilers and the cycle model follow LLVM, and no program is called wrong for it.
  bool disputed = false;
};

inline constexpr std::array<VectorWait, 17> kVectorWaits = {{
    {"hazard.valu_sgpr_to_vmem", "vector memory reads the SGPR", WaitAfter::kScalarOfValu,
     WaitBefore::kVectorMemory, WaitMeets::kScalarRead},
    {"hazard.valu_sgpr_to_lane_select", "v_readlane, v_writelane take it as lane",
     WaitAfter::kScalarOfValu, WaitBefore::kLaneSelect, WaitMeets::kLaneSelect},
    {"hazard.valu_vcc_to_div_fmas", "v_div_fmas reads VCC", WaitAfter::kScalarOfValu,
     WaitBefore::kDivFmas, WaitMeets::kVcc},
    {"hazard.sgpr_to_valu", "VALU reads it as constant", WaitAfter::kScalarOfValu,
     WaitBefore::kValu, WaitMeets::kScalarRead, true},
    {"hazard.exec_to_dpp", "DPP, after EXEC", WaitAfter::kExecOfValu, WaitBefore::kDpp,
     WaitMeets::kAlways},
    {"hazard.exec_to_mfma", "MFMA, after EXEC", WaitAfter::kExecOfValu, WaitBefore::kMatrix,
     WaitMeets::kAlways},
    {"hazard.exec_to_lane", "v_readlane and its kin, after EXEC", WaitAfter::kExecOfValu,
     WaitBefore::kLane, WaitMeets::kAlways},
    {"hazard.vgpr_to_dpp", "DPP reads D", WaitAfter::kVectorOfValu, WaitBefore::kDpp,
     WaitMeets::kVectorRead},
    {"hazard.valu_to_mfma", "MFMA reads D", WaitAfter::kVectorOfValu, WaitBefore::kMatrix,
     WaitMeets::kVectorRead},
    {"hazard.vgpr_to_readlane", "v_readlane reads D", WaitAfter::kVectorOfValu,
     WaitBefore::kReadLane, WaitMeets::kVectorRead},
    {"hazard.trans_to_valu", "other VALU reads D", WaitAfter::kTranscendental,
     WaitBefore::kNotTranscendental, WaitMeets::kVectorRead},
    {"hazard.part_to_valu", "VALU reads D of which a part was written", WaitAfter::kPartOfVgpr,
     WaitBefore::kValu, WaitMeets::kVectorRead},
    {"hazard.dot_to_use", "another instruction uses D", WaitAfter::kDotProduct,
     WaitBefore::kVectorUser, WaitMeets::kDotResult},
    {"hazard.f64_matrix_to_fma", "f64 FMA", WaitAfter::kF64Matrix, WaitBefore::kF64Fma,
     WaitMeets::kAlways},
    {"hazard.wide_store_to_valu", "VALU writes the data", WaitAfter::kWideStore, WaitBefore::kValu,
     WaitMeets::kStoredData},
    {"hazard.m0_to_use", "message, GDS or load to LDS, after M0", WaitAfter::kM0OfSalu,
     WaitBefore::kM0, WaitMeets::kAlways},
    {"hazard.setreg_to_use", "s_getreg, s_setreg of the same register",
     WaitAfter::kHardwareRegister, WaitBefore::kHardwareRegister, WaitMeets::kHardwareRegister},
}};

/// True if instructions of a row may make others wait so, some only in certain forms.
constexpr bool may_make_wait(const Row& row, WaitAfter after) {
  const bool valu = row.unit == Unit::kValu;
  const bool to_vgpr = valu && !row.scalar_result && row.result.type != Type::kNone;
  switch (after) {
    case WaitAfter::kScalarOfValu: return valu && (row.scalar_result || row.mask_result);
    case WaitAfter::kExecOfValu: return valu && row.exec_result;
    case WaitAfter::kVectorOfValu: return to_vgpr && !row.dot_product;
    case WaitAfter::kTranscendental: return to_vgpr && row.rate == Rate::kTranscendental;
    case WaitAfter::kPartOfVgpr: return to_vgpr && dwords_of(row.result.type) == 1;
    case WaitAfter::kDotProduct: return row.dot_product;
    case WaitAfter::kF64Matrix: return row.matrix.c == MatrixElement::kF64;
    case WaitAfter::kWideStore:
      return (row.unit == Unit::kVectorMemory || row.unit == Unit::kFlat) &&
             row.memory.data_dwords > 2;
    case WaitAfter::kM0OfSalu: return row.unit == Unit::kSalu && row.result.type != Type::kNone;
    case WaitAfter::kHardwareRegister:
      return row.result.type == Type::kNone && row.sources[0].immediate == ImmediateKind::kHwreg;
  }
  return false;
}

}  // namespace wavetank::isa
