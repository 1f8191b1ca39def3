#include "execute/row_index.hpp"

#include <map>
#include <tuple>

#include "isa/catalogue.hpp"

namespace wavetank::execute {
namespace {

/// What makes a row one of a kind: its encoding and since when it has it.
auto key_of(const isa::Row& row) {
  return std::tuple(row.encoding.format, row.encoding.opcode, row.lifetime.since);
}
using Index = std::map<decltype(key_of(isa::Row{})), std::uint16_t>;

}  // namespace

std::optional<std::uint16_t> id_of_line(const isa::Row& line) {
  static const auto& index = *[] {
    auto* const rows = new Index;
    for (const isa::Row& row : isa::catalogue()) rows->emplace(key_of(row), row.id);
    return rows;
  }();
  const auto found = index.find(key_of(line));
  if (found == index.end()) return std::nullopt;
  return found->second;
}

}  // namespace wavetank::execute
