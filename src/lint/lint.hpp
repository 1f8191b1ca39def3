// What is wrong with kernels as their code alone tells, without a run.
#pragma once

#include "encoding/decoder.hpp"
#include "lint/rule.hpp"

namespace wavetank::lint {

/// What was found in a kernel.
struct KernelLint {
  Code code;
  Findings findings;  ///< by their instructions
  /// Rules that ask what registers hold were not asked: Numbering::values_of().
  bool values_unknown = false;
};

/// Looks at a kernel for a device of its processor. Errors: those of decode_kernel(). Any object is
/// safe to pass.
Result<KernelLint> lint_kernel(const code_object::CodeObject& object,
                               const code_object::Kernel& kernel, const target::Device& device,
                               const encoding::Decoder& decoder);

/// The same for code that is decoded already.
KernelLint lint_code(Code code, const code_object::Kernel& kernel, const target::Device& device,
                     const isa::Target& target);

}  // namespace wavetank::lint
