#include "cli/isa/matrix.hpp"

#include <fmt/format.h>

#include <bit>
#include <map>

#include "cli/isa/words.hpp"

namespace wavetank::cli {

using isa::MatrixPlace;
using isa::MatrixRule;
using isa::MatrixShape;

std::vector<std::string> matrix_pseudo_code(const MatrixShape& s) {
  std::vector<std::string> lines;
  if (s.sparse) {
    lines.push_back(fmt::format(
        "D[i][j] = D[i][j] + sum over stored k < {} of A[i][k] * B[row(i, k)][j]", s.stored_k()));
    lines.push_back("row(i, k) = 4 * (k / 2) + the two bits of index that belong to A[i][k]");
  } else {
    lines.push_back(fmt::format("D[i][j] = C[i][j] + sum over k < {} of A[i][k] * B[k][j]", s.k));
  }
  const std::string blocks = s.blocks == 1 ? "" : fmt::format(", in each of {} blocks", s.blocks);
  lines.push_back(
      fmt::format("i < {}, j < {}{}; whatever EXEC is, all lanes take part", s.m, s.n, blocks));
  return lines;
}

std::string matrix_rule_text(const MatrixShape& s) {
  switch (s.rule) {
    case MatrixRule::kNone: break;
    case MatrixRule::kFmaChain: return "C + A[i][0]*B[0][j], then the next k: FMAs, each rounded";
    case MatrixRule::kPairwise:
      return fmt::format(
          "groups of {} products as a tree, then C, each step rounded; denormals are 0", s.group);
    case MatrixRule::kFusedDot:
      return fmt::format(
          "groups of {} products, aligned to the largest and cut, plus C, rounded once", s.group);
    case MatrixRule::kFusedDotEvenOdd:
      return fmt::format(
          "groups of {} products, even and odd k aligned apart and cut, plus C, rounded once",
          s.group);
    case MatrixRule::kInteger: return "exact, modulo 2^32";
  }
  return {};
}

std::vector<std::string> matrix_modifiers(const MatrixShape& s) {
  std::vector<std::string> lines;
  if (s.sparse) {
    lines.push_back(fmt::format("cbsz:0 abid:N  element e of A has index bits [{0}N+2e+1:{0}N+2e]",
                                2 * s.a_per_lane()));
  } else if (s.broadcasts_a) {
    lines.push_back(fmt::format(
        "cbsz:c abid:N  block N of each 2^c neighbouring blocks of A feeds all of them, c <= {}",
        std::bit_width(unsigned{s.blocks}) - 1));
  }
  if (s.swizzles_b) {
    lines.push_back("blgp:1, 2      lanes 0-31 (32-63) of B feed both halves");
    lines.push_back("blgp:3         B rotated by 16 lanes: lane l takes lane l + 16");
    lines.push_back("blgp:4 to 7    lanes 16 * (blgp - 4) to + 15 of B feed all quarters");
  }
  if (s.negates) lines.push_back("blgp           bits 0, 1, 2 negate A, B, C");
  return lines;
}

namespace {

/// An element of a matrix, by its place.
struct Element {
  unsigned block, row, column;
};
using Places = std::map<std::pair<unsigned, unsigned>, Element>;  ///< by (element, lane)

/// One operand for the layout table.
struct Operand {
  char name;
  unsigned bits;
  unsigned per_lane;  ///< elements
  unsigned run;       ///< consecutive lanes along which one index counts
  bool row_runs;      ///< the row counts; else the column
  Places places;
};

Operand operand_a(const MatrixShape& s) {
  Operand a{'A', bits_of(s.a), s.a_per_lane(), s.m, true, {}};
  for (unsigned b = 0; b < s.blocks; ++b) {
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned k = 0; k < s.stored_k(); ++k) {
        const MatrixPlace p = isa::input_place(s.m, s.blocks, a.per_lane, i, k, b);
        a.places[{p.element, p.lane}] = {b, i, k};
      }
    }
  }
  return a;
}

Operand operand_b(const MatrixShape& s) {
  Operand b{'B', bits_of(s.b), s.b_per_lane(), s.n, false, {}};
  for (unsigned block = 0; block < s.blocks; ++block) {
    for (unsigned j = 0; j < s.n; ++j) {
      for (unsigned k = 0; k < s.k; ++k) {
        const MatrixPlace p = isa::input_place(s.n, s.blocks, b.per_lane, j, k, block);
        b.places[{p.element, p.lane}] = {block, k, j};
      }
    }
  }
  return b;
}

Operand operand_d(const MatrixShape& s) {
  const unsigned per_lane = s.c_dwords() * 32 / bits_of(s.c);
  Operand d{'D', bits_of(s.c), per_lane, s.n, false, {}};
  for (unsigned block = 0; block < s.blocks; ++block) {
    for (unsigned i = 0; i < s.m; ++i) {
      for (unsigned j = 0; j < s.n; ++j) {
        const MatrixPlace p = isa::output_place(s, i, j, block);
        d.places[{p.element, p.lane}] = {block, i, j};
      }
    }
  }
  return d;
}

/// "v1[31:16]": where element `index` of a lane is, from the operand's first register on.
std::string register_name(unsigned bits, unsigned index) {
  if (bits == 64) return fmt::format("v[{}:{}]", 2 * index, 2 * index + 1);
  if (bits == 32) return fmt::format("v{}", index);
  const unsigned low = index * bits % 32;
  return fmt::format("v{}[{}:{}]", index * bits / 32, low + bits - 1, low);
}

CardSection layout_section(const Operand& operand, bool many_blocks) {
  const unsigned groups = 64 / operand.run;
  std::vector<unsigned> shown;
  for (unsigned g = 0; g < groups; ++g) {
    if (groups <= 4 || g < 2 || g + 1 == groups) shown.push_back(g);
  }
  CardSection section{fmt::format("Layout of {}", operand.name), {"register"}, {}, {}};
  for (const unsigned g : shown) {
    if (groups > 4 && g + 1 == groups) section.headings.emplace_back("...");
    section.headings.push_back(
        fmt::format("lanes {}-{}", g * operand.run, (g + 1) * operand.run - 1));
  }
  for (unsigned e = 0; e < operand.per_lane; ++e) {
    std::vector<std::string> cells = {register_name(operand.bits, e)};
    for (const unsigned g : shown) {
      if (groups > 4 && g + 1 == groups) cells.emplace_back("...");
      const auto at = operand.places.find({e, g * operand.run});
      if (at == operand.places.end()) return {};
      const Element& x = at->second;
      const std::string name =
          many_blocks ? fmt::format("{}{}", operand.name, x.block) : std::string(1, operand.name);
      cells.push_back(operand.row_runs ? fmt::format("{}[i][{}]", name, x.column)
                                       : fmt::format("{}[{}][j]", name, x.row));
    }
    section.rows.push_back(std::move(cells));
  }
  return section;
}

/// The lane of an input element as a formula.
std::string input_formula(char index, unsigned rows, unsigned blocks, unsigned per_lane,
                          unsigned depth) {
  std::string lane(1, index);
  const bool steps = depth > per_lane;
  const std::string step = per_lane == 1 ? "k" : fmt::format("(k / {})", per_lane);
  if (blocks > 1 && steps) {
    lane += fmt::format(" + {} * (block + {} * {})", rows, blocks, step);
  } else if (blocks > 1) {
    lane += fmt::format(" + {} * block", rows);
  } else if (steps) {
    lane += fmt::format(" + {} * {}", rows, step);
  }
  if (per_lane == 1) return "lane = " + lane;
  return fmt::format("lane = {}, element {}", lane, steps ? fmt::format("k % {}", per_lane) : "k");
}

/// Register and lane of D[i][j], with the terms that are always 0 left out.
std::string output_formula(const MatrixShape& s) {
  const unsigned band = bits_of(s.c) == 64 ? 1 : 4, bands = 64u / s.n;
  const unsigned block_lanes = unsigned{s.m} * s.n / band;
  const unsigned blocks_per_register = block_lanes >= 64 ? 1 : 64 / block_lanes;
  const unsigned block_elements = unsigned{s.m} * s.n / 64;
  std::string element, lane = "j";
  const auto add = [](std::string& sum, std::string term) {
    sum += (sum.empty() ? "" : " + ") + std::move(term);
  };
  if (s.blocks > 1 && block_elements > 0) add(element, fmt::format("{} * block", block_elements));
  if (s.m > band * bands) {
    add(element, band == 1 ? fmt::format("i / {}", bands)
                           : fmt::format("{} * (i / {})", band, band * bands));
  }
  if (band > 1) add(element, s.m > band ? fmt::format("i % {}", band) : "i");
  if (element.empty()) element = "0";
  if (blocks_per_register > 1) add(lane, fmt::format("{} * block", s.n));
  if (s.m > band) {
    const std::string row = band == 1 ? "i" : fmt::format("i / {}", band);
    const unsigned step = s.n * blocks_per_register;
    add(lane, s.m > band * bands ? fmt::format("{} * ({} % {})", step, row, bands)
              : band == 1        ? fmt::format("{} * i", step)
                                 : fmt::format("{} * ({})", step, row));
  }
  return fmt::format("lane = {}, element {}", lane, element);
}

}  // namespace

std::vector<CardSection> matrix_layout(const MatrixShape& s) {
  const bool many = s.blocks > 1;
  std::vector<CardSection> sections = {layout_section(operand_a(s), many),
                                       layout_section(operand_b(s), many),
                                       layout_section(operand_d(s), many)};
  sections[2].title = s.sparse ? "Layout of D, which is also the addend" : "Layout of C and D";
  sections[0].notes = {
      fmt::format("A[i][k]: {}", input_formula('i', s.m, s.blocks, s.a_per_lane(), s.stored_k()))};
  sections[1].notes = {
      fmt::format("B[k][j]: {}", input_formula('j', s.n, s.blocks, s.b_per_lane(), s.k))};
  sections[2].notes = {fmt::format("D[i][j]: {}", output_formula(s))};
  if (s.sparse) sections[0].notes.push_back("k counts stored columns: two of four of the matrix");
  if (many) sections[2].notes.push_back("A1, B1, D1 belong to block 1");
  sections[2].notes.push_back(
      "v0 is the operand's first register; i, j count the lanes of a column's range from 0");
  return sections;
}

}  // namespace wavetank::cli
