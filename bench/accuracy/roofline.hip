// The ceilings of an empirical roofline: memory, L2, L1, chains of FMAs and of MFMAs.
#include "common.hpp"

using Half4 = __attribute__((__vector_size__(4 * sizeof(_Float16)))) _Float16;
using Float16 = __attribute__((__vector_size__(16 * sizeof(float)))) float;
using Double4 = __attribute__((__vector_size__(4 * sizeof(double)))) double;

constexpr const char* kKernel = "empirical roofline";

__global__ void copy(const double* a, double* b) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  b[i] = a[i];
}

// Every block reads all of `words` float4 again and again, starting where its number says.
__global__ __launch_bounds__(256) void reread(const float4* data, int words, int trips,
                                              float* out) {
  float sum = 0;
  int at = static_cast<int>((blockIdx.x * 7919u * 256u + threadIdx.x) % words);
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const float4 v = data[at];
      sum += v.x + v.y + v.z + v.w;
      at += 256;
      if (at >= words) at -= words;
    }
  }
  if (sum == -1.0f) out[0] = sum;
}

// Four chains of scalar FMAs; written as instructions so that none is packed or dropped.
template <typename T>
__global__ __launch_bounds__(256) void fma_chain(T* out, int trips) {
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

__global__ __launch_bounds__(256) void mfma_f16(float* out, int trips) {
  const Half4 ones = {1, 1, 1, 1};
  Float16 sum = {};
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sum = __builtin_amdgcn_mfma_f32_32x32x8f16(ones, ones, sum, 0, 0, 0);
  }
  if (sum[0] == -1.0f) out[0] = sum[0];
}

__global__ __launch_bounds__(256) void mfma_f64(float* out, int trips) {
  Double4 sum = {};
  for (int trip = 0; trip < trips; ++trip) {
#pragma unroll
    for (int i = 0; i < 16; ++i)
      sum = __builtin_amdgcn_mfma_f64_16x16x4f64(1.0, 1.0, sum, 0, 0, 0);
  }
  if (sum[0] == -1.0) out[0] = 1.0f;
}

static void ceiling(const char* parameters, double value, const char* unit) {
  accuracy::row("roofline", accuracy::this_device().name, kKernel, parameters, "ceiling", value,
                unit);
}

static void memory_ceiling() {
  constexpr size_t kCount = size_t{1} << 27;
  accuracy::DeviceArray<double> a(kCount), b(kCount);
  const double time =
      accuracy::seconds([&] { copy<<<kCount / 256, 256>>>(a.data(), b.data()); });
  ceiling("HBM", 2.0 * sizeof(double) * kCount / time * 1e-9, "GB/s");
}

static void cache_ceiling(const char* parameters, int bytes, int few, int many) {
  const int blocks = accuracy::this_device().compute_units * 4;
  accuracy::DeviceArray<float> data(std::vector<float>(bytes / sizeof(float), 1.0f)), out(1);
  const double trip = accuracy::seconds_per_trip(few, many, [&](int trips) {
    reread<<<blocks, 256>>>(reinterpret_cast<const float4*>(data.data()),
                            bytes / static_cast<int>(sizeof(float4)), trips, out.data());
  });
  ceiling(parameters, blocks * 256.0 * 8 * sizeof(float4) / trip * 1e-9, "GB/s");
}

// Operations of a work-item in a trip, times work-items, over time.
template <typename Launch>
void compute_ceiling(const char* parameters, int blocks, double operations, Launch launch) {
  const double trip = accuracy::seconds_per_trip(8, 24, launch);
  ceiling(parameters, blocks * 256.0 * operations / trip * 1e-12, "TFLOP/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210")) return 0;
  const int blocks = device.compute_units * 4;  // four waves on each SIMD
  accuracy::DeviceArray<float> out(1);
  accuracy::DeviceArray<double> out_f64(1);
  if (accuracy::wanted(kKernel, "HBM")) memory_ceiling();
  if (accuracy::wanted(kKernel, "L2")) cache_ceiling("L2", 1 << 20, 16, 48);
  if (accuracy::wanted(kKernel, "L1")) cache_ceiling("L1", 8 << 10, 16, 48);
  if (accuracy::wanted(kKernel, "FP32 FMA"))
    compute_ceiling("FP32 FMA", blocks, 2 * 4 * 32,
                    [&](int trips) { fma_chain<<<blocks, 256>>>(out.data(), trips); });
  if (accuracy::wanted(kKernel, "FP64 FMA"))
    compute_ceiling("FP64 FMA", blocks, 2 * 4 * 32,
                    [&](int trips) { fma_chain<<<blocks, 256>>>(out_f64.data(), trips); });
  if (accuracy::wanted(kKernel, "MFMA F16"))
    compute_ceiling("MFMA F16", blocks, 16 * 2.0 * 32 * 32 * 8 / 64,
                    [&](int trips) { mfma_f16<<<blocks, 256>>>(out.data(), trips); });
  if (accuracy::wanted(kKernel, "MFMA F64"))
    compute_ceiling("MFMA F64", blocks, 16 * 2.0 * 16 * 16 * 4 / 64,
                    [&](int trips) { mfma_f64<<<blocks, 256>>>(out.data(), trips); });
}
