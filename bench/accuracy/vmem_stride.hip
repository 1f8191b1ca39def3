// One workgroup on one CU loads numbers a stride apart, all from the vector L1: how many accesses
// the address unit makes of a wave's load.
#include "common.hpp"

constexpr int kTrips = 200;
constexpr int kPitch = 4098;  // of the rows of a two-dimensional workgroup

// Eight loads a trip. `none` is 0, which the compiler does not know.
template <typename T>
__device__ void load_again_and_again(const T* data, int none, int trips, T* out) {
  T sum = 0;
#pragma unroll 1
  for (int trip = 0; trip < trips; ++trip) {
    data += none;
    sum += data[0] * data[4];
    sum += data[8] * data[12];
    sum += data[20] * data[16];
    sum += data[24] * data[28];
  }
  out[threadIdx.x + threadIdx.y * blockDim.x] = sum;
}

template <typename T>
__global__ __launch_bounds__(1024) void strided(const T* data, int stride, int none, int trips,
                                                T* out) {
  load_again_and_again(data + static_cast<int>(threadIdx.x % 64) * stride, none, trips, out);
}

template <typename T>
__global__ __launch_bounds__(1024) void in_rows(const T* data, int pitch, int none, int trips,
                                                T* out) {
  const int x = threadIdx.x % 64, y = threadIdx.y % 32;
  load_again_and_again(data + x + y * pitch + pitch, none, trips, out);
}

template <typename T>
void measure(const std::string& kernel, const std::string& parameters, dim3 shape,
             void (*load)(const T*, int, int, int, T*), int distance) {
  if (!accuracy::wanted(kernel, parameters)) return;
  static const accuracy::DeviceArray<T> data(std::vector<T>(kPitch * 33, T{1})), out(1024);
  const double trip = accuracy::seconds_per_trip(kTrips, 3 * kTrips, [&](int trips) {
    load<<<1, shape>>>(data.data(), distance, 0, trips, out.data());
  });
  accuracy::require(out.at(1023) == 3 * kTrips * 4, "vmem-stride");
  // 16 waves of two halves, eight loads each.
  accuracy::row("vmem-stride", "mi210", kernel, parameters, "cycles per 32-lane load",
                trip * accuracy::this_device().clock_ghz * 1e9 / (16 * 2 * 8), "cycles");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  if (!accuracy::this_device().is("mi210")) return 0;
  for (const int stride : {1, 2, 3, 4, 5, 7, 8, 15, 17})
    measure<float>("1 block x 1024 on 1 CU, float load at (tid%64)*stride",
                   "stride=" + std::to_string(stride), dim3(1024), strided<float>, stride);
  measure<double>("1 block x 1024 on 1 CU, double load at (tid%64)*stride", "stride=45", dim3(1024),
                  strided<double>, 45);
  for (const int columns : {2, 16}) {
    const std::string shape = std::to_string(columns) + "x" + std::to_string(1024 / columns);
    measure<float>("1 workgroup of 1024 on 1 CU, float load, rows of " + shape +
                       " work-items at a pitch of 4098 elements",
                   "shape=" + shape, dim3(columns, 1024 / columns), in_rows<float>, kPitch);
  }
}
