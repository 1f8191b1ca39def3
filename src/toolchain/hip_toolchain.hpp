// Compiler, headers and device libraries together, chosen by one rule for `wavetank cc`, hipRTC and
// `wavetank doctor`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "toolchain/compiler.hpp"
#include "toolchain/rocm.hpp"

namespace wavetank::toolchain {

/// What compiles HIP, and with which headers.
struct HipToolchain {
  Compiler compiler;
  Rocm rocm;
  std::filesystem::path share_folder;  ///< Wavetank's own: include/ and device-libs/

  /// The device libraries for these processors. Errors: kUsage.
  Result<DeviceLibs> device_libs(const std::vector<std::string>& gfx) const;
  /// clang's flags for headers and device libraries, the same for host and device code, without the
  /// processors. Errors: kUsage.
  Result<std::vector<std::string>> flags(const std::vector<std::string>& gfx) const;
};

/// find_compiler() with the headers at `rocm_path`, or those of find_rocm() if it is empty. Errors:
/// kUsage, saying what to install.
Result<HipToolchain> find_hip_toolchain(const std::filesystem::path& share_folder,
                                        const std::string& rocm_path = {});

}  // namespace wavetank::toolchain
