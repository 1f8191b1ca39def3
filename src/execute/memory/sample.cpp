#include "execute/memory/sample.hpp"

#include <algorithm>
#include <cmath>

namespace wavetank::execute {
namespace {

/// A coordinate in an image of `size` texels; nothing means the border.
struct Clamped {
  std::int64_t texel = 0;
  bool border = false;
};

std::int64_t modulo(std::int64_t value, std::int64_t by) { return ((value % by) + by) % by; }

Clamped clamp(std::int64_t texel, std::int64_t size, ClampMode mode) {
  const bool inside = texel >= 0 && texel < size;
  switch (mode) {
    case ClampMode::kWrap: return {modulo(texel, size)};
    case ClampMode::kMirror: {
      const std::int64_t at = modulo(texel, 2 * size);
      return {at < size ? at : 2 * size - 1 - at};
    }
    case ClampMode::kMirrorOnceLastTexel:
      return {std::min(texel < 0 ? -1 - texel : texel, size - 1)};
    case ClampMode::kMirrorOnceHalfBorder:
    case ClampMode::kMirrorOnceBorder: {
      const std::int64_t at = texel < 0 ? -1 - texel : texel;
      return {at, at >= size};
    }
    case ClampMode::kHalfBorder:
    case ClampMode::kBorder: return {texel, !inside};
    case ClampMode::kLastTexel: break;
  }
  return {std::clamp<std::int64_t>(texel, 0, size - 1)};
}

/// One or two texels of an axis with their weights.
struct Axis {
  Clamped texel[2];
  float weight[2] = {1, 0};
  unsigned count = 1;
};

/// Beyond any image, and exact as an integer.
constexpr double kFarthest = 1 << 24;

/// The coordinate counts in steps of 1/256 texel, which makes 8 bits of weight, and lets a point
/// that was computed a little short of a texel's edge reach the texel.
Axis axis_of(double coordinate, std::uint32_t size, ClampMode mode, bool linear) {
  constexpr double kSteps = 256;
  Axis axis;
  double at = std::isnan(coordinate) ? 0 : coordinate;
  // A wrapping coordinate keeps its fraction however far out it is.
  if (mode == ClampMode::kWrap && std::isfinite(at)) at -= std::floor(at / size) * size;
  at = std::clamp(at, -kFarthest, kFarthest) - (linear ? 0.5 : 0);
  const double fixed = std::nearbyint(at * kSteps) / kSteps;
  const double first = std::floor(fixed);
  if (!linear) {
    axis.texel[0] = clamp(static_cast<std::int64_t>(first), size, mode);
    return axis;
  }
  axis.count = 2;
  axis.weight[1] = static_cast<float>(fixed - first);
  axis.weight[0] = 1 - axis.weight[1];
  for (unsigned i = 0; i < 2; ++i) {
    axis.texel[i] = clamp(static_cast<std::int64_t>(first) + i, size, mode);
  }
  return axis;
}

Axis slice_of(float coordinate, std::uint32_t slices) {
  const double at = std::isnan(coordinate) ? 0 : std::nearbyint(double{coordinate});
  Axis axis;
  axis.texel[0] = {static_cast<std::int64_t>(std::clamp(at, 0.0, static_cast<double>(slices) - 1))};
  return axis;
}

}  // namespace

Taps taps_of(const ImageResource& image, const SamplerResource& sampler, const Dimensions& shape,
             bool unnormalized, const Coordinates& at) {
  const std::uint32_t sizes[3] = {image.width, image.height, image.depth};
  Axis axes[3];
  for (unsigned i = 0; i < shape.spatial; ++i) {
    const double scale = unnormalized ? 1.0 : sizes[i];
    const bool linear = i == 2 ? sampler.linear_in_z : sampler.linear;
    axes[i] = axis_of(at[i] * scale, sizes[i], sampler.clamp[i], linear);
  }
  if (shape.slice) axes[2] = slice_of(at[shape.spatial], image.depth - image.first_slice);
  Taps taps;
  for (unsigned z = 0; z < axes[2].count; ++z) {
    for (unsigned y = 0; y < axes[1].count; ++y) {
      for (unsigned x = 0; x < axes[0].count; ++x) {
        Tap& tap = taps.tap[taps.count++];
        const Clamped &cx = axes[0].texel[x], &cy = axes[1].texel[y], &cz = axes[2].texel[z];
        tap.place = {cx.texel, cy.texel, cz.texel};
        tap.border = cx.border || cy.border || cz.border;
        tap.weight = axes[0].weight[x] * axes[1].weight[y] * axes[2].weight[z];
      }
    }
  }
  return taps;
}

}  // namespace wavetank::execute
