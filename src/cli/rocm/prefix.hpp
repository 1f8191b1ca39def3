// A folder that looks like a ROCm installation, in which existing builds find what they look for.
#pragma once

#include <filesystem>

#include "base/error.hpp"
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/paths.hpp"

namespace wavetank::cli {

/// Makes the folder for this Wavetank and a toolchain, or gives the one that is there:
///
///   bin, llvm/bin        links to `wavetank` under the tools' names, and LLVM's programs
///   lib                  links to the runtime; cmake/hip and cmake/hip-lang
///   include              links to the headers; `repaired` to those that stand before old ones
///   amdgcn/bitcode       link to the device libraries
///   .info/version, share/hip/version
///
/// It lies in the folder of toolchain::Cache, so that build trees configured in it
/// stay valid. Errors: kFileUnreadable.
Result<std::filesystem::path> make_rocm_prefix(const toolchain::HipToolchain& hip,
                                               const toolchain::Paths& paths);

}  // namespace wavetank::cli
