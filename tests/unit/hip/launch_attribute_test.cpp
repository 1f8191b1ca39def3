// Launch attributes (hipLaunchKernelExC, hipDrvLaunchKernelEx): what a request takes from them.
#include <gtest/gtest.h>

#include "hip/runtime/launch.hpp"

namespace wavetank::hip {
namespace {

abi::LaunchSetting setting(abi::LaunchAttribute id, std::int32_t value) {
  abi::LaunchSetting result{};
  result.id = id;
  result.value.cooperative = value;
  return result;
}

TEST(LaunchAttributes, MakeALaunchCooperative) {
  LaunchRequest request;
  const abi::LaunchSetting on[] = {setting(abi::LaunchAttribute::kPriority, 1),
                                   setting(abi::LaunchAttribute::kCooperative, 1)};
  EXPECT_EQ(read_launch_attributes(on, 1, request), abi::Status::kSuccess);
  EXPECT_FALSE(request.cooperative);
  EXPECT_EQ(read_launch_attributes(on, 2, request), abi::Status::kSuccess);
  EXPECT_TRUE(request.cooperative);
}

TEST(LaunchAttributes, AreRefusedWithoutAListOrMeaning) {
  LaunchRequest request;
  EXPECT_EQ(read_launch_attributes(nullptr, 0, request), abi::Status::kSuccess);
  EXPECT_EQ(read_launch_attributes(nullptr, 1, request), abi::Status::kInvalidConfiguration);
  const abi::LaunchSetting unknown = setting(static_cast<abi::LaunchAttribute>(4), 1);
  EXPECT_EQ(read_launch_attributes(&unknown, 1, request), abi::Status::kNotSupported);
}

}  // namespace
}  // namespace wavetank::hip
