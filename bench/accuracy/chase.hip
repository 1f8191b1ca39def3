// One work-item follows a random cycle through slots of 128 bytes: the latency of each cache level.
#include <numeric>
#include <random>

#include "common.hpp"

constexpr int kUnroll = 32;
constexpr int kSlotWords = 16;  // 128 bytes of 64-bit words

// Words hold addresses. Both walks are of the same code, the first fills the caches.
__global__ void chase(const uint64_t* start, int warm_trips, int timed_trips, uint64_t* result) {
  uint64_t at = reinterpret_cast<uint64_t>(start);
  long long begin = 0;
  for (int trip = 0; trip < warm_trips + timed_trips; ++trip) {
    if (trip == warm_trips) begin = clock64();
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) at = *reinterpret_cast<const uint64_t*>(at);
    asm volatile("" : "+v"(at));
  }
  result[0] = static_cast<uint64_t>(clock64() - begin);
  result[1] = at;
}

// Cycles for a load of one random cycle through `bytes`.
static double cycles_per_load(size_t bytes) {
  const size_t slots = bytes / (kSlotWords * sizeof(uint64_t));
  std::vector<uint32_t> order(slots);
  std::iota(order.begin(), order.end(), 0u);
  std::shuffle(order.begin() + 1, order.end(), std::mt19937_64(1));
  accuracy::DeviceArray<uint64_t> device(slots * kSlotWords);
  const auto address = [&](uint32_t slot) {
    return reinterpret_cast<uint64_t>(device.data() + size_t{slot} * kSlotWords);
  };
  std::vector<uint64_t> words(slots * kSlotWords);
  for (size_t i = 0; i < slots; ++i)
    words[size_t{order[i]} * kSlotWords] = address(order[(i + 1) % slots]);
  HIP_CHECK(hipMemcpy(device.data(), words.data(), words.size() * sizeof(uint64_t),
                      hipMemcpyHostToDevice));
  accuracy::DeviceArray<uint64_t> result(2);
  // A whole walk fills the caches; of the timed one a part does.
  const size_t walk = slots / kUnroll;
  const int warm = static_cast<int>(std::max<size_t>(walk, 8));
  const int timed = static_cast<int>(std::min<size_t>(std::max<size_t>(walk, 16), 1000));
  hipLaunchKernelGGL(chase, dim3(1), dim3(1), 0, nullptr, device.data(), warm, timed,
                     result.data());
  HIP_CHECK(hipDeviceSynchronize());
  const size_t end = static_cast<size_t>(warm + timed) * kUnroll % slots;
  accuracy::require(result.at(1) == address(order[end]), "chase");
  return static_cast<double>(result.at(0)) / (static_cast<double>(timed) * kUnroll);
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  constexpr size_t kKilo = 1024, kMega = 1024 * 1024;
  const struct {
    const char* device;
    const char* text;
    size_t bytes;
  } footprints[] = {{"mi210", "footprint=8 kB", 8 * kKilo},
                    {"mi210", "footprint=512 kB", 512 * kKilo},
                    {"mi210", "footprint=6292 kB", 6292 * kKilo},
                    {"mi210", "footprint=10320 kB", 10320 * kKilo},
                    {"mi210", "footprint=32 MB", 32 * kMega},
                    {"mi210", "footprint=99300 kB", 99300 * kKilo},
                    {"mi300x", "footprint=8 kB", 8 * kKilo},
                    {"mi300x", "footprint=512 kB", 512 * kKilo},
                    {"mi300x", "footprint=4166 kB", 4166 * kKilo},
                    {"mi300x", "footprint=32 MB", 32 * kMega},
                    {"mi300x", "footprint=139900 kB", 139900 * kKilo},
                    {"mi300x", "footprint=317 MB", 317 * kMega},
                    {"mi300a", "footprint=317300 kB", 317300 * kKilo}};
  for (const auto& f : footprints) {
    if (!device.is(f.device) || !accuracy::wanted("pointer chase", f.text)) continue;
    accuracy::row("chase", device.name, "pointer chase", f.text, "latency",
                  cycles_per_load(f.bytes), "cycles/load");
  }
}
