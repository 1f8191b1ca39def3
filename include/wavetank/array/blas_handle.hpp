// The handle through which this thread calls rocBLAS and rocSOLVER.
#pragma once

#if !__has_include(<rocblas/rocblas.h>)
#error "this header of wavetank::array needs rocBLAS: install librocblas-dev, link with -lrocblas"
#endif
#include <rocblas/rocblas.h>

#include "library.hpp"

namespace wavetank::detail {

inline rocblas_handle blas_handle() {
  return library_handle<rocblas_handle, rocblas_create_handle, rocblas_set_stream>("rocBLAS");
}

}  // namespace wavetank::detail
