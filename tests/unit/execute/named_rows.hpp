// The rows that a family has handlers for, by name.
#pragma once

#include <map>
#include <string>

#include "execute/registry.hpp"

namespace wavetank::execute {

struct NamedRow {
  const isa::Row& row;
  HandlerSet handlers;
};
using NamedRows = std::map<std::string, NamedRow>;

/// Of a name on two targets any will do.
inline NamedRows rows_of(void (*append)(Entries&)) {
  Entries entries;
  append(entries);
  NamedRows rows;
  for (const isa::Row& row : isa::catalogue()) {
    const HandlerSet& set = entries.all()[row.id];
    if (set.usual == nullptr && set.exact == nullptr) continue;
    rows.emplace(row.name, NamedRow{row, set});
  }
  return rows;
}

}  // namespace wavetank::execute
