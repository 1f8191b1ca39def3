// The ceilings of an empirical roofline: memory, L2, L1, chains of FMAs and of MFMAs. Caches and
// matrix units are read and fed as by the kernels that were measured (rocm-amdgpu-bench,
// kernels.cpp): indices and loops of the compiler, eight waves on each SIMD.
#include "common.hpp"

using Half4 = __attribute__((__vector_size__(4 * sizeof(_Float16)))) _Float16;
using Float16 = __attribute__((__vector_size__(16 * sizeof(float)))) float;
using Double4 = __attribute__((__vector_size__(4 * sizeof(double)))) double;

constexpr const char* kKernel = "empirical roofline";
constexpr int kBlock = 256;

__global__ void copy(const double* a, double* b) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  b[i] = a[i];
}

// All blocks read the same L1 full of floats again and again; the place moves on by one in each
// trip, so that no load can be left out.
__global__ void reread_l1(const float* data, float* out, int trips) {
  constexpr int kCount = 16 * 1024 / sizeof(float);
  float sum = 0;
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll 32
    for (int i = 0; i < kCount; i += kBlock) sum += data[(threadIdx.x + i + trip) % kCount];
  }
  out[threadIdx.x] = sum;
}

// All blocks walk through an L2 full of floats from its beginning on, in trips of 32 loads.
__global__ void walk_l2(const float* data, float* out, int trips) {
  constexpr int kLoads = 32;
  float sum = 0;
#pragma unroll 32
  for (int i = 0; i < trips * kLoads * kBlock; i += kBlock) sum += data[threadIdx.x + i];
  out[threadIdx.x] = sum;
}

// Four chains of scalar FMAs; written as instructions so that none is packed or dropped.
template <typename T>
__global__ __launch_bounds__(kBlock) void fma_chain(T* out, int trips) {
  T a = static_cast<T>(threadIdx.x), b = 1, c = 1, d = a, e = a, f = a;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    if constexpr (sizeof(T) == sizeof(float)) {
      asm volatile(
          ".p2align 6\n.rept 32\n"
          "v_fma_f32 %0, %0, %4, %5\n"
          "v_fma_f32 %1, %1, %4, %5\n"
          "v_fma_f32 %2, %2, %4, %5\n"
          "v_fma_f32 %3, %3, %4, %5\n"
          ".endr\n"
          : "+v"(a), "+v"(d), "+v"(e), "+v"(f)
          : "v"(b), "v"(c));
    } else {
      asm volatile(
          ".p2align 6\n.rept 32\n"
          "v_fma_f64 %0, %0, %4, %5\n"
          "v_fma_f64 %1, %1, %4, %5\n"
          "v_fma_f64 %2, %2, %4, %5\n"
          "v_fma_f64 %3, %3, %4, %5\n"
          ".endr\n"
          : "+v"(a), "+v"(d), "+v"(e), "+v"(f)
          : "v"(b), "v"(c));
    }
  }
  if (a + d + e + f == static_cast<T>(-1)) out[0] = a;
}

__global__ void mfma_f16(float* out, int trips) {
  const auto number = static_cast<_Float16>(threadIdx.x);
  const Half4 a = {number, number, number, number};
  Float16 sum = {};
  for (int trip = 0; trip < trips; ++trip) {
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(a, a, sum, 0, 0, 0);
  }
  if (sum[0] != 2 * sum[0]) out[0] = sum[0];
}

__global__ void mfma_f64(float* out, int trips) {
  const double a = threadIdx.x;
  Double4 sum = {};
  for (int trip = 0; trip < trips; ++trip) {
    sum = __builtin_amdgcn_mfma_f64_16x16x4f64(a, a, sum, 0, 0, 0);
  }
  if (sum[0] != 2 * sum[0]) out[0] = static_cast<float>(sum[0]);
}

static void ceiling(const char* parameters, double value, const char* unit) {
  accuracy::row("roofline", accuracy::this_device().name, kKernel, parameters, "ceiling", value,
                unit);
}

static void memory_ceiling() {
  constexpr size_t kCount = size_t{1} << 27;
  accuracy::DeviceArray<double> a(kCount), b(kCount);
  const double time =
      accuracy::seconds([&] { copy<<<kCount / kBlock, kBlock>>>(a.data(), b.data()); });
  ceiling("HBM", 2.0 * sizeof(double) * kCount / time * 1e-9, "GB/s");
}

// `loads` of each work-item in a trip.
template <typename Launch>
void cache_ceiling(const char* parameters, int blocks, int loads, int few, int many,
                   Launch launch) {
  const double trip = accuracy::seconds_per_trip(few, many, launch);
  ceiling(parameters, 1.0 * blocks * kBlock * loads * sizeof(float) / trip * 1e-9, "GB/s");
}

static void l1_ceiling(int blocks) {
  constexpr int kBytes = 16 << 10;
  accuracy::DeviceArray<float> data(std::vector<float>(kBytes / sizeof(float), 1.0f)), out(kBlock);
  cache_ceiling("L1", blocks, kBytes / sizeof(float) / kBlock, 16, 48, [&](int trips) {
    reread_l1<<<blocks, kBlock>>>(data.data(), out.data(), trips);
  });
}

static void l2_ceiling(int blocks) {
  constexpr int kBytes = 8 << 20, kLoads = 32, kTrips = kBytes / sizeof(float) / kBlock / kLoads;
  accuracy::DeviceArray<float> data(std::vector<float>(kBytes / sizeof(float), 1.0f)), out(kBlock);
  walk_l2<<<1, kBlock>>>(data.data(), out.data(), kTrips);  // the L2 has all of it
  cache_ceiling("L2", blocks, kLoads, 4, 12, [&](int trips) {
    walk_l2<<<blocks, kBlock>>>(data.data(), out.data(), trips);
  });
}

// Operations of a work-item in a trip, times work-items, over time.
template <typename Launch>
void compute_ceiling(const char* parameters, int blocks, double operations, int few, int many,
                     Launch launch) {
  const double trip = accuracy::seconds_per_trip(few, many, launch);
  ceiling(parameters, 1.0 * blocks * kBlock * operations / trip * 1e-12, "TFLOP/s");
}

template <typename T>
void fma_ceiling(const char* parameters, int blocks) {
  accuracy::DeviceArray<T> out(1);
  compute_ceiling(parameters, blocks, 2 * 4 * 32, 8, 24,
                  [&](int trips) { fma_chain<<<blocks, kBlock>>>(out.data(), trips); });
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  const int half = device.compute_units * 4, full = device.compute_units * 8;  // of the wave slots
  accuracy::DeviceArray<float> out(1);
  if (accuracy::wanted(kKernel, "HBM")) memory_ceiling();
  if (accuracy::wanted(kKernel, "L2")) l2_ceiling(full);
  if (accuracy::wanted(kKernel, "L1")) l1_ceiling(full);
  if (accuracy::wanted(kKernel, "FP32 FMA")) fma_ceiling<float>("FP32 FMA", half);
  if (accuracy::wanted(kKernel, "FP64 FMA")) fma_ceiling<double>("FP64 FMA", half);
  if (accuracy::wanted(kKernel, "MFMA F16"))
    compute_ceiling("MFMA F16", full, 2.0 * 32 * 32 * 8 / 64, 100, 200,
                    [&](int trips) { mfma_f16<<<full, kBlock>>>(out.data(), trips); });
  if (accuracy::wanted(kKernel, "MFMA F64"))
    compute_ceiling("MFMA F64", full, 2.0 * 16 * 16 * 4 / 64, 100, 200,
                    [&](int trips) { mfma_f64<<<full, kBlock>>>(out.data(), trips); });
}
