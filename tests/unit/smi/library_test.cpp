// The shared libraries: every symbol that AMD's export is there, and a stub says what it is.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

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

/// What a process sees of one library; `version` has the layout of rsmi_version_t.
struct Version {
  unsigned major, minor, patch;
  const char* build;
};

template <class Function>
Function* function(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

TEST(SmiLibraries, Soname1HasTheLayoutOfTheHipThatTheProcessUses) {
  setenv("WAVETANK_DEVICE", "mi210", 1);
  void* library = open_library('1');
  ASSERT_NE(library, nullptr) << dlerror();
  ASSERT_EQ(function<int(unsigned long)>(library, "rsmi_init")(0), 0);
  const auto version_of = function<int(Version*)>(library, "rsmi_version_get");
  const auto clocks_of =
      function<int(unsigned, unsigned, void*)>(library, "rsmi_dev_gpu_clk_freq_get");
  Version version{};
  std::vector<unsigned char> clocks(280, 0xaa);
  EXPECT_EQ(version_of(&version), 0);
  EXPECT_EQ(version.major, 7u);  // ROCm 6.4's
  EXPECT_EQ(clocks_of(0, 0, clocks.data()), 0);
  EXPECT_NE(clocks[279], 0xaa);

  void* hip = dlopen(WAVETANK_LIBRARY_FOLDER "/libamdhip64.so.5", RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(hip, nullptr) << dlerror();
  std::fill(clocks.begin(), clocks.end(), 0xaa);
  EXPECT_EQ(version_of(&version), 0);
  EXPECT_EQ(version.major, 1u);  // ROCm 5.2's, as Debian numbered it
  EXPECT_EQ(clocks_of(0, 0, clocks.data()), 0);
  EXPECT_NE(clocks[263], 0xaa);
  EXPECT_EQ(clocks[264], 0xaa);
}

TEST(SmiLibraries, CountTheMemoryThatThisProcessHolds) {
  setenv("WAVETANK_DEVICE", "mi210,mi300x", 1);
  setenv("HIP_VISIBLE_DEVICES", "1", 1);
  void* library = open_library('7');
  void* hip = dlopen(WAVETANK_LIBRARY_FOLDER "/libamdhip64.so.5", RTLD_NOW | RTLD_LOCAL);
  ASSERT_TRUE(library != nullptr && hip != nullptr) << dlerror();
  ASSERT_EQ(function<int(unsigned long)>(library, "rsmi_init")(0), 0);
  void* memory = nullptr;
  ASSERT_EQ(function<int(void**, std::size_t)>(hip, "hipMalloc")(&memory, 1 << 20), 0);
  const auto used_of =
      function<int(unsigned, unsigned, unsigned long*)>(library, "rsmi_dev_memory_usage_get");
  unsigned long used = 0;
  EXPECT_EQ(used_of(0, 0, &used), 0);
  EXPECT_EQ(used, 0u);  // hidden from HIP, so that nothing is allocated there
  EXPECT_EQ(used_of(1, 0, &used), 0);
  EXPECT_GE(used, 1u << 20);
}

}  // namespace
