#include "isa/catalogue.hpp"

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "isa/mnemonic.hpp"
#include "isa/tables.hpp"

namespace wavetank::isa {
namespace {

std::vector<Row> make_catalogue() {
  std::vector<Row> rows;
  rows.reserve(1400);
  for_each_line([&](const auto& line) { rows.push_back(line.row); });
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i].id = static_cast<std::uint16_t>(i);
  return rows;
}

/// True if two matrix rows compute the same product.
bool same_product(const MatrixShape& x, const MatrixShape& y) {
  return x.m == y.m && x.n == y.n && x.k == y.k && x.blocks == y.blocks && x.a == y.a &&
         x.b == y.b && x.a_dwords() == y.a_dwords() && x.sparse == y.sparse;
}

/// The target's row that the name of an older one's matrix row stands for.
const Row* renamed_matrix_row(const Row& old, const Target& target) {
  if (!old.matrix.present() || old.lifetime.until >= target.version) return nullptr;
  for (const Row& row : catalogue()) {
    if (target.has(row.lifetime) && same_product(row.matrix, old.matrix)) return &row;
  }
  return nullptr;
}

const auto& rows_by_name() {
  static const auto& by_name = *[] {
    auto* map = new std::unordered_multimap<std::string, const Row*>;
    for (const Row& row : catalogue()) {
      for (std::string& name : mnemonics(row)) map->emplace(std::move(name), &row);
    }
    return map;
  }();
  return by_name;
}

}  // namespace

std::span<const Row> catalogue() {
  static const auto& rows = *new std::vector<Row>(make_catalogue());
  return rows;
}

const Row* find_row(std::string_view mnemonic, const Target& target) {
  const auto [begin, end] = rows_by_name().equal_range(std::string(mnemonic));
  for (auto it = begin; it != end; ++it) {
    if (target.has(it->second->lifetime)) return it->second;
  }
  // LLVM's assembler takes the old spelling too.
  return begin != end ? renamed_matrix_row(*begin->second, target) : nullptr;
}

const Row* find_row(std::string_view mnemonic) {
  const auto found = rows_by_name().find(std::string(mnemonic));
  return found == rows_by_name().end() ? nullptr : found->second;
}

}  // namespace wavetank::isa
