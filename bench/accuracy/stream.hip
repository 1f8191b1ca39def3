// 2^28 doubles, one for each work-item, with few or many waves on a CU (limited by LDS).
#include "common.hpp"

constexpr size_t kCount = size_t{1} << 28;

__global__ void init(double* a, const double*) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  a[i] = 0.25;
}

__global__ void read(double* a, const double* b) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const double value = b[i];
  if (value == 1.5) a[i] = value;
}

__global__ void scale(double* a, const double* b) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  a[i] = 1.2 * b[i];
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210") && !device.is("mi300x")) return 0;
  constexpr const char* kKernel = "2^28 doubles, one element per thread";
  accuracy::DeviceArray<double> a(kCount), b(kCount);
  struct Kernel {
    const char* name;
    void (*launch)(double*, const double*);
    int arrays;
  };
  const Kernel kernels[] = {{"init", init, 1}, {"read", read, 1}, {"scale", scale, 2}};
  const struct {
    int block, per_cu;
  } shapes[] = {{64, 1}, {1024, 2}};
  for (const auto& shape : shapes) {
    for (const Kernel& kernel : kernels) {
      const std::string parameters = "block=" + std::to_string(shape.block) +
                                     ", blocks per CU=" + std::to_string(shape.per_cu) +
                                     ", kernel=" + kernel.name;
      if (!accuracy::wanted(kKernel, parameters)) continue;
      const double time = accuracy::seconds([&] {
        kernel.launch<<<kCount / shape.block, shape.block, accuracy::lds_bytes_for(shape.per_cu)>>>(
            a.data(), b.data());
      });
      accuracy::row("stream", device.name, kKernel, parameters, "bandwidth",
                    kCount * sizeof(double) * kernel.arrays / time * 1e-9, "GB/s");
    }
  }
}
