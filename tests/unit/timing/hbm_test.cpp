// One HBM channel: its rate, the turn between reads and writes, and the pages that reads open.
// Sources: RRZE-HPC/gpu-benches gpu-stream (rates), amd/HPCTrainingExamples y^T A x (pages).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "timing/hbm.hpp"

namespace wavetank::timing {
namespace {

constexpr HbmChannel::Spec kPlain{.peak_bytes_per_cycle = 32,
                                  .read_efficiency = 0.5,
                                  .write_efficiency = 1.0,
                                  .turnaround_cycles = 0,
                                  .banks = 4,
                                  .gathered_pages = 4,
                                  .page_bytes = 2048,
                                  .page_miss_cycles = 0};

constexpr unsigned kMany = 1000;

TEST(HbmChannelTest, ReadsAndWritesPassAtTheirSharesOfThePeak) {
  HbmChannel reads(kPlain), writes(kPlain);
  std::uint64_t read_end = 0, write_end = 0;
  for (unsigned i = 0; i < kMany; ++i) {
    read_end = reads.read(0, 64, 64 * i);
    write_end = writes.write(0, 64);
  }
  EXPECT_EQ(read_end, kMany * 64 / 16);
  EXPECT_EQ(write_end, kMany * 64 / 32);
}

TEST(HbmChannelTest, AReadOfAnOpenPageCostsNoOpening) {
  HbmChannel::Spec spec = kPlain;
  spec.page_miss_cycles = 100;
  HbmChannel channel(spec);
  std::uint64_t end = 0;
  for (unsigned i = 0; i < 32; ++i) end = channel.read(0, 64, 64 * i);  // one page
  EXPECT_EQ(end, 32u * 64 / 16);
}

TEST(HbmChannelTest, PagesOpenAtTheirOwnRateBesideTheTransfers) {
  HbmChannel::Spec spec = kPlain;
  spec.page_miss_cycles = 100;
  HbmChannel scattered(spec), dense(spec);
  std::uint64_t scattered_end = 0, dense_end = 0;
  for (std::uint64_t page = 0; page < 50; ++page) {
    scattered_end = scattered.read(0, 64, page * 2048);
    for (unsigned i = 0; i < 32; ++i) dense_end = dense.read(0, 64, page * 2048 + 64 * i);
  }
  EXPECT_EQ(scattered_end, 50u * 100) << "64 bytes of a page take 4 cycles, its opening 100";
  EXPECT_EQ(dense_end, 50u * 32 * 4) << "2048 bytes take 128 cycles, and hide the next opening";
}

TEST(HbmChannelTest, FourPagesOfABankAreGatheredAndAFifthIsNot) {
  HbmChannel::Spec spec = kPlain;
  spec.page_miss_cycles = 100;
  // The numbers are those that the fold over 4 banks puts into bank 0.
  const auto turns_of = [&](const std::vector<std::uint64_t>& pages) {
    HbmChannel channel(spec);
    std::uint64_t end = 0;
    for (unsigned round = 0; round < 10; ++round) {
      for (const std::uint64_t page : pages) end = std::max(end, channel.read(0, 64, page * 2048));
    }
    return end;
  };
  EXPECT_EQ(turns_of({0, 5, 10, 15}), 400u);
  EXPECT_EQ(turns_of({0, 5, 10, 15, 16}), 5000u);
}

TEST(HbmChannelTest, DirectionsThatMixPayOneTurnInEachEpoch) {
  HbmChannel::Spec spec = kPlain;
  spec.turnaround_cycles = 10;
  HbmChannel mixed(spec), alone(spec);
  mixed.read(0, 64, 0);
  EXPECT_EQ(mixed.write(0, 64), 4u + 2 + 10);
  EXPECT_EQ(mixed.write(0, 64), 4u + 2 + 10 + 2) << "only once";
  alone.write(0, 64);
  EXPECT_EQ(alone.write(0, 64), 4u);
}

}  // namespace
}  // namespace wavetank::timing
