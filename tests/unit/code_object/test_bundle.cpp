#include "code_object/bundle.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "code_object/code_object.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

TargetId device(std::string_view text) { return *parse_target_id(text); }

std::vector<std::string> ids_of(const Bundle& bundle) {
  std::vector<std::string> ids;
  for (const BundleEntry& entry : bundle.entries) ids.push_back(entry.id);
  return ids;
}

/// A bundle of images that are their own ids.
std::vector<std::byte> bundle_of(const std::vector<std::string>& ids) {
  std::string text = "__CLANG_OFFLOAD_BUNDLE__";
  const auto append = [&text](std::uint64_t number) {
    text.append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  std::uint64_t offset = text.size() + 8;
  for (const std::string& id : ids) offset += 24 + id.size();
  append(ids.size());
  for (const std::string& id : ids) {
    append(offset);
    append(id.size());
    append(id.size());
    text += id;
    offset += id.size();
  }
  for (const std::string& id : ids) text += id;
  const auto bytes = bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

TEST(Bundle, ListsHostAndDeviceImages) {
  const auto bytes = fixture("plain.hipfb");
  const auto bundle = read_bundle(bytes);
  ASSERT_TRUE(bundle) << bundle.error().to_text();
  EXPECT_THAT(ids_of(*bundle),
              testing::UnorderedElementsAre(
                  testing::StartsWith("host-"), "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+",
                  "hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", "hipv4-amdgcn-amd-amdhsa--gfx942"));
  for (const BundleEntry& entry : bundle->entries) {
    if (entry.is_host) continue;
    const auto object = parse(entry.image);
    ASSERT_TRUE(object) << object.error().to_text();
    EXPECT_EQ(object->target, entry.target);
  }
  EXPECT_EQ(bundle->size_bytes, bytes.size());
  EXPECT_EQ(bundle->storage, nullptr);
}

TEST(Bundle, ACompressedBundleHoldsTheSameImages) {
  const auto plain_bytes = fixture("plain.hipfb");
  const auto compressed_bytes = fixture("compressed.hipfb");
  ASSERT_LT(compressed_bytes.size(), plain_bytes.size());
  const auto plain = read_bundle(plain_bytes);
  const auto compressed = read_bundle(compressed_bytes);
  ASSERT_TRUE(plain);
  ASSERT_TRUE(compressed) << compressed.error().to_text();
  ASSERT_EQ(ids_of(*plain), ids_of(*compressed));
  for (std::size_t i = 0; i < plain->entries.size(); ++i) {
    EXPECT_TRUE(std::ranges::equal(plain->entries[i].image, compressed->entries[i].image));
  }
  EXPECT_EQ(compressed->size_bytes, compressed_bytes.size());
  EXPECT_NE(compressed->storage, nullptr);
}

TEST(Bundle, TheSpanMayReachBeyondTheEnd) {
  for (const auto* name : {"plain.hipfb", "compressed.hipfb", "gfx90a_v5.co"}) {
    auto bytes = fixture(name);
    const std::size_t size = bytes.size();
    bytes.resize(size + 10'000, std::byte{0xee});
    const auto bundle = read_bundle(bytes);
    ASSERT_TRUE(bundle) << name;
    EXPECT_EQ(bundle->size_bytes, size) << name;
  }
}

TEST(Bundle, ARawElfIsABundleOfOne) {
  const auto bytes = fixture("gfx90a_v5.co");
  const auto bundle = read_bundle(bytes);
  ASSERT_TRUE(bundle);
  EXPECT_THAT(ids_of(*bundle),
              testing::ElementsAre("hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-"));
  EXPECT_EQ(bundle->entries[0].image.size(), bytes.size());
  EXPECT_EQ(bundle->entries[0].image.data(), bytes.data());
}

TEST(Bundle, SelectsTheImageForTheDevice) {
  const auto bytes = fixture("plain.hipfb");
  const auto bundle = read_bundle(bytes);
  ASSERT_TRUE(bundle);
  const auto selected = [&](std::string_view id) {
    const auto entry = select_entry(*bundle, device(id));
    return entry ? (*entry)->target.to_text() : entry.error().code_text();
  };
  EXPECT_EQ(selected("gfx90a:sramecc+:xnack-"), "gfx90a:xnack-");
  EXPECT_EQ(selected("gfx90a:sramecc+:xnack+"), "gfx90a:xnack+");
  EXPECT_EQ(selected("gfx942:sramecc+:xnack-"), "gfx942");
  EXPECT_EQ(selected("gfx950:sramecc+:xnack-"), "E0013");
}

TEST(Bundle, PrefersTheMoreSpecificImage) {
  const auto bytes = bundle_of({"hip-amdgcn-amd-amdhsa--gfx90a",
                                "hip-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-",
                                "hip-amdgcn-amd-amdhsa--gfx90a:xnack-"});
  const auto bundle = read_bundle(bytes);
  ASSERT_TRUE(bundle);
  EXPECT_EQ((*select_entry(*bundle, device("gfx90a:sramecc+:xnack-")))->target.to_text(),
            "gfx90a:sramecc+:xnack-");
  EXPECT_EQ((*select_entry(*bundle, device("gfx90a:sramecc-:xnack-")))->target.to_text(),
            "gfx90a:xnack-");
  EXPECT_EQ((*select_entry(*bundle, device("gfx90a:sramecc-:xnack+")))->target.to_text(),
            "gfx90a");
}

TEST(Bundle, AnErrorListsWhatTheBundleHolds) {
  const auto bytes = bundle_of({"host-x86_64-unknown-linux--", "hip-amdgcn-amd-amdhsa--gfx906",
                                "hip-spirv64-amd-amdhsa--amdgcnspirv"});
  const auto bundle = read_bundle(bytes);
  ASSERT_TRUE(bundle);
  const auto entry = select_entry(*bundle, device("gfx90a:sramecc+:xnack-"));
  ASSERT_FALSE(entry);
  EXPECT_EQ(entry.error().code, ErrorCode::kNoMatchingCodeObject);
  EXPECT_EQ(entry.error().message, "no code object for gfx90a:sramecc+:xnack-");
  EXPECT_EQ(entry.error().note,
            "there is code for gfx906, hip-spirv64-amd-amdhsa--amdgcnspirv");
  EXPECT_EQ(entry.error().help, "compile with --offload-arch=gfx90a");
}

TEST(Bundle, RefusesImagesOutsideTheBytes) {
  const auto bytes = bundle_of({"hip-amdgcn-amd-amdhsa--gfx90a"});
  ASSERT_TRUE(read_bundle(bytes));
  EXPECT_FALSE(read_bundle(std::span(bytes).first(bytes.size() - 1)));
  for (const std::size_t field : {24u, 32u, 40u, 48u}) {  // count, offset, size, id size
    auto changed = bytes;
    patch(changed, field, ~std::uint64_t{0});
    const auto refused = read_bundle(changed);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kBadBundle);
  }
}

TEST(Bundle, RefusesWhatIsNoBundle) {
  EXPECT_EQ(read_bundle({}).error().code, ErrorCode::kBadBundle);
  EXPECT_EQ(read_bundle(bytes_of("__CLANG_OFFLOAD_BUNDLE_")).error().code, ErrorCode::kBadBundle);
  EXPECT_EQ(read_bundle(bytes_of("__CLANG_OFFLOAD_BUNDLE__")).error().code, ErrorCode::kBadBundle);
  const auto host = fixture("library.so");
  EXPECT_EQ(read_bundle(host).error().code, ErrorCode::kBadElf);
}

}  // namespace
}  // namespace wavetank::code_object
