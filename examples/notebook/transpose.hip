// The end of the notebook: a transpose that lacks a barrier, for `wavetank check`.
#include <wavetank/array/create.hpp>
#include <wavetank/array/launch.hpp>
#include <wavetank/array/slice.hpp>

#include <iostream>

namespace wt = wavetank;

constexpr int kTile = 16;

__global__ void transpose(wt::device_view<int, 2> in, wt::device_view<int, 2> out) {
  __shared__ int tile[kTile][kTile];
  auto x = wt::grid_index(0), y = wt::grid_index(1);
  if (y < in.extent(0) && x < in.extent(1)) tile[threadIdx.y][threadIdx.x] = in(y, x);
  // here a __syncthreads() is missing
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  if (y < out.extent(0) && x < out.extent(1)) out(y, x) = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const auto numbers = wt::iota<int>(1024, 1);
  const auto a = wt::reshape(numbers, wt::extents{32, 32});
  wt::array<int, 2> b(wt::extents{32, 32});
  wt::launch({.block = dim3(kTile, kTile)}, transpose, a.shape(), a, b);
  const bool valid = b.to_vector() == wt::transpose(a).to_vector();
  std::cout << "valid transpose: " << (valid ? "true" : "false, this time") << "\n";
}
