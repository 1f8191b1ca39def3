// What kernels take of the device.
#include <wavetank/array/create.hpp>
#include <wavetank/array/device_view.hpp>
#include <wavetank/array/inspect.hpp>

#include "judge.hpp"

__global__ void __launch_bounds__(256) with_tile(wt::device_view<float> a) {
  __shared__ float tile[512];
  tile[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  a[threadIdx.x] = tile[255 - threadIdx.x];
}

int main() {
  const wt::kernel_resources has = wt::resources_of(with_tile);
  judge::check(has.lds_bytes == 2048, "the LDS of its variables");
  judge::check(has.largest_block == 256, "the bounds it was compiled for");
  judge::check(has.registers > 0 && has.registers <= 64, "a few registers");
  judge::check(has.scratch_bytes == 0, "no scratch memory");
  // Eight workgroups of four waves fill the 32 wave slots of a compute unit; LDS is for 32.
  judge::check(has.best_block == 256 && has.groups_per_unit == 8, "the occupancy of its blocks");
  return judge::verdict();
}
