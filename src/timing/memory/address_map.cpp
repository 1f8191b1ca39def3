#include "timing/memory/address_map.hpp"

#include <algorithm>
#include <bit>

namespace wavetank::timing {
namespace {

/// Folds a block's number to a number below `count`.
unsigned fold(std::uint64_t block, std::uint32_t count) {
  const auto bits = static_cast<unsigned>(std::bit_width(count) - 1);
  if (bits == 0) return 0;
  std::uint64_t folded = block & ((std::uint64_t{1} << 40) - 1);
  for (unsigned width = 40; width > bits; width = (width + 1) / 2) {
    const unsigned half = std::max((width + 1) / 2, bits);
    folded ^= folded >> half;
    folded &= (std::uint64_t{1} << half) - 1;
    if (half == bits) break;
  }
  return static_cast<unsigned>(folded % count);
}

/// Numbers that look random, the same for the same line (the finalizer of MurmurHash3).
std::uint64_t scattered(std::uint64_t line) {
  line ^= line >> 33;
  line *= 0xff51afd7ed558ccd;
  line ^= line >> 33;
  line *= 0xc4ceb9fe1a85ec53;
  return line ^ line >> 33;
}

}  // namespace

unsigned AddressMap::l2_channel(std::uint64_t address) const {
  return fold(block_of(address), l2_.channels);
}

std::uint64_t AddressMap::l2_set(std::uint64_t address) const {
  if (l2_.scattered_sets) return scattered(address / l2_.line_bytes);
  const std::uint64_t lines = l2_.interleave_bytes / l2_.line_bytes;
  const std::uint64_t line = address / l2_.line_bytes % lines;
  // Workgroups go round the XCDs, so that the low bits are the same for all that one XCD touches:
  // the upper ones are folded in.
  std::uint64_t row = block_of(address) / l2_.channels;
  row ^= row >> 2;
  row ^= row >> 5;
  return row * lines + line;
}

unsigned AddressMap::mall_slice(std::uint64_t address) const {
  return fold(block_of(address), mall_.slices);
}

std::uint64_t AddressMap::mall_set(std::uint64_t address) const {
  return block_of(address) / mall_.slices * 2 + address / l2_.line_bytes % 2;
}

unsigned AddressMap::hbm_channel(std::uint64_t address) const {
  return fold(block_of(address), hbm_.channels);
}

// What a channel does with its addresses is not published. The bits right above those of the
// channels tell the banks: 256-byte pieces at a pitch of 64 KiB all meet in one bank of each
// channel (HIP training, transposes of 8192 x 8192 doubles: 70 cycles a piece, about one row
// cycle). Lines of 128 bytes go to the two pseudo channels, by the parity of some bits of their row
// too: single lines at a pitch of 256 KiB do not meet in one of them (amd/HPCTrainingExamples, y^T
// A x by rows).
HbmPlace AddressMap::place_in_hbm_channel(std::uint64_t address) const {
  constexpr std::uint32_t kPseudoChannels = HbmChannel::kPseudoChannels, kPseudoLineBytes = 128;
  // The parity of all bits is that of the channel's number.
  constexpr std::uint64_t kEverySecond = 0x5555555555555555;
  const std::uint64_t stripe = block_of(address) / hbm_.channels;
  const std::uint64_t above = stripe / hbm_.banks;
  const std::uint64_t line = address / kPseudoLineBytes;
  const auto half =
      static_cast<std::uint32_t>((line ^ std::popcount(above & kEverySecond)) % kPseudoChannels);
  // A row is at least what lies side by side in a channel.
  const std::uint64_t blocks_of_row = std::max<std::uint64_t>(
      std::uint64_t{hbm_.page_bytes} * kPseudoChannels / l2_.interleave_bytes, 1);
  return {static_cast<std::uint32_t>(stripe % hbm_.banks) * kPseudoChannels + half,
          above / blocks_of_row};
}

}  // namespace wavetank::timing
