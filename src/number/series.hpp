// Coefficients of the transcendental kernels: Taylor series, rounded to double. The lane functions
// (transcendental.cpp) and the vector forms of execute/ evaluate them in the same order with basic
// operations only, so that they give the same bits.
#pragma once

namespace wavetank::number::series {

/// ln(2)^k / k!: 2^x in powers of x.
inline constexpr double kExp2[] = {
    0x1.0000000000000p+0,  0x1.62e42fefa39efp-1,  0x1.ebfbdff82c58fp-3,  0x1.c6b08d704a0c0p-5,
    0x1.3b2ab6fba4e77p-7,  0x1.5d87fe78a6731p-10, 0x1.430912f86c787p-13, 0x1.ffcbfc588b0c7p-17,
    0x1.62c0223a5c824p-20, 0x1.b5253d395e7c4p-24, 0x1.e4cf5158b8ecap-28, 0x1.e8cac7351bb25p-32,
    0x1.c3bd650fc2986p-36, 0x1.816193166d0f9p-40};
/// 2 / (ln(2) (2k + 1)): log2((1 + r) / (1 - r)) / r in powers of r^2.
inline constexpr double kLog2[] = {
    0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1, 0x1.a61762a7aded9p-2,
    0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2, 0x1.c68f568d31760p-3, 0x1.89f3b1694cffep-3,
    0x1.5b9ac9b743f0dp-3, 0x1.3703c1f4d0ffep-3, 0x1.1964ec6fc9491p-3, 0x1.00ecd7e080215p-3};
/// sin(2 pi r) / r in powers of r^2.
inline constexpr double kSin[] = {
    0x1.921fb54442d18p+2, -0x1.4abbce625be53p+5, 0x1.466bc6775aae2p+6,
    -0x1.32d2cce62bd86p+6, 0x1.50783487ee782p+5, -0x1.e3074fde8871fp+3,
    0x1.e8f434d018d63p+1, -0x1.6fadb9f155744p-1, 0x1.aaec32af93359p-4};
/// cos(2 pi r) in powers of r^2.
inline constexpr double kCos[] = {
    0x1.0000000000000p+0, -0x1.3bd3cc9be45dep+4, 0x1.03c1f081b5ac4p+6,
    -0x1.55d3c7e3cbffap+6, 0x1.e1f506891babbp+5, -0x1.a6d1f2a204a8cp+4,
    0x1.f9d38a3763cc3p+2, -0x1.b6e24f44b128fp+0, 0x1.20c62c2f2d7f5p-2};

}  // namespace wavetank::number::series
