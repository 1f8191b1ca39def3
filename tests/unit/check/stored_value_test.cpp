#include "check/stored_value.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "isa/catalogue.hpp"

namespace wavetank::check {
namespace {

/// Lanes that store side by side, `lane_bytes` each, to memory that holds it afterwards.
class Stored : public ::testing::TestWithParam<unsigned> {
 protected:
  Stored() {
    for (std::size_t i = 0; i < registers_.size(); ++i) {
      registers_[i] = static_cast<std::uint32_t>(i * 0x01234567);
    }
    for (unsigned lane = 0; lane < 64; ++lane) {
      for (unsigned i = 0; i < GetParam(); ++i) {
        const std::uint32_t dword = registers_[64 * (i / 4) + lane];
        memory_[lane * GetParam() + i] = static_cast<std::uint8_t>(dword >> 8 * (i % 4));
      }
    }
    stored_ = {registers_.data(), (GetParam() + 3) / 4, false};
    range_ = {begin(), begin() + 64 * GetParam(), 0, GetParam()};
  }
  std::uint64_t begin() const { return reinterpret_cast<std::uint64_t>(memory_.data()); }

  std::array<std::uint32_t, 64 * 4> registers_;
  alignas(64) std::array<std::uint8_t, 64 * 16> memory_ = {};
  StoredRows stored_;
  LaneRange range_;
};
INSTANTIATE_TEST_SUITE_P(OfBytes, Stored, ::testing::Values(1u, 2u, 4u, 8u, 12u, 16u));

TEST_P(Stored, ValuesAreThoseOfMemoryInPiecesOfAllSizes) {
  for (const unsigned bytes : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u}) {
    for (std::uint64_t at = begin(); at + bytes <= range_.end; at += bytes) {
      EXPECT_EQ(value_of(stored_, range_, at, bytes), value_in_memory(at, bytes)) << bytes;
    }
  }
}

TEST_P(Stored, OneByteMakesAnother) {
  const unsigned bytes = 64;
  const std::uint32_t value = value_in_memory(begin(), bytes);
  memory_[17] ^= 0x80;
  EXPECT_NE(value_in_memory(begin(), bytes), value);
}

TEST_P(Stored, SwappedDwordsMakeAnother) {
  const std::uint32_t value = value_in_memory(begin(), 64);
  std::array<std::uint8_t, 4> first;
  std::memcpy(first.data(), memory_.data(), 4);
  std::memmove(memory_.data(), memory_.data() + 4, 4);
  std::memcpy(memory_.data() + 4, first.data(), 4);
  EXPECT_NE(value_in_memory(begin(), 64), value);
}

TEST_P(Stored, SeesWhatIsThere) {
  const auto* const base = reinterpret_cast<const std::byte*>(memory_.data());
  const LaneRange range{0, 64 * GetParam(), 0, GetParam()};
  EXPECT_TRUE(stores_what_is_there(stored_, range, 4, 4, base));
  memory_[5] ^= 1;
  EXPECT_FALSE(stores_what_is_there(stored_, range, 4, 4, base));
}

TEST(StoredRows, OfTwoAccessesEachHasItsOwnRegister) {
  machine::StepFacts facts;
  facts.row = isa::find_row("ds_write2_b32", isa::kGfx90a);
  facts.space = machine::MemorySpace::kLds;
  facts.stored = {3, 1};
  facts.stored2 = {7, 1};
  std::array<std::uint32_t, 64 * 8> registers = {};
  machine::Wave wave;
  wave.vgpr = registers.data();
  machine::Step step;
  step.access_bytes = 4;
  step.access_count = 2;
  EXPECT_EQ(stored_rows(wave, facts, step, 0).rows, &registers[64 * 3]);
  EXPECT_EQ(stored_rows(wave, facts, step, 1).rows, &registers[64 * 7]);
  EXPECT_EQ(stored_rows(wave, facts, step, 1).dwords, 1u);
  EXPECT_EQ(stored_rows(wave, facts, step).dwords, 0u) << "of one access only";
}

TEST(StoredRows, OfAnotherSortAreNotKnown) { EXPECT_EQ(value_of({}, {64, 128, 0, 4}, 64, 4), 0u); }

}  // namespace
}  // namespace wavetank::check
