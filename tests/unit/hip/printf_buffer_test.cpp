#include "hip/hostcall/printf_buffer.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string_view>

namespace wavetank::hip {
namespace {

constexpr std::uint64_t kHash = 0x0123456789abcdef;
const std::vector<code_object::PrintfFormat> kFormats = {{0, kHash, {}, "%s has %d\n"}};

/// A buffer, written as kernels write it.
class Buffer {
 public:
  template <class T>
  Buffer& put(T value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  Buffer& put_text(std::string_view text) {
    const std::size_t padded = text.size() / 8 * 8 + 8;
    for (std::size_t i = 0; i < padded; ++i) put(i < text.size() ? text[i] : '\0');
    return *this;
  }
  /// What the header says was written is what follows it, or `written`.
  std::vector<PrintedText> read(std::size_t written = 0) const {
    std::vector<std::byte> all(8);
    const auto size = static_cast<std::uint32_t>(written == 0 ? bytes_.size() : written);
    std::memcpy(all.data(), &size, sizeof size);
    all.insert(all.end(), bytes_.begin(), bytes_.end());
    return read_printf_buffer(all, kFormats);
  }

 private:
  std::vector<std::byte> bytes_;
};

std::uint32_t control(std::uint32_t size_bytes, std::uint32_t bits) {
  return size_bytes << 2 | bits;
}

TEST(PrintfBuffer, RecordsPrintTheirFormatsInOrder) {
  Buffer buffer;
  buffer.put(control(28, 2)).put(kHash).put_text("one").put(std::uint64_t{1});
  buffer.put(control(36, 3)).put(kHash).put_text("number two").put(std::uint64_t{2});
  buffer.put(control(20, 0)).put_text("x = %d").put(std::uint64_t{3});
  const auto texts = buffer.read();
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_EQ(texts[0].text, "one has 1\n");
  EXPECT_FALSE(texts[0].to_stderr);
  EXPECT_EQ(texts[1].text, "number two has 2\n");
  EXPECT_TRUE(texts[1].to_stderr);
  EXPECT_EQ(texts[2].text, "x = 3");
}

TEST(PrintfBuffer, AnUnknownFormatPrintsNothing) {
  Buffer buffer;
  buffer.put(control(12, 2)).put(kHash + 1);
  EXPECT_EQ(buffer.read().at(0).text, "");
}

TEST(PrintfBuffer, MalformedRecordsEndIt) {
  for (const std::uint32_t size : {0u, 3u, 16u, 0x3fffffffu}) {  // 12 is right
    Buffer buffer;
    buffer.put(control(size, 2)).put(kHash);
    EXPECT_TRUE(buffer.read().empty()) << size;
  }
  Buffer longer;
  longer.put(control(12, 2)).put(kHash);
  EXPECT_EQ(longer.read(0xffffffff).size(), 1u);
  EXPECT_TRUE(longer.read(11).empty());
  Buffer without_hash;
  without_hash.put(control(8, 2)).put(std::uint32_t{0});
  EXPECT_EQ(without_hash.read().at(0).text, "");
  EXPECT_TRUE(read_printf_buffer({}, kFormats).empty());
}

}  // namespace
}  // namespace wavetank::hip
