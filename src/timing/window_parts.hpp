// The work of a window by the parts of the device that it concerns, which know nothing of each
// other: each has its items in the order in which they were added, whichever thread serves it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "timing/window_crew.hpp"

namespace wavetank::timing {

template <class Item>
class WindowParts {
 public:
  /// Threads take `parts_of_piece` neighbours at a time.
  explicit WindowParts(std::size_t parts, std::uint32_t parts_of_piece = 4)
      : parts_of_piece_(parts_of_piece), items_(parts) {}

  void add(std::size_t part, Item item) {
    if (items_[part].empty()) concerned_.push_back(static_cast<std::uint32_t>(part));
    items_[part].push_back(item);
    ++count_;
  }
  /// Does `work(part, items)` for each part that has items; on all threads if there are many.
  template <class Work>
  void for_each(WindowCrew& crew, Work work) {
    const auto of_part = [&](std::uint32_t part) {
      work(part, std::span<const Item>(items_[part]));
    };
    if (count_ < kFewestToShare || items_.size() <= parts_of_piece_) {
      for (const std::uint32_t part : concerned_) of_part(part);
      return;
    }
    const auto parts = static_cast<std::uint32_t>(items_.size());
    crew.share((parts + parts_of_piece_ - 1) / parts_of_piece_,
               [&](std::uint32_t piece, std::uint32_t) {
                 const std::uint32_t end = std::min(parts, (piece + 1) * parts_of_piece_);
                 for (std::uint32_t part = piece * parts_of_piece_; part < end; ++part) {
                   if (!items_[part].empty()) of_part(part);
                 }
               });
  }
  void clear() {
    for (const std::uint32_t part : concerned_) items_[part].clear();
    concerned_.clear();
    count_ = 0;
  }

 private:
  /// Less is done before another thread has heard of it.
  static constexpr std::size_t kFewestToShare = 256;
  std::uint32_t parts_of_piece_;
  std::vector<std::vector<Item>> items_;
  std::vector<std::uint32_t> concerned_;  ///< parts that have items
  std::size_t count_ = 0;
};

}  // namespace wavetank::timing
