// An image instruction as it stands before it runs: its resources, and the texels of each lane.
#pragma once

#include <cstdint>

#include "execute/memory/image_resource.hpp"
#include "execute/memory/sample.hpp"
#include "execute/op.hpp"
#include "isa/row.hpp"

namespace wavetank::execute {

/// What all lanes of an image op share.
struct ImageOp {
  const machine::Wave& wave;
  const MemoryOperands& memory;
  isa::ImageShape shape;
  ImageControl control;
  ImageResource image;
  Dimensions dimensions;
  SamplerResource sampler;  ///< of a sample

  static ImageOp of(const machine::Wave& wave, const Op* op);

  /// False for a resource that this runtime does not make (tiled memory), and if the coordinates
  /// that its type takes lie beyond the wave's registers.
  bool can_run() const;
  /// The level that image_get_resinfo asks about.
  std::uint32_t level(unsigned lane) const;
  /// The texel of a load, store or atomic; 0 if the image has none there.
  std::uint64_t texel(unsigned lane) const;
  /// The texels of a sample; none if there is no image.
  Taps taps(unsigned lane) const;

 private:
  unsigned coordinate_count() const;
  std::uint32_t coordinate(unsigned index, unsigned lane) const;
};

}  // namespace wavetank::execute
