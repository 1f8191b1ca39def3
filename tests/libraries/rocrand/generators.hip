// rocRAND's generators through its host API, word by word against the published algorithms.
#include "rocrand/device_sequence.hpp"
#include "rocrand/mtgp32.hpp"

using device_sequence::Generator;
using device_sequence::kEngines;
using libraries::Judge;

constexpr size_t kWords = 3 * kEngines + 1001;  // three rounds of the engines and a part

void known_answers(Judge& judge) {
  // Random123, kat_vectors: philox4x32 10, counter 0, key 0.
  const generators::Philox::Block zero = {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8};
  judge.note(generators::Philox(0).block(0) == zero, "host Philox: known answer");
}

void pseudo_random(Judge& judge, size_t count) {
  {
    Generator generator(ROCRAND_RNG_PSEUDO_PHILOX4_32_10);
    std::vector<uint32_t> want(count);
    const generators::Philox philox(device_sequence::kSeed);
    for (size_t i = 0; i < count; ++i) want[i] = philox.word(i);
    judge.same(generator.values<uint32_t>(judge, "philox words", count, rocrand_generate), want,
               "philox");
  }
  {
    Generator generator(ROCRAND_RNG_PSEUDO_XORWOW);
    std::vector<uint32_t> want;
    for (const auto& draw : device_sequence::draws<generators::Xorwow>(count, 1)) {
      want.push_back(draw[0]);
    }
    judge.same(generator.values<uint32_t>(judge, "xorwow words", count, rocrand_generate), want,
               "xorwow");
  }
  Generator generator(ROCRAND_RNG_PSEUDO_MRG32K3A);
  std::vector<uint32_t> want;
  for (const auto& draw : device_sequence::draws<generators::Mrg32k3a>(count, 1)) {
    want.push_back(device_sequence::mrg_word(draw[0]));
  }
  judge.same(generator.values<uint32_t>(judge, "mrg32k3a words", count, rocrand_generate), want,
             "mrg32k3a");
}

// 512 generators, each with parameters of its own, give 256 words in turn.
void mtgp32(Judge& judge, size_t count) {
  std::vector<generators::Mtgp32> all;
  for (int set = 0; set < 512; ++set) all.emplace_back(set, device_sequence::kSeed);
  std::vector<uint32_t> want(count);
  for (size_t i = 0; i < count; ++i) want[i] = all[i / 256 % 512].next();
  Generator generator(ROCRAND_RNG_PSEUDO_MTGP32);
  judge.same(generator.values<uint32_t>(judge, "mtgp32 words", count, rocrand_generate), want,
             "mtgp32");
}

// The state goes on from call to call, and an offset skips words.
void continued(Judge& judge) {
  const generators::Philox philox(device_sequence::kSeed);
  for (const size_t offset : {0, 1, 4, 1000003}) {
    Generator generator(ROCRAND_RNG_PSEUDO_PHILOX4_32_10);
    ROCRAND_CHECK(rocrand_set_offset(generator.get(), offset));
    std::vector<uint32_t> got;
    std::vector<uint32_t> want;
    for (const size_t count : {400, 4, 256}) {
      for (size_t i = 0; i < count; ++i) want.push_back(philox.word(offset + want.size()));
      const auto part = generator.values<uint32_t>(judge, "philox part", count, rocrand_generate);
      got.insert(got.end(), part.begin(), part.end());
    }
    judge.same(got, want, "philox, three calls, offset " + std::to_string(offset));
  }
}

template <typename Word, typename Call>
void sobol(Judge& judge, rocrand_rng_type type, const std::string& name, Call call) {
  for (const size_t points : {1, 63, 1000, 40000}) {
    Generator generator(type);
    constexpr int dimensions = generators::Sobol<Word>::kDimensions;
    ROCRAND_CHECK(rocrand_set_quasi_random_generator_dimensions(generator.get(), dimensions));
    std::vector<Word> want;
    for (int dimension = 0; dimension < dimensions; ++dimension) {
      const generators::Sobol<Word> sequence(dimension);
      for (size_t i = 0; i < points; ++i) want.push_back(sequence.word(i));
    }
    judge.same(generator.values<Word>(judge, name, points * dimensions, call), want,
               name + " points=" + std::to_string(points));
  }
}

int main(int argc, char** argv) {
  Judge judge(argc, argv);
  known_answers(judge);
  const size_t count = judge.quick() ? 1000 : kWords;
  pseudo_random(judge, count);
  mtgp32(judge, count);
  continued(judge);
  sobol<uint32_t>(judge, ROCRAND_RNG_QUASI_SOBOL32, "sobol32 words", rocrand_generate);
  return judge.verdict();
}
