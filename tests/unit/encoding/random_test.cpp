// A bounded campaign of random words: what we accept and print against what LLVM does. Every
// difference belongs to a class that deviations.txt explains. WAVETANK_RANDOM_WORDS says how many
// words (pairs of dwords) a target gets, WAVETANK_RANDOM_SEED chooses other ones.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "unit/encoding/campaign.hpp"
#include "unit/encoding/random_words.hpp"

namespace wavetank::test {
namespace {

constexpr std::uint64_t kQuickWords = 150000;
constexpr std::uint64_t kBatchWords = 25000;  ///< for one process of llvm-mc

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

class Random : public testing::TestWithParam<isa::Target> {};

TEST_P(Random, WordsReadAsLlvmReadsThem) {
  const std::uint64_t words = from_environment("WAVETANK_RANDOM_WORDS", kQuickWords);
  RandomWords random(GetParam(), from_environment("WAVETANK_RANDOM_SEED", 20240607));
  Campaign campaign(GetParam());
  for (std::uint64_t done = 0; done < words; done += kBatchWords) {
    std::vector<Dwords> items(std::min(kBatchWords, words - done));
    for (Dwords& item : items) item = random.next();
    campaign.compare(items);
    if (campaign.unexplained().count() > 100000) break;
  }
  std::cout << words << " words of " << target_name(GetParam()) << ", "
            << campaign.unexplained().count() << " unexplained\n"
            << campaign.text();
  EXPECT_EQ(campaign.unexplained().count(), 0u) << campaign.unexplained().text();
}

INSTANTIATE_TEST_SUITE_P(Targets, Random, testing::ValuesIn(isa::kTargets),
                         [](const auto& parameter) { return target_name(parameter.param); });

}  // namespace
}  // namespace wavetank::test
