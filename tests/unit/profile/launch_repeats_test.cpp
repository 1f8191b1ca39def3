#include "profile/launch_repeats.hpp"

#include <gtest/gtest.h>

#include "unit/profile/sample_launches.hpp"

namespace wavetank::profile {
namespace {

LaunchProfile repeat_at(std::uint64_t dispatch_id, std::uint64_t begin_ns) {
  LaunchProfile launch = vector_copy();
  launch.timed_before = true;
  launch.dispatch_id = dispatch_id;
  launch.begin_ns = begin_ns;
  launch.end_ns = begin_ns + 100;
  launch.repeats.first_ns = static_cast<double>(begin_ns);
  return launch;
}

TEST(LaunchRepeats, LaunchesAtEvenDistancesShareAProfileAndKeepTheirTimes) {
  LaunchProfile first = repeat_at(3, 1000);
  const double begins[] = {1250.5, 1501, 1751.5};
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(add_repeat(first, 0, 5 + 2 * i, begins[i]));
  }
  EXPECT_EQ(first.repeats.count, 4u);
  std::vector<std::uint64_t> ids, begin_ns, end_ns;
  for_each_launch({first}, [&](const LaunchProfile& launch) {
    ids.push_back(launch.dispatch_id);
    begin_ns.push_back(launch.begin_ns);
    end_ns.push_back(launch.end_ns);
  });
  EXPECT_EQ(ids, (std::vector<std::uint64_t>{3, 5, 7, 9}));
  EXPECT_EQ(begin_ns, (std::vector<std::uint64_t>{1000, 1250, 1501, 1751}));
  EXPECT_EQ(end_ns, (std::vector<std::uint64_t>{1100, 1350, 1601, 1851}));
}

TEST(LaunchRepeats, FractionsOfANanosecondDoNotAddUp) {
  LaunchProfile first = repeat_at(1, 1000);
  first.repeats.first_ns = 1000.9;
  for (std::uint64_t i = 1; i < 1000; ++i) {
    ASSERT_TRUE(add_repeat(first, 0, 1 + i, 1000.9 + 0.7 * static_cast<double>(i))) << i;
  }
}

TEST(LaunchRepeats, ALaunchAtAnotherDistanceOrOnAnotherStreamIsNoPart) {
  LaunchProfile first = repeat_at(1, 1000);
  ASSERT_TRUE(add_repeat(first, 0, 2, 1200));
  EXPECT_FALSE(add_repeat(first, 0, 3, 1402)) << "two nanoseconds late";
  EXPECT_FALSE(add_repeat(first, 0, 4, 1400)) << "another launch came between";
  EXPECT_FALSE(add_repeat(first, 1, 3, 1400)) << "another stream";
  EXPECT_TRUE(add_repeat(first, 0, 3, 1401)) << "times are true to the nanosecond";
  EXPECT_EQ(first.repeats.count, 3u);
}

TEST(LaunchRepeats, AProfileOfOneLaunchIsVisitedOnce) {
  int visits = 0;
  for_each_launch({vector_copy(), repeat_at(7, 20000)}, [&](const LaunchProfile&) { ++visits; });
  EXPECT_EQ(visits, 2);
}

}  // namespace
}  // namespace wavetank::profile
