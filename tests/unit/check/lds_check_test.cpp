#include "check/lds_check.hpp"

#include <gtest/gtest.h>

#include <array>

namespace wavetank::check {
namespace {

/// Waves of a workgroup that access its LDS, 64 dwords at a time.
class LdsOfWaves {
 protected:
  explicit LdsOfWaves(unsigned access_bytes) { lds_.begin(16384, access_bytes, 4); }
  /// True if the access races: lane i touches the dword at first_byte + i * stride_bytes.
  bool access(AccessKind kind, unsigned wave, std::uint32_t first_byte,
              std::uint32_t stride_bytes = 4, unsigned bytes = 4) {
    std::array<std::uint32_t, 64> address;
    for (std::uint32_t lane = 0; lane < 64; ++lane) address[lane] = stride_bytes * lane;
    machine::Step step;
    step.access_bytes = bytes;
    step.address.refer(address.data(), nullptr, first_byte);
    const LdsAccess now{facts_of(kind), step, kind, wave, ~std::uint64_t{0}};
    if (lds_.known(now) != nullptr) return false;
    std::vector<LaneRange> ranges;
    collect_ranges(step, now.lanes, ranges);
    bool raced = false;
    lds_.access(now, ranges, true, [&](const auto&...) { raced = true; });
    return raced;
  }
  bool read(unsigned wave, std::uint32_t byte, std::uint32_t stride = 4) {
    return access(AccessKind::kRead, wave, byte, stride);
  }
  bool write(unsigned wave, std::uint32_t byte, std::uint32_t stride = 4) {
    return access(AccessKind::kWrite, wave, byte, stride);
  }
  bool change(unsigned wave, std::uint32_t byte) { return access(AccessKind::kAtomic, wave, byte); }

 private:
  const machine::StepFacts& facts_of(AccessKind kind) {
    machine::StepFacts& facts = all_facts_[static_cast<std::size_t>(kind)];
    facts.index = 1 + static_cast<std::uint32_t>(kind);
    return facts;
  }
  std::array<machine::StepFacts, 5> all_facts_;

 protected:
  LdsCheck lds_;
};

class Lds : public LdsOfWaves, public ::testing::TestWithParam<unsigned> {
 protected:
  Lds() : LdsOfWaves(GetParam()) {}
};
INSTANTIATE_TEST_SUITE_P(OfAllWidths, Lds, ::testing::Values(1u, 2u, 4u));

TEST_P(Lds, WavesThatKeepApartDoNotRace) {
  for (int again = 0; again < 3; ++again) {
    for (unsigned wave = 0; wave < 4; ++wave) {
      EXPECT_FALSE(write(wave, 256 * wave));
      EXPECT_FALSE(read(wave, 256 * wave));
    }
  }
}

TEST_P(Lds, AStoreMeetsTheLoadOfAnotherWaveUntilABarrierLiesBetween) {
  EXPECT_FALSE(read(0, 0));
  EXPECT_TRUE(write(1, 252)) << "one dword of it";
  lds_.pass_barrier();
  EXPECT_FALSE(write(1, 256));
  EXPECT_FALSE(read(2, 0)) << "all dwords before";
}

TEST_P(Lds, ARaceIsSeenAgainInTheNextInterval) {
  for (int again = 0; again < 3; ++again) {
    EXPECT_FALSE(write(0, 0));
    EXPECT_TRUE(read(1, 0));
    lds_.pass_barrier();
  }
}

TEST_P(Lds, AStoreMeetsALoadOfAnotherWaveThatItsOwnWaveMadeToo) {
  EXPECT_FALSE(read(0, 0));
  EXPECT_FALSE(read(1, 0));
  EXPECT_TRUE(write(1, 0));
}

TEST_P(Lds, EachMeetingCountsAfterTheFirst) {
  EXPECT_FALSE(write(0, 0));
  EXPECT_TRUE(write(1, 0));
  EXPECT_FALSE(write(1, 1024));
  EXPECT_TRUE(read(2, 1024));
}

TEST_P(Lds, AtomicsMeetPlainAccessesOnly) {
  EXPECT_FALSE(change(0, 0));
  EXPECT_FALSE(change(1, 0));
  EXPECT_TRUE(read(2, 0));
  lds_.pass_barrier();
  EXPECT_FALSE(read(1, 0));
  EXPECT_TRUE(change(0, 0));
}

TEST_P(Lds, StridedLanesMeetOnlyWhereTheyAre) {
  EXPECT_FALSE(write(0, 0, 8));
  EXPECT_FALSE(write(1, 4, 8));
  EXPECT_TRUE(read(2, 4, 8));
}

class LdsOfBytes : public LdsOfWaves, public ::testing::Test {
 protected:
  LdsOfBytes() : LdsOfWaves(1) {}
};

TEST_F(LdsOfBytes, BytesOfOneDwordAreTheirOwn) {
  EXPECT_FALSE(access(AccessKind::kWrite, 0, 0, 4, 1));
  EXPECT_FALSE(access(AccessKind::kWrite, 1, 1, 4, 1));
  EXPECT_TRUE(access(AccessKind::kRead, 2, 1, 4, 1));
}

TEST_P(Lds, MoreAccessesThanAreRemembered) {
  for (std::uint32_t i = 0; i < 3000; ++i) EXPECT_FALSE(write(0, i % 1500 * 4));
  EXPECT_TRUE(read(1, 4));
}

}  // namespace
}  // namespace wavetank::check
