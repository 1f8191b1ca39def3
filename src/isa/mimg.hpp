// MIMG: images and textures (AMD "Vega" and MI100 ISA guides, "Vector Memory Image Instructions").
// gfx90a has them, gfx942 does not. Opcodes as llvm-mc-19 encodes them.
#pragma once

#include "isa/define.hpp"
#include "isa/memory_shape.hpp"

namespace wavetank::isa {

/// What an image instruction does with a texel.
enum class ImageAccess : std::uint8_t {
  kTexel,      ///< converts between registers and the image's format
  kRaw,        ///< no conversion; 8 and 16 bits are zero-extended
  kRawSigned,  ///< no conversion; 8 and 16 bits are sign-extended
  kSample,     ///< filters, at float coordinates
  kAtomic,     ///< 32 or 64 bits, as DMASK says
  kInfo,       ///< no memory: the image's size
};

/// The data shape of an image instruction; how many components move is in its DMASK.
struct ImageShape {
  ImageAccess access = ImageAccess::kTexel;
  bool mip = false;      ///< the last coordinate is the level
  bool has_d16 = false;  ///< the D16 bit exists: 16-bit components, two in a register
};

/// The shape of an image opcode.
constexpr ImageShape image_shape(std::uint16_t opcode) {
  switch (opcode) {
    case 0: case 8: return {ImageAccess::kTexel, false, true};
    case 1: case 9: return {ImageAccess::kTexel, true, true};
    case 2: case 10: return {ImageAccess::kRaw, false, false};
    case 3: return {ImageAccess::kRawSigned, false, false};
    case 4: case 11: return {ImageAccess::kRaw, true, false};
    case 5: return {ImageAccess::kRawSigned, true, false};
    case 14: return {ImageAccess::kInfo, true, false};
    case 32: return {ImageAccess::kSample, false, true};
    default: return {ImageAccess::kAtomic, false, false};
  }
}

/// An image row.
constexpr auto image_row(std::string_view name, std::string_view summary, std::uint16_t opcode,
                         MemoryShape shape) {
  return memory(name, summary, {Format::kMimg, opcode}, Unit::kVectorMemory, shape)
      .on(Targets::kGfx90a);
}

inline constexpr auto kImageAccess = table(
    image_row("image_load", "Loads a texel, converted to 32 bits a component.", 0,
              shape::format_load(4)),
    image_row("image_load_mip", "Loads a texel of a level, converted to 32 bits a component.", 1,
              shape::format_load(4)),
    image_row("image_load_pck", "Loads a texel unconverted, zero-extended components.", 2,
              shape::format_load(4)),
    image_row("image_load_pck_sgn", "Loads a texel unconverted, sign-extended components.", 3,
              shape::format_load(4)),
    image_row("image_load_mip_pck", "Loads a texel of a level unconverted, zero-extended.", 4,
              shape::format_load(4)),
    image_row("image_load_mip_pck_sgn", "Loads a texel of a level unconverted, sign-extended.", 5,
              shape::format_load(4)),
    image_row("image_store", "Stores a texel, converted from 32 bits a component.", 8,
              shape::format_store(4)),
    image_row("image_store_mip", "Stores a texel of a level, converted from 32 bits a component.",
              9, shape::format_store(4)),
    image_row("image_store_pck", "Stores a texel unconverted.", 10, shape::format_store(4)),
    image_row("image_store_mip_pck", "Stores a texel of a level unconverted.", 11,
              shape::format_store(4)),
    image_row("image_get_resinfo", "Reads width, height, depth and levels of the image.", 14,
              shape::format_load(4)),
    image_row("image_sample", "Samples a texture at float coordinates.", 32,
              shape::format_load(4)));

inline constexpr auto kImageAtomics = table(
    image_row("image_atomic_swap", "Exchanges with memory.", 16, shape::atomic(Atomic::kSwap, 4)),
    image_row("image_atomic_cmpswap", "Stores data if memory equals the comparand.", 17,
              shape::atomic(Atomic::kCompareSwap, 4)),
    image_row("image_atomic_add", "Adds to memory.", 18, shape::atomic(Atomic::kAdd, 4)),
    image_row("image_atomic_sub", "Subtracts from memory.", 19, shape::atomic(Atomic::kSub, 4)),
    image_row("image_atomic_smin", "Keeps the signed minimum.", 20,
              shape::atomic(Atomic::kSignedMin, 4)),
    image_row("image_atomic_umin", "Keeps the unsigned minimum.", 21,
              shape::atomic(Atomic::kUnsignedMin, 4)),
    image_row("image_atomic_smax", "Keeps the signed maximum.", 22,
              shape::atomic(Atomic::kSignedMax, 4)),
    image_row("image_atomic_umax", "Keeps the unsigned maximum.", 23,
              shape::atomic(Atomic::kUnsignedMax, 4)),
    image_row("image_atomic_and", "Ands with memory.", 24, shape::atomic(Atomic::kAnd, 4)),
    image_row("image_atomic_or", "Ors with memory.", 25, shape::atomic(Atomic::kOr, 4)),
    image_row("image_atomic_xor", "Xors with memory.", 26, shape::atomic(Atomic::kXor, 4)),
    image_row("image_atomic_inc", "Adds 1, or wraps to 0 at the data.", 27,
              shape::atomic(Atomic::kInc, 4)),
    image_row("image_atomic_dec", "Subtracts 1, or wraps to the data at 0.", 28,
              shape::atomic(Atomic::kDec, 4)));

}  // namespace wavetank::isa
