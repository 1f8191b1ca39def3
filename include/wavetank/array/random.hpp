// Random numbers by rocRAND: `rand<float>(1000)`, `randn<double>(extents{10, 10})`.
#pragma once

#if !__has_include(<rocrand/rocrand.h>)
#error "wavetank/array/random.hpp needs rocRAND: install librocrand-dev and link with -lrocrand"
#endif
#include <rocrand/rocrand.h>

#include "array.hpp"
#include "library.hpp"
#include "slice.hpp"

namespace wavetank {

/// A sequence of random numbers on the device. The same seed gives the same numbers.
class random_generator {
 public:
  explicit random_generator(std::uint64_t seed = 0) {
    check(rocrand_create_generator(&generator_, ROCRAND_RNG_PSEUDO_PHILOX4_32_10),
          "creating a random generator");
    check(rocrand_set_seed(generator_, seed), "seeding a random generator");
  }
  random_generator(const random_generator&) = delete;
  random_generator& operator=(const random_generator&) = delete;
  ~random_generator() { static_cast<void>(rocrand_destroy_generator(generator_)); }

  /// Fills a view without gaps: floats and doubles uniform in (0, 1], unsigned int in all bits.
  template <class T, int Rank>
  void uniform(const view<T, Rank>& a) {
    prepare(a.is_contiguous());
    if constexpr (std::is_same_v<T, float>)
      check(rocrand_generate_uniform(generator_, a.data(), a.size()), "drawing random numbers");
    else if constexpr (std::is_same_v<T, double>)
      check(rocrand_generate_uniform_double(generator_, a.data(), a.size()),
            "drawing random numbers");
    else
      check(rocrand_generate(generator_, a.data(), a.size()), "drawing random numbers");
  }
  /// Fills a view without gaps of an even number of elements: normal numbers.
  template <class T, int Rank>
  void normal(const view<T, Rank>& a, T mean, T deviation) {
    prepare(a.is_contiguous());
    if constexpr (std::is_same_v<T, float>)
      check(rocrand_generate_normal(generator_, a.data(), a.size(), mean, deviation),
            "drawing normal numbers");
    else
      check(rocrand_generate_normal_double(generator_, a.data(), a.size(), mean, deviation),
            "drawing normal numbers");
  }

 private:
  static void check(rocrand_status status, const char* call) {
    detail::library_check("rocRAND", status, call);
  }
  void prepare(bool contiguous) {
    if (!contiguous) throw shape_error("rocRAND fills arrays without gaps only");
    check(rocrand_set_stream(generator_, current_stream()), "choosing the stream of a generator");
  }

  rocrand_generator generator_ = nullptr;
};

/// The generator of rand() and randn() of this thread, which starts with the seed 0.
inline random_generator& default_generator() {
  static thread_local random_generator generator;
  return generator;
}

/// Uniform numbers in (0, 1]; of unsigned int in all bits.
template <class T, int Rank>
array<T, Rank> rand(const extents<Rank>& shape, random_generator& from = default_generator()) {
  array<T, Rank> result(shape);
  if (result.size()) from.uniform(result);
  return result;
}
template <class T, std::integral... Extent>
auto rand(Extent... each) {
  return rand<T>(extents{each...});
}
/// Normal numbers.
template <class T, int Rank>
array<T, Rank> randn(const extents<Rank>& shape, random_generator& from = default_generator()) {
  // Numbers come in pairs: one more is drawn and dropped for an odd count.
  array<T, 1> drawn(extents{(shape.count() + 1) / 2 * 2});
  if (drawn.size()) from.normal(drawn, T(0), T(1));
  return array<T, Rank>(reshape(slice(drawn, range{0, shape.count()}), shape));
}
template <class T, std::integral... Extent>
auto randn(Extent... each) {
  return randn<T>(extents{each...});
}

}  // namespace wavetank
