#include "lint/rule_list.hpp"

#include <array>

#include "lint/rules/rules.hpp"

namespace wavetank::lint {
namespace {

constexpr std::array kRules = {
    Rule{"spill-in-loop", Severity::kWarning, "registers are spilled to memory in a loop",
         "give the compiler more registers with __launch_bounds__(work-items of a workgroup), or "
         "keep less alive in the loop: unroll less, split it",
         find_spill_in_loop},
    Rule{"scratch-array", Severity::kWarning,
         "variables lie in scratch because their place is computed at run time",
         "make places constant: unroll the loop over an array, choose between values instead of "
         "pointers or references; or keep the array in LDS",
         find_scratch_array},
    Rule{"narrow-access", Severity::kWarning, "loads or stores side by side that could be one",
         "use a wider type (float2, float4), or help the compiler see that they are side by side: "
         "__restrict__, a known alignment",
         find_narrow_access},
    Rule{"flat-access", Severity::kWarning, "flat accesses where global memory or LDS is known",
         "keep pointers to LDS and to memory apart, so that the compiler sees which one it is",
         find_flat_access},
    Rule{"float-division", Severity::kNote, "divisions of floats in loops",
         "multiply by a reciprocal that is computed before the loop, or use __fdividef or "
         "-fno-hip-fp32-correctly-rounded-divide-sqrt where the last bit does not matter",
         find_float_division},
    Rule{"integer-division", Severity::kNote, "divisions of integers by a variable in loops",
         "divide by a constant (a template parameter) or a power of two, or count instead of "
         "dividing",
         find_integer_division},
    Rule{
        "square-root", Severity::kNote, "square roots to the last bit in loops",
        "use __fsqrt_rn's approximate kin or -fno-hip-fp32-correctly-rounded-divide-sqrt where the "
        "last bit does not matter",
        find_square_root},
    Rule{"swap-loop", Severity::kWarning, "compare-and-swap loops where an atomic would do",
         "compile with -munsafe-fp-atomics, or use unsafeAtomicAdd", find_swap_loop},
    Rule{"double-literal", Severity::kWarning, "f64 arithmetic between f32 values",
         "write constants as floats: 0.5f instead of 0.5", find_double_literal},
    Rule{"may-alias", Severity::kWarning,
         "loads that loops repeat because a store might have changed what they load",
         "say that the arrays are apart: float* __restrict__, or load before the loop",
         find_may_alias},
    Rule{"uniform-load", Severity::kNote, "loads of the same address by all lanes",
         "make the address visibly uniform: from arguments, blockIdx and constants, before stores",
         find_uniform_load},
    Rule{"uniform-branch", Severity::kNote, "branches by EXEC that all lanes take alike",
         "compare what is visibly uniform: arguments, blockIdx, __builtin_amdgcn_readfirstlane()",
         find_uniform_branch},
    Rule{"early-wait", Severity::kWarning, "waits long before the result is used",
         "let the compiler place waits: no s_waitcnt or fence of one's own there", find_early_wait},
    Rule{"accumulator-spill", Severity::kNote, "AccVGPRs that only keep spilled VGPRs in loops",
         "keep less alive in the loop: unroll less, split it; two copies are two instructions",
         find_accumulator_spill},
    Rule{"occupancy-step", Severity::kNote, "a few registers or bytes of LDS cost a wave",
         "use a little less: shorter-lived values, smaller types, less padding",
         find_occupancy_step},
    Rule{"launch-bounds", Severity::kWarning,
         "registers are spilled for workgroups of 1024 work-items",
         "if the kernel's workgroups are smaller, say so: __launch_bounds__(work-items)",
         find_launch_bounds},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

}  // namespace wavetank::lint
