// Fourier transforms by rocFFT, of all dimensions of an array: `fft(a)`, `ifft(a)`.
#pragma once

#if !__has_include(<rocfft/rocfft.h>)
#error "wavetank/array/fft.hpp needs rocFFT: install librocfft-dev and link with -lrocfft"
#endif
#include <rocfft/rocfft.h>

#include <complex>

#include "array.hpp"
#include "map.hpp"
#include "operators.hpp"

namespace wavetank {
namespace detail {

inline void fft_check(rocfft_status status, const char* call) {
  if (status != rocfft_status_success) throw library_error("rocFFT", status, call);
}

/// Prepares rocFFT once for the process, which also takes it down.
inline void prepare_fft() {
  static const bool prepared = [] {
    fft_check(rocfft_setup(), "preparing rocFFT");
    return true;
  }();
  static_cast<void>(prepared);
}

/// A transform in place of complex numbers of one shape and direction.
template <class T, int Rank>
class fft_plan {
  static_assert(Rank <= 3, "rocFFT transforms at most three dimensions");

 public:
  fft_plan(const extents<Rank>& shape, rocfft_transform_type type) {
    prepare_fft();
    std::size_t lengths[Rank];  // rocFFT names the dimension whose elements are neighbours first
    for (int d = 0; d < Rank; ++d) lengths[d] = static_cast<std::size_t>(shape[Rank - 1 - d]);
    constexpr auto precision =
        std::is_same_v<T, float> ? rocfft_precision_single : rocfft_precision_double;
    fft_check(rocfft_plan_create(&plan_, rocfft_placement_inplace, type, precision, Rank, lengths,
                                 1, nullptr),
              "planning a Fourier transform");
    fft_check(rocfft_execution_info_create(&info_), "planning a Fourier transform");
  }
  fft_plan(const fft_plan&) = delete;
  fft_plan& operator=(const fft_plan&) = delete;
  ~fft_plan() {
    static_cast<void>(rocfft_execution_info_destroy(info_));
    static_cast<void>(rocfft_plan_destroy(plan_));
  }

  void run(std::complex<T>* data) const {
    std::size_t bytes = 0;
    fft_check(rocfft_plan_get_work_buffer_size(plan_, &bytes), "asking for a transform's memory");
    const storage memory(bytes);
    if (bytes)
      fft_check(rocfft_execution_info_set_work_buffer(info_, memory.data(), bytes),
                "giving a transform its memory");
    fft_check(rocfft_execution_info_set_stream(info_, current_stream()),
              "choosing the stream of a transform");
    void* buffers[] = {data};
    fft_check(rocfft_execute(plan_, buffers, nullptr, info_), "transforming an array");
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

template <class T, int Rank>
void transform(array<std::complex<T>, Rank>& a, rocfft_transform_type type) {
  if (a.size()) fft_plan<T, Rank>(a.shape(), type).run(a.data());
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
  detail::transform(result, rocfft_transform_type_complex_inverse);
  const T factor = T(1) / static_cast<T>(result.size() ? result.size() : 1);
  result = map(
      [factor](std::complex<T> x) { return std::complex<T>(x.real() * factor, x.imag() * factor); },
      result);
  return result;
}

}  // namespace wavetank
