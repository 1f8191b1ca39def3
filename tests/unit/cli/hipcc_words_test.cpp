#include "cli/compile/hipcc_words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "cli/compile/compile.hpp"
#include "unit/toolchain/folder.hpp"

namespace wavetank::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(HipccWords, BecomeClangs) {
  const auto words =
      read_hipcc_words({"--genco", "-parallel-jobs=4", "--hipcc-func-supp", "a.hip"});
  EXPECT_THAT(words->rest, ElementsAre("--cuda-device-only", "a.hip"));
}

TEST(HipccWords, ForbidCallsAsHipccDoes) {
  EXPECT_THAT(read_hipcc_words({"--hipcc-no-func-supp"})->rest,
              ElementsAre("-mllvm", "-amdgpu-early-inline-all=true", "-mllvm",
                          "-amdgpu-function-calls=false"));
}

TEST(HipccWords, NameProcessorsInEveryForm) {
  const auto words =
      read_hipcc_words({"--offload-arch=gfx90a,gfx942", "-c", "--amdgpu-target=gfx90a:xnack+"});
  EXPECT_THAT(words->architectures, ElementsAre("gfx90a", "gfx942", "gfx90a:xnack+"));
  EXPECT_THAT(words->rest, ElementsAre("-c"));
}

TEST(ResponseFile, IsReadWithItsQuotesAndTheFilesThatItNames) {
  const toolchain::Folder folder;
  const auto inner = folder.write("inner", std::string("-DB='x y' --offload-arch=gfx942"));
  const auto outer =
      folder.write("outer", "-DA=\\\"1\\\"\n  \"two words.hip\" '' @" + inner.string() + "\n");
  const auto words = read_hipcc_words({"-c", "@" + outer.string(), "-o", "x"});
  ASSERT_TRUE(words);
  EXPECT_THAT(words->rest,
              ElementsAre("-c", "-DA=\"1\"", "two words.hip", "", "-DB=x y", "-o", "x"));
  EXPECT_THAT(words->architectures, ElementsAre("gfx942"));
}

TEST(ResponseFile, ThatIsMissingOrNamesItselfIsAnError) {
  const toolchain::Folder folder;
  EXPECT_FALSE(read_hipcc_words({"@" + (folder.path() / "missing").string()}));
  const std::string name = "@" + (folder.path() / "circle").string();
  folder.write("circle", name);
  ASSERT_FALSE(read_hipcc_words({name}));
  EXPECT_THAT(read_hipcc_words({name}).error().message, HasSubstr("each other"));
}

TEST(HelpForFailure, NamesTheOpenMpLibraryWhereItIsMissing) {
  const toolchain::Folder folder;
  folder.program("bin/clang++");
  folder.write("lib/clang/19/include/stddef.h", std::string());
  setenv("HIP_CLANG_PATH", (folder.path() / "bin").c_str(), 1);
  CompileOptions options;
  options.rest = {"-fopenmp", "a.cpp"};
  EXPECT_THAT(help_for_failure(options), HasSubstr("apt-get install libomp-19-dev"));
  folder.write("lib/libomp.so", std::string());
  EXPECT_THAT(help_for_failure(options), IsEmpty());
  unsetenv("HIP_CLANG_PATH");
}

}  // namespace
}  // namespace wavetank::cli
