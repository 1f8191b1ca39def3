#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "code_object/bundle.hpp"
#include "code_object/code_object.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

TargetId gfx942() { return *parse_target_id("gfx942:sramecc+:xnack-"); }

/// A file that is removed at the end of the scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::span<const std::byte> bytes)
      : path_(testing::TempDir() + "wavetank_bundles_" + std::to_string(::getpid())) {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// Names of the kernels for gfx942 in each bundle.
std::vector<std::vector<std::string>> kernels_of(const std::vector<Bundle>& bundles) {
  std::vector<std::vector<std::string>> names;
  for (const Bundle& bundle : bundles) {
    names.emplace_back();
    const auto entry = select_entry(bundle, gfx942());
    if (!entry) continue;
    const auto object = parse((*entry)->image);
    EXPECT_TRUE(object);
    for (const Kernel& kernel : object->kernels) names.back().push_back(kernel.name);
  }
  return names;
}

TEST(FileBundles, ALibraryHoldsOneBundlePerTranslationUnit) {
  for (const auto* name : {"library.so", "compressed_library.so"}) {
    const auto bundles = read_bundles_of_file(fixture_path(name));
    ASSERT_TRUE(bundles) << bundles.error().to_text();
    ASSERT_EQ(bundles->size(), 2u) << name;
    const auto kernels = kernels_of(*bundles);
    EXPECT_EQ(kernels[0].size(), 5u) << name;
    EXPECT_EQ(kernels[1], std::vector<std::string>{"second"}) << name;
  }
}

TEST(FileBundles, ReadsObjectsBundlesAndCodeObjects) {
  for (const auto* name : {"object.o", "plain.hipfb", "compressed.hipfb", "gfx942_v5.co"}) {
    const auto bundles = read_bundles_of_file(fixture_path(name));
    ASSERT_TRUE(bundles) << name << bundles.error().to_text();
    ASSERT_EQ(bundles->size(), 1u) << name;
    EXPECT_EQ(kernels_of(*bundles)[0].size(), 5u) << name;
    EXPECT_NE((*bundles)[0].storage, nullptr) << name;
  }
}

TEST(FileBundles, ListsTheSectionsOfARelocatableObject) {
  const auto bundles = read_bundles_of_file(fixture_path("relocatable.o"));
  ASSERT_TRUE(bundles) << bundles.error().to_text();
  ASSERT_EQ(bundles->size(), 1u);
  std::vector<std::string> targets;
  for (const BundleEntry& entry : (*bundles)[0].entries) {
    if (!entry.is_host) targets.push_back(entry.target.to_text());
  }
  EXPECT_EQ(targets, (std::vector<std::string>{"gfx90a", "gfx942"}));
}

TEST(FileBundles, BundlesMayFollowEachOtherWithOrWithoutPadding) {
  const auto plain = fixture("plain.hipfb");
  const auto compressed = fixture("compressed.hipfb");
  for (const std::size_t padding : {std::size_t{0}, std::size_t{1}, std::size_t{8191}}) {
    auto bytes = compressed;
    bytes.resize(bytes.size() + padding);
    bytes.insert(bytes.end(), plain.begin(), plain.end());
    bytes.resize(bytes.size() + padding);
    const TemporaryFile file(bytes);
    const auto bundles = read_bundles_of_file(file.path());
    ASSERT_TRUE(bundles) << bundles.error().to_text();
    EXPECT_EQ(bundles->size(), 2u) << padding;
  }
}

TEST(FileBundles, TheImagesOutliveEverythingButTheBundle) {
  Bundle kept;
  {
    auto bundles = read_bundles_of_file(fixture_path("library.so"));
    ASSERT_TRUE(bundles);
    kept = std::move((*bundles)[1]);
  }
  const auto entry = select_entry(kept, gfx942());
  ASSERT_TRUE(entry);
  EXPECT_TRUE(parse((*entry)->image));
}

TEST(FileBundles, SaysWhenAFileHoldsNoDeviceCode) {
  const auto host = read_bundles_of_file("/proc/self/exe");
  ASSERT_FALSE(host);
  EXPECT_EQ(host.error().code, ErrorCode::kBadBundle);
  EXPECT_EQ(host.error().message, "the file holds no device code");
  const TemporaryFile text(bytes_of("some text"));
  EXPECT_EQ(read_bundles_of_file(text.path()).error().code, ErrorCode::kBadBundle);
  const TemporaryFile empty({});
  EXPECT_EQ(read_bundles_of_file(empty.path()).error().code, ErrorCode::kBadBundle);
}

TEST(FileBundles, SaysWhenAFileCannotBeRead) {
  const auto missing = read_bundles_of_file("/nowhere/at/all");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kFileUnreadable);
  EXPECT_EQ(missing.error().message, "cannot read /nowhere/at/all: No such file or directory");
  EXPECT_EQ(read_bundles_of_file("/tmp").error().code, ErrorCode::kFileUnreadable);
}

}  // namespace
}  // namespace wavetank::code_object
