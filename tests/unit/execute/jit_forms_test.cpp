// Functions of lanes that strips and compiled code evaluate by others (isa/lane_forms.hpp): on all
// halves, on floats beside every place where a result changes, and at the ends of integers.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <numeric>
#include <random>

#include "execute/handlers.hpp"
#include "execute/jit/row_drawing.hpp"
#include "isa/catalogue.hpp"
#include "jit_ops.hpp"
#include "jit_sequence.hpp"

namespace wavetank::execute::testing {
namespace {

/// The catalogue's drawn rows that begin with a source of this type and fulfil the condition.
template <class Condition>
std::vector<const isa::Row*> rows_of(isa::Type first, Condition condition) {
  std::vector<const isa::Row*> rows;
  for (const isa::Row& row : isa::catalogue()) {
    const bool runs = jit::drawing_of(row) != nullptr && handlers()[row.id].usual != nullptr;
    if (runs && row.sources[0].type == first && condition(row)) rows.push_back(&row);
  }
  return rows;
}

TEST_F(JitSequence, LeavesWhatLanesLeaveOfEveryHalf) {
  const auto rows = rows_of(
      isa::Type::kF16, [](const isa::Row& row) { return row.sources[1].type == isa::Type::kNone; });
  EXPECT_GT(rows.size(), 15u);
  for (const isa::Row* row : rows) {
    BothWays both(std::vector<Op>{plain_op(*row)});
    for (unsigned first = 0; first < 0x10000 && !HasFailure(); first += 64) {
      both.expect_same(
          [&](std::uint32_t* vgpr) { std::iota(vgpr, vgpr + 64, std::uint32_t{first}); });
    }
    if (HasFailure()) FAIL() << row->name;
  }
}

/// Conversions of f32, which round.
std::vector<const isa::Row*> conversions() {
  return rows_of(isa::Type::kF32, [](const isa::Row& row) {
    return row.meaning == isa::Meaning::kConvert && jit::drawing_of(row)->draw != nullptr;
  });
}

/// Runs each conversion of v0 = `value(count)` for all counts; other sources are random.
template <class Value>
void try_conversions(unsigned counts, Value value) {
  for (const isa::Row* row : conversions()) {
    if (::testing::Test::HasFailure()) return;
    std::mt19937_64 random(row->id);
    BothWays both(std::vector<Op>{plain_op(*row)});
    for (unsigned first = 0; first < counts && !::testing::Test::HasFailure(); first += 64) {
      both.expect_same([&](std::uint32_t* vgpr) {
        for (unsigned lane = 0; lane < 64; ++lane) {
          vgpr[lane] = value(first + lane);
          vgpr[2 * 64 + lane] = static_cast<std::uint32_t>(random());
          vgpr[4 * 64 + lane] = static_cast<std::uint32_t>(random());
        }
      });
    }
    if (::testing::Test::HasFailure()) FAIL() << row->name;
  }
}

// Where 8-bit floats and f16 round lies at an end of the lower half, or in its middle.
TEST_F(JitSequence, ConvertsFloatsOfEveryUpperHalf) {
  EXPECT_GT(conversions().size(), 10u);
  constexpr std::uint32_t kLower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  for (const std::uint32_t lower : kLower) {
    try_conversions(0x10000, [&](unsigned upper) { return upper << 16 | lower; });
  }
}

// Steps of 1/32767 and 1/65535 end halfway between two; so do integers.
TEST_F(JitSequence, ConvertsFloatsBesideEveryStep) {
  for (const float steps : {32767.0f, 65535.0f, 1.0f}) {
    for (const float beside : {-INFINITY, 0.0f, INFINITY}) {
      try_conversions(0x10000, [&](unsigned count) {
        const float middle = (static_cast<float>(count) + 0.5f) / steps;
        const float near = beside == 0 ? middle : std::nextafter(middle, beside);
        return std::bit_cast<std::uint32_t>(count % 8 == 7 ? -near : near);
      });
    }
  }
}

/// The ends of numbers of 4 to 64 bits, in words.
constexpr std::uint32_t kEnds[] = {0,          1,          0x7fff,    0x8000,     0xffff,
                                   0x80008000, 0x7fffff,   0x800000,  0x80808080, 0x88888888,
                                   0x7fffffff, 0x80000000, 0xffffffff};

TEST_F(JitSequence, StopsAtTheEndsOfIntegersWhereLanesStop) {
  for (const isa::Row& row : isa::catalogue()) {
    const jit::RowDrawing* const drawing = jit::drawing_of(row);
    if (drawing == nullptr || drawing->saturating == nullptr) continue;
    OpMaker maker(row.id);
    for (unsigned trial = 0; trial < trials(25) && !HasFailure(); ++trial) {
      State state;
      maker.fill(state, false);
      for (std::uint32_t& word : state.vgpr) word = kEnds[maker.pick(std::size(kEnds))];
      Op op = maker.op(row);
      op.clamp = true;
      EXPECT_EQ(expect_same({op}, state), 1u);
    }
    if (HasFailure()) FAIL() << row.name;
  }
}

}  // namespace
}  // namespace wavetank::execute::testing
