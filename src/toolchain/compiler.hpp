// The clang that `wavetank cc` and hipRTC compile with, and the LLVM tools that belong to it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace wavetank::toolchain {

/// The versions of LLVM that are looked for: older ones do not know gfx942 well enough, newer ones
/// were never tried.
constexpr int kOldestLlvm = 19;
constexpr int kNewestLlvm = 22;

/// An installed clang++.
struct Compiler {
  std::filesystem::path clang;   ///< as it is started: "/usr/bin/clang++-19"
  std::filesystem::path folder;  ///< where it really lies, its LLVM tools beside it
  int version_major = 0;         ///< LLVM's
  std::string found_in = {};     ///< "PATH", "$HIP_CLANG_PATH" or a folder

  /// An LLVM program of this version ("llvm-link"), beside clang or in PATH with the version in its
  /// name.
  std::optional<std::string> tool(std::string_view name) const;
  /// The programs that compiling HIP starts and that are not installed, each with its package;
  /// empty when the compiler is complete.
  struct MissingTool {
    std::string program, package;
  };
  std::vector<MissingTool> missing_tools() const;
};

/// Every clang++ of the supported versions in PATH, /usr/lib/llvm-N and ROCm's folders, newest
/// first. With $HIP_CLANG_PATH (as hipcc has it: a folder) only that folder's.
std::vector<Compiler> installed_compilers();

/// The newest complete one of `installed` (newest first), else the newest. Errors: kUsage, saying
/// what to install.
Result<Compiler> choose_compiler(const std::vector<Compiler>& installed);

/// choose_compiler of those that are installed.
Result<Compiler> find_compiler();

}  // namespace wavetank::toolchain
