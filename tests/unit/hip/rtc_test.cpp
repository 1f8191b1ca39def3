// Compiling at run time behind its API: what is kept, and what makes it stale.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "hip/rtc/code_cache.hpp"
#include "hip/rtc/compiler.hpp"
#include "hip/rtc/options.hpp"
#include "hip/rtc/precompiled_header.hpp"
#include "unit/toolchain/folder.hpp"

namespace wavetank::hip::rtc {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class RtcCache : public testing::Test {
 protected:
  RtcCache() { setenv("WAVETANK_CACHE", cache_.path().c_str(), 1); }
  ~RtcCache() override { unsetenv("WAVETANK_CACHE"); }

  /// The files of the cache with an extension, each with its inode: a file that is written again
  /// changes it.
  std::vector<std::pair<fs::path, ino_t>> files(const std::string& extension) const {
    std::vector<std::pair<fs::path, ino_t>> found;
    for (const auto& entry : fs::directory_iterator(cache_.path())) {
      struct stat status{};
      stat(entry.path().c_str(), &status);
      if (entry.path().extension() == extension) found.emplace_back(entry.path(), status.st_ino);
    }
    return found;
  }

  static CompileRequest request(const std::string& text, std::vector<std::string> options = {}) {
    options.insert(options.end(), {"--offload-arch=gfx90a", "-O1"});
    return {{"kernel.cu", text}, {}, std::move(options), {"fill"}};
  }

  toolchain::Folder cache_;
  toolchain::Folder includes_;
  const std::string kernel_ = "__global__ void fill(float* p) { p[threadIdx.x] = 1; }\n";
};

TEST_F(RtcCache, GivesTheSameCodeAgainWithoutCompiling) {
  const Compiled first = compile(request(kernel_));
  ASSERT_TRUE(first.succeeded) << first.log;
  const auto kept = files(".code");
  ASSERT_THAT(kept, SizeIs(1));
  const Compiled second = compile(request(kernel_));
  EXPECT_EQ(second.code, first.code);
  EXPECT_EQ(second.lowered_names, first.lowered_names);
  EXPECT_EQ(second.lowered_names.at("fill"), "_Z4fillPf");
  EXPECT_EQ(files(".code"), kept);
}

TEST_F(RtcCache, CompilesAgainWhenAnIncludedFileChanges) {
  const fs::path header = includes_.write("value.h", std::string("constexpr float value = 2;\n"));
  const std::string source =
      "#include \"value.h\"\n__global__ void fill(float* p) { *p = value; }\n";
  const auto wanted = request(source, {"-I", includes_.path().string()});
  const Compiled first = compile(wanted);
  ASSERT_TRUE(first.succeeded) << first.log;
  includes_.write("value.h", std::string("constexpr float value = 17;\n"));
  const Compiled second = compile(wanted);
  ASSERT_TRUE(second.succeeded) << second.log;
  EXPECT_NE(second.code, first.code);
}

TEST_F(RtcCache, SharesThePrecompiledHeaderAmongOptionsThatDoNotMatterToIt) {
  ASSERT_TRUE(compile(request(kernel_)).succeeded);
  const auto made = files(".pch");
  ASSERT_TRUE(compile(request(kernel_, {"-DOWN=1", "-I/nowhere"})).succeeded);
  EXPECT_EQ(files(".pch"), made);
  ASSERT_TRUE(compile(request(kernel_, {"-DNDEBUG"})).succeeded);
  EXPECT_THAT(files(".pch"), SizeIs(made.size() + 1));
}

TEST_F(RtcCache, MakesTheHeaderAgainWhenOneOfItsFilesChanged) {
  ASSERT_TRUE(compile(request(kernel_)).succeeded);
  const auto made = files(".pch");
  for (const auto& [inputs, inode] : files(".inputs")) {
    std::ofstream(inputs, std::ios::app) << "1 1.000000000 /nowhere/header.h\n";
  }
  ASSERT_TRUE(compile(request(kernel_ + "// other")).succeeded);
  EXPECT_THAT(files(".pch"), SizeIs(made.size()));
  EXPECT_NE(files(".pch"), made);
}

TEST_F(RtcCache, IsNotNeeded) {
  setenv("WAVETANK_CACHE", "off", 1);
  EXPECT_TRUE(compile(request(kernel_)).succeeded);
  EXPECT_THAT(files(".code"), IsEmpty());
}

TEST_F(RtcCache, KeepsNoFailures) {
  const Compiled broken = compile(request("broken"));
  EXPECT_FALSE(broken.succeeded);
  EXPECT_THAT(broken.log, testing::HasSubstr("kernel.cu:1:1: error"));
  EXPECT_THAT(files(".code"), IsEmpty());
}

TEST_F(RtcCache, GoesOnWithoutAKeptFileThatIsDamaged) {
  const Compiled first = compile(request(kernel_));
  for (const auto& [code, inode] : files(".code")) fs::resize_file(code, 100);
  EXPECT_EQ(compile(request(kernel_)).code, first.code);
}

TEST_F(RtcCache, PrintsWhatLlvmsOwnOptionsAskForOnStderrEachTime) {
  CompileRequest wanted = request(kernel_);
  wanted.options.insert(wanted.options.end(), {"-mllvm", "-print-after=constmerge"});
  for (int time = 0; time < 2; ++time) {
    testing::internal::CaptureStderr();
    EXPECT_TRUE(compile(wanted).succeeded);
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("IR Dump After"));
  }
  testing::internal::CaptureStderr();
  EXPECT_TRUE(compile(request(kernel_)).succeeded);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(CodeKey, IsEmptyForWhatMustRunTheCompiler) {
  CompileRequest request{{"a.cu", "int i;"}, {}, {}, {}};
  EXPECT_EQ(code_key(request, {"clang"}, "").size(), 32u);
  request.options = {"-save-temps"};
  EXPECT_EQ(code_key(request, {"clang"}, ""), "");
  request.options = {};
  request.source.text = "const char* when = __TIME__;";
  EXPECT_EQ(code_key(request, {"clang"}, ""), "");
}

TEST(NamesAsked, AreThoseOfConditions) {
  EXPECT_THAT(names_asked("#define A B\n# ifdef C\n#  if defined(D) || \\\n   E > 2\n int F;\n"
                          "#elif !G\n#endif H"),
              ElementsAre("ifdef", "C", "if", "defined", "D", "E", "2", "elif", "G"));
}

TEST(OptionWords, TakeValuesInOneWordOrTwo) {
  const auto words = split_options({"-DA=1", "-D", "B", "-O3", "-I"}, {"-D", "-I"});
  ASSERT_THAT(words, SizeIs(4));
  EXPECT_EQ(words[0].value, "A=1");
  EXPECT_EQ(words[1].value, "B");
  EXPECT_THAT(words[1].words, ElementsAre("-D", "B"));
  EXPECT_EQ(words[2].option, "-O3");
  EXPECT_EQ(words[3].value, "");
}

}  // namespace
}  // namespace wavetank::hip::rtc
