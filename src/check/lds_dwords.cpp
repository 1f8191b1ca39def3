#include "check/lds_dwords.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "check/lane_compare.hpp"
#include "machine/wave.hpp"

namespace wavetank::check {
namespace {

using machine::kLanes;
constexpr std::uint32_t kWordBytes = 64 * 4;  ///< of LDS, for a word of bits

/// The least and the largest address of some lanes.
struct Bounds {
  std::uint32_t low, high;
};

#if defined(__x86_64__) && defined(__clang__)
[[gnu::target_clones("avx512f", "avx2", "default")]]
#endif
Bounds bounds_of(const std::uint32_t* registers, std::uint32_t base, std::uint64_t lanes,
                 std::uint32_t* addresses) {
  const auto first = static_cast<unsigned>(std::countr_zero(lanes));
  std::uint32_t low = ~0u, high = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    // Lanes that do nothing count as another one that does.
    const bool acts = (lanes >> lane & 1) != 0;
    const std::uint32_t address = registers[acts ? lane : first] + base;
    addresses[lane] = address;
    low = std::min(low, address);
    high = std::max(high, address);
  }
  return {low, high};
}

}  // namespace

/// Marks all dwords that bytes [begin, end) are in.
void LdsDwords::add(std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t last = (end - 1) / 4;
  for (std::uint32_t dword = begin / 4; dword <= last;) {
    const std::uint32_t count = std::min(last + 1 - dword, 64 - dword % 64);
    words_[dword / 64] |= ~std::uint64_t{0} >> (64 - count) << dword % 64;
    dword += count;
  }
}

bool LdsDwords::collect(const machine::Step& step, std::uint64_t lanes, std::uint32_t lds_bytes) {
  if (step.address.low() == nullptr || step.address.high() != nullptr || lanes == 0) return false;
  std::array<std::uint32_t, kLanes> addresses;
  const Bounds bounds = bounds_of(
      step.address.low(), static_cast<std::uint32_t>(step.address.base()), lanes, addresses.data());
  // Of all accesses of a lane: the first, and the last, which may lie before it.
  const std::int64_t last_shift = step.access_stride * (std::int64_t{step.access_count} - 1);
  const std::int64_t begin = bounds.low + std::min<std::int64_t>(0, last_shift);
  const std::int64_t end =
      std::int64_t{bounds.high} + std::max<std::int64_t>(0, last_shift) + step.access_bytes;
  if (begin < 0 || end > lds_bytes) return false;
  first_word_ = static_cast<std::size_t>(begin) / kWordBytes;
  words_.assign((static_cast<std::size_t>(end) + kWordBytes - 1) / kWordBytes - first_word_, 0);
  // Lanes that follow each other are added at once.
  LaneSteps steps = lane_steps(addresses.data(), nullptr, step.access_bytes);
  steps.follow &= ~(steps.repeat << 1);
  for (unsigned access = 0; access < step.access_count; ++access) {
    const auto shift =
        static_cast<std::uint32_t>(step.access_stride * std::int64_t{access} -
                                   static_cast<std::int64_t>(first_word_ * kWordBytes));
    for (std::uint64_t left = ~steps.repeat & ~steps.follow; left != 0; left &= left - 1) {
      const auto first = static_cast<unsigned>(std::countr_zero(left));
      const unsigned more = first == 63 ? 0 : std::countr_one(steps.follow >> (first + 1));
      add(addresses[first] + shift, addresses[first + more] + shift + step.access_bytes);
    }
  }
  return true;
}

}  // namespace wavetank::check
