#include "hip/runtime/operation.hpp"

#include <cstring>

namespace wavetank::hip {
namespace {

bool is_contiguous(const PitchedBytes& box, std::size_t row_bytes, std::size_t height,
                   std::size_t depth) {
  const bool rows_touch = height <= 1 || box.pitch_bytes == row_bytes;
  const bool slices_touch = depth <= 1 || box.slice_bytes == row_bytes * height;
  return rows_touch && slices_touch;
}

void fill_elements(std::byte* address, std::uint32_t value, std::uint32_t element_bytes,
                   std::size_t count) {
  if (element_bytes == 1) {
    std::memset(address, static_cast<int>(value & 0xff), count);
    return;
  }
  if (element_bytes == 2) {
    const auto half = static_cast<std::uint16_t>(value);
    for (std::size_t i = 0; i < count; ++i) std::memcpy(address + i * 2, &half, 2);
    return;
  }
  for (std::size_t i = 0; i < count; ++i) std::memcpy(address + i * 4, &value, 4);
}

/// The bytes of a box: one range if its rows follow each other, else one for each row.
void add_box(const PitchedBytes& box, std::size_t row_bytes, std::size_t height, std::size_t depth,
             check::AccessKind kind, check::TouchedRanges& ranges) {
  const auto begin = reinterpret_cast<std::uint64_t>(box.address);
  if (is_contiguous(box, row_bytes, height, depth)) {
    ranges.add({begin, begin + row_bytes * height * depth, kind, 0});
    return;
  }
  for (std::size_t slice = 0; slice < depth; ++slice) {
    for (std::size_t row = 0; row < height; ++row) {
      const std::uint64_t at = begin + slice * box.slice_bytes + row * box.pitch_bytes;
      ranges.add({at, at + row_bytes, kind, 0});
    }
  }
}

}  // namespace

void run_copy(const CopyOperation& copy) {
  const std::size_t total = copy.bytes();
  if (is_contiguous(copy.target, copy.width_bytes, copy.height, copy.depth) &&
      is_contiguous(copy.source, copy.width_bytes, copy.height, copy.depth)) {
    std::memmove(copy.target.address, copy.source.address, total);
    return;
  }
  for (std::size_t slice = 0; slice < copy.depth; ++slice) {
    for (std::size_t row = 0; row < copy.height; ++row) {
      std::memmove(
          copy.target.address + slice * copy.target.slice_bytes + row * copy.target.pitch_bytes,
          copy.source.address + slice * copy.source.slice_bytes + row * copy.source.pitch_bytes,
          copy.width_bytes);
    }
  }
}

void run_fill(const FillOperation& fill) {
  for (std::size_t slice = 0; slice < fill.depth; ++slice) {
    for (std::size_t row = 0; row < fill.height; ++row) {
      fill_elements(
          fill.target.address + slice * fill.target.slice_bytes + row * fill.target.pitch_bytes,
          fill.value, fill.element_bytes, fill.width_elements);
    }
  }
}

check::TouchedRanges touched_by(const CopyOperation& copy) {
  check::TouchedRanges ranges;
  add_box(copy.target, copy.width_bytes, copy.height, copy.depth, check::AccessKind::kWrite,
          ranges);
  if (copy.staged != nullptr) return ranges;
  add_box(copy.source, copy.width_bytes, copy.height, copy.depth, check::AccessKind::kRead, ranges);
  return ranges;
}

check::TouchedRanges touched_by(const FillOperation& fill) {
  check::TouchedRanges ranges;
  add_box(fill.target, fill.width_bytes(), fill.height, fill.depth, check::AccessKind::kWrite,
          ranges);
  return ranges;
}

}  // namespace wavetank::hip
