// hipRAND, the portable layer: the same words as rocRAND's, through Debian's libhiprand.
#include <hiprand/hiprand.h>

#include "rocrand/device_sequence.hpp"

// Ends the program with a message when a hipRAND call fails.
void hiprand_check(hiprandStatus_t status, const char* what) {
  if (status == HIPRAND_STATUS_SUCCESS) return;
  std::fprintf(stderr, "%s: status %d\n", what, status);
  std::exit(2);
}

int main(int argc, char** argv) {
  libraries::Judge judge(argc, argv);
  hiprandGenerator_t generator = nullptr;
  hiprand_check(hiprandCreateGenerator(&generator, HIPRAND_RNG_PSEUDO_PHILOX4_32_10), "create");
  hiprand_check(hiprandSetPseudoRandomGeneratorSeed(generator, device_sequence::kSeed), "seed");
  constexpr size_t count = 100000;
  example::DeviceArray<uint32_t> out(count);
  hipStream_t stream = nullptr;
  HIP_CHECK(hipStreamCreate(&stream));
  hiprand_check(hiprandSetStream(generator, stream), "stream");
  judge.timed("hiprandGenerate philox", count,
              [&] { hiprand_check(hiprandGenerate(generator, out.data(), count), "generate"); });
  const generators::Philox philox(device_sequence::kSeed);
  std::vector<uint32_t> want;
  for (size_t i = 0; i < count; ++i) want.push_back(philox.word(i));
  judge.same(out.read(), want, "hiprandGenerate philox");
  example::DeviceArray<float> uniform(count);
  judge.timed("hiprandGenerateUniform philox", count, [&] {
    hiprand_check(hiprandGenerateUniform(generator, uniform.data(), count), "uniform");
  });
  std::vector<float> floats;
  for (size_t i = count; i < 2 * count; ++i) {
    floats.push_back(0x1p-32f + static_cast<float>(philox.word(i)) * 0x1p-32f);
  }
  judge.same(uniform.read(), floats, "hiprandGenerateUniform philox");
  HIP_CHECK(hipStreamDestroy(stream));
  hiprand_check(hiprandDestroyGenerator(generator), "destroy");
  return judge.verdict();
}
