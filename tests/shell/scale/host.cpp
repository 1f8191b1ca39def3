// The host's part, which any C++ compiler takes.
#include <hip/hip_runtime_api.h>

#include <cstdio>
#include <vector>

#include "scale.hpp"

int main() {
  hipDeviceProp_t properties;
  if (hipGetDeviceProperties(&properties, 0) != hipSuccess) return 2;
  std::vector<float> values(1000);
  for (int i = 0; i < 1000; ++i) values[i] = static_cast<float>(i);
  if (scale_on_device(values.data(), 3, 1000) != 0) return 1;
  for (int i = 0; i < 1000; ++i) {
    if (values[i] != 3.0f * static_cast<float>(i)) return 1;
  }
  std::printf("scaled on %s\n", properties.name);
}
