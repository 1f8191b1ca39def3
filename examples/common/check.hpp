// What every example needs around its kernels: error checks, arrays on the device, a verdict.
#pragma once

#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program with a message when a HIP call fails; a macro to name the call and its line.
#define HIP_CHECK(call) example::check((call), #call, __FILE__, __LINE__)

namespace example {

inline void check(hipError_t error, const char* call, const char* file, int line) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, hipGetErrorString(error));
  std::exit(2);
}

// An array in device memory, freed at the end of its scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    write(values);
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { (void)hipFree(data_); }

  T* data() const { return data_; }

  void write(const std::vector<T>& values) {
    HIP_CHECK(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  std::vector<T> read() const {
    std::vector<T> values(count_);
    HIP_CHECK(hipMemcpy(values.data(), data_, count_ * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  void clear() { HIP_CHECK(hipMemset(data_, 0, count_ * sizeof(T))); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// The size given as argument `position`, or `otherwise` when there is none.
inline int size_argument(int argc, char** argv, int otherwise, int position = 1) {
  const int size = argc > position ? std::atoi(argv[position]) : otherwise;
  if (size > 0) return size;
  std::fprintf(stderr, "usage: %s [SIZE]   (SIZE is a positive number)\n", argv[0]);
  std::exit(2);
}

// How many workgroups of `block` work-items cover `count` elements.
constexpr int blocks_for(int count, int block) { return (count + block - 1) / block; }

// Waits for the kernel launched last; ends the program when it failed.
inline void finish_kernel() {
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipDeviceSynchronize());
}

// Device time of `launch()` between two events, in milliseconds.
template <typename Launch>
float time_kernel(Launch launch) {
  hipEvent_t start, stop;
  HIP_CHECK(hipEventCreate(&start));
  HIP_CHECK(hipEventCreate(&stop));
  HIP_CHECK(hipEventRecord(start, nullptr));
  launch();
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipEventRecord(stop, nullptr));
  HIP_CHECK(hipEventSynchronize(stop));
  float milliseconds = 0;
  HIP_CHECK(hipEventElapsedTime(&milliseconds, start, stop));
  HIP_CHECK(hipEventDestroy(start));
  HIP_CHECK(hipEventDestroy(stop));
  return milliseconds;
}

// Whether two results agree but for rounding.
inline bool close(double value, double expected, double tolerance) {
  return std::fabs(value - expected) <= tolerance * (1.0 + std::fabs(expected));
}

// Prints one line of a program that compares several kernels, and gives `right` back.
inline bool line(const char* name, bool right) {
  std::printf("  %-28s %s\n", name, right ? "right" : "WRONG");
  return right;
}

// Prints the verdict and gives the exit code of the program.
inline int verdict(bool right) {
  std::printf("%s\n", right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}

}  // namespace example
