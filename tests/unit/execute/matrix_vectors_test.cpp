// Matrix rows against tests/vectors/matrix: dot products of an independent model.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

#include "matrix_machine.hpp"

namespace wavetank::execute::testing {
namespace {

/// A row of A, a column of B, C and D.
struct Dot {
  std::vector<std::uint64_t> a, b;
  std::uint64_t c = 0, d = 0;
  bool nan = false;
  std::string text;
};
using Dots = std::map<std::string, std::vector<Dot>>;

std::vector<std::uint64_t> numbers(const std::string& list) {
  std::vector<std::uint64_t> result;
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) {
    result.push_back(std::stoull(item, nullptr, 16));
  }
  return result;
}

/// The vectors of a file by mnemonic. WAVETANK_MATRIX_VECTORS names another folder.
Dots read_dots(const std::string& file) {
  const char* folder = std::getenv("WAVETANK_MATRIX_VECTORS");
  std::ifstream stream(std::string(folder != nullptr ? folder : WAVETANK_VECTORS "/matrix") + "/" +
                       file);
  Dots dots;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string name, a, b, c, d;
    words >> name >> a >> b >> c >> d;
    Dot dot{numbers(a), numbers(b), std::stoull(c, nullptr, 16), 0, d == "nan", line};
    if (!dot.nan) dot.d = std::stoull(d, nullptr, 16);
    dots[name].push_back(dot);
  }
  return dots;
}

/// Runs up to m dot products at once: dot i in row i of A and column i of B, its sum in D[i][i].
void check(const isa::Row& row, const Dot* dots, unsigned count) {
  MatrixMachine machine(row);
  const isa::MatrixShape& s = machine.shape;
  for (unsigned i = 0; i < count; ++i) {
    ASSERT_EQ(dots[i].a.size(), s.k) << dots[i].text;
    for (unsigned k = 0; k < s.k; ++k) {
      machine.set(kA, isa::bits_of(s.a), machine.a_place(i, k, 0), dots[i].a[k]);
      machine.set(kB, isa::bits_of(s.b), machine.b_place(k, i, 0), dots[i].b[k]);
    }
    machine.set(kC, isa::bits_of(s.c), isa::output_place(s, i, i, 0), dots[i].c);
  }
  machine.run();
  const std::uint64_t nan = isa::bits_of(s.c) == 64 ? 0x7ff8000000000000 : 0x7fc00000;
  for (unsigned i = 0; i < count; ++i) {
    EXPECT_EQ(machine.d(i, i, 0), dots[i].nan ? nan : dots[i].d) << dots[i].text;
  }
}

class MatrixVectors : public ::testing::TestWithParam<const char*> {};

TEST_P(MatrixVectors, EveryRowComputesWhatTheModelDoes) {
  const Dots all = read_dots(std::string(GetParam()) + ".txt");
  const bool cdna2 = GetParam() == std::string("cdna2");
  const isa::Target& target = cdna2 ? isa::kGfx90a : isa::kGfx942;
  for (const isa::Row* row : matrix_rows()) {
    const bool modelled = row->matrix.rule != isa::MatrixRule::kInteger && !row->matrix.sparse;
    if (modelled && target.has(row->lifetime)) {
      EXPECT_EQ(all.count(std::string(row->name)), 1u) << row->name << " has no vectors";
    }
  }
  for (const auto& [name, dots] : all) {
    const isa::Row* row = isa::find_row(name, target);
    ASSERT_NE(row, nullptr) << name;
    for (std::size_t first = 0; first < dots.size(); first += row->matrix.m) {
      const auto left = static_cast<unsigned>(dots.size() - first);
      check(*row, &dots[first], std::min<unsigned>(row->matrix.m, left));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Files, MatrixVectors, ::testing::Values("cdna2", "cdna3"),
                         [](const auto& parameter) { return std::string(parameter.param); });

}  // namespace
}  // namespace wavetank::execute::testing
