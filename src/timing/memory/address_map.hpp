// Which channel, slice and set serves an address.
#pragma once

#include <cstdint>

#include "timing/memory/hbm_channel.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// A device's map of addresses. Consecutive blocks of l2.interleave_bytes go round the channels;
/// the upper bits are folded in, as the hardware's hash does, so that powers of two spread.
class AddressMap {
 public:
  explicit AddressMap(const TimingSpec& spec) : l2_(spec.l2), mall_(spec.mall), hbm_(spec.hbm) {}

  unsigned l2_channel(std::uint64_t address) const;
  /// Set within the L2 channel, to be taken modulo their number.
  std::uint64_t l2_set(std::uint64_t address) const;
  /// There must be a MALL.
  unsigned mall_slice(std::uint64_t address) const;
  /// Set within the slice, to be taken modulo their number.
  std::uint64_t mall_set(std::uint64_t address) const;
  unsigned hbm_channel(std::uint64_t address) const;
  /// Bank and row within the HBM channel that serves it.
  HbmPlace place_in_hbm_channel(std::uint64_t address) const;

 private:
  std::uint64_t block_of(std::uint64_t address) const { return address / l2_.interleave_bytes; }

  L2Spec l2_;
  MallSpec mall_;
  HbmSpec hbm_;
};

}  // namespace wavetank::timing
