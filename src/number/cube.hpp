// Cube-map coordinates: the face that (x, y, z) points at and the coordinates on it
// (CDNA3 ISA, V_CUBEID_F32 and its kin).
#pragma once

#include "number/arithmetic.hpp"
#include "number/compare.hpp"

namespace wavetank::number {

/// The axis of largest magnitude; ties prefer z, then y. NaN compares false.
enum class CubeAxis { kX, kY, kZ };
/// Which axis (x, y, z) lies nearest to.
constexpr CubeAxis cube_axis(f32 x, f32 y, f32 z) {
  const auto at_least = [](f32 a, f32 b) {
    return less(absolute(b), absolute(a)) || equal(absolute(b), absolute(a));
  };
  if (at_least(z, x) && at_least(z, y)) return CubeAxis::kZ;
  return at_least(y, x) ? CubeAxis::kY : CubeAxis::kX;
}

/// v_cubeid_f32: the face, 0.0 to 5.0 for +x -x +y -y +z -z; ties prefer z, then y.
constexpr f32 cubeid(f32 x, f32 y, f32 z, const FloatMode& mode) {
  x = flush_input(x, mode), y = flush_input(y, mode), z = flush_input(z, mode);
  const CubeAxis axis = cube_axis(x, y, z);
  const f32 major = axis == CubeAxis::kZ ? z : (axis == CubeAxis::kY ? y : x);
  const unsigned face = 2 * static_cast<unsigned>(axis) + (less(major, f32{0}) ? 1 : 0);
  return round_to<f32>(false, 0, std::uint64_t{face}, mode);
}
/// v_cubesc_f32: the S coordinate on the face, not yet divided.
constexpr f32 cubesc(f32 x, f32 y, f32 z, const FloatMode& mode) {
  x = flush_input(x, mode), y = flush_input(y, mode), z = flush_input(z, mode);
  switch (cube_axis(x, y, z)) {
    case CubeAxis::kZ: return less(z, f32{0}) ? negate(x) : x;
    case CubeAxis::kY: return x;
    case CubeAxis::kX: break;
  }
  return less(x, f32{0}) ? z : negate(z);
}
/// v_cubetc_f32: the T coordinate on the face, not yet divided.
constexpr f32 cubetc(f32 x, f32 y, f32 z, const FloatMode& mode) {
  x = flush_input(x, mode), y = flush_input(y, mode), z = flush_input(z, mode);
  if (cube_axis(x, y, z) != CubeAxis::kY) return negate(y);
  return less(y, f32{0}) ? negate(z) : z;
}
/// v_cubema_f32: twice the major axis.
inline f32 cubema(f32 x, f32 y, f32 z, const FloatMode& mode) {
  x = flush_input(x, mode), y = flush_input(y, mode), z = flush_input(z, mode);
  const CubeAxis axis = cube_axis(x, y, z);
  const f32 major = axis == CubeAxis::kZ ? z : (axis == CubeAxis::kY ? y : x);
  return add(major, major, mode);
}

}  // namespace wavetank::number
