// Cube-map coordinates: the face that (x, y, z) points at and the coordinates on it.
#pragma once

#include "number/types.hpp"

namespace wavetank::number {

/// v_cubeid_f32: the face, 0.0 to 5.0 for +x -x +y -y +z -z; ties prefer z, then y.
f32 cubeid(f32 x, f32 y, f32 z, const FloatMode& mode);
/// v_cubesc_f32, v_cubetc_f32: the S and T coordinates on the face, not yet divided.
f32 cubesc(f32 x, f32 y, f32 z, const FloatMode& mode);
f32 cubetc(f32 x, f32 y, f32 z, const FloatMode& mode);
/// v_cubema_f32: twice the major axis.
f32 cubema(f32 x, f32 y, f32 z, const FloatMode& mode);

}  // namespace wavetank::number
