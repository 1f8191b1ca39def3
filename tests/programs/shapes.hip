// Grids and workgroups of every shape: partial waves, partial workgroups, three dimensions,
// dynamic LDS. Each work-item reports where it stands.
#include "common/check.hpp"

struct Place {
  unsigned tx, ty, tz, bx, by, bz, visits;
  bool operator==(const Place&) const = default;
};

__global__ void report(Place* places) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  Place& place = places[block * (blockDim.x * blockDim.y * blockDim.z) + thread];
  place.tx = threadIdx.x;
  place.ty = threadIdx.y;
  place.tz = threadIdx.z;
  place.bx = blockIdx.x;
  place.by = blockIdx.y;
  place.bz = blockIdx.z;
  atomicAdd(&place.visits, 1u);
}

static bool visits_all(dim3 grid, dim3 block) {
  const size_t threads = block.x * block.y * block.z;
  const size_t count = threads * grid.x * grid.y * grid.z;
  example::DeviceArray<Place> places(count);
  places.clear();
  report<<<grid, block>>>(places.data());
  example::finish_kernel();
  const std::vector<Place> out = places.read();
  bool ok = true;
  for (size_t i = 0; i < count; ++i) {
    const unsigned t = i % threads, b = i / threads;
    ok = ok && out[i] == Place{t % block.x, t / block.x % block.y, t / (block.x * block.y),
                               b % grid.x, b / grid.x % grid.y, b / (grid.x * grid.y), 1};
  }
  return ok;
}

// Sums a row in LDS whose size is only known at the launch, behind a static array.
__global__ void dynamic_lds(const int* in, int* out) {
  __shared__ int guard[16];
  extern __shared__ int row[];
  const int n = blockDim.x;
  if (threadIdx.x < 16) guard[threadIdx.x] = 7;
  row[threadIdx.x] = in[blockIdx.x * n + threadIdx.x];
  row[n + threadIdx.x] = 1;
  __syncthreads();
  int sum = guard[threadIdx.x % 16];
  for (int i = 0; i < 2 * n; ++i) sum += row[i];
  out[blockIdx.x * n + threadIdx.x] = sum;
}

static bool sums_rows(int blocks, int threads) {
  std::vector<int> in(blocks * threads), expected(in.size());
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i % 1009);
  for (int b = 0; b < blocks; ++b) {
    int sum = 7 + threads;
    for (int t = 0; t < threads; ++t) sum += in[b * threads + t];
    for (int t = 0; t < threads; ++t) expected[b * threads + t] = sum;
  }
  example::DeviceArray<int> device_in(in), device_out(in.size());
  dynamic_lds<<<blocks, threads, 2 * threads * sizeof(int)>>>(device_in.data(), device_out.data());
  example::finish_kernel();
  return device_out.read() == expected;
}

int main() {
  bool ok = example::line("one work-item", visits_all(1, 1));
  ok = example::line("1 x 65", visits_all(3, 65)) && ok;
  ok = example::line("7 x 5 x 3 in 3 x 2 x 4", visits_all(dim3(3, 2, 4), dim3(7, 5, 3))) && ok;
  ok = example::line("1 x 1 x 64", visits_all(dim3(1, 2), dim3(1, 1, 64))) && ok;
  ok = example::line("1024 x 1", visits_all(5, 1024)) && ok;
  ok = example::line("2 x 511", visits_all(dim3(1, 3), dim3(2, 511))) && ok;
  ok = example::line("many small workgroups", visits_all(5000, 3)) && ok;
  ok = example::line("dynamic LDS, whole waves", sums_rows(8, 256)) && ok;
  ok = example::line("dynamic LDS, partial waves", sums_rows(9, 77)) && ok;
  return example::verdict(ok);
}
