// 2^28 doubles, one for each work-item, with few or many waves on a CU (limited by LDS).
#include "prologue.hpp"

using accuracy::Work;

constexpr size_t kCount = (size_t{1} << 28) + 2;

template <Work kWork>
void measure(const accuracy::Streams& streams, const char* kernel, const char* name, int block,
             int per_cu) {
  const std::string parameters = "block=" + std::to_string(block) +
                                 ", blocks per CU=" + std::to_string(per_cu) + ", kernel=" + name;
  if (!accuracy::wanted(kernel, parameters)) return;
  const double time = accuracy::seconds([&] { streams.launch<kWork>(kCount, block, per_cu); });
  accuracy::row("stream", accuracy::this_device().name, kernel, parameters, "bandwidth",
                kCount * sizeof(double) * accuracy::arrays_of(kWork) / time * 1e-9, "GB/s");
}

int main(int argc, char** argv) {
  accuracy::read_arguments(argc, argv);
  const auto& device = accuracy::this_device();
  if (!device.is("mi210") && !device.is("mi300x")) return 0;
  // The same kernels under the two names of measured.csv.
  constexpr const char* kFirst = "2^28 doubles, one element per thread";
  constexpr const char* kMore = "2^28 doubles, one element per thread, full prologue";
  const accuracy::Streams streams(kCount);
  const struct {
    int block, per_cu;
  } shapes[] = {{64, 1}, {1024, 2}};
  for (const auto& shape : shapes) {
    measure<Work::kInit>(streams, kFirst, "init", shape.block, shape.per_cu);
    measure<Work::kRead>(streams, kFirst, "read", shape.block, shape.per_cu);
    measure<Work::kScale>(streams, kFirst, "scale", shape.block, shape.per_cu);
  }
  if (device.is("mi210")) measure<Work::kTriad>(streams, kMore, "triad", 64, 1);
  measure<Work::kInit>(streams, kMore, "init", 256, 2);
}
