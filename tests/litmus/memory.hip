// What workgroups may see of each other's stores: their order, and each aligned store of up to 16
// bytes whole. The outcomes asked for are those that a device gives; docs/litmus.md has the table.
#include <cstdint>

#include "common/check.hpp"
#include "litmus/agent.hpp"

using Pair = std::uint32_t __attribute__((ext_vector_type(2)));
using Quad = std::uint32_t __attribute__((ext_vector_type(4)));

constexpr int kLanes = 64;

// ---- order -------------------------------------------------------------------------------------

// The first workgroup writes data, then a flag, round after round; the second must never see the
// flag without the data. Fences order them.
__global__ void pass_message(int* data, int* flag, int* taken, int* wrong, int rounds) {
  if (threadIdx.x != 0) return;
  for (int round = 1; round <= rounds; ++round) {
    if (blockIdx.x == 0) {
      *data = round;
      __threadfence();
      *const_cast<volatile int*>(flag) = round;
      litmus::wait_for(taken, round);
    } else {
      while (*const_cast<volatile int*>(flag) != round) {
      }
      __threadfence();
      if (*const_cast<volatile int*>(data) != round) ++*wrong;
      litmus::store(taken, round);
    }
  }
}

// The same with nothing but volatile accesses, each in another line: CDNA's stores of a wave to
// uncached memory arrive in order only where the wave waits for them, which LLVM does for volatile.
__global__ void pass_volatile_message(volatile int* data, volatile int* flag, volatile int* taken,
                                      int* wrong, int rounds) {
  if (threadIdx.x != 0) return;
  for (int round = 1; round <= rounds; ++round) {
    if (blockIdx.x == 0) {
      *data = round;
      *flag = round;
      while (*taken != round) {
      }
    } else {
      while (*flag != round) {
      }
      if (*data != round) ++*wrong;
      *taken = round;
    }
  }
}

// Two workgroups store to their own word and then load the other's: behind fences one of them at
// least sees the other's store.
__global__ void store_then_load(int* words, int* seen, int* arrived, int rounds) {
  if (threadIdx.x != 0) return;
  const int self = blockIdx.x, other = 1 - self;
  for (int round = 0; round < rounds; ++round) {
    atomicAdd(arrived, 1);
    litmus::wait_for(arrived, 2 * (round + 1));
    *const_cast<volatile int*>(words + 2 * kLanes * round + kLanes * self) = 1;
    __threadfence();
    seen[2 * round + self] =
        *const_cast<volatile int*>(words + 2 * kLanes * round + kLanes * other);
  }
}

// ---- whole elements ----------------------------------------------------------------------------

// How the lanes of a wave lie, each at its own aligned element.
enum Layout { kSame, kSideBySide, kHalf, kApart, kLayouts };
constexpr const char* kLayoutNames[] = {"at one address", "side by side", "side by side, half",
                                        "apart"};

__device__ int place_of(int layout, int lane) {
  if (layout == kSame) return 0;
  return layout == kApart ? lane * 37 % kLanes : lane;
}

template <typename T>
__device__ T filled(std::uint32_t value) {
  return T(value);
}
template <>
__device__ std::uint32_t filled<std::uint32_t>(std::uint32_t value) {
  return (value & 0xff) * 0x01010101;
}
template <>
__device__ std::uint64_t filled<std::uint64_t>(std::uint32_t value) {
  return std::uint64_t{value} << 32 | value;
}

__device__ bool is_whole(std::uint32_t value) { return value == (value & 0xff) * 0x01010101; }
__device__ bool is_whole(Pair value) { return value.x == value.y; }
__device__ bool is_whole(Quad value) {
  return value.x == value.y && value.y == value.z && value.z == value.w;
}
__device__ bool is_whole(std::uint64_t value) {
  return static_cast<std::uint32_t>(value) == static_cast<std::uint32_t>(value >> 32);
}

// Even workgroups store elements whose parts are all the same, odd ones load and count those whose
// parts differ. Store and load take any two layouts.
template <typename T>
__global__ void tear(T* elements, int* torn, int stores_lie, int loads_lie, int rounds) {
  const int lane = threadIdx.x % kLanes;
  const bool writes = blockIdx.x % 2 == 0;
  const int layout = writes ? stores_lie : loads_lie;
  volatile T* const place = elements + place_of(layout, lane);
  if (layout == kHalf && lane % 2 != 0) return;
  int differing = 0;
  for (int round = 1; round <= rounds; ++round) {
    if (writes) {
      *place = filled<T>(static_cast<std::uint32_t>(round));
    } else {
      const T value = *place;
      if (!is_whole(value)) ++differing;
    }
  }
  if (differing != 0) atomicAdd(torn, differing);
}

// The same through a pointer that may be LDS or memory, whose instructions are FLAT.
template <typename T>
__global__ void tear_flat(T* elements, int* torn, int loads_lie, int rounds, int use_lds) {
  __shared__ T local[kLanes];
  const int lane = threadIdx.x % kLanes;
  T* chosen = use_lds != 0 ? local : elements;
  asm volatile("" : "+v"(chosen));  // keeps the compiler from knowing which
  volatile T* const place = chosen + place_of(loads_lie, lane);
  int differing = 0;
  for (int round = 1; round <= rounds; ++round) {
    if (blockIdx.x % 2 == 0) {
      *place = filled<T>(static_cast<std::uint32_t>(round));
    } else {
      const T value = *place;
      if (!is_whole(value)) ++differing;
    }
  }
  if (differing != 0) atomicAdd(torn, differing);
}

template <typename T>
bool stays_whole(const char* type, int rounds) {
  example::DeviceArray<T> elements(kLanes);
  example::DeviceArray<int> torn(1);
  bool ok = true;
  for (int stores = 0; stores < kLayouts; ++stores) {
    for (int loads = 0; loads < kLayouts; ++loads) {
      elements.clear();
      torn.clear();
      tear<<<4, kLanes>>>(elements.data(), torn.data(), stores, loads, rounds);
      example::finish_kernel();
      const int count = torn.read()[0];
      if (count == 0) continue;
      std::printf("  %s: stores %s, loads %s: %d torn\n", type, kLayoutNames[stores],
                  kLayoutNames[loads], count);
      ok = false;
    }
  }
  for (const Layout loads : {kSame, kSideBySide, kApart}) {
    elements.clear();
    torn.clear();
    tear_flat<<<4, kLanes>>>(elements.data(), torn.data(), loads, rounds, 0);
    example::finish_kernel();
    const int count = torn.read()[0];
    if (count != 0) {
      std::printf("  %s: flat, %s: %d torn\n", type, kLayoutNames[loads], count);
      ok = false;
    }
  }
  return example::line(type, ok);
}

int main(int argc, char** argv) {
  const int rounds = example::size_argument(argc, argv, 2000);
  bool ok = true;
  {
    example::DeviceArray<int> words(4 * kLanes);
    words.clear();
    int* const w = words.data();
    pass_message<<<2, kLanes>>>(w, w + kLanes, w + 2 * kLanes, w + 3 * kLanes, rounds);
    example::finish_kernel();
    ok = example::line("message with fences", words.read()[3 * kLanes] == 0) && ok;
    words.clear();
    pass_volatile_message<<<2, kLanes>>>(w, w + kLanes, w + 2 * kLanes, w + 3 * kLanes, rounds);
    example::finish_kernel();
    ok = example::line("volatile message", words.read()[3 * kLanes] == 0) && ok;
  }
  {
    example::DeviceArray<int> words(2 * kLanes * rounds), seen(2 * rounds), arrived(1);
    words.clear();
    arrived.clear();
    store_then_load<<<2, kLanes>>>(words.data(), seen.data(), arrived.data(), rounds);
    example::finish_kernel();
    int neither = 0;
    const std::vector<int> results = seen.read();
    for (int i = 0; i < rounds; ++i) neither += results[2 * i] == 0 && results[2 * i + 1] == 0;
    if (neither != 0) std::printf("  %d of %d rounds saw neither store\n", neither, rounds);
    ok = example::line("store, fence, load", neither == 0) && ok;
  }
  ok = stays_whole<std::uint32_t>("4 bytes", rounds) && ok;
  ok = stays_whole<std::uint64_t>("8 bytes, one number", rounds) && ok;
  ok = stays_whole<Pair>("8 bytes, a pair", rounds) && ok;
  ok = stays_whole<Quad>("16 bytes", rounds) && ok;
  return example::verdict(ok);
}
