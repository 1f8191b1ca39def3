// z = a x + y launched in four shapes. The result is the same; what differs is how many waves
// the device has to choose from while others wait for memory.
#include "../common/check.hpp"

__global__ void daxpy(double a, const double* __restrict__ x, const double* __restrict__ y,
                      double* __restrict__ z, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    z[i] = a * x[i] + y[i];
}

int main(int argc, char** argv) {
  const int n = example::size_argument(argc, argv, 1'000'000);
  constexpr double kA = 0.25;  // products are exact, so the contraction to an FMA is not seen
  std::vector<double> x(n), y(n);
  for (int i = 0; i < n; ++i) {
    x[i] = i;
    y[i] = 0.5 * (i % 1000);
  }
  example::DeviceArray<double> device_x(x), device_y(y), device_z(n);

  struct Shape {
    const char* name;
    int workgroups;
    int block;
  };
  const Shape shapes[] = {{"1 workgroup of 1 wave", 1, 64},
                          {"1 workgroup of 4 waves", 1, 256},
                          {"N/1024 workgroups of 16", example::blocks_for(n, 1024), 1024},
                          {"N/256 workgroups of 4", example::blocks_for(n, 256), 256}};
  std::printf("daxpy of %d elements\n", n);
  bool all_right = true;
  for (const Shape& shape : shapes) {
    device_z.clear();
    daxpy<<<shape.workgroups, shape.block>>>(kA, device_x.data(), device_y.data(),
                                             device_z.data(), n);
    example::finish_kernel();
    const std::vector<double> z = device_z.read();
    bool right = true;
    for (int i = 0; i < n; ++i) right = right && z[i] == kA * x[i] + y[i];
    all_right = example::line(shape.name, right) && all_right;
  }
  return example::verdict(all_right);
}
