// Kernels for the disassembler test: ordinary compiled code with many kinds of instructions.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable

typedef uint u32;
typedef ulong u64;
#define ID (__builtin_amdgcn_workgroup_id_x() * 256 + __builtin_amdgcn_workitem_id_x())

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void float_math(global float* out, global const float* in, int n, float a) {
  int i = ID;
  if (i >= n) return;
  float x = in[i];
  float y = __builtin_sqrtf(__builtin_fabsf(x)) + a * x / (x + 3.25f);
  y = __builtin_fmaf(y, x, -a) + __builtin_floorf(x) - __builtin_rintf(y);
  y = __builtin_fminf(__builtin_fmaxf(y, -1.0f), 1.0f) * 0.15915494f;
  out[i] = __builtin_amdgcn_fractf(y) + __builtin_amdgcn_sinf(x) + __builtin_amdgcn_rcpf(a);
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void double_math(global double* out, global const double* in, int n) {
  int i = ID;
  if (i >= n) return;
  double x = in[i], y = in[i + 1];
  double s = 0;
  for (int k = 0; k < n; ++k) s = __builtin_fma(x, s, y / (s + 2.5));
  out[i] = __builtin_sqrt(__builtin_fabs(s)) + (double)(int)x + (double)(float)y + __builtin_floor(x);
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void half_math(global half* out, global const half2* in, int n) {
  int i = ID;
  if (i >= n) return;
  half2 v = in[i] * (half2)(2.0h, 0.5h) + in[i + 1];
  out[i] = v.x * v.y + (half)n;
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void integers(global u64* out, global const u32* in, global const uchar* bytes, short s, int n) {
  int i = ID;
  u32 x = in[i];
  u64 wide = (u64)x * in[i + 1] + ((u64)n << (x & 63));
  wide ^= wide >> 17;
  u32 q = x / (u32)(n | 1), r = x % 1000003u;
  int d = (int)x / 7 + (int)x % n;
  short t = (short)(x >> 16) * s;
  x = (x << 3) + q * 5 + __builtin_popcount(r) + __builtin_clz(x | 1) + __builtin_bitreverse32(r);
  x += bytes[i] + (signed char)bytes[i + 3] + ((x >> 7) & 0x3ff);
  out[i] = wide + x + d + t + (wide > x ? 1 : -1);
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void lds_tree(global float* out, global const float4* in) {
  local float tile[256];
  local double wide[64];
  int t = __builtin_amdgcn_workitem_id_x();
  float4 v = in[ID];
  tile[t] = v.x + v.y * v.z - v.w;
  wide[t & 63] = v.x;
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_s_barrier();
  for (int step = 128; step > 0; step >>= 1) {
    if (t < step) tile[t] += tile[t + step];
    __builtin_amdgcn_s_barrier();
  }
  if (t == 0) out[__builtin_amdgcn_workgroup_id_x()] = tile[0] + (float)(wide[1] + wide[2]);
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void atomics(global u32* words, global u64* wides, global float* floats, int n) {
  local u32 bins[64];
  int i = ID;
  __atomic_fetch_add(&bins[i & 63], 1u, __ATOMIC_RELAXED);
  __atomic_fetch_add(&words[i & 15], 3u, __ATOMIC_RELAXED);
  __atomic_fetch_or(&wides[i & 7], 1ull << (i & 63), __ATOMIC_ACQ_REL);
  u32 old = __atomic_fetch_max(&words[16], (u32)i, __ATOMIC_SEQ_CST);
  u32 expected = old;
  __atomic_compare_exchange_n(&words[17], &expected, 5u, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
  words[18 + i] = expected + __atomic_exchange_n(&bins[1], 7u, __ATOMIC_RELAXED);
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void private_array(global int* out, global const int* in, int n) {
  int scratch[40];
  for (int k = 0; k < 40; ++k) scratch[(k * 7 + n) % 40] = in[k] + k;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += scratch[(in[k] & 0x7fffffff) % 40];
  out[ID] = sum;
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void lanes(global int* out, global const int* in) {
  int x = in[ID];
  x += __builtin_amdgcn_update_dpp(0, x, 0x111, 0xf, 0xf, 0);
  x += __builtin_amdgcn_update_dpp(x, x, 0x142, 0xa, 0xf, 1);
  x += __builtin_amdgcn_mov_dpp(x, 0x1b, 0xf, 0xf, 1);
  x += __builtin_amdgcn_ds_swizzle(x, 0x401f);
  x += __builtin_amdgcn_ds_bpermute(x << 2, x);
  x += __builtin_amdgcn_readlane(x, 5) + __builtin_amdgcn_readfirstlane(x);
  x += __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  x += __builtin_popcountl(__builtin_amdgcn_uicmp(x, 17, 34));
  x += (int)__builtin_readcyclecounter() + __builtin_amdgcn_s_getreg(0xf804);
  __builtin_amdgcn_s_sleep(3);
  out[ID] = x;
}

__attribute__((noinline)) int called(int x, global int* p) {
  for (int k = 0; k < x; ++k) p[k] = x * k;
  return x + 3;
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void calls(global int* out, int n) {
  int x = called(n, out);
  if (x > 100) __builtin_trap();
  out[ID] = called(x, out + 64);
}

__attribute__((amdgpu_flat_work_group_size(1, 256)))
kernel void flat_pointers(global int* out, int choose) {
  local int a[64];
  int b[4] = {1, 2, 3, choose};
  a[__builtin_amdgcn_workitem_id_x() & 63] = choose;
  int* p = choose & 1 ? (int*)&a[choose & 63] : (choose & 2 ? (int*)&b[choose & 3] : (int*)&out[1]);
  *p += 4;
  out[ID] = *p + (int)(u64)p;
}
