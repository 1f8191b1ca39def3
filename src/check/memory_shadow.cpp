#include "check/memory_shadow.hpp"

#include <bit>
#include <vector>

#include "check/stored_value.hpp"

namespace wavetank::check {
namespace {

/// Makes of a cell's value that of a part of it, if memory still holds all that was stored.
void split_value(Cell& part, std::uint64_t cell_begin, unsigned cell_bytes, std::uint64_t begin,
                 unsigned bytes) {
  if (part.value == 0) return;
  const bool is_there = value_in_memory(cell_begin, cell_bytes) == part.value;
  part.value = is_there ? value_in_memory(begin, bytes) : 0;
}

}  // namespace

void ShadowLine::begin_launch(std::uint32_t actor, const PackedCell& whole) {
  *this = {};
  whole_ = whole;
  launch_actor_ = actor;
}

/// Lets each cell remember whatever comes.
void ShadowLine::unpack_all(const CellBase& base) {
  auto cells = std::make_unique<SharedCells>(count());
  for (unsigned i = 0; i < count(); ++i) cells->set(i, packed_cells()[i].unpack(base));
  cells_ = std::move(cells);
  packed_ = nullptr;
}

/// Makes cells small enough that none is covered in part by a range with these bounds.
void ShadowLine::split(unsigned bounds, const LinePlace& place) {
  const unsigned old_bytes = cell_bytes_, old_count = count();
  std::vector<Cell> old(old_count);
  for (unsigned i = 0; i < old_count; ++i) {
    old[i] = cells_ == nullptr ? packed_cells()[i].unpack(place.base) : cells_->get(i);
  }
  cell_bytes_ = static_cast<std::uint8_t>(1u << std::countr_zero(bounds | kLineBytes));
  if (cells_ == nullptr) {
    packed_ = std::make_unique<PackedCell[]>(count());
  } else {
    cells_ = std::make_unique<SharedCells>(count());
  }
  for (unsigned i = 0; i < count(); ++i) {
    const unsigned at = i * cell_bytes_, old_at = at / old_bytes * old_bytes;
    Cell part = old[at / old_bytes];
    split_value(part, place.begin + old_at, old_bytes, place.begin + at, cell_bytes_);
    if (cells_ != nullptr) {
      cells_->set(i, part);
    } else if (!packed_[i].pack(part, place.base)) {
      // A part needs no more room than the whole; but should it, nothing may be lost.
      unpack_all(place.base);
      cells_->set(i, part);
    }
  }
}

void MemoryShadow::make_cells(Page& page, std::uint64_t index, const CellBase& base) {
  if (page.lines == nullptr) page.lines = std::make_unique<ShadowLine[]>(kPageLines);
  const std::uint64_t only = page.only[index];
  const bool is_write = only >> packed_bits::kSortAt == packed_bits::kWrite;
  page.lines[index].begin_launch(base.first_actor, {only, is_write ? page.value[index] : 0});
  page.only[index] = kHasCells;
}

}  // namespace wavetank::check
