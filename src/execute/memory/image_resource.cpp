#include "execute/memory/image_resource.hpp"

namespace wavetank::execute {
namespace {

constexpr std::uint32_t field(const std::uint32_t* words, unsigned word, unsigned shift,
                              unsigned bits) {
  return (words[word] >> shift) & ((1u << bits) - 1);
}

ImageType type_of(std::uint32_t number) {
  const bool known = number >= 8 && number <= 13;
  return known ? static_cast<ImageType>(number) : ImageType::kNone;
}

}  // namespace

ImageResource image_resource(const std::uint32_t* sgpr) {
  ImageResource image;
  image.base = (sgpr[0] | std::uint64_t{field(sgpr, 1, 0, 8)} << 32) << 8;
  image.format = number::data_format(field(sgpr, 1, 20, 6));
  image.number = static_cast<number::NumberFormat>(field(sgpr, 1, 26, 4));
  image.width = field(sgpr, 2, 0, 14) + 1;
  image.height = field(sgpr, 2, 14, 14) + 1;
  for (unsigned i = 0; i < 4; ++i) {
    image.select[i] = static_cast<std::uint8_t>(field(sgpr, 3, 3 * i, 3));
  }
  image.levels = field(sgpr, 3, 16, 4) + 1;
  image.linear = field(sgpr, 3, 20, 5) == 0;
  image.type = type_of(field(sgpr, 3, 28, 4));
  image.pitch = field(sgpr, 4, 13, 16) + 1;
  image.first_slice = field(sgpr, 5, 0, 13);
  image.depth = field(sgpr, 4, 0, 13) + 1;
  return image;
}

SamplerResource sampler_resource(const std::uint32_t* sgpr) {
  SamplerResource sampler;
  for (unsigned i = 0; i < 3; ++i) {
    sampler.clamp[i] = static_cast<ClampMode>(field(sgpr, 0, 3 * i, 3));
  }
  sampler.unnormalized = field(sgpr, 0, 15, 1) != 0;
  sampler.linear = field(sgpr, 2, 20, 2) == 1;
  sampler.linear_in_z = field(sgpr, 2, 24, 2) == 2;
  sampler.border = static_cast<std::uint8_t>(field(sgpr, 3, 30, 2));
  return sampler;
}

ImageControl ImageControl::of(const encoding::Instruction& in) {
  return {in.dmask, in.unorm, in.da, in.a16, in.d16};
}

std::uint16_t ImageControl::packed() const {
  return static_cast<std::uint16_t>(dmask | unorm << 4 | da << 5 | a16 << 6 | d16 << 7);
}

ImageControl ImageControl::unpacked(std::uint16_t bits) {
  const auto bit = [&](unsigned i) { return ((bits >> i) & 1) != 0; };
  return {static_cast<std::uint8_t>(bits & 15), bit(4), bit(5), bit(6), bit(7)};
}

Dimensions dimensions_of(ImageType type, bool da) {
  switch (type) {
    case ImageType::k1d: return {1, false};
    case ImageType::k2d: return {2, false};
    case ImageType::k3d: return {3, false};
    case ImageType::kCube: return {2, true};
    case ImageType::k1dArray: return {1, da};
    case ImageType::k2dArray: return {2, da};
    case ImageType::kNone: break;
  }
  return {};
}

std::uint64_t texel_address(const ImageResource& image, const Place& place) {
  const auto inside = [](std::int64_t at, std::uint32_t size) {
    return at >= 0 && at < std::int64_t{size};
  };
  const bool flat = image.type == ImageType::k1d || image.type == ImageType::k1dArray;
  const std::uint32_t height = flat ? 1 : image.height;
  const bool single = image.type == ImageType::k1d || image.type == ImageType::k2d;
  const std::int64_t slice = place.z + (single ? 0 : image.first_slice);
  if (!inside(place.x, image.width) || !inside(place.y, height)) return 0;
  if (!inside(slice, single ? 1 : image.depth)) return 0;
  const std::uint64_t row = static_cast<std::uint64_t>(slice) * height +
                            static_cast<std::uint64_t>(place.y);
  return image.base +
         (row * image.pitch + static_cast<std::uint64_t>(place.x)) * image.format.bytes;
}

}  // namespace wavetank::execute
