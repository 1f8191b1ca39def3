// What the programs of this folder share.
#pragma once

#include "../common/check.hpp"

/// Device memory of `count` elements, all zero.
template <class T>
T* zeros(std::size_t count) {
  T* memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, count * sizeof(T)));
  HIP_CHECK(hipMemset(memory, 0, count * sizeof(T)));
  return memory;
}

/// Waits for the device.
inline int finish() {
  HIP_CHECK(hipDeviceSynchronize());
  return 0;
}
