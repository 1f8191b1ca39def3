// Where Wavetank's own files lie, found from the running program so that a build tree and an
// installation, wherever it is moved, work alike.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace wavetank::toolchain {

struct Paths {
  std::filesystem::path program;                        ///< this executable
  std::optional<std::filesystem::path> runtime_folder;  ///< holds libamdhip64.so.N
  std::filesystem::path share_folder;                   ///< holds include/ and device-libs/
};

/// The folders beside /proc/self/exe. The runtime is in
/// ../${CMAKE_INSTALL_LIBDIR}/wavetank when installed and in
/// ../lib of a build tree; without any libamdhip64.so there, it is absent.
Paths find_paths();

/// The runtime library with a given soname version (5, 6, 7), if it is there.
std::optional<std::filesystem::path> find_runtime(const Paths& paths, int version);

/// A library of the runtime's folder by its soname ("libhiprtc.so.6"), if it is there.
std::optional<std::filesystem::path> find_library(const Paths& paths, const std::string& soname);

/// The share folder of a library of ours: share/wavetank in the nearest folder above the library
/// that has one (a build tree and an installation differ in how deep libraries lie).
std::optional<std::filesystem::path> find_share_folder(const std::filesystem::path& library);

}  // namespace wavetank::toolchain
