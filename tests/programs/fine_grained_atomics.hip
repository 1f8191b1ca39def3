// Float atomics as single instructions on every kind of memory. gfx90a does them in its L2 cache
// only, and does not cache fine-grained memory: there they do nothing and return 0.
#include <cstring>

#include "common/check.hpp"

// What is added to, and what the additions return.
struct Words {
  float f32;
  double f64;
  unsigned u32;
  float f32_before;
  double f64_before;
  unsigned u32_before;
};

__global__ void update(Words* words) {
  words->f32_before = unsafeAtomicAdd(&words->f32, 2.0f);
  words->f64_before = unsafeAtomicAdd(&words->f64, 4.0);
  words->u32_before = atomicAdd(&words->u32, 8u);
}

bool has_coarse_atomics_only() {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  return std::strncmp(properties.gcnArchName, "gfx90a", 6) == 0;
}

// Runs the kernel on words in memory that the host or hipMemcpy reaches.
bool check(const char* name, Words* memory, bool fine_grained) {
  const Words start = {1, 3, 5, -1, -1, 99};
  HIP_CHECK(hipMemcpy(memory, &start, sizeof start, hipMemcpyDefault));
  update<<<1, 1>>>(memory);
  example::finish_kernel();
  Words words;
  HIP_CHECK(hipMemcpy(&words, memory, sizeof words, hipMemcpyDefault));
  const bool dropped = fine_grained && has_coarse_atomics_only();
  const bool integers = words.u32 == 13 && words.u32_before == 5;
  const bool floats = dropped ? words.f32 == 1 && words.f64 == 3 && words.f32_before == 0 &&
                                    words.f64_before == 0
                              : words.f32 == 3 && words.f64 == 7 && words.f32_before == 1 &&
                                    words.f64_before == 3;
  return example::line(name, integers && floats);
}

bool check_device_memory() {
  void* memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, sizeof(Words)));
  bool right = check("hipMalloc", static_cast<Words*>(memory), false);
  void* fine = nullptr;
  HIP_CHECK(hipExtMallocWithFlags(&fine, sizeof(Words), hipDeviceMallocFinegrained));
  right &= check("fine-grained device memory", static_cast<Words*>(fine), true);
  right &= check("hipMalloc beside it", static_cast<Words*>(memory), false);
  HIP_CHECK(hipFree(fine));
  right &= check("hipMalloc after it", static_cast<Words*>(memory), false);
  HIP_CHECK(hipFree(memory));
  return right;
}

bool check_pinned(const char* name, unsigned flags, bool fine_grained) {
  void* memory = nullptr;
  HIP_CHECK(hipHostMalloc(&memory, sizeof(Words), flags));
  const bool right = check(name, static_cast<Words*>(memory), fine_grained);
  HIP_CHECK(hipHostFree(memory));
  return right;
}

bool check_managed() {
  void* memory = nullptr;
  HIP_CHECK(hipMallocManaged(&memory, sizeof(Words)));
  bool right = check("hipMallocManaged", static_cast<Words*>(memory), true);
  HIP_CHECK(hipMemAdvise(memory, sizeof(Words), hipMemAdviseSetCoarseGrain, 0));
  right &= check("coarse-grained by advice", static_cast<Words*>(memory), false);
  HIP_CHECK(hipMemAdvise(memory, sizeof(Words), hipMemAdviseUnsetCoarseGrain, 0));
  right &= check("fine-grained by advice", static_cast<Words*>(memory), true);
  HIP_CHECK(hipFree(memory));
  return right;
}

bool check_registered(const char* name, unsigned flags, bool fine_grained) {
  static Words own;
  HIP_CHECK(hipHostRegister(&own, sizeof own, flags));
  const bool right = check(name, &own, fine_grained);
  HIP_CHECK(hipHostUnregister(&own));
  return right;
}

int main() {
  bool right = check_device_memory();
  right &= check_pinned("pinned", hipHostMallocDefault, true);
  right &= check_pinned("pinned, coherent", hipHostMallocCoherent, true);
  right &= check_pinned("pinned, mapped", hipHostMallocMapped, true);
  right &= check_pinned("pinned, not coherent", hipHostMallocNonCoherent, false);
  right &= check_pinned("pinned, portable", hipHostMallocPortable, false);
  right &= check_managed();
  right &= check_registered("registered", hipHostRegisterDefault, true);
  right &= check_registered("registered, coarse-grained", 0x8, false);
  return example::verdict(right);
}
