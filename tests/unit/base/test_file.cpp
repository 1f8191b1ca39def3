#include "base/file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace wavetank {
namespace {

class FileTest : public testing::Test {
 protected:
  void write(const std::string& text) { std::ofstream(path_, std::ios::binary) << text; }
  ~FileTest() override { std::filesystem::remove(path_); }

  std::string path_ = testing::TempDir() + "wavetank_file_" + std::to_string(::getpid());
};

TEST_F(FileTest, GivesTheBytesOfAFile) {
  write(std::string("a\0b", 3));
  const std::vector<std::byte> expected = {std::byte{'a'}, std::byte{0}, std::byte{'b'}};
  EXPECT_EQ(*read_file(path_), expected);
  const auto mapped = MappedFile::open(path_);
  ASSERT_TRUE(mapped);
  EXPECT_EQ((*mapped)->bytes().size(), 3u);
}

TEST_F(FileTest, AMappingOutlivesTheFilesName) {
  write("kept");
  const auto mapped = MappedFile::open(path_);
  ASSERT_TRUE(mapped);
  std::filesystem::remove(path_);
  EXPECT_EQ((*mapped)->bytes()[3], std::byte{'t'});
}

TEST_F(FileTest, AnEmptyFileHasNoBytes) {
  write("");
  const auto bytes = read_file(path_);
  ASSERT_TRUE(bytes);
  EXPECT_TRUE(bytes->empty());
}

TEST_F(FileTest, WhatIsMissingOrNoFileIsUnreadable) {
  const auto missing = read_file(path_);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kFileUnreadable);
  EXPECT_EQ(missing.error().where, path_);
  const auto folder = read_file(testing::TempDir());
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().code, ErrorCode::kFileUnreadable);
}

}  // namespace
}  // namespace wavetank
