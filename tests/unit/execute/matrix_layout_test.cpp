// Where matrix elements are: against AMD's matrix instruction calculator, and each place once.
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "matrix_machine.hpp"

namespace wavetank::execute::testing {
namespace {

/// A line of tests/vectors/matrix/layout.txt.
struct PlaceLine {
  std::string name, matrix;
  unsigned i = 0, j = 0, k = 0, block = 0, cbsz = 0, abid = 0, blgp = 0;
  unsigned reg = 0, bit = 0, lane = 0;
  std::string text;
};

std::vector<PlaceLine> read_places() {
  std::ifstream stream(WAVETANK_VECTORS "/matrix/layout.txt");
  std::vector<PlaceLine> lines;
  for (std::string text; std::getline(stream, text);) {
    if (text.empty() || text[0] == '#') continue;
    PlaceLine line;
    std::string arrow;
    std::istringstream words(text);
    words >> line.name >> line.matrix >> line.i >> line.j >> line.k >> line.block >> line.cbsz >>
        line.abid >> line.blgp >> arrow >> line.reg >> line.bit >> line.lane;
    line.text = text;
    lines.push_back(line);
  }
  return lines;
}

/// Register and first bit of an element of `bits` bits; a sparse A's are those of its pair.
std::pair<unsigned, unsigned> register_and_bit(unsigned element, unsigned bits) {
  return {element * bits / 32, element * bits % 32};
}

const isa::Row* row_of(const std::string& name) {
  const isa::Row* row = isa::find_row(name, isa::kGfx90a);
  return row != nullptr ? row : isa::find_row(name, isa::kGfx942);
}

TEST(MatrixLayout, IsWhatAmdsCalculatorSays) {
  const std::vector<PlaceLine> lines = read_places();
  ASSERT_GT(lines.size(), 1000u);
  for (const PlaceLine& line : lines) {
    const isa::Row* row = row_of(line.name);
    ASSERT_NE(row, nullptr) << line.name;
    const MatrixMachine machine(*row);
    const isa::MatrixShape& s = machine.shape;
    const unsigned stored_k = s.sparse ? line.k / 2 : line.k;
    isa::MatrixPlace place{};
    std::pair<unsigned, unsigned> found;
    if (line.matrix == "d") {
      place = isa::output_place(s, line.i, line.j, line.block);
      found = register_and_bit(place.element, isa::bits_of(s.c));
    } else if (line.matrix == "b") {
      place = machine.b_place(line.k, line.j, line.block);
      place.lane = isa::swizzled_lane(place.lane, line.blgp);
      found = register_and_bit(place.element, isa::bits_of(s.b));
    } else {
      const unsigned from = isa::broadcast_block(line.block, line.cbsz, s.sparse ? 0 : line.abid);
      place = machine.a_place(line.i, stored_k, from);
      const unsigned first = s.sparse ? place.element / 2 * 2 : place.element;
      found = register_and_bit(first, isa::bits_of(s.a));
    }
    EXPECT_EQ(place.lane, line.lane) << line.text;
    if (line.matrix == "k") continue;
    EXPECT_EQ(found, std::pair(line.reg, line.bit)) << line.text;
  }
}

TEST(MatrixLayout, ReadsTheIndexBitsThatAmdsCalculatorSays) {
  for (const PlaceLine& line : read_places()) {
    if (line.matrix != "k") continue;
    const isa::MatrixShape& s = row_of(line.name)->matrix;
    const unsigned stored_k = line.k / 2 / 2 * 2;
    // The first of the pair takes the low two bits, the second the next two.
    for (unsigned second = 0; second < 2; ++second) {
      for (unsigned choice = 0; choice < 4; ++choice) {
        const std::uint32_t index = choice << (line.bit + 2 * second);
        EXPECT_EQ(isa::sparse_row(s, stored_k + second, index, line.cbsz, line.abid),
                  line.k / 4 * 4 + choice)
            << line.text;
      }
    }
  }
}

TEST(MatrixLayout, GivesEachElementItsOwnPlace) {
  for (const isa::Row* row : matrix_rows()) {
    const MatrixMachine machine(*row);
    const isa::MatrixShape& s = row->matrix;
    std::set<std::pair<unsigned, unsigned>> a, d;
    machine.for_each([&](unsigned i, unsigned j, unsigned block) {
      const isa::MatrixPlace place = isa::output_place(s, i, j, block);
      d.emplace(place.element, place.lane);
    });
    for (unsigned k = 0; k < s.stored_k(); ++k) {
      for (unsigned at = 0; at < unsigned{s.m} * s.blocks; ++at) {
        const isa::MatrixPlace place = machine.a_place(at % s.m, k, at / s.m);
        a.emplace(place.element, place.lane);
      }
    }
    EXPECT_EQ(d.size(), s.c_dwords() * 2048 / isa::bits_of(s.c)) << row->name;
    EXPECT_EQ(a.size(), s.a_dwords() * 2048 / isa::bits_of(s.a)) << row->name;
    EXPECT_LT(d.rbegin()->first, s.c_dwords() * 32 / isa::bits_of(s.c)) << row->name;
    EXPECT_LT(a.rbegin()->first, s.a_per_lane()) << row->name;
  }
}

TEST(MatrixShape, TakesTheCyclesThatAmdsCalculatorSays) {
  std::ifstream stream(WAVETANK_VECTORS "/matrix/cycles.txt");
  std::set<std::string> seen;
  for (std::string text; std::getline(stream, text);) {
    if (text.empty() || text[0] == '#') continue;
    std::istringstream words(text);
    std::string name;
    unsigned cycles = 0, co_executes_after_cycles = 0;
    words >> name >> cycles >> co_executes_after_cycles;
    const isa::Row* row = row_of(name);
    ASSERT_NE(row, nullptr) << name;
    EXPECT_EQ(row->matrix.passes * 4u, cycles) << name;
    EXPECT_EQ(row->matrix.co_executes_after_cycles, co_executes_after_cycles) << name;
    seen.insert(name);
  }
  for (const isa::Row* row : matrix_rows()) EXPECT_EQ(seen.count(std::string(row->name)), 1u);
}

TEST(MatrixShape, HasOldNamesOnGfx942ButNoNewOnesOnGfx90a) {
  const auto name = [](const char* asked, const isa::Target& target) {
    const isa::Row* row = isa::find_row(asked, target);
    return row == nullptr ? "none" : std::string(row->name);
  };
  const auto &kGfx90a = isa::kGfx90a, &kGfx942 = isa::kGfx942;
  EXPECT_EQ(name("v_mfma_f32_16x16x16f16", kGfx942), "v_mfma_f32_16x16x16_f16");
  EXPECT_EQ(name("v_mfma_f32_32x32x4bf16_1k", kGfx942), "v_mfma_f32_32x32x4_2b_bf16");
  EXPECT_EQ(name("v_mfma_f64_4x4x4f64", kGfx942), "v_mfma_f64_4x4x4_4b_f64");
  // gfx942 has neither the bf16 rows of CDNA1 nor its single-block byte rows.
  EXPECT_EQ(name("v_mfma_f32_32x32x4bf16", kGfx942), "none");
  EXPECT_EQ(name("v_mfma_i32_16x16x16i8", kGfx942), "none");
  EXPECT_EQ(name("v_mfma_f32_16x16x16_f16", kGfx90a), "none");
}

TEST(MatrixShape, CountsOperationsOfAllBlocks) {
  const auto operations = [](const char* name) { return row_of(name)->matrix.operations(); };
  EXPECT_EQ(operations("v_mfma_f32_16x16x16_f16"), 8192u);
  EXPECT_EQ(operations("v_mfma_f32_4x4x4_16b_f16"), 2048u);
  EXPECT_EQ(operations("v_smfmac_f32_32x32x32_fp8_fp8"), 65536u);
}

}  // namespace
}  // namespace wavetank::execute::testing
