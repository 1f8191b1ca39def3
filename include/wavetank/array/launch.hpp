// Kernels of one's own on arrays: `launch(kernel, extents{n}, a, b, c)` covers a shape with
// work-items, the last dimension along x. Arrays become what the kernel takes: a pointer or a
// device_view.
#pragma once

#include <cstdlib>

#include "device_view.hpp"
#include "launch_limits.hpp"

namespace wavetank {
namespace detail {

/// An argument as a kernel's parameter of type Parameter.
template <class Parameter, class T, int Rank>
Parameter kernel_argument(const view<T, Rank>& argument) {
  if constexpr (std::is_pointer_v<Parameter>) {
    static_assert(std::is_convertible_v<T*, Parameter>, "the kernel takes other elements");
    if (!argument.is_contiguous())
      throw shape_error(
          "a kernel that takes a pointer cannot have a view with gaps, here of shape " +
          to_string(argument.shape()) + ": give it an array, or let it take a device_view");
    return argument.data();
  } else {
    return Parameter(argument);
  }
}
template <class Parameter, class T>
  requires(!expression<T>)
Parameter kernel_argument(const T& argument) {
  return static_cast<Parameter>(argument);
}

template <class... Parameter, int Rank, class... Argument>
void launch_function(const launch_options& options, void (*kernel)(Parameter...),
                     const extents<Rank>& shape, const Argument&... arguments) {
  static_assert(Rank <= 3, "a grid has at most three dimensions");
  static_assert(sizeof...(Parameter) == sizeof...(Argument), "the kernel takes other arguments");
  if (shape.count() == 0) return;
  const void* function = reinterpret_cast<const void*>(kernel);
  dim3 block = options.block;
  if (block.x == 0)
    block = block_for(shape, best_block(function, options.lds_bytes));
  else
    require_launchable(function, block, options.lds_bytes);
  kernel<<<grid_for(shape, block), block, options.lds_bytes, current_stream()>>>(
      kernel_argument<Parameter>(arguments)...);
  check(hipGetLastError(), "launching a kernel");
}

/// The kernel of a function object.
template <class F, class... Argument>
__global__ void call_object(F f, Argument... arguments) {
  f(arguments...);
}

/// Whether views are to check bounds where the kernel is compiled for both: under `wavetank check`,
/// which says so by a variable.
inline bool is_checked_run() {
  static const bool checked = kChecksBounds || std::getenv("WAVETANK_CHECK") != nullptr;
  return checked;
}

template <bool Checked, class T, int Rank>
device_view<T, Rank, Checked> object_argument(const view<T, Rank>& argument) {
  return argument;
}
template <bool, class T>
  requires(!expression<T>)
T object_argument(const T& argument) {
  return argument;
}

template <bool Checked, class F, int Rank, class... Argument>
void launch_object(const launch_options& options, const F& f, const extents<Rank>& shape,
                   const Argument&... arguments) {
  launch_function(options, &call_object<F, decltype(object_argument<Checked>(arguments))...>, shape,
                  f, object_argument<Checked>(arguments)...);
}

}  // namespace detail

/// Launches a __global__ function on at least one work-item for each element of `shape`, with the
/// block size of the best occupancy. Throws launch_error.
template <class... Parameter, int Rank, class... Argument>
void launch(void (*kernel)(Parameter...), const extents<Rank>& shape,
            const Argument&... arguments) {
  detail::launch_function({}, kernel, shape, arguments...);
}
/// The same with a block size or LDS of one's own; throws launch_error if the device or the kernel
/// cannot have them.
template <class... Parameter, int Rank, class... Argument>
void launch(const launch_options& options, void (*kernel)(Parameter...), const extents<Rank>& shape,
            const Argument&... arguments) {
  detail::launch_function(options, kernel, shape, arguments...);
}
/// Launches a function object whose parameters for arrays are `auto`: under `wavetank check` their
/// views check bounds, otherwise they cost nothing.
template <class F, int Rank, class... Argument>
  requires std::is_class_v<F>
void launch(const F& f, const extents<Rank>& shape, const Argument&... arguments) {
  launch(launch_options{}, f, shape, arguments...);
}
template <class F, int Rank, class... Argument>
  requires std::is_class_v<F>
void launch(const launch_options& options, const F& f, const extents<Rank>& shape,
            const Argument&... arguments) {
  if (detail::is_checked_run())
    detail::launch_object<true>(options, f, shape, arguments...);
  else
    detail::launch_object<false>(options, f, shape, arguments...);
}

}  // namespace wavetank
