// ROCm's headers and device libraries, wherever packages put them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace wavetank::toolchain {

/// A ROCm installation: a folder with include/hip/hip_version.h.
struct Rocm {
  std::filesystem::path root;  ///< "/opt/rocm", "/usr"
  int version_major = 0;       ///< HIP's version
  int version_minor = 0;
  int version_patch = 0;
  std::string commit = {};     ///< hash of HIP's sources; empty in distributions' packages
  std::string chosen_by = {};  ///< "--rocm-path", "$ROCM_PATH", "the newest"

  /// "6.4.43484-123eb5128", as hipconfig prints it; ends in "-" where the commit is not known.
  std::string full_version() const;
};

/// The folders that ROCm may be installed in: /usr, /opt/rocm, /opt/rocm-*.
std::vector<std::filesystem::path> rocm_roots();

/// The ROCm at `root`. Errors: kUsage when there are no HIP headers.
Result<Rocm> rocm_at(const std::filesystem::path& root);

/// The one at $ROCM_PATH if it has HIP headers, else the newest of rocm_roots(). Errors: kUsage.
Result<Rocm> find_rocm();

/// True when these headers need the repairs in share/wavetank/include: Debian's HIP 5 under a
/// compiler that is newer than they are.
bool needs_repair(const Rocm& rocm);

/// A folder of device libraries (ocml.bc, ockl.bc, oclc_*.bc).
struct DeviceLibs {
  std::filesystem::path folder;
  int written_by = 0;  ///< major version of the LLVM that wrote them; 0 when they do not say

  /// True if they can be linked for all of `gfx` names.
  bool has_processors(const std::vector<std::string>& gfx) const;
  /// True if they have what a code object of this version asks of them (version 5: 500).
  bool has_abi_version(int version) const;
};

/// The device libraries below a root, newest first.
std::vector<DeviceLibs> device_libs_below(const std::filesystem::path& root);

/// The device libraries for headers, a compiler's version and processors: of the headers' own, of
/// `ours` (Debian 12's, completed) and of /usr's the first that the compiler can read and that know
/// the processors; such as are older than HIP 6 (no gfx942) come last. Errors: kUsage.
Result<DeviceLibs> choose_device_libs(const Rocm& rocm, const std::filesystem::path& ours,
                                      int compiler_version, const std::vector<std::string>& gfx);

}  // namespace wavetank::toolchain
