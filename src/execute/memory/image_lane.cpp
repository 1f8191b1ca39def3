#include "execute/memory/image_lane.hpp"

#include <bit>

#include "number/convert.hpp"

namespace wavetank::execute {

using isa::ImageAccess;

ImageOp ImageOp::of(const machine::Wave& wave, const Op* op) {
  ImageOp result{wave,
                 op->memory,
                 row_of(*op).memory.image,
                 ImageControl::unpacked(op->memory.data2),
                 image_resource(&wave.sgpr[op->memory.scalar_base]),
                 {},
                 {}};
  result.dimensions = dimensions_of(result.image.type, result.control.da);
  if (result.shape.access != ImageAccess::kSample) return result;
  result.sampler = sampler_resource(&wave.sgpr[op->memory.scalar_offset]);
  // Integers are not filtered.
  if (number::is_integer(result.image.number)) {
    result.sampler.linear = result.sampler.linear_in_z = false;
  }
  return result;
}

unsigned ImageOp::coordinate_count() const {
  if (shape.access == ImageAccess::kInfo) return 1;
  return dimensions.count() + (shape.mip ? 1u : 0u);
}

bool ImageOp::can_run() const {
  const unsigned count = coordinate_count();
  const unsigned dwords = control.a16 ? (count + 1) / 2 : count;
  return image.linear && memory.address + dwords <= wave.vgpr_count;
}

std::uint32_t ImageOp::coordinate(unsigned index, unsigned lane) const {
  if (!control.a16) return wave.vector(memory.address + index)[lane];
  return (wave.vector(memory.address + index / 2)[lane] >> (16 * (index % 2))) & 0xffff;
}

std::uint32_t ImageOp::level(unsigned lane) const { return coordinate(0, lane); }

std::uint64_t ImageOp::texel(unsigned lane) const {
  if (image.format.bytes == 0 || dimensions.spatial == 0) return 0;
  const unsigned count = dimensions.count();
  if (shape.mip && coordinate(count, lane) != 0) return 0;  // there is one level
  std::uint32_t at[3] = {};
  for (unsigned i = 0; i < dimensions.spatial; ++i) at[i] = coordinate(i, lane);
  if (dimensions.slice) at[2] = coordinate(count - 1, lane);
  return texel_address(image, {at[0], at[1], at[2]});
}

Taps ImageOp::taps(unsigned lane) const {
  if (image.format.bytes == 0 || dimensions.spatial == 0) return {};
  Coordinates at = {};
  for (unsigned i = 0; i < dimensions.count(); ++i) {
    const std::uint32_t bits = coordinate(i, lane);
    const auto half = number::f16{static_cast<std::uint16_t>(bits)};
    at[i] = std::bit_cast<float>(control.a16 ? number::f16_to_f32(half).bits : bits);
  }
  return taps_of(image, sampler, dimensions, sampler.unnormalized || control.unorm, at);
}

}  // namespace wavetank::execute
