// Where addresses are served: HIP training's transposes, RRZE-HPC/gpu-benches gpu-latency.
#include "timing/memory/address_map.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <random>
#include <set>

#include "assembly.hpp"

namespace wavetank::timing::testing {
namespace {

constexpr std::uint64_t kBase = std::uint64_t{1} << 32;

std::set<std::pair<unsigned, std::uint32_t>> banks_of(const char* device, std::uint64_t pitch,
                                                      unsigned count) {
  const AddressMap map(spec_of(device));
  std::set<std::pair<unsigned, std::uint32_t>> banks;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint64_t address = kBase + pitch * i;
    banks.emplace(map.hbm_channel(address), map.place_in_hbm_channel(address).bank);
  }
  return banks;
}

// AMD's address translation for Linux (drivers/ras/amd/atl).
TEST(AddressMap, Bits8And16And21And30TellOneBitOfAChannelOnMi210) {
  const AddressMap map(spec_of("mi210"));
  for (unsigned bit = 0; bit < 5; ++bit) {
    for (const unsigned upper : {8u, 16u, 21u, 30u}) {
      EXPECT_EQ(map.hbm_channel(std::uint64_t{1} << (upper + bit)), 1u << bit);
    }
  }
}

TEST(AddressMap, TheDieOfAnMi300sMemoryIsToldByBits12And13) {
  const AddressMap map(spec_of("mi300x"));
  EXPECT_EQ(map.hbm_channel(1 << 12), 0b0100001u) << "and the first bit within a stack";
  EXPECT_EQ(map.hbm_channel(1 << 20), 0b0100000u);
  EXPECT_EQ(map.hbm_channel(1 << 13), 0b1000010u);
  EXPECT_EQ(map.hbm_channel(1 << 19), 0b0010000u) << "the stack";
  EXPECT_EQ(map.l2_channel(1 << 19), 0u);
}

TEST(AddressMap, ABitOfAChannelIsTheParityOfTheAddressUnderItsMask) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    const AddressMap map(spec);
    std::mt19937_64 random(1);
    for (unsigned i = 0; i < 1000; ++i) {
      const std::uint64_t address = random() >> (64 - ChannelHash::kAddressBits);
      unsigned number = 0;
      for (unsigned bit = 0; 1u << bit < spec.hbm.channels; ++bit) {
        const std::uint64_t under = address & spec.channel_hash.masks[bit];
        number |= static_cast<unsigned>(std::popcount(under) % 2) << bit;
      }
      EXPECT_EQ(map.hbm_channel(address), number) << device;
      EXPECT_EQ(map.l2_channel(address), number % spec.l2.channels) << device;
    }
  }
}

TEST(AddressMap, EachChannelHasAsManyBlocksOfAlignedMemory) {
  for (const char* const device : {"mi210", "mi300x"}) {
    const TimingSpec& spec = spec_of(device);
    const AddressMap map(spec);
    std::map<unsigned, unsigned> of_l2, of_hbm;
    for (std::uint64_t at = kBase; at < kBase + (1 << 15); at += spec.l2.interleave_bytes) {
      ++of_l2[map.l2_channel(at)];
      ++of_hbm[map.hbm_channel(at)];
    }
    for (const auto& [channel, blocks] : of_l2) EXPECT_EQ(blocks, 128 / spec.l2.channels);
    for (const auto& [channel, blocks] : of_hbm) EXPECT_EQ(blocks, 128 / spec.hbm.channels);
  }
}

TEST(AddressMap, WithoutAHashBlocksGoRoundTheChannels) {
  TimingSpec spec = spec_of("mi210");
  for (const std::uint32_t channels : {24u, 64u}) {
    spec.channel_hash = {};
    spec.l2.channels = channels;
    const AddressMap map(spec);
    for (unsigned block = 0; block < 100; ++block) {
      EXPECT_EQ(map.l2_channel(block * std::uint64_t{256}), block % channels);
    }
  }
}

TEST(AddressMap, MoreChannelsThanTheHashTellsApartAreToldByTheBlocksNumber) {
  TimingSpec spec = spec_of("mi210");
  spec.l2.channels = 64;
  const AddressMap map(spec);
  EXPECT_EQ(map.l2_channel(1 << 13), 32u);
  EXPECT_EQ(map.l2_channel(1 << 16), 1u);
}

TEST(AddressMap, ContiguousMemoryUsesAllBanksOfAllChannels) {
  const TimingSpec& spec = spec_of("mi210");
  EXPECT_EQ(banks_of("mi210", 128, 8192).size(), spec.hbm.channels * spec.hbm.banks * 2u);
}

TEST(AddressMap, APitchOf64KiBMeetsOneBankOfEachPseudoChannel) {
  const TimingSpec& spec = spec_of("mi210");
  EXPECT_EQ(banks_of("mi210", 65536, 8192).size(), spec.hbm.channels * 2u);
}

TEST(AddressMap, ARowOfABankIsOnePageOfAPseudoChannel) {
  const TimingSpec& spec = spec_of("mi210");
  const AddressMap map(spec);
  std::map<std::tuple<unsigned, std::uint32_t, std::uint64_t>, std::uint64_t> bytes;
  for (std::uint64_t at = kBase; at < kBase + (std::uint64_t{8} << 20); at += 128) {
    const HbmPlace place = map.place_in_hbm_channel(at);
    bytes[{map.hbm_channel(at), place.bank, place.row}] += 128;
  }
  for (const auto& [place, sum] : bytes) EXPECT_EQ(sum, spec.hbm.page_bytes);
}

TEST(AddressMap, ARowHoldsABlockAtLeastAndMayBeOfAnySize) {
  for (const std::uint32_t bytes : {1u, 64u, 1u << 31}) {
    TimingSpec spec = spec_of("mi210");
    spec.hbm.page_bytes = bytes;
    const AddressMap map(spec);
    const std::uint64_t far = kBase + (std::uint64_t{1} << 24);
    EXPECT_EQ(map.place_in_hbm_channel(kBase).row == map.place_in_hbm_channel(far).row,
              bytes > 64u);
  }
}

TEST(AddressMap, LinesFillSetsUnevenlyOnMi210AndEvenlyOnMi300x) {
  const auto fullest = [](const char* device) {
    const TimingSpec& spec = spec_of(device);
    const AddressMap map(spec);
    const std::uint64_t sets = spec.l2.bytes / spec.l2.channels / spec.l2.line_bytes / spec.l2.ways;
    std::map<std::pair<unsigned, std::uint64_t>, unsigned> lines;
    for (std::uint64_t at = kBase; at < kBase + spec.l2.bytes; at += spec.l2.line_bytes) {
      ++lines[{map.l2_channel(at), map.l2_set(at) % sets}];
    }
    unsigned most = 0;
    for (const auto& [set, count] : lines) most = std::max(most, count);
    return most;
  };
  EXPECT_GT(fullest("mi210"), 22u) << "16 on average";
  EXPECT_EQ(fullest("mi300x"), 16u);
}

}  // namespace
}  // namespace wavetank::timing::testing
