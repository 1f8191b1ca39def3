#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "code_object/code_object.hpp"
#include "fixtures.hpp"

namespace wavetank::code_object {
namespace {

using Directives = std::map<std::string, std::uint64_t>;

/// What llvm-objdump prints for each kernel descriptor: directive without ".amdhsa_" -> value.
std::map<std::string, Directives> disassembled(const std::string& fixture_name) {
  std::map<std::string, Directives> kernels;
  Directives* current = nullptr;
  for (const std::string& line : fixture_lines(fixture_name + ".descriptors")) {
    if (line.starts_with(".amdhsa_kernel ")) current = &kernels[line.substr(15)];
    const std::string prefix = "\t.amdhsa_";
    if (current == nullptr || !line.starts_with(prefix)) continue;
    const auto space = line.find(' ');
    (*current)[line.substr(prefix.size(), space - prefix.size())] = std::stoull(line.substr(space));
  }
  return kernels;
}

using Getter = std::function<std::uint64_t(const KernelDescriptor&)>;

const std::map<std::string, Getter>& getters() {
  using D = const KernelDescriptor&;
  static const std::map<std::string, Getter> map = {
      {"group_segment_fixed_size", [](D d) { return d.group_segment_bytes; }},
      {"private_segment_fixed_size", [](D d) { return d.private_segment_bytes; }},
      {"kernarg_size", [](D d) { return d.kernarg_size_bytes; }},
      {"accum_offset", [](D d) { return d.accum_offset; }},
      {"tg_split", [](D d) { return d.tg_split; }},
      {"next_free_vgpr", [](D d) { return d.vgpr_count; }},
      {"next_free_sgpr", [](D d) { return (d.sgpr_granules + 1) * 8; }},
      {"float_round_mode_32", [](D d) { return d.float_round_mode_32; }},
      {"float_round_mode_16_64", [](D d) { return d.float_round_mode_16_64; }},
      {"float_denorm_mode_32", [](D d) { return d.float_denorm_mode_32; }},
      {"float_denorm_mode_16_64", [](D d) { return d.float_denorm_mode_16_64; }},
      {"dx10_clamp", [](D d) { return d.dx10_clamp; }},
      {"ieee_mode", [](D d) { return d.ieee_mode; }},
      {"fp16_overflow", [](D d) { return d.fp16_overflow; }},
      {"enable_private_segment", [](D d) { return d.enable_private_segment; }},
      {"system_sgpr_private_segment_wavefront_offset",
       [](D d) { return d.enable_private_segment; }},
      {"system_sgpr_workgroup_id_x", [](D d) { return d.enable_workgroup_id_x; }},
      {"system_sgpr_workgroup_id_y", [](D d) { return d.enable_workgroup_id_y; }},
      {"system_sgpr_workgroup_id_z", [](D d) { return d.enable_workgroup_id_z; }},
      {"system_sgpr_workgroup_info", [](D d) { return d.enable_workgroup_info; }},
      {"system_vgpr_workitem_id", [](D d) { return d.workitem_id_dimensions - 1u; }},
      {"user_sgpr_private_segment_buffer", [](D d) { return d.private_segment_buffer; }},
      {"user_sgpr_dispatch_ptr", [](D d) { return d.dispatch_ptr; }},
      {"user_sgpr_queue_ptr", [](D d) { return d.queue_ptr; }},
      {"user_sgpr_kernarg_segment_ptr", [](D d) { return d.kernarg_segment_ptr; }},
      {"user_sgpr_dispatch_id", [](D d) { return d.dispatch_id; }},
      {"user_sgpr_flat_scratch_init", [](D d) { return d.flat_scratch_init; }},
      {"user_sgpr_private_segment_size", [](D d) { return d.private_segment_size; }},
      {"uses_dynamic_stack", [](D d) { return d.uses_dynamic_stack; }},
      {"user_sgpr_kernarg_preload_length", [](D d) { return d.kernarg_preload_dwords; }},
      {"user_sgpr_kernarg_preload_offset",
       [](D d) { return d.kernarg_preload_offset_dwords; }},
  };
  return map;
}

class KernelDescriptorOf : public testing::TestWithParam<const char*> {};

TEST_P(KernelDescriptorOf, AgreesWithLlvmInEveryField) {
  const auto image = fixture(GetParam());
  const auto object = parse(image);
  ASSERT_TRUE(object) << object.error().to_text();
  const auto expected = disassembled(GetParam());
  EXPECT_EQ(object->kernels.size(), expected.size());
  std::size_t compared = 0;
  for (const auto& [name, directives] : expected) {
    const Kernel* kernel = object->find_kernel(name);
    ASSERT_NE(kernel, nullptr) << name;
    for (const auto& [directive, value] : directives) {
      const auto getter = getters().find(directive);
      if (getter == getters().end()) continue;
      EXPECT_EQ(getter->second(kernel->descriptor), value) << name << " ." << directive;
      ++compared;
    }
  }
  EXPECT_GE(compared, 25 * expected.size());
}

INSTANTIATE_TEST_SUITE_P(Fixtures, KernelDescriptorOf,
                         testing::Values("gfx90a_v4.co", "gfx90a_v5.co", "gfx90a_v6.co",
                                         "gfx942_v5.co", "preload.co"),
                         [](const auto& parameter) {
                           std::string name = parameter.param;
                           return name.substr(0, name.find('.'));
                         });

TEST(KernelDescriptor, NeedsSixtyFourBytes) {
  const std::vector<std::byte> zeros(64);
  EXPECT_TRUE(decode_kernel_descriptor(zeros));
  const auto short_one = decode_kernel_descriptor(std::span(zeros).first(63));
  ASSERT_FALSE(short_one);
  EXPECT_EQ(short_one.error().code, ErrorCode::kBadMetadata);
}

TEST(KernelDescriptor, CountsUserSgprsAndReadsANegativeEntryOffset) {
  std::vector<std::byte> bytes(64);
  patch<std::int64_t>(bytes, 16, -256);
  patch<std::uint32_t>(bytes, 52, 31u << 1);
  const auto descriptor = decode_kernel_descriptor(bytes);
  ASSERT_TRUE(descriptor);
  EXPECT_EQ(descriptor->entry_byte_offset, -256);
  EXPECT_EQ(descriptor->user_sgpr_count, 31);
}

TEST(KernelDescriptor, GivesTheModeRegisterOfCompiledCode) {
  const KernelDescriptor defaults;
  EXPECT_EQ(defaults.initial_mode(), 0x3c0u);
  const auto object = parse(fixture("gfx90a_v5.co"));
  ASSERT_TRUE(object);
  // All denormals kept, DX10_CLAMP and IEEE set.
  EXPECT_EQ(object->find_kernel("saxpy")->descriptor.initial_mode(), 0x3f0u);
}

TEST(KernelDescriptor, GivesTheModeRegisterFieldByField) {
  const auto image = fixture("preload.co");
  const auto object = parse(image);
  ASSERT_TRUE(object);
  const std::uint32_t round = 1 | 2 << 2;
  const std::uint32_t denorm = 0 << 4 | 1 << 6;
  const std::uint32_t dx10_clamp = 1 << 8;
  const std::uint32_t fp16_overflow = 1 << 23;
  EXPECT_EQ(object->find_kernel("preloaded")->descriptor.initial_mode(),
            round | denorm | dx10_clamp | fp16_overflow);
}

}  // namespace
}  // namespace wavetank::code_object
