#include "toolchain/bitcode.hpp"

#include <gtest/gtest.h>

#include "unit/toolchain/folder.hpp"

namespace wavetank::toolchain {
namespace {

TEST(BitcodeWriter, IsTheLlvmThatTheFileNames) {
  const Folder folder;
  EXPECT_EQ(bitcode_writer(folder.write("22.bc", kBitcode22)), 22);
  EXPECT_EQ(bitcode_writer(folder.write("15.bc", kBitcode15)), 15);
}

TEST(BitcodeWriter, IsAbsentInWhatIsNoBitcode) {
  const Folder folder;
  EXPECT_EQ(bitcode_writer(folder.path() / "missing.bc"), std::nullopt);
  EXPECT_EQ(bitcode_writer(folder.write("text.bc", std::string("; ModuleID = 'ocml'"))),
            std::nullopt);
  EXPECT_EQ(bitcode_writer(folder.write("empty.bc", std::string())), std::nullopt);
}

TEST(BitcodeWriter, IsAbsentInEveryBeginningThatEndsBeforeTheNumber) {
  const Folder folder;
  constexpr std::size_t kNumberBegins = 19;
  constexpr std::size_t kNumberComplete = 22;
  for (std::size_t size = 0; size <= kBitcode22.size(); ++size) {
    const std::vector<unsigned char> head(kBitcode22.begin(), kBitcode22.begin() + size);
    const auto writer = bitcode_writer(folder.write("cut.bc", head));
    if (size >= kNumberComplete) {
      EXPECT_EQ(writer, 22) << size;
    } else if (size < kNumberBegins) {
      EXPECT_EQ(writer, std::nullopt) << size;
    }
  }
}

}  // namespace
}  // namespace wavetank::toolchain
