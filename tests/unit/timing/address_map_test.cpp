// Where addresses are served: HIP training's transposes, RRZE-HPC/gpu-benches gpu-latency.
#include "timing/memory/address_map.hpp"

#include <gtest/gtest.h>

#include <map>
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
