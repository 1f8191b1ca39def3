#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "code_object/code_object.hpp"
#include "code_object/elf.hpp"

namespace wavetank::code_object {
namespace {

// AMDGPUUsage, "AMDGPU ELF Header e_flags", EF_AMDGPU_MACH values.
constexpr std::pair<std::uint8_t, std::string_view> kProcessors[] = {
    {0x20, "gfx600"},  {0x21, "gfx601"},  {0x22, "gfx700"},  {0x23, "gfx701"},
    {0x24, "gfx702"},  {0x25, "gfx703"},  {0x26, "gfx704"},  {0x28, "gfx801"},
    {0x29, "gfx802"},  {0x2a, "gfx803"},  {0x2b, "gfx810"},  {0x2c, "gfx900"},
    {0x2d, "gfx902"},  {0x2e, "gfx904"},  {0x2f, "gfx906"},  {0x30, "gfx908"},
    {0x31, "gfx909"},  {0x32, "gfx90c"},  {0x33, "gfx1010"}, {0x34, "gfx1011"},
    {0x35, "gfx1012"}, {0x36, "gfx1030"}, {0x37, "gfx1031"}, {0x38, "gfx1032"},
    {0x39, "gfx1033"}, {0x3a, "gfx602"},  {0x3b, "gfx705"},  {0x3c, "gfx805"},
    {0x3d, "gfx1035"}, {0x3e, "gfx1034"}, {0x3f, "gfx90a"},  {0x40, "gfx940"},
    {0x41, "gfx1100"}, {0x42, "gfx1013"}, {0x43, "gfx1150"}, {0x44, "gfx1103"},
    {0x45, "gfx1036"}, {0x46, "gfx1101"}, {0x47, "gfx1102"}, {0x48, "gfx1200"},
    {0x4a, "gfx1151"}, {0x4b, "gfx941"},  {0x4c, "gfx942"},  {0x4e, "gfx1201"},
    {0x4f, "gfx950"},  {0x51, "gfx9-generic"},    {0x52, "gfx10-1-generic"},
    {0x53, "gfx10-3-generic"}, {0x54, "gfx11-generic"}, {0x55, "gfx1152"},
    {0x58, "gfx1153"}, {0x59, "gfx12-generic"}, {0x5f, "gfx9-4-generic"},
};

/// The two bits of EF_AMDGPU_FEATURE_*_V4: unsupported, any, off, on.
constexpr Feature feature_of_bits(std::uint32_t value) {
  if (value == 2) return Feature::kOff;
  if (value == 3) return Feature::kOn;
  return Feature::kAny;
}

}  // namespace

Result<TargetId> target_of_elf(std::span<const std::byte> image) {
  auto header = read_elf_header(ByteView(image));
  if (!header) return tl::unexpected(header.error());
  if (header->machine != kElfMachineAmdgpu) {
    return fail(ErrorCode::kBadElf, "the ELF file is for machine " +
                                        std::to_string(header->machine) +
                                        ", not for an AMD GPU (224)");
  }
  TargetId target;
  for (const auto& [code, name] : kProcessors) {
    if (code == (header->flags & 0xff)) target.processor = name;
  }
  if (target.processor.empty()) {
    return fail(ErrorCode::kBadElf, fmt::format("the code object is for an unknown processor, "
                                                "code {:#04x}", header->flags & 0xff));
  }
  target.xnack = feature_of_bits(header->flags >> 8 & 3);
  target.sramecc = feature_of_bits(header->flags >> 10 & 3);
  return target;
}

}  // namespace wavetank::code_object
