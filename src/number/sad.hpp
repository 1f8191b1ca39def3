// Sums of absolute differences.
#pragma once

#include <array>
#include <cstdint>

namespace wavetank::number {

/// v_sad_u8: c plus the absolute differences of the four bytes.
constexpr std::uint32_t sad_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c);
/// v_sad_hi_u8: (sad_u8(a, b, 0) << 16) + c.
constexpr std::uint32_t sad_hi_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c);
/// v_sad_u16: c plus the absolute differences of the two halves.
constexpr std::uint32_t sad_u16(std::uint32_t a, std::uint32_t b, std::uint32_t c);
/// v_sad_u32: c + |a - b|.
constexpr std::uint32_t sad_u32(std::uint32_t a, std::uint32_t b, std::uint32_t c);
/// v_msad_u8: sad_u8 that leaves out bytes where the reference b is 0.
constexpr std::uint32_t msad_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c);
/// v_qsad_pk_u16_u8: four sad_u8 of b with the four windows of a, each added to a half of c.
constexpr std::uint64_t qsad_pk_u16_u8(std::uint64_t a, std::uint32_t b, std::uint64_t c);
/// v_mqsad_pk_u16_u8: likewise with msad_u8.
constexpr std::uint64_t mqsad_pk_u16_u8(std::uint64_t a, std::uint32_t b, std::uint64_t c);
/// v_mqsad_u32_u8: likewise with 32-bit sums.
constexpr std::array<std::uint32_t, 4> mqsad_u32_u8(std::uint64_t a, std::uint32_t b,
                                                    const std::array<std::uint32_t, 4>& c);

}  // namespace wavetank::number
