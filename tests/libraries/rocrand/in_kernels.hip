// rocRAND's generators inside kernels (rocrand_kernel.h, compiled here for both processors): one
// subsequence for each work-item, with jumps, against the published algorithms.
#include "rocrand/device_sequence.hpp"
// After HIP's headers, whose words it uses without including them.
#include <rocrand/rocrand_kernel.h>

using example::DeviceArray;
using libraries::Judge;

constexpr unsigned kItems = 700;
constexpr unsigned kDraws = 9;
constexpr unsigned kSkipped = 5;  // words left out before the first draw

template <typename State>
__global__ void words(unsigned long long seed, uint32_t* out) {
  const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item >= kItems) return;
  State state;
  rocrand_init(seed, item, kSkipped, &state);
  for (unsigned draw = 0; draw < kDraws; ++draw) out[item * kDraws + draw] = rocrand(&state);
}

__global__ void sobol_words(const uint32_t* vectors, uint32_t* out) {
  const unsigned item = blockIdx.x * blockDim.x + threadIdx.x;
  if (item >= kItems) return;
  rocrand_state_sobol32 state;
  rocrand_init(vectors, item * kDraws, &state);
  for (unsigned draw = 0; draw < kDraws; ++draw) out[item * kDraws + draw] = rocrand(&state);
}

template <typename State>
std::vector<uint32_t> run(Judge& judge, const char* name) {
  DeviceArray<uint32_t> out(kItems * kDraws);
  judge.timed(std::string(name) + " in a kernel", kItems * kDraws, [&] {
    words<State><<<example::blocks_for(kItems, 128), 128>>>(device_sequence::kSeed, out.data());
    HIP_CHECK(hipGetLastError());
  });
  return out.read();
}

// What work-item i draws from subsequence i of an engine that can jump.
template <typename Engine, typename Make>
std::vector<uint32_t> expected(Make make) {
  std::vector<uint32_t> want;
  Engine engine(device_sequence::kSeed);
  for (unsigned item = 0; item < kItems; ++item) {
    Engine own = engine;
    for (unsigned skip = 0; skip < kSkipped; ++skip) (void)own.next();
    for (unsigned draw = 0; draw < kDraws; ++draw) want.push_back(make(own.next()));
    engine.jump_subsequence();
  }
  return want;
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  judge.same(run<rocrand_state_xorwow>(judge, "xorwow"),
             expected<generators::Xorwow>([](uint32_t word) { return word; }), "xorwow");
  judge.same(run<rocrand_state_mrg32k3a>(judge, "mrg32k3a"),
             expected<generators::Mrg32k3a>(device_sequence::mrg_word), "mrg32k3a");
  std::vector<uint32_t> want;
  const generators::Philox philox(device_sequence::kSeed);
  for (unsigned item = 0; item < kItems; ++item) {
    for (unsigned draw = kSkipped; draw < kSkipped + kDraws; ++draw) {
      want.push_back(philox.block(draw / 4, item)[draw % 4]);
    }
  }
  judge.same(run<rocrand_state_philox4x32_10>(judge, "philox"), want, "philox");

  const generators::Sobol<uint32_t> sobol(7);
  std::vector<uint32_t> vectors, points;
  for (unsigned bit = 0; bit < 32; ++bit) vectors.push_back(sobol.direction(bit));
  for (unsigned i = 0; i < kItems * kDraws; ++i) points.push_back(sobol.word(i));
  const DeviceArray<uint32_t> device_vectors(vectors);
  DeviceArray<uint32_t> out(points.size());
  sobol_words<<<example::blocks_for(kItems, 128), 128>>>(device_vectors.data(), out.data());
  example::finish_kernel();
  judge.same(out.read(), points, "sobol32");
  return judge.verdict();
}
