# AMD's libraries behind the headers of wavetank::array, each optional. Used by the build and, installed
# beside it, by wavetankConfig.cmake.
#
# wavetank_array_libraries(TARGET) gives the interface library TARGET what is found, sets
# WAVETANK_ARRAY_HAS_<name> in the caller, and says which package brings what is missing.
function(wavetank_array_library TARGET NAME HEADER LIBRARY PACKAGE GIVES)
  find_path(${NAME}_INCLUDE_DIR "${HEADER}")
  set(found "${${NAME}_INCLUDE_DIR}")
  if(LIBRARY)
    find_library(${NAME}_LIBRARY "${LIBRARY}")
    if(NOT ${NAME}_LIBRARY)
      set(found FALSE)
    endif()
  endif()
  if(found)
    if(LIBRARY)
      target_link_libraries(${TARGET} INTERFACE "${${NAME}_LIBRARY}")
    endif()
    set(WAVETANK_ARRAY_HAS_${NAME} TRUE PARENT_SCOPE)
  else()
    message(STATUS "wavetank::array without ${GIVES}: the package ${PACKAGE} is not installed")
    set(WAVETANK_ARRAY_HAS_${NAME} FALSE PARENT_SCOPE)
  endif()
endfunction()

macro(wavetank_array_libraries TARGET)
  wavetank_array_library(${TARGET} ROCPRIM rocprim/rocprim.hpp "" librocprim-dev
    "reductions, scans and sorting (reduce.hpp, reduce_axis.hpp, scan.hpp, sort.hpp, filter.hpp)")
  wavetank_array_library(${TARGET} ROCRAND rocrand/rocrand.h rocrand librocrand-dev
    "random numbers (random.hpp)")
  wavetank_array_library(${TARGET} ROCSPARSE rocsparse/rocsparse.h rocsparse librocsparse-dev
    "sparse matrices (sparse.hpp)")
  wavetank_array_library(${TARGET} ROCBLAS rocblas/rocblas.h rocblas librocblas-dev
    "rocBLAS (matmul.hpp takes a kernel of its own)")
  wavetank_array_library(${TARGET} ROCFFT rocfft/rocfft.h rocfft librocfft-dev
    "Fourier transforms (fft.hpp)")
  wavetank_array_library(${TARGET} ROCSOLVER rocsolver/rocsolver.h rocsolver librocsolver-dev
    "lu, qr and solve (solver.hpp)")
endmacro()
