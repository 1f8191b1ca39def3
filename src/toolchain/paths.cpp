#include "toolchain/paths.hpp"

#include <fmt/format.h>

#include <array>

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;

constexpr std::array kRuntimeVersions = {5, 6, 7};

fs::path runtime_in(const fs::path& folder, int version) {
  return folder / fmt::format("libamdhip64.so.{}", version);
}

}  // namespace

Paths find_paths() {
  std::error_code error;
  Paths paths;
  paths.program = fs::read_symlink("/proc/self/exe", error);
  const fs::path root = paths.program.parent_path().parent_path();
  paths.share_folder = root / "share" / "wavetank";
  // Installed, the folder is the one that CMake was told; a build tree has them in lib.
  for (const fs::path& folder : {root / WAVETANK_LIBDIR / "wavetank", root / "lib"}) {
    for (const int version : kRuntimeVersions) {
      if (!fs::exists(runtime_in(folder, version), error)) continue;
      paths.runtime_folder = folder;
      return paths;
    }
  }
  return paths;
}

std::optional<fs::path> find_runtime(const Paths& paths, int version) {
  return find_library(paths, fmt::format("libamdhip64.so.{}", version));
}

std::optional<fs::path> find_library(const Paths& paths, const std::string& soname) {
  std::error_code error;
  if (!paths.runtime_folder) return std::nullopt;
  fs::path library = *paths.runtime_folder / soname;
  if (!fs::exists(library, error)) return std::nullopt;
  return library;
}

std::optional<fs::path> find_share_folder(const fs::path& library) {
  constexpr int kDeepest = 4;
  std::error_code error;
  fs::path folder = fs::canonical(library, error).parent_path();
  for (int i = 0; i < kDeepest && folder.has_relative_path(); ++i) {
    folder = folder.parent_path();
    if (fs::exists(folder / "share" / "wavetank", error)) return folder / "share" / "wavetank";
  }
  return std::nullopt;
}

}  // namespace wavetank::toolchain
