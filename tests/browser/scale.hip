// Copies, a fill and a kernel with an array in LDS, for the page's timeline and memory view.
#include <hip/hip_runtime.h>

#include <vector>

__global__ void scale(float* out, const float* in) {
  __shared__ float tile[256];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = 2 * tile[255 - threadIdx.x];
}

int main() {
  constexpr unsigned kCount = 256 * 1024;
  std::vector<float> host(kCount, 1);
  float* in = nullptr;
  float* out = nullptr;
  if (hipMalloc(&in, kCount * sizeof(float)) != hipSuccess) return 1;
  if (hipMalloc(&out, kCount * sizeof(float)) != hipSuccess) return 1;
  if (hipMemcpy(in, host.data(), kCount * sizeof(float), hipMemcpyHostToDevice) != hipSuccess) {
    return 1;
  }
  if (hipMemset(out, 0, kCount * sizeof(float)) != hipSuccess) return 1;
  scale<<<kCount / 256, 256>>>(out, in);
  if (hipMemcpy(host.data(), out, kCount * sizeof(float), hipMemcpyDeviceToHost) != hipSuccess) {
    return 1;
  }
  return host[0] == 2 ? 0 : 1;
}
