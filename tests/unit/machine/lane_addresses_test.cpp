// Addresses that are read from registers: each lane's own, and what they have in common.
#include "machine/lane_addresses.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace wavetank::machine {
namespace {

constexpr std::uint64_t kAll = ~std::uint64_t{0}, kLdsMask = 0xffffffff;
using Registers = std::array<std::uint32_t, 64>;

struct Halves {
  Registers low, high;
  template <class Address>
  explicit Halves(Address address) {
    for (unsigned lane = 0; lane < 64; ++lane) {
      const std::uint64_t whole = address(lane);
      low[lane] = static_cast<std::uint32_t>(whole);
      high[lane] = static_cast<std::uint32_t>(whole >> 32);
    }
  }
  LaneAddresses settled(std::uint64_t lanes = kAll, std::uint64_t base = 0) const {
    LaneAddresses addresses;
    addresses.refer(low.data(), high.data(), base);
    addresses.settle(lanes);
    return addresses;
  }
};

/// Of lanes that all lie in one row.
std::uint64_t apart_of(const LaneAddresses& addresses) {
  const LaneRows* const rows = addresses.rows();
  EXPECT_NE(rows, nullptr);
  if (rows == nullptr) return 0;
  EXPECT_EQ(rows->row_shift, 6u);
  return rows->apart;
}

TEST(LaneAddresses, ThatLieEvenlyApartAreKnownToWhetherUpOrDown) {
  constexpr std::uint64_t kBase = 0x7f1234567000;
  const Halves up([](unsigned lane) { return kBase + 12 * lane; });
  EXPECT_EQ(apart_of(up.settled()), 12u);
  const Halves down([](unsigned lane) { return kBase - std::uint64_t{8} * lane; });
  EXPECT_EQ(apart_of(down.settled()), std::uint64_t{0} - 8);
  EXPECT_EQ(down.settled()[63], kBase - 8 * 63);
  const Halves same([](unsigned) { return kBase; });
  EXPECT_EQ(apart_of(same.settled()), 0u);
}

TEST(LaneAddresses, OfOneLaneThatLiesElsewhereAreNotEven) {
  for (unsigned odd = 0; odd < 64; ++odd) {
    const Halves lanes([=](unsigned lane) { return 4096 + 4 * lane + (lane == odd ? 4u : 0u); });
    EXPECT_EQ(lanes.settled().rows(), nullptr) << odd;
    EXPECT_EQ(lanes.settled()[odd], 4100 + 4 * odd);
    const std::uint64_t others = ~(std::uint64_t{1} << odd);
    EXPECT_EQ(apart_of(lanes.settled(others)), 4u) << "it takes no part";
  }
}

TEST(LaneAddresses, OfTwoDimensionalWorkgroupsLieInRows) {
  for (unsigned shift = 2; shift < 6; ++shift) {
    const auto tile = [=](unsigned lane) {
      return 65536 + lane % (1u << shift) * 8 - (lane >> shift) * std::uint64_t{4096};
    };
    const Halves halves(tile);
    const LaneAddresses addresses = halves.settled();
    ASSERT_NE(addresses.rows(), nullptr) << shift;
    EXPECT_EQ(*addresses.rows(), (LaneRows{65536, 8, std::uint64_t{0} - 4096, shift}));
    for (unsigned lane = 0; lane < 64; ++lane) EXPECT_EQ(addresses[lane], tile(lane));
    for (unsigned odd = 0; odd < 64; ++odd) {
      const Halves other([&](unsigned lane) { return tile(lane) + (lane == odd ? 4 : 0); });
      EXPECT_EQ(other.settled().rows(), nullptr) << odd << " of rows of 2^" << shift;
    }
  }
}

TEST(LaneAddresses, WhoseLowerHalvesRunOverAreEachRead) {
  const std::uint64_t begin = (std::uint64_t{1} << 32) - 128;
  const Halves lanes([=](unsigned lane) { return begin + 4 * lane; });
  EXPECT_EQ(lanes.settled().rows(), nullptr);
  EXPECT_EQ(lanes.settled()[63], begin + 252);
  // The lower halves are even, the upper ones are not.
  const Halves other(
      [](unsigned lane) { return 4096 + 4 * lane + (lane == 5 ? std::uint64_t{1} << 32 : 0); });
  EXPECT_EQ(other.settled().rows(), nullptr);
  EXPECT_EQ(other.settled()[5], 4116 + (std::uint64_t{1} << 32));
}

TEST(LaneAddresses, IntoLdsWrapAround) {
  Registers low;
  for (unsigned lane = 0; lane < 64; ++lane) low[lane] = 4 * lane - 128;
  LaneAddresses addresses;
  addresses.refer(low.data(), nullptr, 64, kLdsMask);
  addresses.settle();
  EXPECT_EQ(addresses.rows(), nullptr) << "lanes 0 to 15 lie at the end of 32 bits";
  EXPECT_EQ(addresses[0], 0xffffffc0u);
  EXPECT_EQ(addresses[16], 0u);
  addresses.refer(low.data(), nullptr, 128, kLdsMask);
  addresses.settle();
  EXPECT_EQ(apart_of(addresses), 4u);
  EXPECT_EQ(addresses[63], 252u);
}

TEST(LaneAddresses, AreThoseOfTheRegistersWhateverLanesTakePart) {
  std::mt19937_64 random(3);
  for (unsigned round = 0; round < 20000; ++round) {
    const std::uint64_t begin = random() >> random() % 40, base = random() >> 30;
    const std::uint64_t apart = random() % 3 == 0 ? random() : random() % 64;
    const unsigned odd = static_cast<unsigned>(random() % 128);
    const unsigned mask = (1u << random() % 7) - 1;
    const std::uint64_t row = random() >> random() % 40;
    const Halves halves([&](unsigned lane) {
      return begin + (lane == odd ? random() : apart * (lane & mask) + row * (lane & ~mask));
    });
    const std::uint64_t lanes = random() % 2 == 0 ? kAll : random() & random();
    const LaneAddresses addresses = halves.settled(lanes, base);
    for (std::uint64_t rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const std::uint64_t whole = std::uint64_t{halves.high[lane]} << 32 | halves.low[lane];
      ASSERT_EQ(addresses[lane], whole + base) << "round " << round << ", lane " << lane;
    }
  }
}

TEST(LaneAddresses, ThatAreChangedInTheirSlotsKeepTheOthers) {
  const Halves lanes([](unsigned lane) { return 4096 + 4 * lane; });
  LaneAddresses addresses;
  addresses.refer(lanes.low.data(), lanes.high.data(), 0);
  addresses.settle_each();
  addresses.slot(7) = 1;
  EXPECT_EQ(addresses[7], 1u);
  EXPECT_EQ(addresses[8], 4128u);
  EXPECT_EQ(addresses.rows(), nullptr);
}

}  // namespace
}  // namespace wavetank::machine
