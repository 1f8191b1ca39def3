// Which compiler and which device libraries are taken of several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "toolchain/compiler.hpp"
#include "toolchain/hip_toolchain.hpp"
#include "toolchain/rocm.hpp"
#include "unit/toolchain/folder.hpp"

namespace wavetank::toolchain {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// An LLVM whose tools lie in a folder of their own; its version keeps Debian's out of the search.
Compiler compiler(const Folder& folder, int version, const std::vector<std::string>& tools) {
  const std::string bin = "llvm-" + std::to_string(version) + "/bin";
  for (const std::string& tool : tools) folder.program(bin + "/" + tool);
  return {folder.path() / bin / "clang++", folder.path() / bin, version};
}

TEST(CompilerChoice, TakesTheNewestThatHasItsTools) {
  const Folder folder;
  const Compiler newest = compiler(folder, 122, {"clang++", "ld.lld"});
  const Compiler complete = compiler(folder, 121, {"clang++", "ld.lld", "clang-offload-bundler"});
  const Compiler older = compiler(folder, 120, {"clang++", "ld.lld", "clang-offload-bundler"});
  EXPECT_EQ(choose_compiler({newest, complete, older})->version_major, 121);
  ASSERT_EQ(newest.missing_tools().size(), 1u);
  EXPECT_EQ(newest.missing_tools()[0].program, "clang-offload-bundler");
  EXPECT_EQ(newest.missing_tools()[0].package, "clang-tools-122");
}

TEST(CompilerChoice, TakesTheNewestWhenNoneIsComplete) {
  const Folder folder;
  EXPECT_EQ(choose_compiler({compiler(folder, 122, {"clang++"}), compiler(folder, 121, {})})
                ->version_major,
            122);
}

TEST(CompilerChoice, SaysWhatToInstallWhenThereIsNone) {
  const auto none = choose_compiler({});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().help, HasSubstr("clang-19"));
}

TEST(CompilerChoice, FollowsHipClangPath) {
  const Folder folder;
  folder.program("bin/clang++");
  folder.write("lib/clang/19/include/stddef.h", std::string());
  setenv("HIP_CLANG_PATH", (folder.path() / "bin").c_str(), 1);
  const std::vector<Compiler> found = installed_compilers();
  unsetenv("HIP_CLANG_PATH");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].clang, folder.path() / "bin/clang++");
  EXPECT_EQ(found[0].version_major, 19);
}

TEST(CompilerChoice, DoesNotTakeWavetankForACompiler) {
  const Folder folder;
  folder.program("bin/wavetank");
  folder.write("lib/clang/19/include/stddef.h", std::string());
  std::filesystem::create_symlink(folder.path() / "bin/wavetank", folder.path() / "bin/clang++");
  setenv("HIP_CLANG_PATH", (folder.path() / "bin").c_str(), 1);
  const std::vector<Compiler> found = installed_compilers();
  unsetenv("HIP_CLANG_PATH");
  EXPECT_TRUE(found.empty());
}

TEST(HeadersVersion, HasThePatchAndTheCommit) {
  const Folder folder;
  const std::string numbers =
      "#define HIP_VERSION_MAJOR 6\n#define HIP_VERSION_MINOR 4\n#define HIP_VERSION_PATCH 43484\n";
  folder.write("rocm/include/hip/hip_version.h",
               numbers + "#define HIP_VERSION_GITHASH \"123eb5128\"\n");
  folder.write("usr/include/hip/hip_version.h", numbers + "#define HIP_VERSION_GITHASH \"\"\n");
  EXPECT_EQ(rocm_at(folder.path() / "rocm")->full_version(), "6.4.43484-123eb5128");
  EXPECT_EQ(rocm_at(folder.path() / "usr")->full_version(), "6.4.43484-");
  EXPECT_FALSE(rocm_at(folder.path() / "elsewhere"));
}

/// Device libraries of a writer, for processors ("90a").
void write_libs(const Folder& folder, const std::string& at,
                const std::vector<unsigned char>& bitcode, const std::vector<std::string>& isas) {
  folder.write(at + "/ocml.bc", bitcode);
  for (const std::string& isa : isas) {
    folder.write(at + "/oclc_isa_version_" + isa + ".bc", std::string());
  }
}

struct Installation {
  Installation() {
    write_libs(folder, "rocm/lib/llvm-22/lib/clang/22/amdgcn/bitcode", kBitcode22, {"90a", "942"});
    write_libs(folder, "ours", kBitcode15, {"90a", "942"});
    rocm.root = folder.path() / "rocm";
  }
  std::string chosen(int compiler_version, const std::vector<std::string>& gfx) const {
    const auto libs = choose_device_libs(rocm, folder.path() / "ours", compiler_version, gfx);
    return libs ? libs->folder.lexically_relative(folder.path()).string() : libs.error().message;
  }
  Folder folder;
  Rocm rocm;
};

TEST(DeviceLibraries, AreTheHeadersOwnWhereTheCompilerReadsThem) {
  const Installation there;
  EXPECT_EQ(there.chosen(22, {"gfx90a:xnack-"}), "rocm/lib/llvm-22/lib/clang/22/amdgcn/bitcode");
  EXPECT_EQ(there.chosen(21, {"gfx90a"}), "ours");
}

TEST(DeviceLibraries, OlderThanHip6ComeLast) {
  const Installation there;
  write_libs(there.folder, "rocm/amdgcn/bitcode", kBitcode15, {"90a"});
  EXPECT_EQ(there.chosen(21, {"gfx90a"}), "ours");
  std::filesystem::remove_all(there.folder.path() / "ours");
  EXPECT_EQ(there.chosen(21, {"gfx90a"}), "rocm/amdgcn/bitcode");
}

TEST(DeviceLibraries, ThatNoCompilerReadsAreNamedWithTheCompilerToInstall) {
  const Installation there;
  write_libs(there.folder, "rocm/amdgcn/bitcode", kBitcode22, {"90a", "7777"});
  const auto libs = choose_device_libs(there.rocm, there.folder.path() / "ours", 19, {"gfx7777"});
  ASSERT_FALSE(libs);
  EXPECT_EQ(libs.error().message, "LLVM 22 wrote the device libraries, which clang 19 cannot read");
  EXPECT_THAT(libs.error().help, HasSubstr("clang-22"));
  EXPECT_EQ(there.chosen(22, {"gfx7778"}), "no device libraries for gfx7778");
}

std::vector<std::string> flags_of(const Installation& there, int compiler, int hip,
                                  const std::string& gfx = "gfx90a") {
  HipToolchain tools{{"/bin/clang++", "/bin", compiler}, there.rocm, there.folder.path()};
  tools.rocm.version_major = hip;
  return tools.flags({gfx}).value_or(std::vector<std::string>{"error"});
}

TEST(ToolchainFlags, PutTheHeadersOfARootBeforeTheSystems) {
  const Installation there;
  there.folder.write("rocm/include/hip/hip_version.h", std::string());
  EXPECT_THAT(flags_of(there, 22, 7), Contains((there.rocm.root / "include").string()));
  Installation system;
  system.rocm.root = "/usr";
  EXPECT_THAT(flags_of(system, 22, 7), Not(Contains("/usr/include")));
}

TEST(ToolchainFlags, KeepCodeObjectsAtVersion5WhereLibrariesDoNotKnow6) {
  const Installation there;
  EXPECT_THAT(flags_of(there, 22, 7), Contains("-mcode-object-version=5"));
  there.folder.write("rocm/lib/llvm-22/lib/clang/22/amdgcn/bitcode/oclc_abi_version_600.bc",
                     std::string());
  EXPECT_THAT(flags_of(there, 22, 7), Not(Contains("-mcode-object-version=5")));
}

TEST(ToolchainFlags, DefineTheWavefrontsSizeForOldHeadersUnderANewCompiler) {
  const Installation there;
  const auto has_size = Contains("-D__AMDGCN_WAVEFRONT_SIZE=64");
  EXPECT_THAT(flags_of(there, 22, 6), has_size);
  EXPECT_THAT(flags_of(there, 22, 7), Not(has_size));
  EXPECT_THAT(flags_of(there, 19, 6), Not(has_size));
}

}  // namespace
}  // namespace wavetank::toolchain
