// Texture filtering: a point or the neighbours of a coordinate, with the sampler's clamps.
#pragma once

#include <array>

#include "execute/memory/image_resource.hpp"

namespace wavetank::execute {

/// One lane's coordinates as image_sample reads them; z is the slice of an array.
using Coordinates = std::array<float, 3>;

/// A texel's weight in the result; those beyond the image show the border colour.
struct Tap {
  Place place;
  bool border = false;
  float weight = 1;
};

/// The taps of a sample: 1, 2, 4 or 8.
struct Taps {
  std::array<Tap, 8> tap;
  unsigned count = 0;
};

/// Coordinates count in steps of 1/256 texel, so weights have 8 bits (DEVIATIONS.md); slices of
/// arrays round to nearest even. A NaN coordinate counts as 0.
Taps taps_of(const ImageResource& image, const SamplerResource& sampler, const Dimensions& shape,
             bool unnormalized, const Coordinates& at);

}  // namespace wavetank::execute
