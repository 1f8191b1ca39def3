// One work-item times one dependent load with the clock on both sides: scalar L1, LDS, vector L1.
#include "common.hpp"

constexpr int kTrips = 8;

// Cycles from the clock before the load to the clock after its result has come. The result of the
// load is the address of the next one, so each depends on the one before.
__global__ void scalar_load(const uint64_t* start, uint64_t* cycles) {
  uint64_t at = reinterpret_cast<uint64_t>(start);
#pragma unroll 1
  for (int i = 0; i < kTrips; ++i) {
    uint64_t begin, end;
    asm volatile(
        "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "s_memtime %0\n"
        "s_load_dwordx2 %2, %2, 0x0\n"
        "s_waitcnt lgkmcnt(0)\n"
        "s_memtime %1\n"
        "s_waitcnt lgkmcnt(0)\n"
        : "=&s"(begin), "=&s"(end), "+s"(at));
    cycles[i] = end - begin;
  }
  cycles[kTrips] = at;
}

__global__ void lds_load(uint64_t* cycles) {
  __shared__ uint32_t chain[1];  // at offset 0 of the LDS, holding that offset
  *static_cast<volatile uint32_t*>(chain) = 0;
  __syncthreads();
  uint32_t at = 0;
#pragma unroll 1
  for (int i = 0; i < kTrips; ++i) {
    uint64_t begin, end;
    asm volatile(
        "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "s_memtime %0\n"
        "ds_read_b32 %2, %2\n"
        "s_waitcnt lgkmcnt(0)\n"
        "s_memtime %1\n"
        "s_waitcnt lgkmcnt(0)\n"
        : "=&s"(begin), "=&s"(end), "+v"(at));
    cycles[i] = end - begin;
  }
  cycles[kTrips] = at;
}

__global__ void vector_load(const uint32_t* chain, uint64_t* cycles) {
  uint32_t at = 0;  // a word at offset 0 that holds that offset
#pragma unroll 1
  for (int i = 0; i < kTrips; ++i) {
    uint64_t begin, end;
    asm volatile(
        "s_waitcnt vmcnt(0) lgkmcnt(0)\n"
        "s_memtime %0\n"
        "global_load_dword %2, %2, %3\n"
        "s_waitcnt vmcnt(0)\n"
        "s_memtime %1\n"
        "s_waitcnt lgkmcnt(0)\n"
        : "=&s"(begin), "=&s"(end), "+v"(at)
        : "s"(chain));
    cycles[i] = end - begin;
  }
  cycles[kTrips] = at;
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210") && !device.is("mi300x")) return 0;
  // A word that points to itself.
  accuracy::DeviceArray<uint64_t> chain(16), cycles(kTrips + 1);
  const uint64_t self = reinterpret_cast<uint64_t>(chain.data());
  HIP_CHECK(hipMemcpy(chain.data(), &self, sizeof self, hipMemcpyHostToDevice));
  const auto report = [&](const char* unit, uint64_t last) {
    HIP_CHECK(hipDeviceSynchronize());
    const std::vector<uint64_t> found = cycles.read();
    accuracy::require(found[kTrips] == last, unit);
    // The first trips fill the caches; the last one has everything at hand.
    accuracy::row("latency", device.name, "single dependent load", unit, "latency",
                  static_cast<double>(found[kTrips - 1]), "cycles");
  };
  scalar_load<<<1, 1>>>(chain.data(), cycles.data());
  report("unit=scalar L1", self);
  lds_load<<<1, 1>>>(cycles.data());
  report("unit=LDS b32", 0);
  const accuracy::DeviceArray<uint32_t> offsets(std::vector<uint32_t>(32, 0));
  vector_load<<<1, 1>>>(offsets.data(), cycles.data());
  report("unit=vector L1", 0);
}
