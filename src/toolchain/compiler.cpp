#include "toolchain/compiler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "toolchain/process.hpp"
#include "toolchain/rocm.hpp"

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;

/// What clang starts to make a HIP program, and the Debian package that has it.
struct Tool {
  const char* program;
  const char* package;
};
constexpr std::array kNeededTools = {Tool{"ld.lld", "lld"},
                                     Tool{"clang-offload-bundler", "clang-tools"}};

/// Where a ROCm installation keeps its compiler.
constexpr std::array kRocmFolders = {"lib/llvm/bin", "llvm/bin"};

/// What clang++ is in the ROCm folder of `wavetank shell`, which may be linked as /opt/rocm: a link
/// to Wavetank, which would look for a compiler and find itself.
constexpr const char* kStandIn = "wavetank";

/// The version of the clang in a bin folder, by the name of its resource folder (lib/clang/19).
int version_in(const fs::path& bin) {
  int newest = 0;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(bin.parent_path() / "lib" / "clang", error)) {
    newest = std::max(newest, std::atoi(entry.path().filename().c_str()));
  }
  return newest;
}

/// The compiler at a path, if it is one of the supported versions.
std::optional<Compiler> compiler_at(const std::string& path, const std::string& found_in) {
  const auto clang = find_program(path);
  if (!clang) return std::nullopt;
  std::error_code error;
  const fs::path program = fs::canonical(*clang, error);
  if (program.filename() == kStandIn) return std::nullopt;
  const fs::path folder = program.parent_path();
  Compiler compiler{*clang, folder, version_in(folder), found_in};
  if (compiler.version_major < kOldestLlvm || compiler.version_major > kNewestLlvm) {
    return std::nullopt;
  }
  return compiler;
}

/// A clang++ and why it is looked for.
struct Place {
  std::string path, found_in;
};

std::vector<Place> places() {
  if (const char* folder = std::getenv("HIP_CLANG_PATH"); folder != nullptr && *folder != '\0') {
    return {{fmt::format("{}/clang++", folder), "$HIP_CLANG_PATH"}};
  }
  std::vector<Place> result;
  for (int version = kNewestLlvm; version >= kOldestLlvm; --version) {
    result.push_back({fmt::format("clang++-{}", version), "PATH"});
    const std::string folder = fmt::format("/usr/lib/llvm-{}/bin", version);
    result.push_back({folder + "/clang++", folder});
  }
  for (const fs::path& root : rocm_roots()) {
    for (const char* folder : kRocmFolders) {
      result.push_back({(root / folder / "clang++").string(), (root / folder).string()});
    }
  }
  return result;
}

}  // namespace

std::optional<std::string> Compiler::tool(std::string_view name) const {
  for (const std::string& path :
       {(folder / name).string(), fmt::format("{}-{}", name, version_major),
        fmt::format("/usr/lib/llvm-{}/bin/{}", version_major, name)}) {
    if (auto found = find_program(path)) return found;
  }
  return std::nullopt;
}

std::vector<Compiler::MissingTool> Compiler::missing_tools() const {
  std::vector<MissingTool> missing;
  for (const Tool& needed : kNeededTools) {
    if (tool(needed.program)) continue;
    missing.push_back({needed.program, fmt::format("{}-{}", needed.package, version_major)});
  }
  return missing;
}

std::vector<Compiler> installed_compilers() {
  std::vector<Compiler> installed;
  for (const Place& place : places()) {
    const auto compiler = compiler_at(place.path, place.found_in);
    if (!compiler) continue;
    const bool known = std::any_of(installed.begin(), installed.end(), [&](const Compiler& other) {
      return other.folder == compiler->folder;
    });
    const auto behind = std::find_if(
        installed.begin(), installed.end(),
        [&](const Compiler& other) { return other.version_major < compiler->version_major; });
    if (!known) installed.insert(behind, *compiler);
  }
  return installed;
}

Result<Compiler> choose_compiler(const std::vector<Compiler>& installed) {
  const auto complete =
      std::find_if(installed.begin(), installed.end(),
                   [](const Compiler& compiler) { return compiler.missing_tools().empty(); });
  if (complete != installed.end()) return *complete;
  if (!installed.empty()) return installed.front();
  std::string message =
      fmt::format("no clang++ of version {} to {} is installed", kOldestLlvm, kNewestLlvm);
  if (const char* folder = std::getenv("HIP_CLANG_PATH"); folder != nullptr && *folder != '\0') {
    message = fmt::format("no clang++ of version {} to {} in $HIP_CLANG_PATH, {}", kOldestLlvm,
                          kNewestLlvm, folder);
  }
  return fail(
      ErrorCode::kUsage, message, {},
      fmt::format("apt-get install clang-{0} lld-{0} clang-tools-{0} llvm-{0}", kOldestLlvm));
}

Result<Compiler> find_compiler() { return choose_compiler(installed_compilers()); }

}  // namespace wavetank::toolchain
