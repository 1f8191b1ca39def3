// Sums of absolute differences (CDNA3 ISA, V_SAD_U8 and its kin).
#pragma once

#include <array>
#include <cstdint>

namespace wavetank::number {

/// |a - b| of unsigned numbers.
constexpr std::uint32_t absolute_difference(std::uint32_t a, std::uint32_t b) {
  return a > b ? a - b : b - a;
}
/// v_sad_u8: c plus the absolute differences of the four bytes.
constexpr std::uint32_t sad_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    c += absolute_difference((a >> shift) & 0xff, (b >> shift) & 0xff);
  }
  return c;
}
/// v_sad_hi_u8: (sad_u8(a, b, 0) << 16) + c.
constexpr std::uint32_t sad_hi_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return (sad_u8(a, b, 0) << 16) + c;
}
/// v_sad_u16: c plus the absolute differences of the two halves.
constexpr std::uint32_t sad_u16(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return c + absolute_difference(a & 0xffff, b & 0xffff) + absolute_difference(a >> 16, b >> 16);
}
/// v_sad_u32: c + |a - b|.
constexpr std::uint32_t sad_u32(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return c + absolute_difference(a, b);
}
/// v_msad_u8: sad_u8 that leaves out bytes where the reference b is 0.
constexpr std::uint32_t msad_u8(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    const std::uint32_t reference = (b >> shift) & 0xff;
    if (reference != 0) c += absolute_difference((a >> shift) & 0xff, reference);
  }
  return c;
}
/// Bytes `index` to `index` + 3 of a: what the four-window instructions compare.
constexpr std::uint32_t sad_window(std::uint64_t a, unsigned index) {
  return static_cast<std::uint32_t>(a >> (8 * index));
}
/// v_qsad_pk_u16_u8: four sad_u8 of b with the four windows of a, each added to a half of c,
/// modulo 65536.
constexpr std::uint64_t qsad_pk_u16_u8(std::uint64_t a, std::uint32_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto base = static_cast<std::uint32_t>((c >> (16 * i)) & 0xffff);
    result |= std::uint64_t{sad_u8(sad_window(a, i), b, base) & 0xffff} << (16 * i);
  }
  return result;
}
/// v_mqsad_pk_u16_u8: likewise with msad_u8.
constexpr std::uint64_t mqsad_pk_u16_u8(std::uint64_t a, std::uint32_t b, std::uint64_t c) {
  std::uint64_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const auto base = static_cast<std::uint32_t>((c >> (16 * i)) & 0xffff);
    result |= std::uint64_t{msad_u8(sad_window(a, i), b, base) & 0xffff} << (16 * i);
  }
  return result;
}
/// v_mqsad_u32_u8: likewise with 32-bit sums.
constexpr std::array<std::uint32_t, 4> mqsad_u32_u8(std::uint64_t a, std::uint32_t b,
                                                    const std::array<std::uint32_t, 4>& c) {
  std::array<std::uint32_t, 4> result{};
  for (unsigned i = 0; i < 4; ++i) result[i] = msad_u8(sad_window(a, i), b, c[i]);
  return result;
}

}  // namespace wavetank::number
