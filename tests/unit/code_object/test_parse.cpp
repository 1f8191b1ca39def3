#include <gtest/gtest.h>

#include <algorithm>

#include "code_object/code_object.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

CodeObject parsed(const std::vector<std::byte>& image) {
  auto object = parse(image);
  EXPECT_TRUE(object.has_value()) << object.error().to_text();
  return object ? std::move(*object) : CodeObject{};
}

ErrorCode error_of(const std::vector<std::byte>& image) {
  const auto object = parse(image);
  EXPECT_FALSE(object.has_value());
  return object ? ErrorCode::kInternal : object.error().code;
}

TEST(CodeObject, KnowsItsVersionAndTarget) {
  const auto v4 = fixture("gfx90a_v4.co");
  const auto v5 = fixture("gfx90a_v5.co");
  const auto v6 = fixture("gfx90a_v6.co");
  EXPECT_EQ(parsed(v4).version, 4u);
  EXPECT_EQ(parsed(v5).version, 5u);
  EXPECT_EQ(parsed(v6).version, 6u);
  for (const auto* image : {&v4, &v5, &v6}) {
    EXPECT_EQ(parsed(*image).target.to_text(), "gfx90a:xnack-");
  }
  EXPECT_EQ(parsed(fixture("gfx942_v5.co")).target.to_text(), "gfx942");
}

TEST(CodeObject, ReadsEveryFeatureBitOfTheFlags) {
  auto image = fixture("gfx942_v5.co");
  patch<std::uint32_t>(image, 48, 0x4c | 3 << 8 | 2 << 10);
  EXPECT_EQ(target_of_elf(image)->to_text(), "gfx942:sramecc-:xnack+");
  patch<std::uint32_t>(image, 48, 0x3f);
  EXPECT_EQ(target_of_elf(image)->to_text(), "gfx90a");
  patch<std::uint32_t>(image, 48, 0xff);
  const auto unknown = target_of_elf(image);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().message, "the code object is for an unknown processor, code 0xff");
}

TEST(CodeObject, HoldsKernelsWithEntriesInTheCode) {
  const auto image = fixture("gfx90a_v5.co");
  const auto object = parsed(image);
  ASSERT_EQ(object.kernels.size(), 5u);
  for (const Kernel& kernel : object.kernels) {
    EXPECT_EQ(kernel.entry_address % 256, 0u) << kernel.name;
    EXPECT_EQ(kernel.entry_address,
              kernel.descriptor_address +
                  static_cast<std::uint64_t>(kernel.descriptor.entry_byte_offset));
  }
  EXPECT_EQ(object.find_kernel("saxpy"), object.find_kernel("saxpy.kd"));
  EXPECT_EQ(object.find_kernel("saxp"), nullptr);
}

TEST(CodeObject, HoldsVariablesAndNoKernelSymbols) {
  const auto image = fixture("gfx90a_v5.co");
  const auto object = parsed(image);
  ASSERT_NE(object.find_symbol("table"), nullptr);
  EXPECT_EQ(object.find_symbol("table")->size_bytes, 16u);
  EXPECT_EQ(object.find_symbol("table")->kind, Symbol::Kind::kVariable);
  EXPECT_EQ(object.find_symbol("zeros")->size_bytes, 8000u);
  EXPECT_EQ(object.find_symbol("scale")->size_bytes, 4u);
  EXPECT_EQ(object.find_symbol("saxpy"), nullptr);
  EXPECT_EQ(object.find_symbol("saxpy.kd"), nullptr);
}

TEST(CodeObject, SegmentsCoverItsMemoryInOrder) {
  const auto image = fixture("gfx90a_v5.co");
  const auto object = parsed(image);
  std::uint64_t end = 0;
  for (const Segment& segment : object.segments) {
    EXPECT_GE(segment.address, end);
    EXPECT_LE(segment.file_size_bytes, segment.memory_size_bytes);
    end = segment.address + segment.memory_size_bytes;
  }
  EXPECT_EQ(end, object.memory_size_bytes);
  EXPECT_EQ(std::count_if(object.segments.begin(), object.segments.end(),
                          [](const Segment& segment) { return segment.executable; }),
            1);
}

TEST(CodeObject, WithoutMetadataTheDescriptorGivesTheSizes) {
  const auto image = fixture("preload.co");
  const auto object = parsed(image);
  const Kernel* kernel = object.find_kernel("preloaded");
  ASSERT_NE(kernel, nullptr);
  EXPECT_TRUE(kernel->arguments.empty());
  EXPECT_EQ(kernel->kernarg_size_bytes, 96u);
  EXPECT_EQ(kernel->group_segment_bytes, 1024u);
  EXPECT_EQ(kernel->private_segment_bytes, 48u);
  EXPECT_EQ(kernel->vgpr_count, 24u);
}

TEST(CodeObject, SymbolsAreFoundByEitherHashTable) {
  const auto image = fixture("gnu_hash.co");
  const auto object = parsed(image);
  EXPECT_NE(object.find_kernel("preloaded"), nullptr);
  ASSERT_NE(object.find_symbol("data_symbol"), nullptr);
  EXPECT_EQ(object.find_symbol("data_symbol")->size_bytes, 32u);
}

TEST(CodeObject, RelocationsKnowTheirSymbols) {
  const auto image = fixture("preload.co");
  const auto object = parsed(image);
  ASSERT_EQ(object.relocations.size(), 4u);
  const auto find = [&](std::string_view name) {
    return *std::find_if(object.relocations.begin(), object.relocations.end(),
                         [name](const Relocation& entry) { return entry.symbol == name; });
  };
  EXPECT_FALSE(find("external_variable").symbol_defined);
  EXPECT_FALSE(find("external_variable").symbol_weak);
  EXPECT_EQ(find("external_variable").addend, 8);
  EXPECT_TRUE(find("weak_variable").symbol_weak);
  EXPECT_TRUE(find("data_symbol").symbol_defined);
}

TEST(CodeObject, RefusesOtherElfFiles) {
  const auto image = fixture("gfx90a_v5.co");
  const auto with = [&image](std::size_t offset, auto value) {
    auto changed = image;
    patch(changed, offset, value);
    return changed;
  };
  EXPECT_EQ(error_of({}), ErrorCode::kBadElf);
  EXPECT_EQ(error_of(with(0, std::uint8_t{0})), ErrorCode::kBadElf);
  EXPECT_EQ(error_of(with(4, std::uint8_t{1})), ErrorCode::kBadElf);    // 32-bit
  EXPECT_EQ(error_of(with(5, std::uint8_t{2})), ErrorCode::kBadElf);    // big-endian
  EXPECT_EQ(error_of(with(7, std::uint8_t{0})), ErrorCode::kBadElf);    // System V
  EXPECT_EQ(error_of(with(8, std::uint8_t{1})), ErrorCode::kBadElf);    // version 3
  EXPECT_EQ(error_of(with(8, std::uint8_t{5})), ErrorCode::kBadElf);    // version 7
  EXPECT_EQ(error_of(with(16, std::uint16_t{1})), ErrorCode::kBadElf);  // relocatable
  EXPECT_EQ(error_of(with(18, std::uint16_t{62})), ErrorCode::kBadElf); // x86-64
  EXPECT_EQ(error_of(fixture("object.o")), ErrorCode::kBadElf);
}

/// Offset in the file of the n-th PT_LOAD header.
std::size_t load_header(const std::vector<std::byte>& image, int n) {
  std::size_t at = 64;
  while (value_at<std::uint32_t>(image, at) != 1 || n-- > 0) at += 56;
  return at;
}

TEST(CodeObject, RefusesImpossibleSegments) {
  const auto image = fixture("gfx90a_v5.co");
  const std::size_t last = load_header(image, 3);
  const auto with = [&image](std::size_t offset, std::uint64_t value) {
    auto changed = image;
    patch(changed, offset, value);
    return changed;
  };
  const std::uint64_t address = value_at<std::uint64_t>(image, last + 16);
  const std::uint64_t four_gib = std::uint64_t{4} << 30;
  EXPECT_TRUE(parse(with(last + 40, four_gib - address)));
  EXPECT_EQ(error_of(with(last + 40, four_gib - address + 1)), ErrorCode::kBadElf);
  EXPECT_EQ(error_of(with(last + 40, ~std::uint64_t{0})), ErrorCode::kBadElf);
  EXPECT_EQ(error_of(with(last + 16, 0)), ErrorCode::kBadElf);            // overlaps
  EXPECT_EQ(error_of(with(last + 8, image.size() + 1)), ErrorCode::kBadElf);  // outside the file
  EXPECT_EQ(error_of(with(last + 32, ~std::uint64_t{0})), ErrorCode::kBadElf);
}

TEST(CodeObject, RefusesADescriptorThatPointsOutsideTheCode) {
  auto image = fixture("gfx90a_v5.co");
  const auto address = parsed(image).find_kernel("saxpy")->descriptor_address;
  patch<std::int64_t>(image, address + 16, 0);  // .rodata stands at the same offset in the file
  const auto refused = parse(image);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadMetadata);
  EXPECT_EQ(refused.error().where, "kernel \"saxpy\"");
}

}  // namespace
}  // namespace wavetank::code_object
