#define MSGPACK_NO_BOOST
#include "code_object/code_object.hpp"
#include "code_object/metadata.hpp"

#include <gtest/gtest.h>

#include <map>
#include <msgpack.hpp>

#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

using Fields = std::map<std::string, std::string>;

/// One kernel of `llvm-readelf --notes`.
struct NotedKernel {
  Fields fields;
  std::vector<Fields> arguments;
};

/// Takes ".key: value" of a line; the text around it tells where it belongs.
void take_field(std::string line, Fields& fields) {
  const auto dot = line.find('.');
  const auto colon = line.find(':', dot);
  if (dot == std::string::npos || colon == std::string::npos) return;
  const auto value = line.find_first_not_of(' ', colon + 1);
  fields[line.substr(dot, colon - dot)] =
      value == std::string::npos ? "" : line.substr(value);
}

std::vector<NotedKernel> noted_kernels(const std::string& fixture_name) {
  std::vector<NotedKernel> kernels;
  for (const std::string& line : fixture_lines(fixture_name + ".notes")) {
    if (line.starts_with("  - .")) kernels.emplace_back();
    if (line.starts_with("      - .")) kernels.back().arguments.emplace_back();
    if (line.starts_with("      - .") || line.starts_with("        .")) {
      take_field(line, kernels.back().arguments.back());
    } else if (line.starts_with("  - .") || line.starts_with("    .")) {
      take_field(line, kernels.back().fields);
    }
  }
  return kernels;
}

class MetadataOf : public testing::TestWithParam<const char*> {};

TEST_P(MetadataOf, AgreesWithLlvmInEveryNumber) {
  const auto image = fixture(GetParam());
  const auto object = parse(image);
  ASSERT_TRUE(object) << object.error().to_text();
  const auto expected = noted_kernels(GetParam());
  ASSERT_EQ(object->kernels.size(), expected.size());
  for (const auto& [fields, arguments] : expected) {
    const Kernel* kernel = object->find_kernel(fields.at(".name"));
    ASSERT_NE(kernel, nullptr) << fields.at(".name");
    EXPECT_EQ(kernel->symbol, fields.at(".symbol"));
    const std::map<std::string, std::uint64_t> numbers = {
        {".kernarg_segment_size", kernel->kernarg_size_bytes},
        {".kernarg_segment_align", kernel->kernarg_align_bytes},
        {".group_segment_fixed_size", kernel->group_segment_bytes},
        {".private_segment_fixed_size", kernel->private_segment_bytes},
        {".sgpr_count", kernel->sgpr_count},
        {".vgpr_count", kernel->vgpr_count},
        {".agpr_count", kernel->agpr_count},
        {".sgpr_spill_count", kernel->sgpr_spill_count},
        {".vgpr_spill_count", kernel->vgpr_spill_count},
        {".max_flat_workgroup_size", kernel->max_flat_workgroup_size}};
    for (const auto& [key, value] : numbers) {
      EXPECT_EQ(value, std::stoull(fields.at(key))) << kernel->name << " " << key;
    }
    ASSERT_EQ(kernel->arguments.size(), arguments.size()) << kernel->name;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Argument& argument = kernel->arguments[i];
      EXPECT_EQ(argument.offset_bytes, std::stoull(arguments[i].at(".offset")));
      EXPECT_EQ(argument.size_bytes, std::stoull(arguments[i].at(".size")));
      EXPECT_EQ(argument.is_explicit(), !arguments[i].at(".value_kind").starts_with("hidden_"));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fixtures, MetadataOf,
                         testing::Values("gfx90a_v4.co", "gfx90a_v5.co", "gfx90a_v6.co",
                                         "gfx942_v5.co", "printf.co"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(Metadata, DescribesArgumentsOfEachKind) {
  const auto image = fixture("gfx90a_v5.co");
  const auto object = parse(image);
  ASSERT_TRUE(object);
  const auto& arguments = object->find_kernel("saxpy")->arguments;
  ASSERT_GE(arguments.size(), 8u);
  EXPECT_EQ(arguments[0].kind, ArgumentKind::kGlobalBuffer);
  EXPECT_EQ(arguments[2].kind, ArgumentKind::kByValue);
  EXPECT_EQ(arguments[3].offset_bytes, 20u);
  EXPECT_EQ(arguments[4].kind, ArgumentKind::kHiddenBlockCountX);
  EXPECT_EQ(arguments[7].kind, ArgumentKind::kHiddenGroupSizeX);
  const auto& pair = object->find_kernel("by_value")->arguments[0];
  EXPECT_EQ(pair.kind, ArgumentKind::kByValue);
  EXPECT_EQ(pair.size_bytes, 16u);
}

TEST(Metadata, DescribesResources) {
  const auto image = fixture("gfx90a_v5.co");
  const auto object = parse(image);
  ASSERT_TRUE(object);
  EXPECT_EQ(object->find_kernel("_Z4tilePd")->group_segment_bytes, 2048u);
  EXPECT_EQ(object->find_kernel("_Z4tilePd")->max_flat_workgroup_size, 256u);
  EXPECT_EQ(object->find_kernel("accumulate")->agpr_count, 10u);
  EXPECT_GE(object->find_kernel("scratch")->private_segment_bytes, 128u);
  EXPECT_EQ(object->find_kernel("saxpy")->required_workgroup_size, (Dim3{0, 0, 0}));
}

TEST(Metadata, HoldsPrintfFormatsAndTheRequiredWorkgroup) {
  const auto image = fixture("printf.co");
  const auto object = parse(image);
  ASSERT_TRUE(object) << object.error().to_text();
  EXPECT_EQ(object->find_kernel("report")->required_workgroup_size, (Dim3{8, 4, 2}));
  ASSERT_EQ(object->printf_formats.size(), 2u);
  EXPECT_EQ(object->printf_formats[0].id, 1u);
  EXPECT_EQ(object->printf_formats[0].format, "pair %f 100%%\t%s");
  EXPECT_EQ(object->printf_formats[0].argument_sizes_bytes, (std::vector<std::uint32_t>{4, 4}));
  EXPECT_EQ(object->printf_formats[1].id, 2u);
  EXPECT_EQ(object->printf_formats[1].format, "value: %d\n");
  EXPECT_EQ(object->printf_formats[1].argument_sizes_bytes, (std::vector<std::uint32_t>{4}));
}

TEST(Metadata, HoldsTheFormatsOfHipsBufferedPrintf) {
  const auto image = fixture("buffered_printf.co");
  const auto object = parse(image);
  ASSERT_TRUE(object) << object.error().to_text();
  ASSERT_EQ(object->printf_formats.size(), 1u);
  // The first eight bytes of the MD5 sum of the format, as md5sum gives it.
  EXPECT_EQ(object->printf_formats[0].hash, 0x0e9688358790964du);
  EXPECT_EQ(object->printf_formats[0].format, "hi %d: %s\\ \n");
}

TEST(PrintfFormat, ReadsIdSizesAndHash) {
  const auto sizes = read_printf_format("7:3:4:8:4:%d\\72%f");
  ASSERT_TRUE(sizes);
  EXPECT_EQ(sizes->id, 7u);
  EXPECT_EQ(sizes->argument_sizes_bytes, (std::vector<std::uint32_t>{4, 8, 4}));
  EXPECT_EQ(sizes->format, "%d:%f");
  const auto hashed = read_printf_format("0:0:8addc4c0362218ac,a, b\\n");
  ASSERT_TRUE(hashed);
  EXPECT_EQ(hashed->hash, 0x8addc4c0362218acu);
  EXPECT_EQ(hashed->format, "a, b\\n");
  EXPECT_EQ(read_printf_format("1:0:tail\\")->format, "tail\\");
}

TEST(PrintfFormat, RefusesMissingNumbers) {
  for (const auto* text : {"", "1", "1:", "x:0:a", "1:2:4:a", "1:5000:a", "-1:0:a", "1:1:4x:a"}) {
    EXPECT_FALSE(read_printf_format(text)) << text;
  }
}

using Buffer = msgpack::sbuffer;
using Packer = msgpack::packer<Buffer>;

std::span<const std::byte> bytes_of(const Buffer& buffer) {
  return std::as_bytes(std::span(buffer.data(), buffer.size()));
}

/// Metadata with one kernel of 16 argument bytes that has one argument.
Buffer note_with_argument(std::uint64_t offset, std::uint64_t size, const std::string& kind) {
  Buffer buffer;
  Packer packer(buffer);
  packer.pack_map(1);
  packer.pack("amdhsa.kernels");
  packer.pack_array(1);
  packer.pack_map(7);
  packer.pack(".name").pack("k").pack(".symbol").pack("k.kd");
  packer.pack(".kernarg_segment_size").pack(16).pack(".kernarg_segment_align").pack(8);
  packer.pack(".group_segment_fixed_size").pack(0);
  packer.pack(".private_segment_fixed_size").pack(0);
  packer.pack(".args");
  packer.pack_array(1);
  packer.pack_map(3);
  packer.pack(".offset").pack(offset).pack(".size").pack(size).pack(".value_kind").pack(kind);
  return buffer;
}

TEST(Metadata, ArgumentsEndInsideTheKernargSegment) {
  const auto inside = note_with_argument(8, 8, "by_value");
  const auto metadata = read_metadata(bytes_of(inside));
  ASSERT_TRUE(metadata) << metadata.error().to_text();
  EXPECT_EQ(metadata->kernels.at(0).arguments.at(0).offset_bytes, 8u);
  const auto outside = note_with_argument(9, 8, "by_value");
  const auto refused = read_metadata(bytes_of(outside));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kBadMetadata);
  EXPECT_EQ(refused.error().where, "kernel \"k\"");
  const auto wrapping = note_with_argument(0xffffffff, 0xffffffff, "by_value");
  EXPECT_FALSE(read_metadata(bytes_of(wrapping)));
  const auto huge = note_with_argument(std::uint64_t{1} << 32, 8, "by_value");
  EXPECT_FALSE(read_metadata(bytes_of(huge)));
}

TEST(Metadata, NamesAnUnknownArgumentKind) {
  const auto note = note_with_argument(0, 8, "hidden_surprise");
  const auto refused = read_metadata(bytes_of(note));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("hidden_surprise"), std::string::npos);
}

TEST(Metadata, RefusesHostileNestingAndCounts) {
  std::string nested(100'000, '\x91');  // arrays of one array
  EXPECT_FALSE(read_metadata(std::as_bytes(std::span(nested))));
  for (const std::string& text :
       {std::string("\xdd\xff\xff\xff\xff", 5), std::string("\xdf\xff\xff\xff\xff", 5),
        std::string("\xdb\xff\xff\xff\xff", 5), std::string("\xc9\xff\xff\xff\xff\x01", 6),
        std::string(), std::string("\xc1"), std::string("\x93\x01\x02\x03")}) {
    const auto refused = read_metadata(std::as_bytes(std::span(text)));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::kBadMetadata);
  }
}

}  // namespace
}  // namespace wavetank::code_object
