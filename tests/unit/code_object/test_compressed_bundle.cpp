#include "code_object/compressed_bundle.hpp"

#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "code_object/bundle.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::uint16_t kZlib = 0;
constexpr std::uint16_t kZstd = 1;

std::string compressed(std::span<const std::byte> content, std::uint16_t method) {
  if (method == kZlib) {
    uLongf size = compressBound(content.size());
    std::string stream(size, '\0');
    EXPECT_EQ(compress(reinterpret_cast<Bytef*>(stream.data()), &size,
                       reinterpret_cast<const Bytef*>(content.data()), content.size()),
              Z_OK);
    stream.resize(size);
    return stream;
  }
  std::string stream(ZSTD_compressBound(content.size()), '\0');
  stream.resize(
      ZSTD_compress(stream.data(), stream.size(), content.data(), content.size(), 3));
  return stream;
}

template <class T>
void append(std::string& text, T number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

/// A compressed bundle of any version and method, which may claim any size of its content.
std::vector<std::byte> ccob(std::uint16_t version, std::uint16_t method,
                            std::span<const std::byte> content, std::uint64_t claimed_bytes) {
  const std::string stream = compressed(content, method);
  std::string text = "CCOB";
  append(text, version);
  append(text, method);
  if (version == 2) append(text, static_cast<std::uint32_t>(24 + stream.size()));
  if (version == 3) append(text, std::uint64_t{32 + stream.size()});
  if (version == 3) {
    append(text, claimed_bytes);
  } else {
    append(text, static_cast<std::uint32_t>(claimed_bytes));
  }
  append(text, std::uint64_t{0});  // the hash, which nobody checks
  text += stream;
  const auto bytes = bytes_of(text);
  return {bytes.begin(), bytes.end()};
}

class CompressedBundle
    : public testing::TestWithParam<std::pair<std::uint16_t, std::uint16_t>> {};

TEST_P(CompressedBundle, GivesItsContentAndItsOwnSize) {
  const auto [version, method] = GetParam();
  const auto content = fixture("plain.hipfb");
  auto bytes = ccob(version, method, content, content.size());
  const std::size_t size = bytes.size();
  bytes.resize(size + 5000, std::byte{0xee});
  const auto result = decompress_bundle(ByteView(bytes));
  ASSERT_TRUE(result) << result.error().to_text();
  EXPECT_EQ(result->content, content);
  EXPECT_EQ(result->compressed_size_bytes, size);
  const auto bundle = read_bundle(bytes);
  ASSERT_TRUE(bundle);
  EXPECT_EQ(bundle->entries.size(), 4u);
}

TEST_P(CompressedBundle, RefusesAWrongClaimOfItsContent) {
  const auto [version, method] = GetParam();
  const auto content = fixture("plain.hipfb");
  for (const std::uint64_t claimed : {content.size() - 1, content.size() + 1, std::size_t{0}}) {
    const auto result = decompress_bundle(ByteView(ccob(version, method, content, claimed)));
    ASSERT_FALSE(result) << claimed;
    EXPECT_EQ(result.error().code, ErrorCode::kBadBundle);
  }
}

TEST_P(CompressedBundle, RefusesTruncationAtEveryLength) {
  const auto [version, method] = GetParam();
  const auto content = bytes_of("__CLANG_OFFLOAD_BUNDLE__ and some content, and some content");
  const auto bytes = ccob(version, method, content, content.size());
  ASSERT_TRUE(decompress_bundle(ByteView(bytes)));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decompress_bundle(ByteView(std::span(bytes).first(size)))) << size;
  }
}

INSTANTIATE_TEST_SUITE_P(
    VersionsAndMethods, CompressedBundle,
    testing::Values(std::pair{std::uint16_t{1}, kZlib}, std::pair{std::uint16_t{1}, kZstd},
                    std::pair{std::uint16_t{2}, kZlib}, std::pair{std::uint16_t{2}, kZstd},
                    std::pair{std::uint16_t{3}, kZlib}, std::pair{std::uint16_t{3}, kZstd}),
    [](const auto& parameter) {
      return "Version" + std::to_string(parameter.param.first) +
             (parameter.param.second == kZlib ? "Zlib" : "Zstd");
    });

TEST(CompressedBundleHeader, RefusesUnknownVersionsAndMethods) {
  const auto content = bytes_of("content");
  EXPECT_FALSE(decompress_bundle(ByteView(ccob(0, kZlib, content, 7))));
  EXPECT_FALSE(decompress_bundle(ByteView(ccob(4, kZlib, content, 7))));
  auto bytes = ccob(2, kZlib, content, 7);
  ASSERT_TRUE(decompress_bundle(ByteView(bytes)));
  patch<std::uint16_t>(bytes, 6, 2);
  EXPECT_FALSE(decompress_bundle(ByteView(bytes)));
}

TEST(CompressedBundleHeader, RefusesAnImplausibleClaimWithoutAllocating) {
  const auto content = bytes_of("content");
  const auto result =
      decompress_bundle(ByteView(ccob(3, kZstd, content, std::uint64_t{1} << 62)));
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().message.find("implausible"), std::string::npos);
}

TEST(CompressedBundleHeader, AnotherFormatInsideIsNoBundle) {
  const auto content = bytes_of("no bundle, but well compressed");
  const auto bytes = ccob(2, kZstd, content, content.size());
  EXPECT_EQ(read_bundle(bytes).error().code, ErrorCode::kBadBundle);
}

}  // namespace
}  // namespace wavetank::code_object
