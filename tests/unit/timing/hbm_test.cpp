// One HBM channel: its rate, the turn between reads and writes, and the rows of its banks.
// Sources: RRZE-HPC/gpu-benches gpu-stream (rates), amd/HPCTrainingExamples y^T A x (pages).
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "timing/memory/hbm_channel.hpp"

namespace wavetank::timing {
namespace {

constexpr HbmChannel::Spec kPlain{.peak_bytes_per_cycle = 32,
                                  .read_efficiency = 0.5,
                                  .write_efficiency = 1.0,
                                  .turnaround_cycles = 0,
                                  .banks = 2,
                                  .row_cycles = 0};

constexpr unsigned kMany = 1000;

TEST(HbmChannelTest, ReadsAndWritesPassAtTheirSharesOfThePeak) {
  HbmChannel reads(kPlain), writes(kPlain);
  std::uint64_t read_end = 0, write_end = 0;
  for (unsigned i = 0; i < kMany; ++i) {
    read_end = reads.read(0, 64, {});
    write_end = writes.write(0, 64, {});
  }
  EXPECT_EQ(read_end, kMany * 64 / 16);
  EXPECT_EQ(write_end, kMany * 64 / 32);
}

HbmChannel::Spec with_rows() {
  HbmChannel::Spec spec = kPlain;
  spec.row_cycles = 100;
  return spec;
}

/// When the last of `rounds` rounds over these rows of bank 0 is there.
std::uint64_t end_of(const std::vector<std::uint64_t>& rows, unsigned rounds) {
  HbmChannel channel(with_rows());
  std::uint64_t end = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    for (const std::uint64_t row : rows) end = std::max(end, channel.read(0, 64, {0, row}));
  }
  return end;
}

TEST(HbmChannelTest, ABankOpensARowInEachRowCycle) {
  std::vector<std::uint64_t> rows;
  for (std::uint64_t row = 0; row < 50; ++row) rows.push_back(row);
  EXPECT_NEAR(static_cast<double>(end_of(rows, 1)), 50 * 100, 100);
}

TEST(HbmChannelTest, AnIdleBankOpensARowAtOnceWhateverTheTime) {
  constexpr std::uint64_t kTransferCycles = 2;
  for (std::uint64_t time = 0; time < 2048; ++time) {
    HbmChannel channel(with_rows());
    EXPECT_LE(channel.read(time, 32, {0, 1}), time + kTransferCycles);
  }
}

TEST(HbmChannelTest, BanksOpenRowsBesideEachOtherForReadsAndWrites) {
  HbmChannel channel(with_rows());
  std::uint64_t end = 0;
  for (std::uint64_t row = 0; row < 40; ++row) {
    for (std::uint32_t bank = 0; bank < 4; ++bank) {
      end = std::max(
          end, row % 2 == 0 ? channel.read(0, 32, {bank, row}) : channel.write(0, 32, {bank, row}));
    }
  }
  EXPECT_NEAR(static_cast<double>(end), 40 * 100, 100);
}

TEST(HbmChannelTest, ARowThatIsOpenCostsNoOpening) {
  EXPECT_NEAR(static_cast<double>(end_of({7}, 100)), 100 * 4, 8);
}

TEST(HbmChannelTest, TwoRowsOfABankThatTakeTurnsOpenEachTime) {
  EXPECT_NEAR(static_cast<double>(end_of({0, 1}, 10)), 2000, 100);
}

TEST(HbmChannelTest, CountsTheRowsThatItsBanksOpenedAndHowLongTheBusiestTook) {
  HbmChannel channel(with_rows());
  for (const std::uint64_t row : {0, 0, 1, 1, 2}) channel.read(0, 32, {0, row});
  channel.write(0, 32, {1, 0});
  EXPECT_EQ(channel.rows_opened(), 4);
  channel.look(1000);
  EXPECT_DOUBLE_EQ(channel.bank_cycles(), 3 * 100);
  EXPECT_EQ(channel.busy_cycles(), channel.bank_cycles()) << "the bus had less to do";
  channel.start_launch({});
  EXPECT_EQ(channel.rows_opened(), 0);
}

TEST(HbmChannelTest, BanksThatAreBusyOneAfterTheOtherAreBusyAllTheTime) {
  constexpr std::uint64_t kMoment = ChannelMoments::kLookCycles;
  HbmChannel channel(with_rows());
  for (std::uint32_t bank = 0; bank < 4; ++bank) {
    const std::uint64_t begin = bank * kMoment;
    for (std::uint64_t row = 0; row < kMoment / 100; ++row) channel.read(begin, 32, {bank, row});
    channel.look(begin + kMoment);
  }
  EXPECT_DOUBLE_EQ(channel.bank_cycles(), 4 * (kMoment / 100) * 100.0);
}

TEST(HbmChannelTest, WritesAmongReadsPayOneTurnFor32OfThem) {
  HbmChannel::Spec spec = kPlain;
  spec.turnaround_cycles = 320;
  HbmChannel mixed(spec), alone(spec);
  mixed.read(0, 64, {});
  EXPECT_EQ(mixed.write(0, 64, {}), 4u + 2 + 10);
  EXPECT_EQ(mixed.write(0, 64, {}), 4u + 2 * (2 + 10));
  EXPECT_EQ(mixed.read(0, 64, {}), 4u + 2 * (2 + 10) + 4) << "reads pay nothing";
  alone.write(0, 64, {});
  EXPECT_EQ(alone.write(0, 64, {}), 4u);
}

TEST(HbmChannelTest, AWriteIsAmongReadsUpTo512CyclesBehindTheLast) {
  HbmChannel::Spec spec = kPlain;
  spec.turnaround_cycles = 320;
  const auto cycles_with_write_at = [&](std::uint64_t time) {
    HbmChannel channel(spec);
    channel.read(1000, 64, {});
    channel.write(time, 64, {});
    return channel.bus_cycles();
  };
  EXPECT_EQ(cycles_with_write_at(1511), 4 + 2 + 10);
  EXPECT_EQ(cycles_with_write_at(1512), 4 + 2);
  EXPECT_EQ(cycles_with_write_at(900), 4 + 2 + 10) << "requests come out of order";
}

}  // namespace
}  // namespace wavetank::timing
