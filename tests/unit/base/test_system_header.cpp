#include "base/system_header.hpp"

#include <gtest/gtest.h>

namespace wavetank {
namespace {

TEST(SystemHeader, IsOfTheSystemOrOfRocmOrOfWavetank) {
  EXPECT_TRUE(is_system_header("/usr/include/hip/hip_runtime.h"));
  EXPECT_TRUE(is_system_header("/opt/rocm-6.4/include/hip/hip_runtime.h"));
  EXPECT_TRUE(is_system_header("/home/me/.local/share/wavetank/include/hip/hip_runtime.h"));
  EXPECT_FALSE(is_system_header("/home/me/usr/kernel.hip"));
  EXPECT_FALSE(is_system_header("kernel.hip"));
}

}  // namespace
}  // namespace wavetank
