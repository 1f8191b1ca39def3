// Generic pointers to global memory, LDS and scratch through the same code, scratch arrays of
// every size, and calls: function pointers, virtual functions, recursion.
#include "common/check.hpp"

// The compiler cannot know which memory this touches, so it must use FLAT instructions.
__device__ __attribute__((noinline)) void add_to_all(int* data, int count, int value) {
  for (int i = 0; i < count; ++i) data[i] += value;
}

__global__ void three_memories(int* out, int selector) {
  __shared__ int lds[64 * 8];
  int scratch[8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) {
    lds[t * 8 + i] = 100 * t + i;
    scratch[i] = 1000 * t + i;
    out[t * 8 + i] = 10 * t + i;
  }
  __syncthreads();
  // Lanes of one wave point into different memories at the same time.
  int* where = selector == 0 || t % 3 == 0 ? &out[t * 8] : t % 3 == 1 ? &lds[t * 8] : scratch;
  add_to_all(where, 8, 5);
  __syncthreads();
  for (int i = 0; i < 8; ++i)
    out[t * 8 + i] = (where == &out[t * 8]) ? out[t * 8 + i]
                     : t % 3 == 1           ? lds[t * 8 + i]
                                            : scratch[i];
}

__device__ __attribute__((noinline)) unsigned fibonacci(unsigned n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recursion(unsigned* out) { out[threadIdx.x] = fibonacci(threadIdx.x % 12); }

__device__ __attribute__((noinline)) int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) int square(int x) { return x * x; }
__device__ __attribute__((noinline)) int negate(int x) { return -x; }

__global__ void function_pointers(int* out) {
  int (*const table[3])(int) = {twice, square, negate};
  out[threadIdx.x] = table[threadIdx.x % 3](threadIdx.x);  // three calls, each for some lanes
}

struct Shape {
  __device__ virtual int area() const { return 0; }
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int value) : side(value) {}
  __device__ int area() const override { return side * side; }
};
struct Strip : Shape {
  int length;
  __device__ explicit Strip(int value) : length(value) {}
  __device__ int area() const override { return length; }
};

__global__ void virtual_functions(int* out) {
  Square square(threadIdx.x);
  Strip strip(threadIdx.x);
  const Shape* shape = &square;
  if (threadIdx.x % 2 != 0) shape = &strip;
  out[threadIdx.x] = shape->area();
}

// 32 KiB of scratch for each work-item, filled and read in an order known at run time only.
__global__ void big_scratch(unsigned* out, unsigned seed) {
  unsigned values[8192];
  unsigned state = seed + blockIdx.x * blockDim.x + threadIdx.x;
  for (unsigned i = 0; i < 8192; ++i) values[i * 5 % 8192] = i;
  unsigned sum = 0;
  for (int i = 0; i < 100; ++i) {
    state = state * 1664525u + 1013904223u;
    sum += values[state >> 19];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

static unsigned big_scratch_sum(unsigned seed) {
  std::vector<unsigned> values(8192);
  for (unsigned i = 0; i < 8192; ++i) values[i * 5 % 8192] = i;
  unsigned state = seed, sum = 0;
  for (int i = 0; i < 100; ++i) {
    state = state * 1664525u + 1013904223u;
    sum += values[state >> 19];
  }
  return sum;
}

static bool three_memories_right() {
  example::DeviceArray<int> device(64 * 8);
  three_memories<<<1, 64>>>(device.data(), 1);
  example::finish_kernel();
  const std::vector<int> out = device.read();
  const int factor[] = {10, 100, 1000};
  bool ok = true;
  for (int t = 0; t < 64; ++t)
    for (int i = 0; i < 8; ++i) ok = ok && out[t * 8 + i] == factor[t % 3] * t + i + 5;
  return ok;
}

int main() {
  constexpr int kThreads = 128;
  example::DeviceArray<int> device(kThreads);
  const auto matches = [&](auto expected) {
    example::finish_kernel();
    const std::vector<int> out = device.read();
    bool ok = true;
    for (int i = 0; i < kThreads; ++i) ok = ok && out[i] == expected(i);
    return ok;
  };
  auto* unsigned_out = reinterpret_cast<unsigned*>(device.data());
  bool ok = example::line("generic pointers", three_memories_right());

  recursion<<<1, kThreads>>>(unsigned_out);
  ok = example::line("recursion", matches([](int i) {
         const int fibonacci_numbers[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
         return fibonacci_numbers[i % 12];
       })) && ok;
  function_pointers<<<1, kThreads>>>(device.data());
  ok = example::line("function pointers", matches([](int i) {
         return i % 3 == 0 ? 2 * i : i % 3 == 1 ? i * i : -i;
       })) && ok;
  virtual_functions<<<1, kThreads>>>(device.data());
  ok = example::line("virtual functions",
                     matches([](int i) { return i % 2 == 0 ? i * i : i; })) && ok;
  big_scratch<<<2, kThreads / 2>>>(unsigned_out, 9);
  ok = example::line("32 KiB of scratch",
                     matches([](int i) { return static_cast<int>(big_scratch_sum(9 + i)); })) && ok;
  return example::verdict(ok);
}
