// What is remembered of global memory: a word for each line of 128 bytes as long as one wave only
// accesses it, and as a whole; then a cell for it as long as waves access it as a whole; from the
// first partial access on cells of as many bytes as divide all its accesses.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/packed_cell.hpp"
#include "check/record.hpp"
#include "check/shared_cells.hpp"

namespace wavetank::check {

inline constexpr unsigned kLineBytes = 128;

/// Where a line lies, and what its records count from.
struct LinePlace {
  std::uint64_t begin = 0;  ///< address of its first byte
  CellBase base;
};

/// One line's cells, packed or, when one of them has too much to remember, sharing records.
class ShadowLine {
 public:
  /// Forgets everything but what one cell for the whole line remembers.
  void begin_launch(std::uint32_t actor, const PackedCell& whole = {});
  /// Calls visit(cell, first byte in the line, bytes) for the cells that [begin, end) of the line
  /// covers, none of them in part, but for packed ones that take(packed cell, first byte, bytes)
  /// serves. What earlier launches did is forgotten.
  template <class Take, class Visit>
  void visit(unsigned begin, unsigned end, const LinePlace& place, Take&& take, Visit&& visit) {
    if (launch_actor_ != place.base.first_actor) begin_launch(place.base.first_actor);
    split_for(begin | end, place);
    const unsigned bytes = cell_bytes_;
    for (unsigned at = begin; at < end; at += bytes) {
      const unsigned index = at / bytes;
      if (cells_ == nullptr) {
        PackedCell& packed = packed_cells()[index];
        if (take(packed, at, bytes)) continue;
        Cell cell = packed.unpack(place.base);
        visit(cell, at, bytes);
        if (packed.pack(cell, place.base)) continue;
        unpack_all(place.base);
        cells_->set(index, cell);
      } else {
        Cell cell = cells_->get(index);
        visit(cell, at, bytes);
        cells_->set(index, cell);
      }
    }
  }
  /// The same for all of these cells.
  template <class Visit>
  void visit(unsigned begin, unsigned end, const LinePlace& place, Visit&& visit_cell) {
    visit(
        begin, end, place, [](PackedCell&, unsigned, unsigned) { return false; },
        std::forward<Visit>(visit_cell));
  }
  /// Calls visit(cell, first byte in the line, bytes) for all cells, if this launch used the line.
  template <class Visit>
  void visit_all(const CellBase& base, Visit&& visit) const {
    if (launch_actor_ != base.first_actor) return;
    for (unsigned i = 0; i < count(); ++i) {
      const PackedCell* const packed = packed_ == nullptr ? &whole_ : packed_.get();
      visit(cells_ == nullptr ? packed[i].unpack(base) : cells_->get(i), i * cell_bytes_,
            unsigned{cell_bytes_});
    }
  }

 private:
  void split_for(unsigned bounds, const LinePlace& place) {
    if (bounds % cell_bytes_ != 0) split(bounds, place);
  }
  void split(unsigned bounds, const LinePlace& place);
  void unpack_all(const CellBase& base);
  unsigned count() const { return kLineBytes / cell_bytes_; }
  PackedCell* packed_cells() { return packed_ == nullptr ? &whole_ : packed_.get(); }

  PackedCell whole_;
  std::unique_ptr<PackedCell[]> packed_;  ///< of a line that was split
  std::unique_ptr<SharedCells> cells_;    ///< instead of the others
  std::uint32_t launch_actor_ = 0;
  std::uint8_t cell_bytes_ = kLineBytes;
};

/// The lines of one process's device memory. Not for several threads.
class MemoryShadow {
 public:
  /// Remembers a plain access to a whole line if nothing else has to be remembered of it; false if
  /// it is not so simple. Calls value() for what a store leaves there (stored_value.hpp).
  template <class Value>
  bool take(std::uint64_t line_number, const PackedAccess& now, unsigned lane, Value&& value) {
    Page& page = page_of(line_number / kPageLines);
    const std::uint64_t index = line_number % kPageLines;
    if (!now.replaces(page.only[index])) return false;
    page.only[index] = now.word | lane;
    if (now.is_write) page.value[index] = value();
    return true;
  }
  /// The line with its cells.
  ShadowLine& line(std::uint64_t line_number, const CellBase& base) {
    Page& page = page_of(line_number / kPageLines);
    const std::uint64_t index = line_number % kPageLines;
    if (page.only[index] != kHasCells) make_cells(page, index, base);
    return page.lines[index];
  }
  /// Says that a line will be asked for soon.
  void expect(std::uint64_t line_number) const {
    const Known& known = known_[line_number / kPageLines % kKnown];
    if (known.number != line_number / kPageLines || known.page == nullptr) return;
    const Page& page = *known.page;
    const std::uint64_t index = line_number % kPageLines;
    __builtin_prefetch(&page.only[index], 1);
    if (page.lines != nullptr) __builtin_prefetch(&page.lines[index], 1);
  }
  /// Forgets all accesses.
  void clear() {
    pages_.clear();
    begin_launch();
  }
  /// From now on lines count as used. What no launch has come to for a while is given back: freed
  /// memory's addresses are not used again under check.
  void begin_launch() {
    ++launch_;
    used_.clear();
    known_ = {};
    if (pages_.size() < most_pages_) return;
    std::erase_if(pages_,
                  [&](const auto& entry) { return entry.second->launch + kKept < launch_; });
    most_pages_ = std::max(kFewPages, 2 * pages_.size());
  }
  /// Bytes of the device's memory that there is room for.
  std::uint64_t known_bytes() const { return pages_.size() * kPageLines * kLineBytes; }
  /// Calls visit(cell, address, bytes) for the cells of all lines that the launch used, in the
  /// order of their addresses; of neighbouring lines that the same instruction accessed, and nobody
  /// else, for all of them with the first one's cell.
  template <class Visit>
  void visit_used(const CellBase& base, Visit&& visit) {
    std::sort(used_.begin(), used_.end());
    for (const std::uint64_t number : used_) visit_page(*pages_[number], number, base, visit);
  }

 private:
  static constexpr std::uint64_t kPageLines = 512;
  static constexpr std::uint64_t kHasCells = ~std::uint64_t{0};
  struct Page {
    /// Of a line that one wave accessed: the packed access (PackedAccess). 0: nobody did;
    /// kHasCells: `lines` tells.
    std::array<std::uint64_t, kPageLines> only;
    std::array<std::uint32_t, kPageLines> value;  ///< what `only` stored
    std::unique_ptr<ShadowLine[]> lines;          ///< from the first one with cells on
    std::uint64_t launch = 0;                     ///< the last one that used it
  };
  static void make_cells(Page& page, std::uint64_t index, const CellBase& base);
  template <class Visit>
  void visit_page(const Page& page, std::uint64_t number, const CellBase& base, Visit& visit) {
    for (std::uint64_t line = 0; line < kPageLines;) {
      const std::uint64_t only = page.only[line];
      const std::uint64_t begin = (number * kPageLines + line) * kLineBytes;
      std::uint64_t next = line + 1;
      if (only == kHasCells) {
        page.lines[line].visit_all(base, [&](const Cell& cell, unsigned first, unsigned bytes) {
          visit(cell, begin + first, bytes);
        });
      } else if (only != 0) {
        const auto is_alike = [&](std::uint64_t other) {
          return ((other ^ only) & packed_bits::kSortAndSite) == 0 && other != kHasCells;
        };
        while (next < kPageLines && is_alike(page.only[next])) ++next;
        visit(PackedCell(only, page.value[line]).unpack(base), begin,
              static_cast<unsigned>((next - line) * kLineBytes));
      }
      line = next;
    }
  }
  Page& page_of(std::uint64_t number) {
    Known& known = known_[number % kKnown];
    if (known.number == number && known.page != nullptr) return *known.page;
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique_for_overwrite<Page>();
    if (page->launch != launch_) {
      page->launch = launch_;
      page->only.fill(0);
      used_.push_back(number);
    }
    known = {number, page.get()};
    return *page;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  std::uint64_t launch_ = 1;
  static constexpr std::uint64_t kKept = 8;  ///< launches that a page is kept for
  static constexpr std::size_t kFewPages = 64;
  std::size_t most_pages_ = kFewPages;  ///< from which on pages are looked through
  std::vector<std::uint64_t> used_;     ///< pages of this launch
  struct Known {
    std::uint64_t number = 0;
    Page* page = nullptr;
  };
  static constexpr std::size_t kKnown = 256;
  std::array<Known, kKnown> known_ = {};  ///< pages used lately
};

}  // namespace wavetank::check
