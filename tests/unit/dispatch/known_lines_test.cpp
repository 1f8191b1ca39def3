// Source lines are asked for once.
#include "dispatch/known_lines.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace wavetank::dispatch {
namespace {

class Lines : public ::testing::Test {
 protected:
  /// Addresses from 100 on have no line.
  std::vector<SourceLine> answer(const std::vector<std::uint64_t>& addresses) {
    asked_.push_back(addresses);
    std::vector<SourceLine> lines(addresses.size());
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (addresses[i] < 100) lines[i].line = static_cast<unsigned>(addresses[i]);
    }
    return lines;
  }
  std::vector<unsigned> lines_of(const KnownLines::CodeObject& object,
                                 const std::vector<std::uint64_t>& addresses) {
    std::vector<unsigned> numbers;
    for (const SourceLine& line : known_.of(object, addresses)) numbers.push_back(line.line);
    return numbers;
  }

  using Addresses = std::vector<std::uint64_t>;
  std::vector<Addresses> asked_;
  KnownLines known_{[this](auto, const Addresses& addresses) { return answer(addresses); }};
  KnownLines::CodeObject object_ = std::make_shared<code_object::LoadedCodeObject>();
};

TEST_F(Lines, WhatIsKnownIsNotAskedForAgain) {
  EXPECT_EQ(lines_of(object_, {7, 100, 3}), (std::vector<unsigned>{7, 0, 3}));
  EXPECT_EQ(lines_of(object_, {3, 8, 100, 7}), (std::vector<unsigned>{3, 8, 0, 7}));
  EXPECT_EQ(lines_of(object_, {8}), std::vector<unsigned>{8});
  EXPECT_EQ(asked_, (std::vector<Addresses>{{7, 100, 3}, {8}}));
}

TEST_F(Lines, OfAnotherCodeObjectAreOthers) {
  lines_of(object_, {7});
  lines_of(std::make_shared<code_object::LoadedCodeObject>(), {7});
  lines_of(std::make_shared<code_object::LoadedCodeObject>(), {7});
  lines_of(object_, {7});
  EXPECT_EQ(asked_.size(), 3u);
}

}  // namespace
}  // namespace wavetank::dispatch
