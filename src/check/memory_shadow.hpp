// What is remembered of global memory: a cell for each line of 128 bytes as long as waves access it
// as a whole, one for each dword or byte from the first partial access on.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "check/record.hpp"

namespace wavetank::check {

inline constexpr unsigned kLineBytes = 128;

/// One line's cells.
class ShadowLine {
 public:
  /// Calls visit(cell, first byte in the line, bytes) for the cells that [begin, end) of the line
  /// covers, none of them in part.
  template <class Visit>
  void visit(unsigned begin, unsigned end, Visit&& visit) {
    if (cell_bytes_ == kLineBytes && begin == 0 && end == kLineBytes) {
      return visit(whole_, 0u, kLineBytes);
    }
    split_for(begin | end);
    for (unsigned at = begin; at < end; at += cell_bytes_) {
      visit(cells_[at / cell_bytes_], at, unsigned{cell_bytes_});
    }
  }

 private:
  void split_for(unsigned bounds);

  Cell whole_;
  std::unique_ptr<Cell[]> cells_;
  std::uint8_t cell_bytes_ = kLineBytes;
};

/// The lines of one process's device memory. Not for several threads.
class MemoryShadow {
 public:
  ShadowLine& line(std::uint64_t line_number) {
    Page& page = page_of(line_number / kPageLines);
    return page.lines[line_number % kPageLines];
  }
  /// Forgets all accesses.
  void clear() {
    pages_.clear();
    known_ = {};
  }

 private:
  static constexpr std::uint64_t kPageLines = 512;
  struct Page {
    ShadowLine lines[kPageLines];
  };
  Page& page_of(std::uint64_t number) {
    Known& known = known_[number % kKnown];
    if (known.number == number && known.page != nullptr) return *known.page;
    std::unique_ptr<Page>& page = pages_[number];
    if (page == nullptr) page = std::make_unique<Page>();
    known = {number, page.get()};
    return *page;
  }

  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
  struct Known {
    std::uint64_t number = 0;
    Page* page = nullptr;
  };
  static constexpr std::size_t kKnown = 256;
  std::array<Known, kKnown> known_ = {};  ///< pages used lately
};

}  // namespace wavetank::check
