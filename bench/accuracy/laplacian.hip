// 7-point Laplacian of 512^3 doubles: the plain kernel, and one that tiles y by 8, orders its loads
// and stores past the cache. FETCH_SIZE, WRITE_SIZE and L2CacheHit come from the profile.
#include "common.hpp"

constexpr int kN = 512;
constexpr int kTile = 8;

__global__ __launch_bounds__(256) void laplacian_baseline(double* f, const double* u, int nx,
                                                          int ny, int nz, double inv_hx2,
                                                          double inv_hy2, double inv_hz2,
                                                          double inv_hxyz2) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int j = threadIdx.y + blockIdx.y * blockDim.y;
  const int k = threadIdx.z + blockIdx.z * blockDim.z;
  if (i == 0 || i >= nx - 1 || j == 0 || j >= ny - 1 || k == 0 || k >= nz - 1) return;
  const int slice = nx * ny;
  const size_t pos = i + static_cast<size_t>(nx) * j + static_cast<size_t>(slice) * k;
  f[pos] = u[pos] * inv_hxyz2 + (u[pos - 1] + u[pos + 1]) * inv_hx2 +
           (u[pos - nx] + u[pos + nx]) * inv_hy2 + (u[pos - slice] + u[pos + slice]) * inv_hz2;
}

__global__ __launch_bounds__(256) void laplacian_tiled(double* f, const double* u, int nx, int ny,
                                                       int nz, double inv_hx2, double inv_hy2,
                                                       double inv_hz2, double inv_hxyz2) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int j = kTile * (threadIdx.y + blockIdx.y * blockDim.y);
  const int k = threadIdx.z + blockIdx.z * blockDim.z;
  if (i == 0 || i >= nx - 1 || k == 0 || k >= nz - 1) return;
  const int slice = nx * ny;
  const size_t pos = i + static_cast<size_t>(nx) * j + static_cast<size_t>(slice) * k;
  double sum[kTile], center[kTile];
#pragma unroll
  for (int n = 0; n < kTile; ++n) sum[n] = u[pos - slice + n * nx] * inv_hz2;
  const double below = j > 0 ? u[pos - nx] : 0;
#pragma unroll
  for (int n = 0; n < kTile; ++n) {
    center[n] = u[pos + n * nx];
    sum[n] += center[n] * inv_hxyz2 + (u[pos + n * nx - 1] + u[pos + n * nx + 1]) * inv_hx2;
  }
  const double above = j + kTile < ny ? u[pos + kTile * nx] : 0;
#pragma unroll
  for (int n = 0; n < kTile; ++n) {
    const double before = n == 0 ? below : center[n > 0 ? n - 1 : 0];
    const double after = n == kTile - 1 ? above : center[n < kTile - 1 ? n + 1 : 0];
    sum[n] += (before + after) * inv_hy2;
  }
#pragma unroll
  for (int n = 0; n < kTile; ++n) sum[n] += u[pos + slice + n * nx] * inv_hz2;
#pragma unroll
  for (int n = 0; n < kTile; ++n)
    if (j + n > 0 && j + n < ny - 1) __builtin_nontemporal_store(sum[n], &f[pos + n * nx]);
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi250x (1 GCD)")) return 0;
  constexpr size_t kCount = size_t{kN} * kN * kN;
  accuracy::DeviceArray<double> u(kCount), f(kCount);
  constexpr double kInvH2 = 1.0, kCenter = -6.0;
  const auto run = [&](auto kernel, int tile) {
    return accuracy::seconds([&] {
      kernel<<<dim3(kN / 256, kN / tile, kN), dim3(256)>>>(f.data(), u.data(), kN, kN, kN, kInvH2,
                                                           kInvH2, kInvH2, kCenter);
    });
  };
  const double baseline = run(laplacian_baseline, 1);
  accuracy::row("laplacian", device.name, "7-point, 512^3 doubles, block 256x1x1, grid 2x512x512",
                "kernel=baseline", "time", baseline * 1e3, "ms");
  const double tiled = run(laplacian_tiled, kTile);
  accuracy::row("laplacian", device.name,
                "y tiled by 8, restructured loads, non-temporal stores", "kernel=5",
                "speed-up over baseline", baseline / tiled, "x");
}
