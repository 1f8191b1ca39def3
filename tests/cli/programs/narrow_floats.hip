// The conversions of the fp8 and bfloat16 headers, on the host: every code survives a round trip, and
// halfway values go to the even neighbour.
#include <hip/hip_bf16.h>
#include <hip/hip_fp8.h>

#include <cmath>
#include <cstdio>

namespace {

int failures = 0;

void expect(bool holds, const char* what, unsigned code) {
  if (holds) return;
  ++failures;
  std::printf("%s: %#x\n", what, code);
}

void check_fp8(__hip_fp8_interpretation_t format, float largest) {
  using wavetank_hip::fp8_to_float;
  float seen = 0;
  for (unsigned code = 0; code < 256; ++code) {
    const float value = fp8_to_float(static_cast<unsigned char>(code), format);
    if (!std::isfinite(value)) continue;
    seen = std::fmax(seen, value);
    expect(__hip_cvt_float_to_fp8(value, __HIP_NOSAT, format) == code, "round trip", code);
    const float next = fp8_to_float(static_cast<unsigned char>(code + 1), format);
    if (code >= 127 || !std::isfinite(next)) continue;
    const float middle = (value + next) / 2;
    const unsigned even = code & 1 ? code + 1 : code;
    const float below = std::nextafterf(middle, value), above = std::nextafterf(middle, next);
    expect(__hip_cvt_float_to_fp8(middle, __HIP_NOSAT, format) == even, "tie", code);
    expect(__hip_cvt_float_to_fp8(below, __HIP_NOSAT, format) == code, "below the tie", code);
    expect(__hip_cvt_float_to_fp8(above, __HIP_NOSAT, format) == code + 1, "above it", code);
  }
  expect(seen == largest, "largest", format);
  const auto saturated = __hip_cvt_float_to_fp8(1e30f, __HIP_SATFINITE, format);
  expect(fp8_to_float(saturated, format) == largest, "saturation", format);
  const auto overflow = __hip_cvt_float_to_fp8(1e30f, __HIP_NOSAT, format);
  expect(!std::isfinite(fp8_to_float(overflow, format)), "overflow", format);
  expect(std::isnan(fp8_to_float(__hip_cvt_float_to_fp8(NAN, __HIP_SATFINITE, format), format)),
         "NaN", format);
}

void check_bf16() {
  for (unsigned code = 0; code < 0x10000; ++code) {
    const __hip_bfloat16 value = __ushort_as_bfloat16(static_cast<unsigned short>(code));
    const __hip_bfloat16 back = __float2bfloat16(__bfloat162float(value));
    const bool nan = __hisnan(value);
    expect(nan ? __hisnan(back) : back.__x == code, "bfloat16 round trip", code);
  }
  expect(__hip_bfloat16(1.00390625f).__x == 0x3f80, "bfloat16 tie to even below", 0x3f80);
  expect(__hip_bfloat16(1.01171875f).__x == 0x3f82, "bfloat16 tie to even above", 0x3f82);
  expect(std::isinf(float(__hip_bfloat16(3.4e38f))), "bfloat16 overflow", 0x7f80);
}

}  // namespace

int main() {
  check_fp8(__HIP_E4M3, 448);
  check_fp8(__HIP_E5M2, 57344);
  check_fp8(__HIP_E4M3_FNUZ, 240);
  check_fp8(__HIP_E5M2_FNUZ, 57344);
  check_bf16();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
