// The compiler, headers and device libraries that `wavetank cc` works with, and `doctor` checks.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "toolchain/paths.hpp"

namespace wavetank::toolchain {

/// A ROCm installation: a folder with include/hip/hip_version.h.
struct Rocm {
  std::filesystem::path root;  ///< "/opt/rocm", "/usr"
  int version_major = 0;       ///< HIP's version
  int version_minor = 0;
  /// Folder with ocml.bc, or empty when the installation has none.
  std::filesystem::path device_libs;
};

/// clang++-19, from PATH or from Debian's place for it. Errors: kUsage, saying what to install.
Result<std::string> find_clang();

/// The ROCm at `root`. Errors: kUsage when there are no HIP headers.
Result<Rocm> rocm_at(const std::filesystem::path& root);

/// The newest of $ROCM_PATH, /opt/rocm, /opt/rocm-* and /usr. Errors: kUsage.
Result<Rocm> find_newest_rocm();

/// True when these headers need the repairs in share/wavetank/include: Debian's HIP 5 under a
/// compiler that is newer than they are.
bool needs_repair(const Rocm& rocm);

/// The device libraries to compile with for all of `gfx` names: the installation's own if they
/// have the processor, else ours, which add gfx942 to Debian's. Errors: kUsage.
Result<std::filesystem::path> device_libs_for(const Rocm& rocm, const Paths& paths,
                                              const std::vector<std::string>& gfx);

}  // namespace wavetank::toolchain
