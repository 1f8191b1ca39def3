// The bounds that the sweeps of this folder check, each with its source. In ulps; 0.5 is a
// correctly rounded result, -1 no bound.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace wavetank::numbers {

/// A function of OpenCL: "ULP Values for Math Instructions - Full Profile" of the OpenCL SPIR-V
/// Environment Specification (KhronosGroup/OpenCL-Docs, env/numerical_compliance.asciidoc).
/// "Correctly rounded" is 0.5, "0 ulp" is 0. `in_f32`'s division and square root are stricter than
/// the table's 2.5 and 3: clang compiles HIP with correctly rounded ones unless told otherwise
/// (-fhip-fp32-correctly-rounded-divide-sqrt).
struct FunctionBound {
  std::string_view name;
  double in_f64, in_f32, in_f16;
};
inline constexpr std::string_view kFunctionSource = "OpenCL full profile";
inline constexpr FunctionBound kFunctionBounds[] = {
    {"divide", 0.5, 0.5, 0.5},
    {"sqrt", 0.5, 0.5, 0.5},
    {"acos", 4, 4, 2},
    {"acosh", 4, 4, 2},
    {"asin", 4, 4, 2},
    {"asinh", 4, 4, 2},
    {"atan", 5, 5, 2},
    {"atan2", 6, 6, 2},
    {"atanh", 5, 5, 2},
    {"cbrt", 2, 2, 2},
    {"ceil", 0.5, 0.5, 0.5},
    {"cos", 4, 4, 2},
    {"cosh", 4, 4, 2},
    {"cospi", 4, 4, 2},
    {"erf", 16, 16, 4},
    {"erfc", 16, 16, 4},
    {"exp", 3, 3, 2},
    {"exp10", 3, 3, 2},
    {"exp2", 3, 3, 2},
    {"expm1", 3, 3, 2},
    {"fdim", 0.5, 0.5, 0.5},
    {"floor", 0.5, 0.5, 0.5},
    {"fmod", 0, 0, 0},
    {"hypot", 4, 4, 2},
    {"lgamma", -1, -1, -1},  // implementation-defined
    {"log", 3, 3, 2},
    {"log10", 3, 3, 2},
    {"log1p", 2, 2, 2},
    {"log2", 3, 3, 2},
    {"pow", 16, 16, 4},
    {"remainder", 0, 0, 0},
    {"rint", 0.5, 0.5, 0.5},
    {"round", 0.5, 0.5, 0.5},
    {"rsqrt", 2, 2, 1},
    {"sin", 4, 4, 2},
    {"sinh", 4, 4, 2},
    {"sinpi", 4, 4, 2},
    {"tan", 5, 5, 2},
    {"tanh", 5, 5, 2},
    {"tgamma", 16, 16, 4},
    {"trunc", 0.5, 0.5, 0.5},
};

/// An instruction: what AMD's CDNA4 ISA guide says under its name ("1ULP accuracy, denormals are
/// flushed"; the CDNA3 guide has the same instructions), or 0.5 where it gives pseudo-code that
/// rounds once.
struct InstructionBound {
  std::string_view name;
  double ulps;
  std::string_view source;
};
inline constexpr double kF64Approximation = 536870912;  // 2^29
inline constexpr InstructionBound kInstructionBounds[] = {
    {"v_rcp_f16", 1, "CDNA4 ISA"},
    {"v_rsq_f16", 1, "CDNA4 ISA"},
    {"v_sqrt_f16", 0.51, "LLVM AMDGPUUsage; CDNA4 ISA: 1"},
    {"v_exp_f16", 0.51, "LLVM AMDGPUUsage; CDNA4 ISA: 1"},
    {"v_log_f16", 0.51, "LLVM AMDGPUUsage; CDNA4 ISA: 1"},
    {"v_sin_f16", 0.51, "ours: AMD states none"},
    {"v_cos_f16", 0.51, "ours: AMD states none"},
    {"v_fract_f16", 0.5, "CDNA4 ISA"},
    {"v_rcp_f32", 1, "CDNA4 ISA"},
    {"v_rsq_f32", 1, "CDNA4 ISA"},
    {"v_sqrt_f32", 1, "CDNA4 ISA"},
    {"v_exp_f32", 1, "CDNA4 ISA"},
    {"v_log_f32", 1, "CDNA4 ISA"},
    {"v_sin_f32", 0.51, "ours: AMD states none"},
    {"v_cos_f32", 0.51, "ours: AMD states none"},
    {"v_fract_f32", 0.5, "CDNA4 ISA"},
    {"v_rcp_f64", kF64Approximation, "CDNA4 ISA: 2**29"},
    {"v_rsq_f64", kF64Approximation, "CDNA4 ISA: 2**29"},
    {"v_sqrt_f64", kF64Approximation, "CDNA4 ISA: 2**29"},
    {"v_fract_f64", 0.5, "CDNA4 ISA"},
    {"v_trig_preop_f64", 0, "CDNA4 ISA: bits of 2/pi"},
    {"v_ldexp_f16", 0.5, "CDNA4 ISA"},
    {"v_ldexp_f32", 0.5, "CDNA4 ISA"},
    {"v_ldexp_f64", 0.5, "CDNA4 ISA"},
    {"v_frexp_mant_f16", 0, "CDNA4 ISA"},
    {"v_frexp_mant_f32", 0, "CDNA4 ISA"},
    {"v_frexp_mant_f64", 0, "CDNA4 ISA"},
};

/// The entry of a name, which must be in the table.
template <class Entry, std::size_t kCount>
const Entry& bound_of(const Entry (&table)[kCount], std::string_view name) {
  for (const Entry& entry : table) {
    if (entry.name == name) return entry;
  }
  throw std::out_of_range("no bound for " + std::string(name));
}

}  // namespace wavetank::numbers
