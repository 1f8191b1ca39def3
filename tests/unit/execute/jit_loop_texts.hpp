// Loops as compilers write them, for tests of compiled code.
#pragma once

#include <vector>

#include "isa/target.hpp"
#include "jit_sequence.hpp"

namespace wavetank::execute::testing {

inline constexpr unsigned kRounds = 20;  // the SGPR that counts down
inline constexpr unsigned kStride = 10;  // the SGPR by which addresses rise

/// A loop as compilers write it, whose last instruction branches to its first.
struct LoopText {
  const char* name;
  const isa::Target* target;
  std::vector<unsigned> carried;  ///< vector registers that the next round reads
  Code code;
};

/// s += a[k] * b[k * n + column], gfx90a: a pair that rises by a constant, and an index whose
/// base has its upper word in a vector register.
inline const LoopText kProduct{"product",
                               &isa::kGfx90a,
                               {1, 2, 3, 4},
                               {
                                   0x220a089f,              // v_ashrrev_i32_e32 v5, 31, v4
                                   0xd28f0008, 0x00020882,  // v_lshlrev_b64 v[8:9], 2, v[4:5]
                                   0x32101002,              // v_add_co_u32_e32 v8, vcc, s2, v8
                                   0x38121307,  // v_addc_co_u32_e32 v9, vcc, v7, v9, vcc
                                   0xdc508000, 0x0a7f0002,  // global_load_dword v10, v[2:3], off
                                   0xdc508000, 0x057f0008,  // global_load_dword v5, v[8:9], off
                                   0x8114c114,              // s_add_i32 s20, s20, -1
                                   0x32040484,              // v_add_co_u32_e32 v2, vcc, 4, v2
                                   0x38060680,              // v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
                                   0x6808080a,              // v_add_u32_e32 v4, s10, v4
                                   0xbf068014,              // s_cmp_eq_u32 s20, 0
                                   0xbf8c0f70,              // s_waitcnt vmcnt(0)
                                   0x76020b0a,              // v_fmac_f32_e32 v1, v10, v5
                                   0xbf840000,              // s_cbranch_scc0
                               }};

/// The same for gfx942.
inline const LoopText kProduct64{
    "product of gfx942",
    &isa::kGfx942,
    {1, 2, 3, 4},
    {
        0x220a089f,              // v_ashrrev_i32_e32 v5, 31, v4
        0xd2080008, 0x00090504,  // v_lshl_add_u64 v[8:9], v[4:5], 2, s[2:3]
        0xdc508000, 0x0a7f0002,  // global_load_dword v10, v[2:3], off
        0xdc508000, 0x057f0008,  // global_load_dword v5, v[8:9], off
        0x8114c114,              // s_add_i32 s20, s20, -1
        0xd2080002, 0x02110102,  // v_lshl_add_u64 v[2:3], v[2:3], 0, 4
        0x6808080a,              // v_add_u32_e32 v4, s10, v4
        0xbf068014,              // s_cmp_eq_u32 s20, 0
        0xbf8c0f70,              // s_waitcnt vmcnt(0)
        0x76020b0a,              // v_fmac_f32_e32 v1, v10, v5
        0xbf840000,              // s_cbranch_scc0
    }};

/// A column of a matrix times a vector: a scalar load in each round, and a pair that rises by an
/// SGPR and a vector register.
inline const LoopText kColumn{"column",
                              &isa::kGfx90a,
                              {1, 2, 3},
                              {
                                  0xc0020047, 0x00000000,  // s_load_dword s1, s[14:15], 0x0
                                  0xdc508000, 0x067f0002,  // global_load_dword v6, v[2:3], off
                                  0x8114c114,              // s_add_i32 s20, s20, -1
                                  0x800e840e,              // s_add_u32 s14, s14, 4
                                  0x3204040a,              // v_add_co_u32_e32 v2, vcc, s10, v2
                                  0x820f800f,              // s_addc_u32 s15, s15, 0
                                  0x38060f03,              // v_addc_co_u32_e32 v3, vcc, v3, v7, vcc
                                  0xbf068014,              // s_cmp_eq_u32 s20, 0
                                  0xbf8c0070,              // s_waitcnt vmcnt(0) lgkmcnt(0)
                                  0x76020c01,              // v_fmac_f32_e32 v1, s1, v6
                                  0xbf840000,              // s_cbranch_scc0
                              }};

/// The nearest of points: no loads, masks within a round.
inline const LoopText kNearest{"nearest",
                               &isa::kGfx90a,
                               {1, 4},
                               {
                                   0x7e0a0214,              // v_mov_b32_e32 v5, s20
                                   0x80948114,              // s_sub_u32 s20, s20, 1
                                   0xd3b24008, 0x18020404,  // v_pk_add_f32 v[8:9], s[4:5], v[2:3]
                                   0x020c1308,              // v_add_f32_e32 v6, v8, v9
                                   0x7c820306,              // v_cmp_lt_f32_e32 vcc, v6, v1
                                   0xbf078014,              // s_cmp_lg_u32 s20, 0
                                   0x00080b04,              // v_cndmask_b32_e32 v4, v4, v5, vcc
                                   0x00020d01,              // v_cndmask_b32_e32 v1, v1, v6, vcc
                                   0xbf850000,              // s_cbranch_scc1
                               }};

/// Bytes by an index and an SGPR pair, and a word and a pair in LDS by another.
inline const LoopText kBytes{
    "bytes",
    &isa::kGfx90a,
    {1, 4, 5},
    {
        0xd86c0010, 0x06000004,  // ds_read_b32 v6, v4 offset:16
        0xd86e0908, 0x0a000004,  // ds_read2_b32 v[10:11], v4 offset0:8 offset1:9
        0xdc408008, 0x09020005,  // global_load_ubyte v9, v5, s[2:3] offset:8
        0x68080884,              // v_add_u32_e32 v4, 4, v4
        0x680a0a0a,              // v_add_u32_e32 v5, s10, v5
        0x8114c114,              // s_add_i32 s20, s20, -1
        0xbf078014,              // s_cmp_lg_u32 s20, 0
        0xbf8c0070,              // s_waitcnt vmcnt(0) lgkmcnt(0)
        0x68020d01,              // v_add_u32_e32 v1, v1, v6
        0x2a021301,              // v_xor_b32_e32 v1, v1, v9
        0x68021101,              // v_add_u32_e32 v1, v1, v8
        0xbf850000,              // s_cbranch_scc1
    }};

/// LDS by an address that is a number, too, and so is not followed: what the first load finds out
/// about its lanes serves the second.
inline const LoopText kTwice{
    "twice",
    &isa::kGfx90a,
    {1, 4},
    {
        0xd86c0010, 0x06000004,  // ds_read_b32 v6, v4 offset:16
        0xd86e0908, 0x08000004,  // ds_read2_b32 v[8:9], v4 offset0:8 offset1:9
        0x2a020901,              // v_xor_b32_e32 v1, v1, v4
        0x68080884,              // v_add_u32_e32 v4, 4, v4
        0x8114c114,              // s_add_i32 s20, s20, -1
        0xbf078014,              // s_cmp_lg_u32 s20, 0
        0xbf8cc07f,              // s_waitcnt lgkmcnt(0)
        0x68020d01,              // v_add_u32_e32 v1, v1, v6
        0x6a020308,              // v_sub_u32_e32 v1, v8, v1
        0x2a021301,              // v_xor_b32_e32 v1, v1, v9
        0xbf850000,              // s_cbranch_scc1
    }};

/// Sixteen bytes of each lane.
inline const LoopText kWide{
    "wide",
    &isa::kGfx90a,
    {1, 2, 3, 4},
    {
        0xdc5c9ff0, 0x087f0002,  // global_load_dwordx4 v[8:11], v[2:3], off offset:-16
        0x8114c114,              // s_add_i32 s20, s20, -1
        0x3204040a,              // v_add_co_u32_e32 v2, vcc, s10, v2
        0x38060680,              // v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
        0xbf078014,              // s_cmp_lg_u32 s20, 0
        0xbf8c0f70,              // s_waitcnt vmcnt(0)
        0x02021101,              // v_add_f32_e32 v1, v1, v8
        0x02081704,              // v_add_f32_e32 v4, v4, v11
        0x680a1509,              // v_add_u32_e32 v5, v9, v10
        0xbf850000,              // s_cbranch_scc1
    }};

/// A step of heat along one direction: loads, then a store, in two runs.
inline const LoopText kHeat{
    "heat",
    &isa::kGfx90a,
    {2, 3, 4, 12, 13},
    {
        0x7e0e0203,              // v_mov_b32_e32 v7, s3
        0x220a089f,              // v_ashrrev_i32_e32 v5, 31, v4
        0xd28f0008, 0x00020882,  // v_lshlrev_b64 v[8:9], 2, v[4:5]
        0x32101002,              // v_add_co_u32_e32 v8, vcc, s2, v8
        0x38121307,              // v_addc_co_u32_e32 v9, vcc, v7, v9, vcc
        0xdc508000, 0x0a7f0002,  // global_load_dword v10, v[2:3], off
        0xdc508000, 0x0b7f0008,  // global_load_dword v11, v[8:9], off
        0x8114c114,              // s_add_i32 s20, s20, -1
        0xbf078014,              // s_cmp_lg_u32 s20, 0
        0xbf8c0f70,              // s_waitcnt vmcnt(0)
        0xd1cb000a, 0x042de90a,  // v_fma_f32 v10, v10, 2.0, v11
        0xdc708004, 0x007f0a0c,  // global_store_dword v[12:13], v10, off offset:4
        0x3218180a,              // v_add_co_u32_e32 v12, vcc, s10, v12
        0x381a1a80,              // v_addc_co_u32_e32 v13, vcc, 0, v13, vcc
        0x3204040a,              // v_add_co_u32_e32 v2, vcc, s10, v2
        0x38060680,              // v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
        0x68080881,              // v_add_u32_e32 v4, 1, v4
        0xbf850000,              // s_cbranch_scc1
    }};

/// A load from where another load says, in a run of its own.
inline const LoopText kChain{"chain",
                             &isa::kGfx90a,
                             {1, 2, 3},
                             {
                                 0xdc508000, 0x057f0002,  // global_load_dword v5, v[2:3], off
                                 0x8114c114,              // s_add_i32 s20, s20, -1
                                 0x3204040a,              // v_add_co_u32_e32 v2, vcc, s10, v2
                                 0x38060680,              // v_addc_co_u32_e32 v3, vcc, 0, v3, vcc
                                 0xbf8c0f70,              // s_waitcnt vmcnt(0)
                                 0x7e0c0f05,              // v_cvt_u32_f32_e32 v6, v5
                                 0x240c0c82,              // v_lshlrev_b32_e32 v6, 2, v6
                                 0xdc508000, 0x08020006,  // global_load_dword v8, v6, s[2:3]
                                 0xbf078014,              // s_cmp_lg_u32 s20, 0
                                 0xbf8c0f70,              // s_waitcnt vmcnt(0)
                                 0x02021101,              // v_add_f32_e32 v1, v1, v8
                                 0xbf850000,              // s_cbranch_scc1
                             }};

/// A sum in strides, which lanes leave where their index says.
inline const LoopText kStrides{"strides",
                               &isa::kGfx90a,
                               {1, 2, 3, 4, 5},
                               {
                                   0xdc508000, 0x087f0004,  // global_load_dword v8, v[4:5], off
                                   0x3204040a,              // v_add_co_u32_e32 v2, vcc, s10, v2
                                   0x38060d03,  // v_addc_co_u32_e32 v3, vcc, v3, v6, vcc
                                   0x3208080a,  // v_add_co_u32_e32 v4, vcc, s10, v4
                                   0x380a0a80,  // v_addc_co_u32_e32 v5, vcc, 0, v5, vcc
                                   0x7dd60412,  // v_cmp_le_u64_e32 vcc, s[18:19], v[2:3]
                                   0x8780006a,  // s_or_b64 s[0:1], vcc, s[0:1]
                                   0xbf8c0f70,  // s_waitcnt vmcnt(0)
                                   0x02021101,  // v_add_f32_e32 v1, v1, v8
                                   0x89fe007e,  // s_andn2_b64 exec, exec, s[0:1]
                                   0xbf890000,  // s_cbranch_execnz
                               }};

/// Registers that take each other's values, more than the host's keep.
inline const LoopText kRotation{"rotation",
                                &isa::kGfx90a,
                                {1, 2, 3, 4, 5, 6, 7},
                                {
                                    0x8114c114,  // s_add_i32 s20, s20, -1
                                    0x02120501,  // v_add_f32_e32 v9, v1, v2
                                    0x7e020302,  // v_mov_b32_e32 v1, v2
                                    0x7e040303,  // v_mov_b32_e32 v2, v3
                                    0x7e060304,  // v_mov_b32_e32 v3, v4
                                    0x7e080305,  // v_mov_b32_e32 v4, v5
                                    0x7e0a0306,  // v_mov_b32_e32 v5, v6
                                    0x7e0c0307,  // v_mov_b32_e32 v6, v7
                                    0x0a0e12f0,  // v_mul_f32_e32 v7, 0.5, v9
                                    0xbf078014,  // s_cmp_lg_u32 s20, 0
                                    0xbf850000,  // s_cbranch_scc1
                                }};

/// An index that is shifted by 32 bits in two steps: by 4, and by 28 of 64.
inline const LoopText kFar{"far",
                           &isa::kGfx90a,
                           {1, 4},
                           {
                               0x24180884,              // v_lshlrev_b32_e32 v12, 4, v4
                               0x7e1a0280,              // v_mov_b32_e32 v13, 0
                               0xd28f0008, 0x0002189c,  // v_lshlrev_b64 v[8:9], 28, v[12:13]
                               0x32101002,              // v_add_co_u32_e32 v8, vcc, s2, v8
                               0x38121307,              // v_addc_co_u32_e32 v9, vcc, v7, v9, vcc
                               0xdc508000, 0x0a7f0008,  // global_load_dword v10, v[8:9], off
                               0x6808080a,              // v_add_u32_e32 v4, s10, v4
                               0x8114c114,              // s_add_i32 s20, s20, -1
                               0xbf078014,              // s_cmp_lg_u32 s20, 0
                               0xbf8c0f70,              // s_waitcnt vmcnt(0)
                               0x02021501,              // v_add_f32_e32 v1, v1, v10
                               0xbf850000,              // s_cbranch_scc1
                           }};

/// A load into SGPRs that a test makes EXEC.
inline const LoopText kLoadsScalars{
    "loads scalars",
    &isa::kGfx90a,
    {1},
    {
        0xc0060487, 0x00000000,  // s_load_dwordx2 s[18:19], s[14:15], 0x0
        0x02020501,              // v_add_f32_e32 v1, v1, v2
        0x8114c114,              // s_add_i32 s20, s20, -1
        0xbf078014,              // s_cmp_lg_u32 s20, 0
        0xbf850000,              // s_cbranch_scc1
    }};

inline const LoopText* const kLoops[] = {&kProduct, &kProduct64, &kColumn,  &kNearest,
                                         &kBytes,   &kTwice,     &kWide,    &kHeat,
                                         &kChain,   &kStrides,   &kRotation};

}  // namespace wavetank::execute::testing
