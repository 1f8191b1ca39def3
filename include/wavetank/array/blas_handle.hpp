// The handle through which this thread calls rocBLAS and rocSOLVER.
#pragma once

#if !__has_include(<rocblas/rocblas.h>)
#error "this header of wavetank::array needs rocBLAS: install librocblas-dev, link with -lrocblas"
#endif
#include <rocblas/rocblas.h>

#include "stream.hpp"

namespace wavetank::detail {

inline void blas_check(rocblas_status status, const char* call) {
  if (status != rocblas_status_success) throw library_error("rocBLAS", status, call);
}
inline rocblas_handle blas_handle() {
  static thread_local rocblas_handle handle = [] {
    rocblas_handle made = nullptr;
    blas_check(rocblas_create_handle(&made), "preparing rocBLAS");
    return made;
  }();
  blas_check(rocblas_set_stream(handle, current_stream()), "choosing rocBLAS's stream");
  return handle;
}

}  // namespace wavetank::detail
