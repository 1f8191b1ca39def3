#include "toolchain/hip_toolchain.hpp"

namespace wavetank::toolchain {
namespace {

namespace fs = std::filesystem;

/// From this version on clang makes code objects of version 6 unless told otherwise (its release
/// notes).
constexpr int kFirstLlvmWithCodeObject6 = 20;
/// LLVM 22 no longer defines __AMDGCN_WAVEFRONT_SIZE, which HIP's headers ask for before version 7.
constexpr int kFirstLlvmWithoutWavefrontSize = 22;
constexpr int kFirstHipWithoutWavefrontSize = 7;

/// clang adds the headers of --rocm-path behind /usr/include. In front they win over a package's.
/// Not /usr/include itself: libstdc++'s #include_next needs it behind its own headers.
bool comes_first(const fs::path& include) {
  std::error_code error;
  return !fs::equivalent(include, "/usr/include", error);
}

}  // namespace

Result<DeviceLibs> HipToolchain::device_libs(const std::vector<std::string>& gfx) const {
  return choose_device_libs(rocm, share_folder / "device-libs", compiler.version_major, gfx);
}

Result<std::vector<std::string>> HipToolchain::flags(const std::vector<std::string>& gfx) const {
  const auto libs = device_libs(gfx);
  if (!libs) return tl::unexpected(libs.error());
  std::vector<std::string> flags = {"--rocm-path=" + rocm.root.string(),
                                    "--rocm-device-lib-path=" + libs->folder.string()};
  if (compiler.version_major >= kFirstLlvmWithCodeObject6 && !libs->has_abi_version(6)) {
    flags.emplace_back("-mcode-object-version=5");
  }
  if (compiler.version_major >= kFirstLlvmWithoutWavefrontSize &&
      rocm.version_major < kFirstHipWithoutWavefrontSize) {
    flags.insert(flags.end(), {"-D__AMDGCN_WAVEFRONT_SIZE=64", "-D__AMDGCN_WAVEFRONT_SIZE__=64"});
  }
  if (needs_repair(rocm)) {
    flags.insert(flags.end(), {"-isystem", (share_folder / "include").string()});
  }
  if (const fs::path include = rocm.root / "include"; comes_first(include)) {
    flags.insert(flags.end(), {"-isystem", include.string()});
  }
  return flags;
}

Result<HipToolchain> find_hip_toolchain(const fs::path& share_folder,
                                        const std::string& rocm_path) {
  Result<Compiler> compiler = find_compiler();
  if (!compiler) return tl::unexpected(std::move(compiler).error());
  Result<Rocm> rocm = rocm_path.empty() ? find_rocm() : rocm_at(rocm_path);
  if (!rocm) return tl::unexpected(std::move(rocm).error());
  if (!rocm_path.empty()) rocm->chosen_by = "--rocm-path";
  return HipToolchain{std::move(*compiler), std::move(*rocm), share_folder};
}

}  // namespace wavetank::toolchain
