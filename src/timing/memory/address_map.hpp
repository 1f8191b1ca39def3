// Which channel, slice and set serves an address.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "timing/granule.hpp"
#include "timing/memory/hbm_channel.hpp"
#include "timing/spec.hpp"

namespace wavetank::timing {

/// The number of the channel that serves an address, for `count` channels. Where that or the size
/// of blocks is no power of two, blocks go round the channels.
class ChannelHash {
 public:
  static constexpr std::uint32_t kMostChannels = 1 << 16;
  static constexpr unsigned kAddressBits = 48;  ///< that masks may have
  /// `count` is at most kMostChannels.
  ChannelHash(const TimingSpec& spec, std::uint32_t count);
  unsigned operator()(std::uint64_t address) const {
    if (goes_round_) return static_cast<unsigned>(count_.rest(block_.number(address)));
    unsigned number = 0;
    for (unsigned byte = 0; byte < kBytes; ++byte) {
      number ^= of_byte_[byte][address >> 8 * byte & 0xff];
    }
    return number;
  }

 private:
  static constexpr unsigned kBytes = kAddressBits / 8;
  Granule block_, count_;
  bool goes_round_ = false;
  /// What each byte of an address makes of the number, whose bits are parities: it is the exclusive
  /// or of all.
  std::array<std::array<std::uint16_t, 256>, kBytes> of_byte_{};
};

/// A device's map of addresses. A block of l2.interleave_bytes lies in one channel; which one says
/// the device's hash, so that powers of two spread.
class AddressMap {
 public:
  explicit AddressMap(const TimingSpec& spec);

  unsigned l2_channel(std::uint64_t address) const { return of_l2_(address); }
  /// Set within the L2 channel, to be taken modulo their number, which is far below 2^32.
  std::uint32_t l2_set(std::uint64_t address) const;
  /// There must be a MALL.
  unsigned mall_slice(std::uint64_t address) const { return of_mall_(address); }
  /// Set within the slice, to be taken modulo their number.
  std::uint64_t mall_set(std::uint64_t address) const {
    return mall_slices_.number(block_.number(address)) * 2 + line_.number(address) % 2;
  }
  unsigned hbm_channel(std::uint64_t address) const { return of_hbm_(address); }
  /// Bank and row within the HBM channel that serves it.
  HbmPlace place_in_hbm_channel(std::uint64_t address) const;
  /// Line of the L2.
  std::uint64_t line(std::uint64_t address) const { return line_.number(address); }
  /// Address of its first byte.
  std::uint64_t line_begin(std::uint64_t address) const { return line_.floor(address); }

 private:
  Granule block_, line_, lines_of_block_, l2_channels_, mall_slices_, hbm_channels_, hbm_banks_,
      blocks_of_row_;
  ChannelHash of_l2_, of_mall_, of_hbm_;
  std::uint64_t lines_per_block_;
  std::uint32_t bank_count_;
  bool scattered_sets_;
};

}  // namespace wavetank::timing
