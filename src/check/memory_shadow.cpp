#include "check/memory_shadow.hpp"

#include <algorithm>

namespace wavetank::check {

/// Makes cells small enough that none is covered in part by a range with these bounds.
void ShadowLine::split_for(unsigned bounds) {
  const std::uint8_t wanted = bounds % 4 == 0 ? 4 : 1;
  if (cell_bytes_ <= wanted) return;
  auto cells = std::make_unique<Cell[]>(kLineBytes / wanted);
  for (unsigned i = 0; i < kLineBytes / wanted; ++i) {
    cells[i] = cell_bytes_ == kLineBytes ? whole_ : cells_[i * wanted / cell_bytes_];
  }
  cells_ = std::move(cells);
  cell_bytes_ = wanted;
}

}  // namespace wavetank::check
