// What figures.py measures: kernels by hand and the same by arrays. Prints a label for each launch,
// in their order; "-" is not measured.
#include <wavetank/array/create.hpp>
#include <wavetank/array/operators.hpp>
#include <wavetank/array/reduce.hpp>

#include <cstdio>

namespace wt = wavetank;

__global__ void copy_by_hand(const float* a, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i];
}
__global__ void add_by_hand(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
__global__ void saxpy_by_hand(float k, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = k * x[i] + y[i];
}

static void by_rocprim(const float* in, float* out, size_t n) {
  size_t bytes = 0;
  static_cast<void>(rocprim::reduce(nullptr, bytes, in, out, 0.f, n, rocprim::plus<float>()));
  const wt::array<char> memory(wt::extents{bytes});
  static_cast<void>(rocprim::reduce(memory.data(), bytes, in, out, 0.f, n, rocprim::plus<float>()));
}

int main() {
  constexpr int n = 1 << 24, block = 256;
  wt::array<float> a = wt::ones<float>(n), b = wt::ones<float>(n), c = wt::zeros<float>(n);
  wt::array<float> sum = wt::zeros<float>(1);
  std::puts("-\n-\n-\n-");
  copy_by_hand<<<n / block, block>>>(a.data(), c.data(), n);
  std::puts("copy by hand");
  c = static_cast<const wt::view<float, 1>&>(a);
  std::puts("copy");
  add_by_hand<<<n / block, block>>>(a.data(), b.data(), c.data(), n);
  std::puts("add by hand");
  c = a + b;
  std::puts("add");
  saxpy_by_hand<<<n / block, block>>>(3.f, a.data(), c.data(), n);
  std::puts("saxpy by hand");
  c = 3 * a + c;
  std::puts("saxpy");
  c = ((((a + b) * a - b) * 2 + a) * b - a) * b + 1 - a;
  std::puts("ten operations");
  // In turn and several times, since the code of the last workgroup may be in that unit's cache or
  // not. The first ones find no code in any.
  for (int round = 0; round < 4; ++round) {
    const auto label = [&](const char* name) {  // a reduction is two launches
      std::printf("%s\n%s\n", round ? name : "-", round ? name : "-");
    };
    const auto &first = round % 2 ? a : b, &second = round % 2 ? b : a;
    by_rocprim(first.data(), sum.data(), n);
    label("rocPRIM's reduce");
    static_cast<void>(wt::sum(second));
    label("sum");
    by_rocprim(second.data(), sum.data(), n);
    label("rocPRIM's reduce");
    static_cast<void>(wt::sum(first));
    label("sum");
    static_cast<void>(wt::dot(first, second));
    label("dot");
  }
  return 0;
}
