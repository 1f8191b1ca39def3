// Kernels on both sides of what limits occupancy: registers, LDS, workgroup sizes, spills, calls.
#include <hip/hip_runtime.h>

template <int count>
__device__ void work(const double* in, double* out, int n) {
  double value[count];
  for (int i = 0; i < count; ++i) value[i] = in[i * n + threadIdx.x];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < count; ++i) value[i] = value[i] * value[(i + 7) % count] + in[k];
  for (int i = 0; i < count; ++i) out[i * n + threadIdx.x] = value[i];
}

template <int count, int threads>
__global__ __launch_bounds__(threads) void registers(const double* in, double* out, int n) {
  work<count>(in, out, n);
}
template __global__ void registers<10, 1024>(const double*, double*, int);
template __global__ void registers<28, 1024>(const double*, double*, int);
template __global__ void registers<32, 256>(const double*, double*, int);
template __global__ void registers<44, 256>(const double*, double*, int);
template __global__ void registers<60, 256>(const double*, double*, int);
template __global__ void registers<80, 256>(const double*, double*, int);
template __global__ void registers<120, 256>(const double*, double*, int);
template __global__ void registers<200, 64>(const double*, double*, int);
template __global__ void registers<300, 64>(const double*, double*, int);
template __global__ void registers<64, 1024>(const double*, double*, int);

template <int bytes, int threads>
__global__ __launch_bounds__(threads) void lds(char* out) {
  __shared__ char buffer[bytes];
  buffer[threadIdx.x % bytes] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = buffer[bytes - 1];
}
template __global__ void lds<1, 1024>(char*);
template __global__ void lds<2048, 128>(char*);
template __global__ void lds<4096, 256>(char*);
template __global__ void lds<8192, 256>(char*);
template __global__ void lds<8193, 256>(char*);
template __global__ void lds<21845, 256>(char*);
template __global__ void lds<21846, 256>(char*);
template __global__ void lds<49152, 128>(char*);
template __global__ void lds<65536, 64>(char*);
template __global__ void lds<65536, 1024>(char*);
template __global__ void lds<100, 768>(char*);
template __global__ void lds<100, 192>(char*);
template __global__ void lds<100, 832>(char*);

__global__ __attribute__((amdgpu_waves_per_eu(1, 2))) void few_waves(float* out) { out[0] = 1; }
__global__ __attribute__((amdgpu_num_sgpr(102))) void many_sgprs(const int* in, int* out, int n) {
  int sum[80];
  for (int i = 0; i < 80; ++i) sum[i] = in[i * n];
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 80; ++i) sum[i] = sum[i] * sum[(i + 3) % 80] + in[k];
  for (int i = 0; i < 80; ++i) out[i * n] = sum[i];
}
__global__ void matrix(const float* a, float* d) {
  using float16v = __attribute__((vector_size(64))) float;
  float16v sum = {};
  for (int k = 0; k < 64; ++k)
    sum = __builtin_amdgcn_mfma_f32_32x32x1f32(a[k], a[k + 64],
            (__attribute__((vector_size(128))) float){}, 0, 0, 0)[0] + sum;
  for (int i = 0; i < 16; ++i) d[i * 64 + threadIdx.x] = sum[i];
}
__device__ __attribute__((noinline)) float callee(float x) { return x * sinf(x); }
__global__ void caller(float* x) { x[threadIdx.x] = callee(x[threadIdx.x]); }
__global__ void stack(float* x, int n) {
  float array[100];
  for (int i = 0; i < 100; ++i) array[i] = x[i];
  x[n] = array[n % 100];
}
