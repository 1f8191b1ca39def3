#include "toolchain/rocm.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <tuple>

#include "toolchain/bitcode.hpp"

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;

/// Where ROCm and the distributions put the device libraries: ROCm 5, Debian 12, ROCm 6 and 7,
/// Debian 13 and later.
constexpr std::array kDeviceLibPlaces = {
    "amdgcn/bitcode",
    "lib/x86_64-linux-gnu/amdgcn/bitcode",
    "lib/amdgcn/bitcode",
    "lib/llvm/lib/clang/*/lib/amdgcn/bitcode",
    "lib/llvm-*/lib/clang/*/amdgcn/bitcode",
    "lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode",
};

/// The processor that tells the device libraries of HIP 6 and later from older ones.
constexpr const char* kHip6Processor = "gfx942";

/// What is behind "#define NAME " in a header, without quotes; nothing if it has no such line.
std::optional<std::string> read_define(const fs::path& header, const std::string& name) {
  std::ifstream file(header);
  const std::string prefix = "#define " + name + " ";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(prefix, 0) != 0) continue;
    line.erase(0, prefix.size());
    std::erase(line, '"');
    return line;
  }
  return std::nullopt;
}

/// "90a" of "gfx90a:xnack-".
std::string isa_version(std::string_view gfx) {
  gfx.remove_prefix(std::min<std::size_t>(3, gfx.size()));
  return std::string(gfx.substr(0, gfx.find(':')));
}

std::vector<fs::path> expand(const fs::path& pattern) {
  glob_t found{};
  std::vector<fs::path> paths;
  if (glob(pattern.c_str(), 0, nullptr, &found) == 0) {
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  }
  globfree(&found);
  return paths;
}

tl::unexpected<Error> no_device_libs(const std::vector<DeviceLibs>& unreadable, const Rocm& rocm,
                                     int compiler_version, const std::vector<std::string>& gfx) {
  std::string names;
  for (const std::string& name : gfx) names += (names.empty() ? "" : ", ") + name;
  if (unreadable.empty()) {
    return fail(ErrorCode::kUsage, fmt::format("no device libraries for {}", names),
                rocm.root.string(), "apt-get install rocm-device-libs");
  }
  const DeviceLibs& libs = unreadable.front();
  return fail(
      ErrorCode::kUsage,
      fmt::format("LLVM {} wrote the device libraries, which clang {} cannot read", libs.written_by,
                  compiler_version),
      libs.folder.string(),
      fmt::format("apt-get install clang-{0} lld-{0} clang-tools-{0} llvm-{0}", libs.written_by));
}

}  // namespace

std::string Rocm::full_version() const {
  return fmt::format("{}.{}.{}-{}", version_major, version_minor, version_patch, commit);
}

std::vector<fs::path> rocm_roots() {
  std::vector<fs::path> roots = {"/usr", "/opt/rocm"};
  for (fs::path& root : expand("/opt/rocm-*")) roots.push_back(std::move(root));
  return roots;
}

Result<Rocm> rocm_at(const fs::path& root) {
  Rocm rocm;
  rocm.root = root;
  const fs::path header = root / "include" / "hip" / "hip_version.h";
  const auto number = [&](const char* name) {
    return std::atoi(read_define(header, name).value_or("-1").c_str());
  };
  rocm.version_major = number("HIP_VERSION_MAJOR");
  rocm.version_minor = number("HIP_VERSION_MINOR");
  rocm.version_patch = number("HIP_VERSION_PATCH");
  rocm.commit = read_define(header, "HIP_VERSION_GITHASH").value_or("");
  if (rocm.version_major < 0) {
    return fail(ErrorCode::kUsage, fmt::format("no HIP headers under {}", root.string()),
                header.string(), "apt-get install libamdhip64-dev, or give --rocm-path FOLDER");
  }
  return rocm;
}

Result<Rocm> find_rocm() {
  if (const char* variable = std::getenv("ROCM_PATH"); variable != nullptr && *variable != '\0') {
    if (Result<Rocm> rocm = rocm_at(variable)) {
      rocm->chosen_by = "$ROCM_PATH";
      return rocm;
    }
  }
  Result<Rocm> newest = rocm_at("/usr");
  for (const fs::path& root : rocm_roots()) {
    Result<Rocm> rocm = rocm_at(root);
    if (!rocm) continue;
    const bool newer = !newest || std::tie(rocm->version_major, rocm->version_minor) >
                                      std::tie(newest->version_major, newest->version_minor);
    if (newer) newest = std::move(rocm);
  }
  if (newest) newest->chosen_by = "the newest";
  return newest;
}

bool needs_repair(const Rocm& rocm) { return rocm.version_major < 6; }

bool DeviceLibs::has_processors(const std::vector<std::string>& gfx) const {
  std::error_code error;
  return std::all_of(gfx.begin(), gfx.end(), [&](const std::string& name) {
    return fs::exists(folder / fmt::format("oclc_isa_version_{}.bc", isa_version(name)), error);
  });
}

bool DeviceLibs::has_abi_version(int version) const {
  std::error_code error;
  return fs::exists(folder / fmt::format("oclc_abi_version_{}00.bc", version), error);
}

std::vector<DeviceLibs> device_libs_below(const fs::path& root) {
  std::vector<DeviceLibs> found;
  for (const char* place : kDeviceLibPlaces) {
    for (const fs::path& library : expand(root / place / "ocml.bc")) {
      DeviceLibs libs{library.parent_path(), bitcode_writer(library).value_or(0)};
      const auto behind = std::find_if(found.begin(), found.end(), [&](const DeviceLibs& other) {
        return other.written_by < libs.written_by;
      });
      found.insert(behind, std::move(libs));
    }
  }
  return found;
}

Result<DeviceLibs> choose_device_libs(const Rocm& rocm, const fs::path& ours, int compiler_version,
                                      const std::vector<std::string>& gfx) {
  std::vector<DeviceLibs> candidates = device_libs_below(rocm.root);
  std::error_code error;
  if (const fs::path library = ours / "ocml.bc"; fs::exists(library, error)) {
    candidates.push_back({ours, bitcode_writer(library).value_or(0)});
  }
  if (rocm.root != "/usr") {
    std::vector<DeviceLibs> more = device_libs_below("/usr");
    std::move(more.begin(), more.end(), std::back_inserter(candidates));
  }
  std::vector<DeviceLibs> unreadable;
  for (const bool old : {false, true}) {
    for (const DeviceLibs& libs : candidates) {
      if (libs.has_processors({kHip6Processor}) == old || !libs.has_processors(gfx)) continue;
      if (libs.written_by <= compiler_version) return libs;
      unreadable.push_back(libs);
    }
  }
  return no_device_libs(unreadable, rocm, compiler_version, gfx);
}

}  // namespace wavetank::toolchain
