// hipcc's own words, for those who give `wavetank cc` what they gave hipcc.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// A command line of hipcc in clang's words.
struct HipccWords {
  std::vector<std::string> architectures;  ///< --offload-arch, --amdgpu-target
  std::vector<std::string> rest;
};

/// Takes response files (@FILE) apart, processors out, and translates or drops what only hipcc
/// knows:
/// --genco, --hipcc-func-supp and its contrary, -parallel-jobs (ROCm/llvm-project, amd/hipcc).
/// Errors: kFileUnreadable.
Result<HipccWords> read_hipcc_words(const std::vector<std::string>& words);

}  // namespace wavetank::cli
