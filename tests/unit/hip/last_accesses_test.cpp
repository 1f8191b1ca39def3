// What a launch has in its registers is known to the one behind it.
#include "hip/runtime/timed/last_accesses.hpp"

#include <gtest/gtest.h>

#include "isa/catalogue.hpp"

namespace wavetank::hip {
namespace {

constexpr std::uint64_t kArray = 1 << 20, kOther = 1 << 24;

profile::InstructionProfile access(const char* name, std::uint64_t address, double stride = 4) {
  profile::InstructionProfile i;
  i.row = isa::find_row(name);
  i.lowest_address = address;
  i.stride = {stride, stride};
  i.hits = i.strided_accesses = 16;
  return i;
}
profile::InstructionProfile load(std::uint64_t address, double stride = 4) {
  return access("global_load_dword", address, stride);
}
profile::InstructionProfile store(std::uint64_t address) {
  return access("global_store_dword", address);
}

dispatch::Launch launch_of(std::uint32_t work_items) {
  dispatch::Launch launch;
  launch.grid_work_items = {work_items, 1, 1};
  return launch;
}

/// How often the instructions of a launch access what one before with others had.
std::vector<double> known(std::vector<profile::InstructionProfile> before,
                          std::vector<profile::InstructionProfile> behind,
                          std::uint32_t work_items = 1024) {
  profile::LaunchProfile first, second;
  first.instructions = std::move(before);
  second.instructions = std::move(behind);
  LastAccesses(launch_of(1024), first).mark({launch_of(work_items), second}, second);
  std::vector<double> hits;
  for (const auto& i : second.instructions) hits.push_back(i.known_before);
  return hits;
}

using Hits = std::vector<double>;

TEST(LastAccesses, TheSameElementsAreKnownWhetherLoadedOrStored) {
  EXPECT_EQ(known({load(kOther), store(kArray)}, {load(kArray), load(kOther), store(kArray)}),
            (Hits{16, 16, 16}));
  EXPECT_EQ(known({store(kArray)}, {load(kArray), load(kOther)}), (Hits{16, 0}));
}

TEST(LastAccesses, OtherElementsAreNot) {
  EXPECT_EQ(known({store(kArray)}, {load(kArray, 8)}), Hits{0}) << "another stride";
  EXPECT_EQ(known({store(kArray)}, {load(kArray)}, 512), Hits{0}) << "fewer work-items";
  auto oftener = load(kArray);
  oftener.hits = 17;
  EXPECT_EQ(known({load(kArray)}, {oftener}), Hits{0}) << "more of them";
  EXPECT_EQ(known({load(kArray, 0)}, {load(kArray, 0)}), Hits{0}) << "the same for all lanes";
}

TEST(LastAccesses, WhoNeedsWhatOthersStoredHasToWaitForThem) {
  EXPECT_EQ(known({store(kArray)}, {load(kArray), load(kArray + 4)}), (Hits{0, 0}));
  EXPECT_EQ(known({load(kArray)}, {load(kArray), load(kArray + 4)}), (Hits{16, 0}))
      << "what was loaded only";
  EXPECT_EQ(known({store(kArray)}, {load(kArray), load(kArray + 4096)}), (Hits{16, 0}))
      << "behind the last element";
}

TEST(LastAccesses, ALaunchThatDoesTheSameAgainIsABenchmarkUnlessItLoadsWhatItStored) {
  EXPECT_EQ(known({load(kOther), store(kArray)}, {load(kOther), store(kArray)}), (Hits{0, 0}));
  EXPECT_EQ(known({load(kArray), store(kArray)}, {load(kArray), store(kArray)}), (Hits{16, 16}));
}

}  // namespace
}  // namespace wavetank::hip
