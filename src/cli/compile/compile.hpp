// The clang command behind `wavetank cc`, for the command itself and for those that take sources.
#pragma once

#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::cli {

/// What to compile, and for what.
struct CompileOptions {
  std::vector<std::string> devices;  ///< device names; their processors are added
  std::vector<std::string>
      architectures;              ///< "gfx90a"; without either list $HCC_AMDGPU_TARGET or gfx90a
  std::string rocm_path;          ///< empty: the newest that is found
  std::vector<std::string> rest;  ///< words for clang or hipcc, inputs among them
};

/// The full command. Errors: kUsage (no compiler, headers or device libraries), kBadDevice,
/// kFileUnreadable (a response file).
Result<std::vector<std::string>> compile_command(const CompileOptions& options);

/// What may have been missing when the command failed, as a sentence with the remedy; empty when
/// everything that the options need is there.
std::string help_for_failure(const CompileOptions& options);

/// True for the extensions that are compiled as HIP: .hip, .cu, .cpp and their kin.
bool is_hip_source(std::string_view file);

}  // namespace wavetank::cli
