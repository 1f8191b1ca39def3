// The memory formats of buffer and image resources, and how their components become registers and
// back (AMD CDNA3 and "Vega" ISA guides, tables "Buffer Data Format" and "Image Data Format").
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace wavetank::number {

/// NUM_FORMAT of a resource.
enum class NumberFormat : std::uint8_t {
  kUnorm = 0,
  kSnorm = 1,
  kUscaled = 2,
  kSscaled = 3,
  kUint = 4,
  kSint = 5,
  kFloat = 7,
  kSrgb = 9,
};

/// A texel's components, the first in the lowest bits.
struct DataFormat {
  std::array<std::uint8_t, 4> bits = {};  ///< of each component; 0: it has none
  std::uint8_t bytes = 0;                 ///< of a texel; 0: no such format

  constexpr unsigned components() const {
    unsigned count = 0;
    while (count < 4 && bits[count] != 0) ++count;
    return count;
  }
};

/// DATA_FORMAT 1 to 14, which buffers and images share; of any other number, one with 0 bytes.
constexpr DataFormat data_format(unsigned number) {
  constexpr DataFormat kFormats[] = {
      {},
      {{8}, 1},
      {{16}, 2},
      {{8, 8}, 2},
      {{32}, 4},
      {{16, 16}, 4},
      {{11, 11, 10}, 4},      // 10_11_11: named from the top
      {{10, 11, 11}, 4},      // 11_11_10
      {{2, 10, 10, 10}, 4},   // 10_10_10_2
      {{10, 10, 10, 2}, 4},   // 2_10_10_10
      {{8, 8, 8, 8}, 4},
      {{32, 32}, 8},
      {{16, 16, 16, 16}, 8},
      {{32, 32, 32}, 12},
      {{32, 32, 32, 32}, 16},
  };
  return number < std::size(kFormats) ? kFormats[number] : DataFormat{};
}

/// True if components are integers in registers; floats otherwise.
constexpr bool is_integer(NumberFormat number) {
  return number == NumberFormat::kUint || number == NumberFormat::kSint;
}

/// The number 1 in a register.
constexpr std::uint32_t one_of(NumberFormat number) { return is_integer(number) ? 1 : 0x3f800000; }

/// The register value of a component of `bits` bits: an f32, or an integer extended to 32 bits.
/// `index` says which component it is: the fourth of an sRGB texel is linear.
std::uint32_t load_component(std::uint32_t raw, unsigned bits, NumberFormat number, unsigned index);

/// The reverse. Values beyond the range of a normalised, scaled or integer format become the
/// nearest one in it; normalised values round to nearest even, floats of 10 and 11 bits to zero.
std::uint32_t store_component(std::uint32_t value, unsigned bits, NumberFormat number,
                              unsigned index);

/// The four raw components of a texel; those that the format lacks are 0.
std::array<std::uint32_t, 4> unpack_texel(const std::byte* texel, const DataFormat& format);
void pack_texel(const std::array<std::uint32_t, 4>& raw, const DataFormat& format,
                std::byte* texel);

/// The register values of a texel's components; those that the format lacks are 0.
std::array<std::uint32_t, 4> load_texel(const std::byte* texel, const DataFormat& format,
                                        NumberFormat number);
/// What DST_SEL puts in place of a component: 0, 1, or the value `select` - 4.
std::uint32_t selected(const std::array<std::uint32_t, 4>& values, unsigned select,
                       NumberFormat number);

/// A register value in the 16 bits that D16 leaves it, an f16 or an integer's low half, and back.
std::uint32_t half_of(std::uint32_t value, NumberFormat number);
std::uint32_t from_half(std::uint32_t half, NumberFormat number);

}  // namespace wavetank::number
