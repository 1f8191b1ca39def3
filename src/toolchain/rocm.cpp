#include "toolchain/rocm.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <tuple>

#include "toolchain/process.hpp"

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;

/// The number behind "#define NAME " in a header, or -1.
int read_define(const fs::path& header, const std::string& name) {
  std::ifstream file(header);
  const std::string prefix = "#define " + name + " ";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(prefix, 0) == 0) return std::atoi(line.c_str() + prefix.size());
  }
  return -1;
}

/// Where ROCm and the distributions put the device libraries.
fs::path find_device_libs(const fs::path& root) {
  std::error_code error;
  for (const char* folder : {"amdgcn/bitcode", "lib/x86_64-linux-gnu/amdgcn/bitcode",
                             "lib/amdgcn/bitcode", "lib/llvm/lib/clang/20/lib/amdgcn/bitcode"}) {
    if (fs::exists(root / folder / "ocml.bc", error)) return root / folder;
  }
  return {};
}

/// "90a" of "gfx90a:xnack-".
std::string isa_version(std::string_view gfx) {
  gfx.remove_prefix(std::min<std::size_t>(3, gfx.size()));
  return std::string(gfx.substr(0, gfx.find(':')));
}

bool has_processors(const fs::path& folder, const std::vector<std::string>& gfx) {
  std::error_code error;
  for (const std::string& name : gfx) {
    const std::string file = fmt::format("oclc_isa_version_{}.bc", isa_version(name));
    if (!fs::exists(folder / file, error)) return false;
  }
  return fs::exists(folder / "ocml.bc", error);
}

}  // namespace

Result<std::string> find_clang() {
  for (const char* name : {"clang++-19", "/usr/lib/llvm-19/bin/clang++"}) {
    if (const auto path = find_program(name)) return *path;
  }
  return fail(ErrorCode::kUsage, "clang++-19 is not installed", {},
              "apt-get install clang-19 lld-19");
}

Result<Rocm> rocm_at(const fs::path& root) {
  Rocm rocm;
  rocm.root = root;
  const fs::path header = root / "include" / "hip" / "hip_version.h";
  rocm.version_major = read_define(header, "HIP_VERSION_MAJOR");
  rocm.version_minor = read_define(header, "HIP_VERSION_MINOR");
  if (rocm.version_major < 0) {
    return fail(ErrorCode::kUsage, fmt::format("no HIP headers under {}", root.string()),
                header.string(), "apt-get install libamdhip64-dev, or give --rocm-path FOLDER");
  }
  rocm.device_libs = find_device_libs(root);
  return rocm;
}

Result<Rocm> find_newest_rocm() {
  std::vector<fs::path> roots = {"/opt/rocm", "/usr"};
  if (const char* variable = std::getenv("ROCM_PATH")) roots.insert(roots.begin(), variable);
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator("/opt", error)) {
    if (entry.path().filename().string().rfind("rocm-", 0) == 0) roots.push_back(entry.path());
  }
  Result<Rocm> newest = rocm_at("/usr");
  for (const fs::path& root : roots) {
    Result<Rocm> rocm = rocm_at(root);
    if (!rocm) continue;
    const bool newer = !newest || std::tie(rocm->version_major, rocm->version_minor) >
                                      std::tie(newest->version_major, newest->version_minor);
    if (newer) newest = std::move(rocm);
  }
  return newest;
}

bool needs_repair(const Rocm& rocm) { return rocm.version_major < 6; }

Result<fs::path> device_libs_for(const Rocm& rocm, const Paths& paths,
                                 const std::vector<std::string>& gfx) {
  const fs::path ours = paths.share_folder / "device-libs";
  for (const fs::path& folder : {rocm.device_libs, ours}) {
    if (!folder.empty() && has_processors(folder, gfx)) return folder;
  }
  std::string names;
  for (const std::string& name : gfx) names += (names.empty() ? "" : ", ") + name;
  return fail(ErrorCode::kUsage, fmt::format("no device libraries for {}", names),
              rocm.device_libs.empty() ? rocm.root.string() : rocm.device_libs.string(),
              "apt-get install rocm-device-libs");
}

}  // namespace wavetank::toolchain
