// Kernels that any HIP implementation can run, for comparisons on one machine: streaming (vadd),
// LDS with barriers (transpose, reduce, sgemm), arithmetic (nbody), and loops over LDS and global
// memory (plain, a product of matrices without LDS; tiled, one with 4 x 4 results for each thread;
// stencil, seven points of a cube; radix, a pass of a sort by four bits).
//
//   portable_bench TEST N [REPEATS]
//
// Prints the time of the first launch, the best of REPEATS further ones, the time of the whole
// test and OK or WRONG. Exit code 0 when the result is right, 3 when it is wrong, 2 on a HIP error.
// Only launches by macro and no HIP extension, so that it also builds against HIP-CPU.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using Clock = std::chrono::steady_clock;

static double milliseconds_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

static void check(hipError_t error, const char* what) {
  if (error == hipSuccess) return;
  std::printf("%s: %s\n", what, hipGetErrorString(error));
  std::exit(2);
}

// ---- kernels -----------------------------------------------------------------------------------

constexpr int kBlock = 256;

__global__ void vadd(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

constexpr int kTile = 32;
constexpr int kTileRows = 8;  // each thread moves kTile / kTileRows elements

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kTileRows)
    tile[threadIdx.y + row][threadIdx.x] = in[(y + row) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int row = 0; row < kTile; row += kTileRows)
    out[(y + row) * n + x] = tile[threadIdx.x][threadIdx.y + row];
}

__global__ void reduce(const float* in, float* partial, int n) {
  __shared__ float sum[kBlock];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x * 2 + t;
  const int j = i + blockDim.x;
  sum[t] = (i < n ? in[i] : 0.0f) + (j < n ? in[j] : 0.0f);
  __syncthreads();
  for (int step = blockDim.x / 2; step > 0; step /= 2) {
    if (t < step) sum[t] += sum[t + step];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = sum[0];
}

constexpr int kPanel = 16;

__global__ void sgemm(const float* a, const float* b, float* c, int n) {
  __shared__ float a_panel[kPanel][kPanel];
  __shared__ float b_panel[kPanel][kPanel];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int row = blockIdx.y * kPanel + ty;
  const int col = blockIdx.x * kPanel + tx;
  float sum = 0.0f;
  for (int k = 0; k < n; k += kPanel) {
    a_panel[ty][tx] = a[row * n + k + tx];
    b_panel[ty][tx] = b[(k + ty) * n + col];
    __syncthreads();
    for (int j = 0; j < kPanel; ++j) sum += a_panel[ty][j] * b_panel[j][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

/// The same product as people write it first.
__global__ void plain(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * kPanel + threadIdx.y;
  const int col = blockIdx.x * kPanel + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

constexpr float kSoftening = 1e-3f;

__global__ void nbody(const float4* body, float4* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 self = body[i];
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int j = 0; j < n; ++j) {
    const float4 other = body[j];
    const float dx = other.x - self.x;
    const float dy = other.y - self.y;
    const float dz = other.z - self.z;
    const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + kSoftening);
    const float scale = other.w * inverse * inverse * inverse;
    fx += dx * scale;
    fy += dy * scale;
    fz += dz * scale;
  }
  float4 sum;
  sum.x = fx;
  sum.y = fy;
  sum.z = fz;
  sum.w = 0.0f;
  force[i] = sum;
}

constexpr int kSide = 64;  // of a workgroup's part of the product
constexpr int kDepth = 16;
constexpr int kEach = 4;   // a thread's results in each direction

__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float a_part[kDepth][kSide];
  __shared__ float b_part[kDepth][kSide];
  const int t = threadIdx.x;
  const int x = t % (kSide / kEach) * kEach, y = t / (kSide / kEach) * kEach;
  const int row = blockIdx.y * kSide, col = blockIdx.x * kSide;
  float sum[kEach][kEach] = {};
  for (int k = 0; k < n; k += kDepth) {
    for (int i = t; i < kDepth * kSide; i += kBlock) {
      a_part[i % kDepth][i / kDepth] = a[(row + i / kDepth) * n + k + i % kDepth];
      b_part[i / kSide][i % kSide] = b[(k + i / kSide) * n + col + i % kSide];
    }
    __syncthreads();
    for (int j = 0; j < kDepth; ++j) {
      float left[kEach], above[kEach];
      for (int i = 0; i < kEach; ++i) left[i] = a_part[j][y + i];
      for (int i = 0; i < kEach; ++i) above[i] = b_part[j][x + i];
      for (int v = 0; v < kEach; ++v)
        for (int u = 0; u < kEach; ++u) sum[v][u] += left[v] * above[u];
    }
    __syncthreads();
  }
  for (int v = 0; v < kEach; ++v)
    for (int u = 0; u < kEach; ++u) c[(row + y + v) * n + col + x + u] = sum[v][u];
}

// Each thread goes along z with three values in registers; the edges of the cube stay.
__global__ void stencil(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const int plane = n * n;
  int at = y * n + x;
  float below = in[at], here = in[at + plane];
  for (int z = 1; z < n - 1; ++z) {
    at += plane;
    const float above = in[at + plane];
    const float around = in[at - 1] + in[at + 1] + in[at - n] + in[at + n];
    out[at] = 0.4f * here + 0.1f * (below + above + around);
    below = here;
    here = above;
  }
}

constexpr int kDigits = 16;
constexpr int kSorters = 64;      // threads of a workgroup
constexpr int kKeysOfThread = 16;

// How often each thread of a workgroup has each digit among its keys, which lie side by side.
__device__ void count_digits(const unsigned* keys, int shift, unsigned (*counts)[kSorters]) {
  const int t = threadIdx.x;
  const unsigned* const own = keys + (blockIdx.x * kSorters + t) * kKeysOfThread;
  for (int digit = 0; digit < kDigits; ++digit) counts[digit][t] = 0;
  for (int i = 0; i < kKeysOfThread; ++i) ++counts[own[i] >> shift & (kDigits - 1)][t];
}

__global__ void radix_count(const unsigned* keys, unsigned* totals, int shift) {
  __shared__ unsigned counts[kDigits][kSorters];
  count_digits(keys, shift, counts);
  __syncthreads();
  if (threadIdx.x >= kDigits) return;
  unsigned total = 0;
  for (int t = 0; t < kSorters; ++t) total += counts[threadIdx.x][t];
  totals[threadIdx.x * gridDim.x + blockIdx.x] = total;
}

// Sums of what lies before, by one workgroup.
__global__ void radix_scan(unsigned* totals, int count) {
  __shared__ unsigned sums[kBlock];
  const int t = threadIdx.x, each = (count + kBlock - 1) / kBlock;
  const int first = t * each, last = first + each < count ? first + each : count;
  unsigned sum = 0;
  for (int i = first; i < last; ++i) sum += totals[i];
  sums[t] = sum;
  __syncthreads();
  unsigned before = 0;
  for (int i = 0; i < t; ++i) before += sums[i];
  for (int i = first; i < last; ++i) {
    const unsigned total = totals[i];
    totals[i] = before;
    before += total;
  }
}

__global__ void radix_scatter(const unsigned* keys, const unsigned* places, unsigned* out,
                              int shift) {
  __shared__ unsigned counts[kDigits][kSorters];
  count_digits(keys, shift, counts);
  __syncthreads();
  const int t = threadIdx.x;
  if (t < kDigits) {
    unsigned place = places[t * gridDim.x + blockIdx.x];
    for (int i = 0; i < kSorters; ++i) {
      const unsigned count = counts[t][i];
      counts[t][i] = place;
      place += count;
    }
  }
  __syncthreads();
  const unsigned* const own = keys + (blockIdx.x * kSorters + t) * kKeysOfThread;
  for (int i = 0; i < kKeysOfThread; ++i) {
    const unsigned digit = own[i] >> shift & (kDigits - 1);
    out[counts[digit][t]++] = own[i];
  }
}

// ---- host --------------------------------------------------------------------------------------

// A device array that is filled from, and read back into, a host vector.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : bytes_(count * sizeof(T)) {
    check(hipMalloc(reinterpret_cast<void**>(&data_), bytes_), "hipMalloc");
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    check(hipMemcpy(data_, values.data(), bytes_, hipMemcpyHostToDevice), "hipMemcpy to device");
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { (void)hipFree(data_); }
  T* data() const { return data_; }
  std::vector<T> read() const {
    std::vector<T> values(bytes_ / sizeof(T));
    check(hipMemcpy(values.data(), data_, bytes_, hipMemcpyDeviceToHost), "hipMemcpy to host");
    return values;
  }

 private:
  T* data_ = nullptr;
  size_t bytes_;
};

struct Timing {
  double first_ms = 0;
  double best_ms = 1e30;
};

template <typename Launch>
static Timing time_launches(int repeats, Launch launch) {
  Timing timing;
  for (int i = 0; i <= repeats; ++i) {
    const auto start = Clock::now();
    launch();
    check(hipDeviceSynchronize(), "kernel");
    const double elapsed = milliseconds_since(start);
    if (i == 0) timing.first_ms = elapsed;
    else if (elapsed < timing.best_ms) timing.best_ms = elapsed;
  }
  return timing;
}

struct Result {
  Timing timing;
  bool right;
  double work;       // in millions of `unit` seconds
  const char* unit;
};

static bool close(double value, double expected, double relative) {
  return std::fabs(value - expected) <= relative * std::fabs(expected) + relative;
}

static Result run_vadd(int n, int repeats) {
  std::vector<float> a(n), b(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(i % 1013);
    b[i] = 0.5f * static_cast<float>(i % 773);
  }
  DeviceArray<float> da(a), db(b), dc(n);
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(vadd, dim3((n + kBlock - 1) / kBlock), dim3(kBlock), 0, 0,
                       static_cast<const float*>(da.data()), static_cast<const float*>(db.data()),
                       dc.data(), n);
  });
  const std::vector<float> c = dc.read();
  bool right = true;
  for (int i = 0; i < n && right; ++i) right = c[i] == a[i] + b[i];
  return {timing, right, n / 1e6, "Mthread/s"};
}

static Result run_transpose(int n, int repeats) {
  const size_t count = static_cast<size_t>(n) * n;
  std::vector<float> in(count);
  for (size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i % 65519);
  DeviceArray<float> d_in(in), d_out(count);
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(transpose, dim3(n / kTile, n / kTile), dim3(kTile, kTileRows), 0, 0,
                       static_cast<const float*>(d_in.data()), d_out.data(), n);
  });
  const std::vector<float> out = d_out.read();
  bool right = true;
  for (int y = 0; y < n && right; ++y)
    for (int x = 0; x < n && right; ++x)
      right = out[static_cast<size_t>(x) * n + y] == in[static_cast<size_t>(y) * n + x];
  return {timing, right, count / 4 / 1e6, "Mthread/s"};
}

static Result run_reduce(int n, int repeats) {
  std::vector<float> in(n);
  double expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = 0.25f * static_cast<float>(i % 16);
    expected += in[i];
  }
  const int blocks = (n + 2 * kBlock - 1) / (2 * kBlock);
  DeviceArray<float> d_in(in), d_partial(blocks);
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(reduce, dim3(blocks), dim3(kBlock), 0, 0,
                       static_cast<const float*>(d_in.data()), d_partial.data(), n);
  });
  double sum = 0;
  for (float value : d_partial.read()) sum += value;
  return {timing, close(sum, expected, 1e-6), blocks * (kBlock / 1e6), "Mthread/s"};
}

template <typename Kernel>
static Result run_product(Kernel kernel, dim3 groups, dim3 threads, int n, int repeats) {
  const size_t count = static_cast<size_t>(n) * n;
  std::vector<float> a(count), b(count);
  for (size_t i = 0; i < count; ++i) {
    a[i] = 0.5f * static_cast<float>(i % 7);
    b[i] = 0.25f * static_cast<float>(i % 5);
  }
  DeviceArray<float> da(a), db(b), dc(count);
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(kernel, groups, threads, 0, 0, static_cast<const float*>(da.data()),
                       static_cast<const float*>(db.data()), dc.data(), n);
  });
  const std::vector<float> c = dc.read();
  bool right = true;
  for (int sample = 0; sample < 64; ++sample) {
    const size_t row = sample * 37 % n, col = sample * 91 % n;
    double expected = 0;
    for (int k = 0; k < n; ++k)
      expected += static_cast<double>(a[row * n + k]) * b[static_cast<size_t>(k) * n + col];
    right = right && close(c[row * n + col], expected, 1e-4);
  }
  return {timing, right, 2.0 * n * n * n / 1e9, "GFLOP/s"};
}

static Result run_sgemm(int n, int repeats) {
  return run_product(sgemm, dim3(n / kPanel, n / kPanel), dim3(kPanel, kPanel), n, repeats);
}
static Result run_plain(int n, int repeats) {
  return run_product(plain, dim3(n / kPanel, n / kPanel), dim3(kPanel, kPanel), n, repeats);
}
static Result run_tiled(int n, int repeats) {
  return run_product(tiled, dim3(n / kSide, n / kSide), dim3(kBlock), n, repeats);
}

static Result run_stencil(int n, int repeats) {
  const size_t count = static_cast<size_t>(n) * n * n;
  std::vector<float> in(count);
  for (size_t i = 0; i < count; ++i) in[i] = static_cast<float>(i % 251);
  DeviceArray<float> d_in(in), d_out(in);
  const dim3 threads(64, 4);
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(stencil, dim3((n + 63) / 64, (n + 3) / 4), threads, 0, 0,
                       static_cast<const float*>(d_in.data()), d_out.data(), n);
  });
  const std::vector<float> out = d_out.read();
  bool right = true;
  for (int sample = 0; sample < 256; ++sample) {
    const size_t x = 1 + sample * 37 % (n - 2), y = 1 + sample * 91 % (n - 2);
    const size_t z = 1 + sample * 53 % (n - 2), row = n, plane = row * n;
    const size_t at = z * plane + y * row + x;
    const double around = in[at - 1] + in[at + 1] + in[at - row] + in[at + row] +
                          in[at - plane] + in[at + plane];
    right = right && close(out[at], 0.4 * in[at] + 0.1 * around, 1e-5);
  }
  return {timing, right, count / 1e6, "Mpoint/s"};
}

static Result run_radix(int n, int repeats) {
  constexpr int kShift = 8;
  std::vector<unsigned> keys(n);
  for (int i = 0; i < n; ++i) keys[i] = static_cast<unsigned>(i) * 2654435761u;
  const int groups = n / (kSorters * kKeysOfThread);
  DeviceArray<unsigned> d_keys(keys), d_out(n), d_totals(static_cast<size_t>(groups) * kDigits);
  const unsigned* const from = d_keys.data();
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(radix_count, dim3(groups), dim3(kSorters), 0, 0, from, d_totals.data(),
                       kShift);
    hipLaunchKernelGGL(radix_scan, dim3(1), dim3(kBlock), 0, 0, d_totals.data(),
                       groups * kDigits);
    hipLaunchKernelGGL(radix_scatter, dim3(groups), dim3(kSorters), 0, 0, from,
                       static_cast<const unsigned*>(d_totals.data()), d_out.data(), kShift);
  });
  std::stable_sort(keys.begin(), keys.end(), [](unsigned a, unsigned b) {
    return (a >> kShift & (kDigits - 1)) < (b >> kShift & (kDigits - 1));
  });
  return {timing, d_out.read() == keys, n / 1e6, "Mkey/s"};
}

static Result run_nbody(int n, int repeats) {
  std::vector<float4> body(n);
  for (int i = 0; i < n; ++i) {
    body[i].x = static_cast<float>(i % 13);
    body[i].y = static_cast<float>(i % 17);
    body[i].z = static_cast<float>(i % 19);
    body[i].w = 1.0f;
  }
  DeviceArray<float4> d_body(body), d_force(n);
  const Timing timing = time_launches(repeats, [&] {
    hipLaunchKernelGGL(nbody, dim3((n + kBlock - 1) / kBlock), dim3(kBlock), 0, 0,
                       static_cast<const float4*>(d_body.data()), d_force.data(), n);
  });
  const std::vector<float4> force = d_force.read();
  bool right = true;
  for (int sample = 0; sample < 8; ++sample) {
    const int i = sample * 211 % n;
    double expected = 0;
    for (int j = 0; j < n; ++j) {
      const double dx = body[j].x - body[i].x, dy = body[j].y - body[i].y,
                   dz = body[j].z - body[i].z;
      const double square = dx * dx + dy * dy + dz * dz + kSoftening;
      expected += dx / (square * std::sqrt(square));
    }
    right = right && close(force[i].x, expected, 1e-2);
  }
  return {timing, right, 20.0 * n * n / 1e9, "GFLOP/s"};  // the usual count of 20 per pair
}

int main(int argc, char** argv) {
  struct Test {
    const char* name;
    int multiple_of;  // the sizes that the kernel accepts
    Result (*run)(int n, int repeats);
  };
  const Test tests[] = {{"vadd", 1, run_vadd},
                        {"transpose", kTile, run_transpose},
                        {"reduce", 1, run_reduce},
                        {"sgemm", kPanel, run_sgemm},
                        {"plain", kPanel, run_plain},
                        {"nbody", 1, run_nbody},
                        {"tiled", kSide, run_tiled},
                        {"stencil", 4, run_stencil},
                        {"radix", kSorters * kKeysOfThread, run_radix}};
  const int n = argc > 2 ? std::atoi(argv[2]) : 0;
  const int repeats = argc > 3 ? std::atoi(argv[3]) : 5;
  for (const Test& test : tests) {
    if (argc < 3 || std::string(argv[1]) != test.name) continue;
    if (n <= 0 || n % test.multiple_of != 0 || repeats < 1) break;
    const auto start = Clock::now();
    const Result result = test.run(n, repeats);
    const double rate = result.work / result.timing.best_ms * 1e3;
    std::printf("%-10s n=%-9d first=%9.3f ms best=%9.3f ms  %10.3f %-9s total=%9.1f ms  %s\n",
                test.name, n, result.timing.first_ms, result.timing.best_ms, rate, result.unit,
                milliseconds_since(start), result.right ? "OK" : "WRONG");
    return result.right ? 0 : 3;
  }
  std::printf("usage: portable_bench TEST N [REPEATS]\n"
              "TEST is vadd, transpose, reduce, sgemm, plain, nbody, tiled, stencil or radix; N is\n"
              "a multiple of 32 for transpose, 16 for sgemm and plain, 64 for tiled, 4 for stencil\n"
              "and 1024 for radix.\n");
  return 1;
}
