// u64 atomicAdd on uniformly random entries of a table, many waves.
#include "common.hpp"

__global__ __launch_bounds__(256) void add_randomly(unsigned long long* table, unsigned mask,
                                                    int times) {
  unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
  for (int i = 0; i < times; ++i) {
    state = state * 1664525u + 1013904223u;
    atomicAdd(&table[(state >> 16) & mask], 1ull);
  }
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi300a")) return 0;
  constexpr const char* kKernel = "u64 atomicAdd on random entries of a table";
  const int blocks = device.compute_units * 8;
  for (const unsigned entries : {1u, 1024u}) {
    const std::string parameters = "entries=" + std::to_string(entries);
    if (!accuracy::wanted(kKernel, parameters)) continue;
    accuracy::DeviceArray<unsigned long long> table(
        std::vector<unsigned long long>(entries, 0ull));
    const int few = entries == 1 ? 2 : 4, many = entries == 1 ? 4 : 16;
    unsigned long long added = 0;
    const double time = accuracy::seconds_per_trip(few, many, [&](int times) {
      added += static_cast<unsigned long long>(blocks) * 256 * times;
      add_randomly<<<blocks, 256>>>(table.data(), entries - 1, times);
    });
    unsigned long long sum = 0;
    for (const unsigned long long count : table.read()) sum += count;
    accuracy::require(sum == added, "atomics");
    accuracy::row("atomics", device.name, kKernel, parameters, "saturated rate",
                  blocks * 256.0 / time, "atomics/s");
  }
}
