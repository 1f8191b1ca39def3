// Which word of which generator rocRAND's host API gives to which element, and the host's call of
// it.
#pragma once

#include <rocrand/rocrand.h>

#include "judge.hpp"
#include "rocrand/generators.hpp"

// Ends the program with a message when a rocRAND call fails.
#define ROCRAND_CHECK(call)                                                              \
  do {                                                                                   \
    const rocrand_status status = (call);                                                \
    if (status != ROCRAND_STATUS_SUCCESS) {                                              \
      std::fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status); \
      std::exit(2);                                                                      \
    }                                                                                    \
  } while (false)

namespace device_sequence {

constexpr uint64_t kSeed = 0x89abcdefu;
// rocRAND 5.3 keeps 512 blocks of 256 engines for XORWOW and MRG32k3a; engine e starts at
// subsequence e, and the engines take turns.
constexpr size_t kEngines = 512 * 256;

// One generator of the library, destroyed at the end of its scope.
class Generator {
 public:
  explicit Generator(rocrand_rng_type type) : type_(type) {
    ROCRAND_CHECK(rocrand_create_generator(&generator_, type));
    if (type < ROCRAND_RNG_QUASI_DEFAULT) ROCRAND_CHECK(rocrand_set_seed(generator_, kSeed));
  }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;
  ~Generator() { (void)rocrand_destroy_generator(generator_); }

  rocrand_generator get() const { return generator_; }
  // `count` values of T from `call(generator, data, count)`.
  template <typename T, typename Call>
  std::vector<T> values(libraries::Judge& judge, const std::string& what, size_t count, Call call) {
    example::DeviceArray<T> out(count);
    judge.timed(what, count, [&] { ROCRAND_CHECK(call(generator_, out.data(), count)); });
    return out.read();
  }

 private:
  rocrand_rng_type type_;
  rocrand_generator generator_ = nullptr;
};

// Draws of `width` words: draw d of engine e is words[d * width...]; in the order of the elements.
using Draws = std::vector<std::array<uint32_t, 4>>;

// `count` draws of `width` words each from engines that take turns.
template <typename Engine>
Draws draws(size_t count, int width) {
  std::vector<Engine> engines;
  Engine engine(kSeed);
  for (size_t e = 0; e < std::min(count, kEngines); ++e) {
    engines.push_back(engine);
    engine.jump_subsequence();
  }
  Draws all(count);
  for (size_t d = 0; d < count; ++d) {
    for (int k = 0; k < width; ++k) all[d][k] = engines[d % kEngines].next();
  }
  return all;
}

// Philox: draw d is the block at counter d.
inline Draws philox_draws(size_t count) {
  const generators::Philox philox(kSeed);
  Draws all(count);
  for (size_t d = 0; d < count; ++d) all[d] = philox.block(d);
  return all;
}

// The integers that rocRAND makes of MRG32k3a's numbers 1..m1: spread over 0..2^32-1.
inline uint32_t mrg_word(uint32_t number) {
  return static_cast<uint32_t>((number - 1) *
                               (4294967295.0 / static_cast<double>(generators::Mrg32k3a::kM1 - 1)));
}

}  // namespace device_sequence
