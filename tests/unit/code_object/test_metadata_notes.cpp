// Code objects with several metadata notes, as libraries have them that are linked of an assembler
// file for each kernel.
#include <gtest/gtest.h>

#include <algorithm>

#include "code_object/code_object.hpp"
#include "code_object/metadata.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

constexpr std::uint32_t kNote = 4;
constexpr std::uint32_t kGnuStack = 0x6474e551;
constexpr std::size_t kProgramHeaderBytes = 56;

/// Offset in the file of the first program header of a type.
std::size_t header_of_type(const std::vector<std::byte>& image, std::uint32_t type) {
  std::size_t at = 64;
  while (value_at<std::uint32_t>(image, at) != type) at += kProgramHeaderBytes;
  return at;
}

/// The fixture's notes in two segments: the first note in the last segment, the others in one
/// before it.
std::vector<std::byte> in_two_segments(std::vector<std::byte> image) {
  const std::size_t last = header_of_type(image, kNote);
  const std::size_t other = header_of_type(image, kGnuStack);
  const auto start = value_at<std::uint64_t>(image, last + 8);
  const auto size = value_at<std::uint64_t>(image, last + 32);
  const std::uint64_t first_note = 12 + 8 + (value_at<std::uint32_t>(image, start + 4) + 3) / 4 * 4;
  patch<std::uint64_t>(image, last + 32, first_note);
  patch<std::uint32_t>(image, other, kNote);
  patch<std::uint64_t>(image, other + 8, start + first_note);
  patch<std::uint64_t>(image, other + 32, size - first_note);
  return image;
}

void expect_both_kernels(const std::vector<std::byte>& image) {
  const auto object = parse(image);
  ASSERT_TRUE(object) << object.error().to_text();
  ASSERT_EQ(object->kernels.size(), 2u);
  EXPECT_EQ(object->find_kernel("first")->kernarg_size_bytes, 16u);
  const Kernel* second = object->find_kernel("second");
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(second->group_segment_bytes, 512u);
  ASSERT_EQ(second->arguments.size(), 1u);
  EXPECT_EQ(second->arguments[0].kind, ArgumentKind::kGlobalBuffer);
  ASSERT_EQ(object->printf_formats.size(), 3u);
  for (std::uint32_t id = 1; id <= 3; ++id) {
    EXPECT_EQ(std::count_if(object->printf_formats.begin(), object->printf_formats.end(),
                            [id](const PrintfFormat& format) { return format.id == id; }),
              1);
  }
}

TEST(MetadataNotes, EachOfOneSegmentIsRead) { expect_both_kernels(fixture("notes.co")); }

TEST(MetadataNotes, EachOfSeveralSegmentsIsRead) {
  expect_both_kernels(in_two_segments(fixture("notes.co")));
}

TEST(MetadataNotes, AKernelMayBeDescribedTwiceIfBothSayTheSame) {
  expect_both_kernels(fixture("notes16.co"));
}

TEST(MetadataNotes, TwoDescriptionsOfAKernelThatDifferAreRefused) {
  const auto image = fixture("notes24.co");
  const auto refused = parse(image);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadMetadata);
  EXPECT_EQ(refused.error().where, "kernel \"first\"");
}

TEST(MetadataNotes, TwoFormatsOfOneNumberAreRefused) {
  Metadata note;
  note.printf_formats = {{7, 0, {4}, "%d"}};
  EXPECT_EQ(merge_metadata({note, note})->printf_formats.size(), 1u);
  Metadata other = note;
  other.printf_formats[0].format = "%x";
  const auto refused = merge_metadata({note, other});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadMetadata);
  EXPECT_NE(refused.error().message.find("format 7"), std::string::npos);
}

TEST(MetadataNotes, SegmentsThatUseTheSameBytesAreRefused) {
  auto image = fixture("notes.co");
  const std::size_t header = header_of_type(image, kNote);
  const std::size_t other = header_of_type(image, kGnuStack);
  // The whole file is no notes, but no more bytes than there are.
  patch<std::uint32_t>(image, other, kNote);
  patch<std::uint64_t>(image, other + 8, image.size());
  patch<std::uint64_t>(image, other + 32, 0);
  EXPECT_TRUE(parse(image));
  patch<std::uint64_t>(image, other + 8, value_at<std::uint64_t>(image, header + 8));
  patch<std::uint64_t>(image, other + 32,
                       image.size() - value_at<std::uint64_t>(image, header + 8));
  const auto refused = parse(image);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadMetadata);
}

}  // namespace
}  // namespace wavetank::code_object
