// Wait states between a matrix instruction and a later use of its registers: which rule applies,
// and the device parameter that holds its number (LLVM GCNHazardRecognizer.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "isa/matrix_shape.hpp"

namespace wavetank::isa {

/// How a later instruction uses the registers of a matrix instruction.
enum class MatrixUse : std::uint8_t {
  kSameC,         ///< D is exactly the C of another matrix instruction
  kOverlappingC,  ///< D is a part of its C
  kFactor,        ///< D is its A or B
  kVector,        ///< a VALU instruction reads or writes D
  kMemory,        ///< a memory instruction reads D
  kOverwritesC,   ///< a VALU instruction writes the registers that C is read from
};

/// A number of the device description, in wait states.
struct MatrixWait {
  std::string_view parameter;  ///< "matrix.xdl_valu_extra"
  bool after_passes;           ///< counts from the last pass on, not from the issue
};

inline constexpr std::array<MatrixWait, 17> kMatrixWaits = {{
    {"matrix.xdl_srcc_same", false},
    {"matrix.xdl_srcc_same_two_pass", false},
    {"matrix.valu_overwrites_srcc_extra", true},
    {"matrix.xdl_srcc_overlap_extra", true},
    {"matrix.xdl_srcab_extra", true},
    {"matrix.xdl_valu_extra", true},
    {"matrix.non_xdl_srcc_overlap_extra", true},
    {"matrix.non_xdl_srcab_extra", true},
    {"matrix.non_xdl_valu_extra", true},
    {"matrix.f64_16x16x4_to_srcc", false},
    {"matrix.f64_16x16x4_to_srcab", false},
    {"matrix.f64_16x16x4_to_valu", false},
    {"matrix.f64_16x16x4_to_memory", false},
    {"matrix.f64_4x4x4_to_srcc", false},
    {"matrix.f64_4x4x4_to_srcab", false},
    {"matrix.f64_4x4x4_to_valu", false},
    {"matrix.f64_4x4x4_to_memory", false},
}};

/// Where in kMatrixWaits the number stands that holds between a matrix instruction of this shape
/// and the use; nothing if the use need not wait. `user` is the shape of what uses D as C.
constexpr std::optional<std::size_t> matrix_wait(const MatrixShape& shape, MatrixUse use,
                                                 const MatrixShape& user) {
  constexpr std::size_t kSame = 0, kSameTwoPass = 1, kOverwrites = 2, kXdl = 3, kNonXdl = 6;
  constexpr std::size_t kLargeF64 = 9, kSmallF64 = 13;
  const bool as_c = use == MatrixUse::kSameC || use == MatrixUse::kOverlappingC;
  if (use == MatrixUse::kOverwritesC) {
    // The FP32 and FP64 paths have read C by then (LLVM, IsSMFMAReadAsCFn).
    return shape.xdl ? std::optional(kOverwrites) : std::nullopt;
  }
  // The XDL path reads C late enough for what the others leave (LLVM, checkMAIHazards90A).
  if (as_c && user.xdl && !shape.xdl && !(use == MatrixUse::kSameC && shape.passes == 2)) {
    return std::nullopt;
  }
  if (shape.c == MatrixElement::kF64) {
    const bool large = shape.m == 16;
    // Only the large product hands its whole D on at once; the small one takes as long as for a
    // part (LLVM GCNHazardRecognizer.cpp, DMFMA4x4WritesVGPRFullSrcCWaitStates).
    if (use == MatrixUse::kSameC && large) return std::nullopt;
    const std::size_t first = large ? kLargeF64 : kSmallF64;
    switch (use) {
      case MatrixUse::kFactor: return first + 1;
      case MatrixUse::kVector: return first + 2;
      case MatrixUse::kMemory: return first + 3;
      default: return first;
    }
  }
  const std::size_t first = shape.xdl ? kXdl : kNonXdl;
  switch (use) {
    case MatrixUse::kSameC: return shape.passes == 2 ? kSameTwoPass : kSame;
    case MatrixUse::kOverlappingC: return first;
    case MatrixUse::kFactor: return first + 1;
    default: return first + 2;
  }
}

}  // namespace wavetank::isa
