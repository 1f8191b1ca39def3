// Which channel, slice and set serves an address.
#pragma once

#include <array>
#include <cstdint>

#include "timing/granule.hpp"
#include "timing/memory/hbm_channel.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// Folds the upper bits of a block's number into the lower ones, half by half.
class BlockFold {
 public:
  /// Onto numbers below `count`, which must not be 0.
  explicit BlockFold(std::uint32_t count);
  unsigned operator()(std::uint64_t block) const {
    std::uint64_t folded = block & ((std::uint64_t{1} << kBits) - 1);
    for (unsigned i = 0; i < steps_; ++i) {
      folded = (folded ^ folded >> half_[i]) & ((std::uint64_t{1} << half_[i]) - 1);
    }
    return static_cast<unsigned>(count_.rest(folded));
  }

 private:
  /// Of the numbers that are folded.
  static constexpr unsigned kBits = 40;
  Granule count_;
  unsigned steps_ = 0;
  std::array<std::uint8_t, 8> half_ = {};  ///< bits that each step leaves
};

/// A device's map of addresses. Consecutive blocks of l2.interleave_bytes go round the channels;
/// the upper bits are folded in, as the hardware's hash does, so that powers of two spread.
class AddressMap {
 public:
  explicit AddressMap(const TimingSpec& spec);

  unsigned l2_channel(std::uint64_t address) const { return l2_fold_(block_.number(address)); }
  /// Set within the L2 channel, to be taken modulo their number, which is far below 2^32.
  std::uint32_t l2_set(std::uint64_t address) const;
  /// There must be a MALL.
  unsigned mall_slice(std::uint64_t address) const { return mall_fold_(block_.number(address)); }
  /// Set within the slice, to be taken modulo their number.
  std::uint64_t mall_set(std::uint64_t address) const {
    return mall_slices_.number(block_.number(address)) * 2 + line_.number(address) % 2;
  }
  unsigned hbm_channel(std::uint64_t address) const { return hbm_fold_(block_.number(address)); }
  /// Bank and row within the HBM channel that serves it.
  HbmPlace place_in_hbm_channel(std::uint64_t address) const;
  /// Line of the L2.
  std::uint64_t line(std::uint64_t address) const { return line_.number(address); }
  /// Address of its first byte.
  std::uint64_t line_begin(std::uint64_t address) const { return line_.floor(address); }

 private:
  Granule block_, line_, lines_of_block_, l2_channels_, mall_slices_, hbm_channels_, hbm_banks_,
      blocks_of_row_;
  BlockFold l2_fold_, mall_fold_, hbm_fold_;
  std::uint64_t lines_per_block_;
  std::uint32_t bank_count_;
  bool scattered_sets_;
};

}  // namespace wavetank::timing
