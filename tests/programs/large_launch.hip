// Launches larger than a host's caches, whose kernel ends with its only store: of every width, also
// from a start that no cache line begins at, and with a wave that is partly inactive.
#include <cstring>

#include "common/check.hpp"

constexpr unsigned kThreads = 1u << 22;

template <class T>
__device__ __host__ T value(unsigned i);
template <>
__device__ __host__ unsigned char value(unsigned i) { return i * 7 + 1; }
template <>
__device__ __host__ unsigned short value(unsigned i) { return i * 40503u >> 3; }
template <>
__device__ __host__ unsigned value(unsigned i) { return i * 2654435761u; }
template <>
__device__ __host__ uint2 value(unsigned i) { return {i, ~i}; }
template <>
__device__ __host__ uint3 value(unsigned i) { return {i, ~i, i * 3}; }
template <>
__device__ __host__ uint4 value(unsigned i) { return {i, ~i, i * 3, i * 5}; }

template <class T>
__global__ void fill(T* out, unsigned active) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < active) out[i] = value<T>(i);
}

template <class T>
static bool fills(unsigned start, unsigned active) {
  example::DeviceArray<T> out(start + kThreads);
  out.clear();
  fill<<<kThreads / 256, 256>>>(out.data() + start, active);
  example::finish_kernel();
  const std::vector<T> seen = out.read();
  const T none{};
  for (unsigned i = 0; i < start + kThreads; ++i) {
    const T expected = i < start || i - start >= active ? none : value<T>(i - start);
    if (std::memcmp(&seen[i], &expected, sizeof(T)) != 0) {
      std::printf("element %u of %zu bytes, start %u\n", i, sizeof(T), start);
      return false;
    }
  }
  return true;
}

int main() {
  bool ok = true;
  for (const unsigned start : {0u, 3u}) {
    ok = fills<unsigned char>(start, kThreads) && ok;
    ok = fills<unsigned short>(start, kThreads) && ok;
    ok = fills<unsigned>(start, kThreads - 5) && ok;
    ok = fills<uint2>(start, kThreads - 70) && ok;
    ok = fills<uint3>(start, kThreads) && ok;
    ok = fills<uint4>(start, kThreads - 1) && ok;
  }
  return example::verdict(ok);
}
