// Functions by name, in the shared libraries themselves.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidValue = 1;
constexpr int kFound = 0;
constexpr int kNotFound = 1;
constexpr std::uint64_t kDefault = 0;
constexpr std::uint64_t kLegacyStream = 1;
constexpr std::uint64_t kPerThreadStream = 2;

using GetProcAddress = int (*)(const char*, void**, int, std::uint64_t, int*);
using GetEntryPoint = int (*)(const char*, void**, unsigned long long, int*);

/// libamdhip64.so.6 or .so.7, opened by its path and kept out of the program's own symbols.
class Library {
 public:
  explicit Library(int major) {
    const std::string path = WAVETANK_LIBRARY_FOLDER "/libamdhip64.so." + std::to_string(major);
    handle_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~Library() { dlclose(handle_); }
  void* symbol(const char* name) const { return dlsym(handle_, name); }
  template <class Function>
  Function function(const char* name) const {
    return reinterpret_cast<Function>(symbol(name));
  }

 private:
  void* handle_ = nullptr;
};

class HipEntryPoints : public ::testing::TestWithParam<int> {
 protected:
  const Library library{GetParam()};
  const GetProcAddress get = library.function<GetProcAddress>("hipGetProcAddress");
  void* found = nullptr;
  int result = -1;
};

}  // namespace

TEST_P(HipEntryPoints, AFunctionIsTheOneOfTheLibraryThatWasAsked) {
  ASSERT_EQ(get("hipMalloc", &found, 600, kDefault, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipMalloc"));
  EXPECT_EQ(result, kFound);
  int count = 0;
  ASSERT_EQ(get("hipGetDeviceCount", &found, 600, kDefault, nullptr), kSuccess);
  EXPECT_EQ(reinterpret_cast<int (*)(int*)>(found)(&count), kSuccess);
  EXPECT_EQ(count, 1);
}

TEST_P(HipEntryPoints, SinceVersion600TheDevicePropertiesAreThoseOfRocm6) {
  EXPECT_EQ(get("hipGetDeviceProperties", &found, 600, kDefault, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipGetDevicePropertiesR0600"));
  EXPECT_EQ(get("hipGetDeviceProperties", &found, 599, kDefault, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipGetDeviceProperties"));
  EXPECT_EQ(get("hipChooseDevice", &found, 602, kDefault, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipChooseDeviceR0600"));
}

TEST_P(HipEntryPoints, ANameThatTheLibraryDoesNotExportIsNotFound) {
  for (const char* name : {"hipNoSuchFunction", "malloc", "hipmalloc"}) {
    found = &result;
    EXPECT_EQ(get(name, &found, 600, kDefault, &result), kInvalidValue) << name;
    EXPECT_EQ(result, kNotFound) << name;
    EXPECT_EQ(found, nullptr) << name;
  }
}

TEST_P(HipEntryPoints, NoNameNoPlaceAndUnknownFlagsAreErrorsThatLeaveTheResultAlone) {
  EXPECT_EQ(get(nullptr, &found, 600, kDefault, &result), kInvalidValue);
  EXPECT_EQ(get("", &found, 600, kDefault, &result), kInvalidValue);
  EXPECT_EQ(get("hipMalloc", nullptr, 600, kDefault, &result), kInvalidValue);
  EXPECT_EQ(get("hipMalloc", &found, 600, 3, &result), kInvalidValue);
  EXPECT_EQ(result, -1);
}

TEST_P(HipEntryPoints, PerThreadStreamsTakeTheSptFunctionWhereThereIsOne) {
  EXPECT_EQ(get("hipMemcpy", &found, 600, kPerThreadStream, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipMemcpy_spt"));
  EXPECT_EQ(get("hipMalloc", &found, 600, kPerThreadStream, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipMalloc"));
  EXPECT_EQ(get("hipMemcpy", &found, 600, kLegacyStream, &result), kSuccess);
  EXPECT_EQ(found, library.symbol("hipMemcpy"));
}

TEST_P(HipEntryPoints, AFunctionThatIsNotSupportedSaysSo) {
  const auto bind = library.function<int (*)()>("hipTexRefSetMipmappedArray");
  const auto last_error = library.function<int (*)()>("hipGetLastError");
  constexpr int kNotSupported = 801;
  EXPECT_EQ(bind(), kNotSupported);
  EXPECT_EQ(last_error(), kNotSupported);
}

TEST_P(HipEntryPoints, FunctionsHaveTheNumbersOfTheirGeneration) {
  const auto name = library.function<const char* (*)(std::uint32_t)>("hipApiName");
  EXPECT_STREQ(name(6), "hipChooseDeviceR0000");
  EXPECT_STREQ(name(83), GetParam() == 6 ? "hipGetErrorString" : "unknown");
  EXPECT_STREQ(name(413), GetParam() == 6 ? "hipLinkAddData" : "hipEventRecordWithFlags");
  EXPECT_STREQ(name(448), GetParam() == 6 ? "unknown" : "hipKernelGetName");
}

INSTANTIATE_TEST_SUITE_P(Libraries, HipEntryPoints, ::testing::Values(6, 7));

TEST(HipDriverEntryPoints, TheSptFormPrefersPerThreadStreamsUnlessTheFlagsSayOtherwise) {
  const Library library(7);
  const auto get = library.function<GetEntryPoint>("hipGetDriverEntryPoint");
  const auto get_spt = library.function<GetEntryPoint>("hipGetDriverEntryPoint_spt");
  const auto name = [&](GetEntryPoint entry_point, std::uint64_t flags) {
    void* found = nullptr;
    int result = -1;
    EXPECT_EQ(entry_point("hipMemsetAsync", &found, flags, &result), kSuccess);
    EXPECT_EQ(result, kFound);
    return found;
  };
  EXPECT_EQ(name(get, kDefault), library.symbol("hipMemsetAsync"));
  EXPECT_EQ(name(get, kPerThreadStream), library.symbol("hipMemsetAsync_spt"));
  EXPECT_EQ(name(get_spt, kDefault), library.symbol("hipMemsetAsync_spt"));
  EXPECT_EQ(name(get_spt, kLegacyStream), library.symbol("hipMemsetAsync"));
  void* found = nullptr;
  int result = -1;
  EXPECT_EQ(get("hipNoSuchFunction", &found, kDefault, &result), kInvalidValue);
  EXPECT_EQ(result, kNotFound);
  EXPECT_EQ(get("hipMalloc", &found, 3, &result), kInvalidValue);
  EXPECT_EQ(get_spt(nullptr, &found, kDefault, &result), kInvalidValue);
}
