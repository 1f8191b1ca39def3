// How a translation unit contributes the handlers of its tables.
#pragma once

#include <array>
#include <tuple>
#include <vector>

#include "execute/handlers.hpp"
#include "isa/define.hpp"

namespace wavetank::execute {

/// A row (of a table, not of the catalogue) with its handlers.
struct Entry {
  isa::Row row;
  HandlerSet handlers;
};
using Entries = std::vector<Entry>;

/// Appends a table's entries; Make<Definition>() gives the handlers of one line.
template <class Make, class... Definitions>
void append(Entries& entries, const std::tuple<Definitions...>& table, Make make) {
  std::apply(
      [&](const auto&... line) {
        (entries.push_back({line.row, make.template operator()<std::decay_t<decltype(line)>>()}), ...);
      },
      table);
}

// One function for each family and host target; handlers.cpp calls those of the chosen target.
#define WAVETANK_DECLARE_FAMILIES(host)                                                        \
  namespace host {                                                                             \
  void append_vop1(Entries&);                                                                  \
  void append_vop2(Entries&);                                                                  \
  void append_vop3_float(Entries&);                                                            \
  void append_vop3_integer(Entries&);                                                          \
  void append_vopc(Entries&);                                                                  \
  void append_vop3p(Entries&);                                                                 \
  void append_vector_memory(Entries&);                                                         \
  void append_lds(Entries&);                                                                   \
  }
WAVETANK_DECLARE_FAMILIES(avx512)
WAVETANK_DECLARE_FAMILIES(avx2)
WAVETANK_DECLARE_FAMILIES(sse4)
#undef WAVETANK_DECLARE_FAMILIES

void append_scalar(Entries&);
void append_control(Entries&);
void append_scalar_memory(Entries&);
void append_whole_wave(Entries&);

}  // namespace wavetank::execute
