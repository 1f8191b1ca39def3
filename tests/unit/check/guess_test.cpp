// Values of plain loads, followed to where their waves use them.
#include "check/guess.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "check/guesses.hpp"
#include "small_launch.hpp"

namespace wavetank::check {
namespace {

using isa::Format;
using isa::MemoryAction;
using machine::Step;
using machine::StepFacts;
using Use = Guess::Use;

constexpr std::uint64_t kWord = 0x1000, kOtherWord = 0x2000, kPrivate = 0x9000;
constexpr std::uint64_t kAll = ~std::uint64_t{0};

const isa::Row* flat_row(MemoryAction action, isa::AtomicOperation atomic = {}) {
  return find_row([&](const isa::Row& row) {
    return row.encoding.format == Format::kFlat && row.memory.action == action &&
           row.memory.atomic == atomic && row.memory.element_bytes == 4 &&
           row.memory.special == isa::MemorySpecial::kNone;
  });
}

/// A wave of which v1 gets what is loaded from a word; addresses are in v0.
class AGuess : public ::testing::Test {
 protected:
  AGuess() : file_(std::size_t{64} * 16) {
    wave_.vgpr = file_.data();
    wave_.set_exec(kAll);
    StepFacts load;
    load.index = 7;
    load.vector_writes.add(1, 1);
    guess_.emplace(load, at(kWord));
  }
  static Step at(std::uint64_t address) {
    Step step;
    step.lanes = kAll;
    step.access_bytes = 4;
    for (unsigned lane = 0; lane < 64; ++lane) step.address.slot(lane) = address + 4 * lane;
    return step;
  }
  Use compute(unsigned from, unsigned to) {
    StepFacts facts;
    facts.row = find_row([](const isa::Row& row) { return row.name == "v_mov_b32"; });
    facts.vector_reads.add(from, 1);
    facts.vector_writes.add(to, 1);
    return guess_->follow(wave_, facts, {}, false);
  }
  Use compare(unsigned one, unsigned other) {
    StepFacts facts;
    facts.row = find_row([](const isa::Row& row) { return row.name == "v_cmp_lt_u32"; });
    facts.vector_reads.add(one, 1);
    facts.vector_reads.add(other, 1);
    facts.scalar_writes.add(machine::kVccRegister, 2);
    return guess_->follow(wave_, facts, {}, false);
  }
  Use branch() {
    StepFacts facts;
    facts.row = find_row([](const isa::Row& row) { return row.name == "s_cbranch_vccz"; });
    facts.conditional_branch = true;
    return guess_->follow(wave_, facts, {}, false);
  }
  Use store(unsigned data, std::uint64_t address) {
    StepFacts facts;
    facts.row = flat_row(MemoryAction::kStore);
    facts.address = {0, 1};
    facts.data = static_cast<std::uint16_t>(data);
    facts.stored = {static_cast<std::uint16_t>(data), 1};
    facts.vector_reads.add(0, 1);
    facts.vector_reads.add(data, 1);
    return guess_->follow(wave_, facts, at(address), address == kPrivate);
  }
  Use load(unsigned to, std::uint64_t address) {
    StepFacts facts;
    facts.row = flat_row(MemoryAction::kLoad);
    facts.address = {0, 1};
    facts.vector_reads.add(0, 1);
    facts.vector_writes.add(to, 1);
    return guess_->follow(wave_, facts, at(address), address == kPrivate);
  }
  /// Stores v[data] if v[data + 1] is there; v[to] gets what was.
  Use swap(unsigned data, unsigned to, std::uint64_t address = kWord) {
    StepFacts facts;
    facts.row = flat_row(MemoryAction::kAtomic, isa::AtomicOperation::kCompareSwap);
    facts.returns = true;
    facts.address = {0, 1};
    facts.data = static_cast<std::uint16_t>(data);
    facts.vector_reads.add(data, 2);
    facts.vector_writes.add(to, 1);
    return guess_->follow(wave_, facts, at(address), false);
  }
  Use end() {
    StepFacts facts;
    facts.row = find_row([](const isa::Row& row) { return row.pause == isa::Pause::kEnd; });
    return guess_->follow(wave_, facts, {}, false);
  }

  machine::Wave wave_;
  std::vector<std::uint32_t> file_;
  std::optional<Guess> guess_;
};

TEST_F(AGuess, SeedsASwapOfTheWordThatComparesWithIt) {
  EXPECT_EQ(compute(1, 3), Use::kNone);
  EXPECT_EQ(compute(1, 2), Use::kNone) << "the new value";
  EXPECT_EQ(swap(2, 4), Use::kSeeds);
}

TEST_F(AGuess, DecidesWhatItIsStoredTo) {
  EXPECT_EQ(swap(1, 4), Use::kDecides) << "not compared with, but stored";
  EXPECT_EQ(store(1, kOtherWord), Use::kDecides);
  EXPECT_EQ(store(5, kOtherWord), Use::kNone) << "another value";
}

TEST_F(AGuess, DecidesASwapOfAnotherWord) {
  compute(1, 3);
  EXPECT_EQ(swap(2, 4, kOtherWord), Use::kDecides);
}

TEST_F(AGuess, IsFollowedThroughPrivateMemory) {
  EXPECT_EQ(store(1, kPrivate), Use::kNone);
  compute(5, 1);
  EXPECT_FALSE(guess_->is_over());
  EXPECT_EQ(load(3, kPrivate), Use::kNone);
  EXPECT_EQ(swap(2, 4), Use::kSeeds);
}

TEST_F(AGuess, IsOverWhereNothingHoldsItAnyMore) {
  compute(5, 1);
  EXPECT_TRUE(guess_->is_over());
}

TEST_F(AGuess, StaysInLanesThatDoNotTakePart) {
  wave_.set_exec(1);
  compute(5, 1);
  EXPECT_FALSE(guess_->is_over());
}

TEST_F(AGuess, MayChooseTheNewValueByABranch) {
  compare(1, 5);
  EXPECT_EQ(branch(), Use::kNone);
  compute(1, 3);
  EXPECT_EQ(swap(2, 4), Use::kSeeds);
  EXPECT_EQ(end(), Use::kNone);
}

TEST_F(AGuess, DecidesIfABranchKeepsLanesFromTheSwap) {
  compute(1, 3);
  compare(1, 5);
  branch();
  wave_.set_exec(1);
  EXPECT_EQ(swap(2, 4), Use::kSeeds);
  wave_.set_exec(kAll);
  EXPECT_EQ(end(), Use::kDecides);
}

TEST_F(AGuess, DecidesIfABranchOnItLeadsToAStore) {
  compare(1, 5);
  branch();
  EXPECT_EQ(store(5, kOtherWord), Use::kDecides);
}

TEST_F(AGuess, ThatWasGoodIsWhatTheSwapFound) {
  compute(1, 3);
  for (unsigned lane = 0; lane < 64; ++lane) file_[64 * 3 + lane] = lane;
  swap(2, 4);
  for (unsigned lane = 0; lane < 64; ++lane) file_[64 * 4 + lane] = lane;
  EXPECT_EQ(store(1, kOtherWord), Use::kNone);
}

TEST_F(AGuess, ThatWasOldStaysAGuess) {
  compute(1, 3);
  for (unsigned lane = 0; lane < 64; ++lane) file_[64 * 3 + lane] = lane;
  swap(2, 4);
  EXPECT_EQ(store(4, kOtherWord), Use::kNone) << "what the swap found";
  EXPECT_EQ(store(1, kOtherWord), Use::kDecides);
}

TEST(Guesses, ALoadOnlySeedsIfAllThatItGaveDid) {
  GuessSites sites;
  EXPECT_FALSE(sites.only_seeds(7)) << "never seen";
  machine::Wave wave;
  std::vector<std::uint32_t> file(std::size_t{64} * 16);
  wave.vgpr = file.data();
  wave.set_exec(1);
  Guesses guesses;
  StepFacts load;
  load.index = 7;
  load.row = flat_row(MemoryAction::kLoad);
  load.vector_writes.add(3, 1);
  StepFacts swap;
  swap.row = flat_row(MemoryAction::kAtomic, isa::AtomicOperation::kCompareSwap);
  swap.data = 2;
  swap.vector_reads.add(2, 2);
  Step step;
  step.lanes = 1;
  for (unsigned lane = 0; lane < 64; ++lane) step.address.slot(lane) = kWord;
  sites.on_instruction(guesses, wave, load, step, true, false);
  EXPECT_FALSE(sites.only_seeds(7)) << "not used yet";
  sites.on_instruction(guesses, wave, swap, step, false, false);
  EXPECT_TRUE(sites.only_seeds(7));
  sites.on_instruction(guesses, wave, load, step, true, false);
  StepFacts store = load;
  store.row = flat_row(MemoryAction::kStore);
  store.vector_writes = {};
  store.vector_reads.add(3, 1);
  store.index = 8;
  sites.on_instruction(guesses, wave, store, step, false, false);
  EXPECT_FALSE(sites.only_seeds(7));
}

}  // namespace
}  // namespace wavetank::check
