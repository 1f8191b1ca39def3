#include "execute/registry.hpp"

#include "execute/row_index.hpp"

namespace wavetank::execute {

Entries::Entries() : all_(isa::catalogue().size()) {}

void Entries::add(const isa::Row& row, const HandlerSet& handlers) {
  const auto id = id_of_line(row);
  if (!id) return;
  const auto put = [](Handler from, Handler& to) {
    if (from != nullptr) to = from;
  };
  HandlerSet& set = all_[*id];
  put(handlers.usual, set.usual);
  put(handlers.exact, set.exact);
  put(handlers.global, set.global);
  put(handlers.scratch, set.scratch);
}

}  // namespace wavetank::execute
