// What the programs of the accuracy suite share: which published rows belong to this device, timing
// as a benchmark on hardware does it, and the CSV line of a result. Each program includes it once.
#pragma once

#include <dlfcn.h>
#include <hip/hip_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

// Ends the program with a message when a HIP call fails; a macro to name the call and its line.
#define HIP_CHECK(call) accuracy::check((call), #call, __FILE__, __LINE__)

namespace accuracy {

inline void check(hipError_t error, const char* call, const char* file, int line) {
  if (error == hipSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, hipGetErrorString(error));
  std::exit(2);
}

// The device as measured.csv names it.
struct ThisDevice {
  std::string name;  // "mi210", "mi250x (1 GCD)", "mi300x", "mi300a" or "mi300a, one XCD"
  int compute_units = 0;
  double clock_ghz = 0;

  bool is(const char* other) const { return name == other; }
  // Rows of measured.csv about some gfx942 part are run on MI300X.
  bool is_gfx942() const { return is("mi300x"); }
};

inline const ThisDevice& this_device() {
  static const ThisDevice device = [] {
    hipDeviceProp_t properties;
    HIP_CHECK(hipGetDeviceProperties(&properties, 0));
    ThisDevice found;
    found.compute_units = properties.multiProcessorCount;
    found.clock_ghz = properties.clockRate * 1e-6;
    const std::string name = properties.name;
    const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
    if (has("MI210")) found.name = "mi210";
    if (has("MI250")) found.name = has("MI250X") ? "mi250x (1 GCD)" : "mi250 (1 GCD)";
    if (has("MI300X")) found.name = "mi300x";
    if (has("MI300A")) found.name = found.compute_units <= 40 ? "mi300a, one XCD" : "mi300a";
    return found;
  }();
  return device;
}

// Rows whose parameters or kernel do not contain the program's argument are left out.
inline std::string& filter() {
  static std::string text;
  return text;
}

inline void read_arguments(int argc, char** argv) {
  if (argc > 1) filter() = argv[1];
}

inline bool wanted(const std::string& kernel, const std::string& parameters) {
  return (kernel + " " + parameters).find(filter()) != std::string::npos;
}

inline std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

// How many kernels the program has launched.
inline uint64_t& launches() {
  static uint64_t count = 0;
  return count;
}

// Prints family,device,kernel,parameters,metric,value,unit,launch: the last one is the number of
// the launch before it, which says where in a profile to find what the value is the time of.
inline void row(const std::string& family, const std::string& device, const std::string& kernel,
                const std::string& parameters, const std::string& metric, double value,
                const std::string& unit) {
  for (const std::string& field : {family, device, kernel, parameters, metric})
    std::printf("%s,", csv_field(field).c_str());
  std::printf("%.6g,%s,%llu\n", value, csv_field(unit).c_str(),
              static_cast<unsigned long long>(launches()));
  std::fflush(stdout);
}

// An array in device memory, freed at the end of its scope.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(size_t count) : count_(count) {
    HIP_CHECK(hipMalloc(reinterpret_cast<void**>(&data_), count * sizeof(T)));
  }
  explicit DeviceArray(const std::vector<T>& values) : DeviceArray(values.size()) {
    HIP_CHECK(hipMemcpy(data_, values.data(), count_ * sizeof(T), hipMemcpyHostToDevice));
  }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { (void)hipFree(data_); }

  T* data() const { return data_; }
  std::vector<T> read() const { return read(0, count_); }
  std::vector<T> read(size_t first, size_t count) const {
    std::vector<T> values(count);
    HIP_CHECK(hipMemcpy(values.data(), data_ + first, count * sizeof(T), hipMemcpyDeviceToHost));
    return values;
  }
  T at(size_t index) const { return read(index, 1).front(); }

 private:
  T* data_ = nullptr;
  size_t count_;
};

// Device time of `launch()` between two events, in seconds.
template <typename Launch>
double seconds(Launch launch) {
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
  return milliseconds * 1e-3;
}

// Seconds for one more trip of a loop in a kernel: two lengths, so that launch and the last waves
// cancel, both after a launch of the shorter one: it leaves both the same caches, and the same time
// until the queue starts another one.
template <typename Launch>
double seconds_per_trip(int few, int many, Launch launch) {
  seconds([&] { launch(few); });
  const double shorter = seconds([&] { launch(few); });
  const double longer = seconds([&] { launch(many); });
  return (longer - shorter) / (many - few);
}

// Ends the program when a kernel gave a wrong result: its time would mean nothing.
inline void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "wrong result: %s\n", what);
  std::exit(1);
}

// LDS bytes that let exactly `count` workgroups onto a CU.
inline unsigned lds_bytes_for(int count) { return 65536u / count / 512 * 512; }

}  // namespace accuracy

// Stands before the runtime's function, to count.
extern "C" hipError_t hipLaunchKernel(const void* kernel, dim3 grid, dim3 block, void** arguments,
                                      size_t lds_bytes, hipStream_t stream) {
  static const auto launch =
      reinterpret_cast<decltype(&hipLaunchKernel)>(dlsym(RTLD_NEXT, "hipLaunchKernel"));
  ++accuracy::launches();
  return launch(kernel, grid, block, arguments, lds_bytes, stream);
}
