#include "timing/memory/address_map.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {
namespace {

/// Numbers that look random, the same for the same line (the finalizer of MurmurHash3).
std::uint64_t scattered(std::uint64_t line) {
  line ^= line >> 33;
  line *= 0xff51afd7ed558ccd;
  line ^= line >> 33;
  line *= 0xc4ceb9fe1a85ec53;
  return line ^ line >> 33;
}

std::uint64_t lines_of_block(const TimingSpec& spec) {
  return spec.l2.interleave_bytes / spec.l2.line_bytes;
}

/// A row is at least what lies side by side in a channel.
std::uint64_t blocks_of_row(const TimingSpec& spec) {
  const std::uint64_t bytes = std::uint64_t{spec.hbm.page_bytes} * HbmChannel::kPseudoChannels;
  return std::max<std::uint64_t>(bytes / spec.l2.interleave_bytes, 1);
}

}  // namespace

ChannelHash::ChannelHash(const TimingSpec& spec, std::uint32_t count)
    : block_(spec.l2.interleave_bytes), count_(count) {
  goes_round_ = !std::has_single_bit(count) || !std::has_single_bit(spec.l2.interleave_bytes);
  if (goes_round_) return;
  for (int bit = 0; bit < std::countr_zero(count); ++bit) {
    const std::uint64_t mask =
        spec.channel_hash.mask(static_cast<unsigned>(bit), spec.l2.interleave_bytes);
    for (unsigned byte = 0; byte < kBytes; ++byte) {
      for (unsigned value = 0; value < 256; ++value) {
        const bool odd = std::popcount(mask >> 8 * byte & value) % 2 != 0;
        of_byte_[byte][value] |= static_cast<std::uint16_t>(odd << bit);
      }
    }
  }
}

AddressMap::AddressMap(const TimingSpec& spec)
    : block_(spec.l2.interleave_bytes),
      line_(spec.l2.line_bytes),
      lines_of_block_(lines_of_block(spec)),
      l2_channels_(spec.l2.channels),
      mall_slices_(std::max(spec.mall.slices, 1u)),
      hbm_channels_(spec.hbm.channels),
      hbm_banks_(spec.hbm.banks),
      blocks_of_row_(blocks_of_row(spec)),
      of_l2_(spec, spec.l2.channels),
      of_mall_(spec, std::max(spec.mall.slices, 1u)),
      of_hbm_(spec, spec.hbm.channels),
      lines_per_block_(lines_of_block(spec)),
      bank_count_(spec.hbm.banks),
      scattered_sets_(spec.l2.scattered_sets) {}

std::uint32_t AddressMap::l2_set(std::uint64_t address) const {
  const std::uint64_t line = line_.number(address);
  if (scattered_sets_) return static_cast<std::uint32_t>(scattered(line));
  // Workgroups go round the XCDs, so that the low bits are the same for all that one XCD touches:
  // the upper ones are folded in.
  std::uint64_t row = l2_channels_.number(block_.number(address));
  row ^= row >> 2;
  row ^= row >> 5;
  return static_cast<std::uint32_t>(row * lines_per_block_ + lines_of_block_.rest(line));
}

// What a channel does with its addresses is not published. The bits right above those of the
// channels tell the banks: 256-byte pieces at a pitch of 64 KiB all meet in one bank of each
// channel (HIP training, transposes of 8192 x 8192 doubles: 70 cycles a piece, about one row
// cycle). Lines of 128 bytes go to the two pseudo channels, by the parity of some bits of their row
// too: single lines at a pitch of 256 KiB do not meet in one of them (amd/HPCTrainingExamples, y^T
// A x by rows).
HbmPlace AddressMap::place_in_hbm_channel(std::uint64_t address) const {
  constexpr std::uint32_t kPseudoChannels = HbmChannel::kPseudoChannels, kPseudoLineBytes = 128;
  // The parity of more bits would go with that of the channel's number.
  constexpr std::uint64_t kEverySecond = 0x5555555555555555;
  const std::uint64_t stripe = hbm_channels_.number(block_.number(address));
  const std::uint64_t above = hbm_banks_.number(stripe);
  const std::uint64_t line = address / kPseudoLineBytes;
  const auto half =
      static_cast<std::uint32_t>((line ^ std::popcount(above & kEverySecond)) % kPseudoChannels);
  return {static_cast<std::uint32_t>(stripe - above * bank_count_) * kPseudoChannels + half,
          blocks_of_row_.number(above)};
}

}  // namespace wavetank::timing
