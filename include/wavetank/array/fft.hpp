// Fourier transforms by rocFFT, of all dimensions of an array: `fft(a)`, `ifft(a)`, and of real
// numbers, whose transform is known by half of it, `rfft(a)`, `irfft(c)`.
#pragma once

#if !__has_include(<rocfft/rocfft.h>)
#error "wavetank/array/fft.hpp needs rocFFT: install librocfft-dev and link with -lrocfft"
#endif
#include <rocfft/rocfft.h>

#include <complex>

#include "array.hpp"
#include "library.hpp"
#include "map.hpp"

namespace wavetank {
namespace detail {

inline void fft_check(rocfft_status status, const char* call) {
  library_check("rocFFT", status, call);
}

/// Prepares rocFFT once for the process, which also takes it down.
inline void prepare_fft() {
  static const bool prepared = [] {
    fft_check(rocfft_setup(), "preparing rocFFT");
    return true;
  }();
  static_cast<void>(prepared);
}

/// The transform of one type of arrays of T, of which the one that is not halved has this shape.
template <class T, int Rank>
class fft_plan {
  static_assert(Rank <= 3, "rocFFT transforms at most three dimensions");
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "rocFFT transforms float and double");

 public:
  fft_plan(const extents<Rank>& shape, rocfft_transform_type type, rocfft_result_placement where) {
    prepare_fft();
    std::size_t lengths[Rank];  // rocFFT names the dimension whose elements are neighbours first
    for (int d = 0; d < Rank; ++d) lengths[d] = static_cast<std::size_t>(shape[Rank - 1 - d]);
    constexpr auto precision =
        std::is_same_v<T, float> ? rocfft_precision_single : rocfft_precision_double;
    fft_check(rocfft_plan_create(&plan_, where, type, precision, Rank, lengths, 1, nullptr),
              "planning a Fourier transform");
    fft_check(rocfft_execution_info_create(&info_), "planning a Fourier transform");
  }
  fft_plan(const fft_plan&) = delete;
  fft_plan& operator=(const fft_plan&) = delete;
  ~fft_plan() {
    // A destructor cannot report, and what is lost is memory of the host.
    static_cast<void>(rocfft_execution_info_destroy(info_));
    static_cast<void>(rocfft_plan_destroy(plan_));
  }

  /// Transforms `from` into `to`; in place without `to`.
  void run(void* from, void* to = nullptr) const {
    std::size_t bytes = 0;
    fft_check(rocfft_plan_get_work_buffer_size(plan_, &bytes), "asking for a transform's memory");
    const storage memory(bytes);
    if (bytes)
      fft_check(rocfft_execution_info_set_work_buffer(info_, memory.data(), bytes),
                "giving a transform its memory");
    fft_check(rocfft_execution_info_set_stream(info_, current_stream()),
              "choosing the stream of a transform");
    fft_check(rocfft_execute(plan_, &from, to ? &to : nullptr, info_), "transforming an array");
    synchronize();  // the plan may go only when its kernels are through
  }

 private:
  rocfft_plan plan_ = nullptr;
  rocfft_execution_info info_ = nullptr;
};

template <class T>
struct make_complex {
  __host__ __device__ std::complex<T> operator()(T real) const { return {real, T(0)}; }
};

/// Multiplies by a real factor.
template <class T>
struct scale {
  T factor;
  __host__ __device__ T operator()(T x) const { return x * factor; }
  __host__ __device__ std::complex<T> operator()(std::complex<T> x) const {
    return {x.real() * factor, x.imag() * factor};
  }
};

/// Divides what an inverse transform gave by the number of elements.
template <class Element, int Rank>
void normalise(array<Element, Rank>& a) {
  using T = decltype(std::abs(Element()));
  a = map(scale<T>{T(1) / static_cast<T>(a.size())}, a);
}

template <class T, int Rank>
void transform(array<std::complex<T>, Rank>& a, rocfft_transform_type type) {
  if (a.size()) fft_plan<T, Rank>(a.shape(), type, rocfft_placement_inplace).run(a.data());
}

/// The shape of the transform of real numbers: half of the last dimension, and the element between.
template <int Rank>
extents<Rank> halved(extents<Rank> shape) {
  if (shape[Rank - 1] > 0) shape[Rank - 1] = shape[Rank - 1] / 2 + 1;
  return shape;
}

}  // namespace detail

/// The Fourier transform of complex numbers, without a factor.
template <class T, int Rank>
array<std::complex<T>, Rank> fft(const view<std::complex<T>, Rank>& a) {
  array<std::complex<T>, Rank> result(a);
  detail::transform(result, rocfft_transform_type_complex_forward);
  return result;
}
/// The Fourier transform of real numbers: all of its complex values.
template <class T, int Rank>
  requires std::is_floating_point_v<T>
array<std::complex<T>, Rank> fft(const view<T, Rank>& a) {
  array<std::complex<T>, Rank> result(map(detail::make_complex<T>{}, a));
  detail::transform(result, rocfft_transform_type_complex_forward);
  return result;
}
/// The inverse: ifft(fft(a)) is a, but for rounding.
template <class T, int Rank>
array<std::complex<T>, Rank> ifft(const view<std::complex<T>, Rank>& a) {
  array<std::complex<T>, Rank> result(a);
  if (result.size() == 0) return result;
  detail::transform(result, rocfft_transform_type_complex_inverse);
  detail::normalise(result);
  return result;
}

/// The Fourier transform of real numbers as far as it says something new: of n elements along the
/// last dimension the first n / 2 + 1, of which the others are the conjugates.
template <class T, int Rank>
  requires std::is_floating_point_v<T>
array<std::complex<T>, Rank> rfft(const view<T, Rank>& a) {
  array<T, Rank> from(a);  // rocFFT may write into what it reads
  array<std::complex<T>, Rank> result(detail::halved(a.shape()));
  if (a.size() == 0) return result;
  detail::fft_plan<T, Rank>(a.shape(), rocfft_transform_type_real_forward,
                            rocfft_placement_notinplace)
      .run(from.data(), result.data());
  return result;
}
/// The inverse, of `count` elements along the last dimension: irfft(rfft(a), n) is a, but for
/// rounding, where a has n.
template <class T, int Rank>
array<T, Rank> irfft(const view<std::complex<T>, Rank>& a, std::int64_t count) {
  extents<Rank> shape = a.shape();
  shape[Rank - 1] = count;
  detail::require_extents(shape);
  if (detail::halved(shape) != a.shape())
    throw shape_error("irfft cannot make " + std::to_string(count) +
                      " real numbers along the last dimension of a transform of shape " +
                      to_string(a.shape()) + ": theirs has " +
                      std::to_string(detail::halved(shape)[Rank - 1]));
  array<std::complex<T>, Rank> from(a);  // rocFFT writes into what it reads
  array<T, Rank> result(shape);
  if (result.size() == 0) return result;
  detail::fft_plan<T, Rank>(shape, rocfft_transform_type_real_inverse, rocfft_placement_notinplace)
      .run(from.data(), result.data());
  detail::normalise(result);
  return result;
}
/// The inverse for an even number of elements.
template <class T, int Rank>
array<T, Rank> irfft(const view<std::complex<T>, Rank>& a) {
  return irfft(a, std::max<std::int64_t>(2 * (a.extent(Rank - 1) - 1), 0));
}

}  // namespace wavetank
