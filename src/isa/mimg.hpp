// MIMG: images and textures (AMD "Vega" and MI100 ISA guides, "Vector Memory Image Instructions").
// gfx90a has them, gfx942 does not. Opcodes as llvm-mc-19 encodes them.
#pragma once

#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// An image row.
constexpr auto image_row(std::string_view name, std::string_view summary, std::uint16_t opcode,
                         ImageShape image, MemoryShape shape) {
  shape.image = image;
  return memory(name, summary, {Format::kMimg, opcode}, Unit::kVectorMemory, shape)
      .until(Version::kGfx90a);
}

inline constexpr auto kImageAccess = table(
    image_row("image_load", "Loads a texel, converted to 32 bits a component.", 0,
              {ImageAccess::kTexel, false, true}, shape::format_load(4)),
    image_row("image_load_mip", "Loads a texel of a level, converted to 32 bits a component.", 1,
              {ImageAccess::kTexel, true, true}, shape::format_load(4)),
    image_row("image_load_pck", "Loads a texel unconverted, zero-extended components.", 2,
              {ImageAccess::kRaw}, shape::format_load(4)),
    image_row("image_load_pck_sgn", "Loads a texel unconverted, sign-extended components.", 3,
              {ImageAccess::kRawSigned}, shape::format_load(4)),
    image_row("image_load_mip_pck", "Loads a texel of a level unconverted, zero-extended.", 4,
              {ImageAccess::kRaw, true}, shape::format_load(4)),
    image_row("image_load_mip_pck_sgn", "Loads a texel of a level unconverted, sign-extended.", 5,
              {ImageAccess::kRawSigned, true}, shape::format_load(4)),
    image_row("image_store", "Stores a texel, converted from 32 bits a component.", 8,
              {ImageAccess::kTexel, false, true}, shape::format_store(4)),
    image_row("image_store_mip", "Stores a texel of a level, converted from 32 bits a component.",
              9, {ImageAccess::kTexel, true, true}, shape::format_store(4)),
    image_row("image_store_pck", "Stores a texel unconverted.", 10, {ImageAccess::kRaw},
              shape::format_store(4)),
    image_row("image_store_mip_pck", "Stores a texel of a level unconverted.", 11,
              {ImageAccess::kRaw, true}, shape::format_store(4)),
    image_row("image_get_resinfo", "Reads width, height, depth and levels of the image.", 14,
              {ImageAccess::kInfo, true}, shape::format_load(4)),
    image_row("image_sample", "Samples a texture at float coordinates.", 32,
              {ImageAccess::kSample, false, true}, shape::format_load(4)));

inline constexpr auto kMimgTables = tables(kImageAccess);

}  // namespace wavetank::isa
