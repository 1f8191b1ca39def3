// One element for each work-item, all from a footprint that the L2 holds: how fast waves start.
#include "prologue.hpp"

using accuracy::Work;

constexpr size_t kItems = size_t{1} << 22;
constexpr int kLength = 24545;  // of an array; two of them are the 383 kB of the rows

// The published runs have 2^30 work-items, one like the other: the difference of two short ones.
template <Work kWork>
void measure(const accuracy::Streams& streams, const char* kernel, const char* parameters,
             int block) {
  if (!accuracy::wanted(kernel, parameters)) return;
  const double time = accuracy::seconds_per_trip(
      1, 2, [&](int pieces) { streams.launch<kWork, kLength>(kItems * pieces, block, 2); });
  accuracy::row("dispatch-rate", accuracy::this_device().name, kernel, parameters, "bandwidth",
                kItems * sizeof(double) * accuracy::arrays_of(kWork) / time * 1e-9, "GB/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  const accuracy::Streams streams(kLength);
  constexpr const char* kPrologue =
      "one 8-B element per work-item from L2 (383 kB footprint), full prologue";
  constexpr const char* kSmallWrite = "block=64, blocks per CU=2, kernel=write";
  if (device.is("mi210") || device.is("mi300x"))
    measure<Work::kInit>(streams, kPrologue, kSmallWrite, 64);
  if (!device.is("mi210")) return 0;
  constexpr const char* kLarge =
      "one 8-B element per work-item from L2 (383 kB footprint), block 1024";
  measure<Work::kRead>(streams, kLarge, "kernel=read", 1024);
  measure<Work::kScale>(streams, kLarge, "kernel=scale", 1024);
  measure<Work::kRead>(streams, "same, block 64, 2 blocks per CU", "kernel=read", 64);
  measure<Work::kScale>(streams, kPrologue, "block=256, blocks per CU=2, kernel=scale", 256);
  measure<Work::kTriad>(streams, kPrologue, "block=1024, blocks per CU=2, kernel=triad", 1024);
}
