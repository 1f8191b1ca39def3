// Loops as people write them first: products, sums in strides, searches, steps in time. Device and
// host execute the same functions, on numbers whose sums and products are exact.
#include <cmath>
#include <limits>

#include "common/check.hpp"

constexpr int kSide = 96;  // of a square matrix: the last wave of a row of work-items is partial
constexpr int kItems = kSide * kSide;

using Body = float (*)(const float* a, const float* b, int n, int item);

__host__ __device__ float product(const float* a, const float* b, int n, int item) {
  const int row = item / n, column = item % n;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  return sum;
}

__host__ __device__ float column(const float* a, const float* b, int n, int item) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[static_cast<size_t>(k) * n + item % n] * b[k];
  return sum;
}

__host__ __device__ float row(const float* a, const float* b, int n, int item) {
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[item % n * n + k] * b[k];
  return sum;
}

__host__ __device__ float strides(const float* a, const float*, int n, int item) {
  float sum = 0;
  for (size_t i = item; i < static_cast<size_t>(n) * n; i += 3 * n + 1) sum += a[i];
  return sum;
}

__host__ __device__ float nearest(const float* a, const float* b, int n, int item) {
  float best = 1e30f;
  int found = -1;
  for (int i = 0; i < n; ++i) {
    const float dx = a[2 * i] - b[item], dy = a[2 * i + 1] - b[item + 1];
    const float square = dx * dx + dy * dy;
    if (square < best) best = square, found = i;
  }
  return static_cast<float>(found);
}

__host__ __device__ float sparse(const float* a, const float* b, int n, int item) {
  float sum = 0;
  for (int i = item % n; i < item % n + item % 7; ++i) sum += a[static_cast<int>(b[i]) * 5] + i;
  return sum;
}

/// A new number of the last eight.
__host__ __device__ float recurrence(const float* a, const float*, int n, int item) {
  float last[8];
  for (int i = 0; i < 8; ++i) last[i] = a[item % n + i];
  for (int k = 0; k < n; ++k) {
    const float next = 0.5f * (last[0] + last[7]) - last[3];
#pragma unroll
    for (int i = 0; i < 7; ++i) last[i] = last[i + 1];
    last[7] = std::fmin(std::fmax(std::rint(next), -64.0f), 64.0f);
  }
  return last[7];
}

/// One lane's sum becomes a NaN on the way.
__host__ __device__ float with_nan(const float* a, const float* b, int n, int item) {
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const float factor = k == n / 2 && item == 77 ? std::numeric_limits<float>::infinity() : 1;
    sum += (a[k] - a[k]) * factor + b[k];
  }
  return sum;
}

template <Body kBody>
__global__ void each(const float* a, const float* b, float* out, int n, int items) {
  const int item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item < items) out[item] = kBody(a, b, n, item);
}

/// Steps in place: each work-item has its own column.
__host__ __device__ void steps(float* cells, int n, int item) {
  for (int z = 1; z < n - 1; ++z) {
    cells[z * n + item] = std::rint(0.25f * (cells[(z - 1) * n + item] + cells[(z + 1) * n + item]));
  }
}
__global__ void step_columns(float* cells, int n) {
  steps(cells, n, blockIdx.x * blockDim.x + threadIdx.x);
}

std::vector<float> numbers(int count, int step) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<float>(i * step % 23 - (step % 2) * 11);
  return values;
}

bool same(const std::vector<float>& a, const std::vector<float>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i] && !(std::isnan(a[i]) && std::isnan(b[i]))) return false;
  }
  return a.size() == b.size();
}

template <Body kBody>
bool loops(const char* name) {
  const std::vector<float> a = numbers(2 * kItems, 7), b = numbers(2 * kItems, 4);
  example::DeviceArray<float> device_a(a), device_b(b), out(kItems);
  bool ok = true;
  for (const int items : {kItems, kItems - 5}) {
    out.clear();
    each<kBody><<<example::blocks_for(items, 192), 192>>>(device_a.data(), device_b.data(),
                                                          out.data(), kSide, items);
    example::finish_kernel();
    std::vector<float> expected(kItems, 0.0f);
    for (int item = 0; item < items; ++item) expected[item] = kBody(a.data(), b.data(), kSide, item);
    ok = same(out.read(), expected) && ok;
  }
  return example::line(name, ok);
}

bool columns_step() {
  std::vector<float> cells = numbers(kItems, 5);
  example::DeviceArray<float> device(cells);
  step_columns<<<1, kSide>>>(device.data(), kSide);
  example::finish_kernel();
  for (int item = 0; item < kSide; ++item) steps(cells.data(), kSide, item);
  return example::line("steps in place", same(device.read(), cells));
}

int main() {
  bool ok = loops<product>("product of matrices");
  ok = loops<column>("column by column") && ok;
  ok = loops<row>("row by row") && ok;
  ok = loops<strides>("sum in strides") && ok;
  ok = loops<nearest>("nearest point") && ok;
  ok = loops<sparse>("sparse rows") && ok;
  ok = loops<recurrence>("recurrence") && ok;
  ok = loops<with_nan>("a NaN on the way") && ok;
  ok = columns_step() && ok;
  return example::verdict(ok);
}
