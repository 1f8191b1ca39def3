// How a translation unit contributes the handlers of its tables.
#pragma once

#include <vector>

#include "execute/handler_set.hpp"
#include "isa/catalogue.hpp"
#include "isa/define.hpp"

namespace wavetank::execute {

/// Collects the handlers of rows. Adding is out of line, so that the translation units compiled for
/// one host's vector unit instantiate nothing of the standard library.
class Entries {
 public:
  Entries();
  /// Adds the handlers that are not null; `row` is the catalogue's or a table line's.
  void add(const isa::Row& row, const HandlerSet& handlers);
  /// By row id.
  const std::vector<HandlerSet>& all() const { return all_; }

 private:
  std::vector<HandlerSet> all_;
};

/// Adds the lines of a header's tables; make<Definition>() gives the handlers of one.
template <class Tables, class Make>
void append(Entries& entries, const Tables& tables, Make make) {
  isa::for_each_line(tables, [&]<class Definition>(const Definition& line) {
    entries.add(line.row, make.template operator()<Definition>());
  });
}

/// Adds the rows of the catalogue that handlers_of(row) gives handlers for, or one.
template <class HandlersOf>
void append_rows(Entries& entries, HandlersOf handlers_of) {
  for (const isa::Row& row : isa::catalogue()) {
    const HandlerSet handlers{handlers_of(row)};
    if (handlers.usual != nullptr) entries.add(row, handlers);
  }
}

// One function for each family and host target; handlers.cpp calls those of the chosen target.
#define WAVETANK_DECLARE_FAMILIES(host) \
  namespace host {                      \
  void append_vop1(Entries&);           \
  void append_vop2(Entries&);           \
  void append_vop3_float(Entries&);     \
  void append_vop3_integer(Entries&);   \
  void append_vopc(Entries&);           \
  void append_vop3p(Entries&);          \
  void append_vector_memory(Entries&);  \
  void append_lds(Entries&);            \
  void append_matrix(Entries&);         \
  }
WAVETANK_DECLARE_FAMILIES(avx512)
WAVETANK_DECLARE_FAMILIES(avx2)
WAVETANK_DECLARE_FAMILIES(sse4)
#undef WAVETANK_DECLARE_FAMILIES

void append_scalar(Entries&);
void append_control(Entries&);
void append_scalar_memory(Entries&);
/// DS rows that exchange lanes or count them (memory/exchange.cpp).
void append_exchange(Entries&);
/// Vector and LDS atomics (memory/atomics.cpp).
void append_atomics(Entries&);
/// Images and textures (memory/image.cpp).
void append_images(Entries&);
/// Buffer accesses that convert formats, and the store from LDS (memory/buffer_format.cpp).
void append_buffer_formats(Entries&);
void append_whole_wave(Entries&);
/// HandlerSet::exact of every per-lane row (reference/).
void append_reference(Entries&);

}  // namespace wavetank::execute
