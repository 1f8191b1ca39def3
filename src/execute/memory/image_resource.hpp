// Image and sampler resources of GFX9 (AMD "Vega" ISA guide, "Image Resource Definition" and "Image
// Sampler Definition"), and where a texel lies. Images are linear here: the runtime that makes the
// resources is ours, and how an array is laid out is its own affair on every device.
#pragma once

#include <array>
#include <cstdint>

#include "encoding/instruction.hpp"
#include "number/data_format.hpp"

namespace wavetank::execute {

/// T#.TYPE.
enum class ImageType : std::uint8_t {
  kNone = 0,
  k1d = 8,
  k2d = 9,
  k3d = 10,
  kCube = 11,
  k1dArray = 12,
  k2dArray = 13,
};

/// The fields of eight SGPRs that matter.
struct ImageResource {
  std::uint64_t base = 0;
  std::uint32_t width = 0, height = 0;  ///< texels
  std::uint32_t depth = 0;              ///< of a 3-D image; slices of an array
  std::uint32_t first_slice = 0;
  std::uint32_t pitch = 0;  ///< texels from row to row
  std::uint32_t levels = 0;
  std::array<std::uint8_t, 4> select = {};  ///< DST_SEL: 0, 1, or 4 + component
  number::DataFormat format;                ///< 0 bytes: none that is known
  number::NumberFormat number = number::NumberFormat::kUnorm;
  ImageType type = ImageType::kNone;
  bool linear = true;  ///< SW_MODE 0
};

/// Unpacks the resource.
ImageResource image_resource(const std::uint32_t* sgpr);

/// CLAMP_X and its kin.
enum class ClampMode : std::uint8_t {
  kWrap,
  kMirror,
  kLastTexel,
  kMirrorOnceLastTexel,
  kHalfBorder,
  kMirrorOnceHalfBorder,
  kBorder,
  kMirrorOnceBorder,
};

/// The fields of four SGPRs that matter.
struct SamplerResource {
  std::array<ClampMode, 3> clamp = {};
  bool unnormalized = false;
  bool linear = false;        ///< XY_MAG_FILTER; there is one level, so nothing is minified
  bool linear_in_z = false;   ///< Z_FILTER
  std::uint8_t border = 0;    ///< BORDER_COLOR_TYPE: transparent black, opaque black, opaque white
};
SamplerResource sampler_resource(const std::uint32_t* sgpr);

/// What the instruction says besides its registers, as an op keeps it.
struct ImageControl {
  std::uint8_t dmask = 0;
  bool unorm = false, da = false, a16 = false, d16 = false;

  static ImageControl of(const encoding::Instruction& instruction);
  std::uint16_t packed() const;
  static ImageControl unpacked(std::uint16_t bits);
};

/// Coordinates of an image type: 1 to 3, the last one a slice where the image is an array. Without
/// DA an array counts as its first slice.
struct Dimensions {
  unsigned spatial = 0;
  bool slice = false;
  unsigned count() const { return spatial + (slice ? 1 : 0); }
};
Dimensions dimensions_of(ImageType type, bool da);

/// A texel by its whole coordinates.
struct Place {
  std::int64_t x = 0, y = 0, z = 0;  ///< z is the slice of an array
};
/// Where it lies; 0 if the image has no such texel.
std::uint64_t texel_address(const ImageResource& image, const Place& place);

}  // namespace wavetank::execute
