// The shared libraries: every symbol that AMD's export is there, and a stub says what it is.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace {

constexpr int kNotSupported = 2;  // RSMI_STATUS_NOT_SUPPORTED

void* open_library(char soname) {
  const std::string path = std::string(WAVETANK_LIBRARY_FOLDER "/librocm_smi64.so.") + soname;
  return dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

TEST(SmiLibraries, ExportWhatAmdsExport) {
  for (const char soname : {'1', '7'}) {
    void* library = open_library(soname);
    ASSERT_NE(library, nullptr) << dlerror();
    std::ifstream list(WAVETANK_SMI_SYMBOLS);
    std::string line;
    int count = 0;
    while (std::getline(list, line)) {
      const auto space = line.find(' ');
      if (line.starts_with('#') || line.find(soname, space) == std::string::npos) continue;
      EXPECT_NE(dlsym(library, line.substr(0, space).c_str()), nullptr) << line;
      ++count;
    }
    EXPECT_EQ(count, 118);
    dlclose(library);
  }
}

TEST(SmiLibraries, AFunctionWithoutAnAnswerNamesItselfOnce) {
  void* library = open_library('7');
  ASSERT_NE(library, nullptr) << dlerror();
  const auto reset = reinterpret_cast<int (*)(unsigned)>(dlsym(library, "rsmi_dev_gpu_reset"));
  testing::internal::CaptureStderr();
  EXPECT_EQ(reset(0), kNotSupported);
  EXPECT_EQ(reset(0), kNotSupported);
  EXPECT_EQ(
      testing::internal::GetCapturedStderr(),
      "wavetank: rsmi_dev_gpu_reset is not supported; it returns RSMI_STATUS_NOT_SUPPORTED\n");
}

}  // namespace
